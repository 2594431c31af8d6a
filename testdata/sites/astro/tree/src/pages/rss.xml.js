export const GET = () => null;
