export const GET = () => null
