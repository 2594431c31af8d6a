export default { pageExtensions: ["mdx", "tsx"], async redirects() { return [{ source: "/old", destination: "/about", permanent: true }] } }
