import { defineConfig } from "astro/config";
export default defineConfig({ site: "https://h.example", redirects: { "/old": "/configure" } });
