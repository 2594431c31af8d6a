"use strict";
// Opens the recorded pages of the gateway and the report of `links` in chromium, and checks them;
// scripts/packages/gateway-pages runs this.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");
const {chromium} = require("playwright-core");

const ROOT = path.resolve(__dirname, "../.."), CASES = path.join(ROOT, "testdata/serve");
// The report is a file of its own, with its style sheet.
const REPORT = "report", REPORTS = path.join(ROOT, "testdata/links");
const PICTURES = path.join(ROOT, "target/page/pictures");
const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const STYLE = ["crates/locator-web/src/style.css", "crates/locator-gateway/src/pages/style.css"]
  .map(name => fs.readFileSync(path.join(ROOT, name), "utf8")).join("");
const ARGUMENTS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
// Pages with HTML of others may break its rules.
const FOREIGN = ["html", "article-html"];
const PICTURED = [REPORT, "menu", "search", "article", "form", "facts", "error", "front", "overview"];
// The pictures of the README, docs/serve-NAME-SCHEME.png.
const OF_README = ["menu", "article"], SIZE_OF_README = {width: 760, height: 735};

function serve() {
  const server = http.createServer((request, response) => {
    const name = path.basename(request.url);
    const file = path.join(name === `${REPORT}.html` ? REPORTS : CASES, name);
    if (name === "style.css") return response.writeHead(200, {"Content-Type": "text/css"}).end(STYLE);
    if (!name.endsWith(".html") || !fs.existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, {"Content-Type": "text/html; charset=utf-8"}).end(fs.readFileSync(file));
  });
  return new Promise(done => server.listen(0, "127.0.0.1", () => done({server, url: `http://127.0.0.1:${server.address().port}/`})));
}

async function accessible(page, what) {
  await page.evaluate(AXE);
  const {violations} = await page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
  const found = violations.map(one => `${one.id}: ${one.help}\n  ${one.nodes.slice(0, 3).map(node => node.html + "\n  " + node.failureSummary).join("\n  ")}`);
  assert.equal(found.length, 0, `axe-core, ${what}:\n${found.join("\n")}`);
}

async function checks(browser, url, name, scheme) {
  for (const width of [400, 1280]) {
    const context = await browser.newContext({viewport: {width, height: 800}, colorScheme: scheme});
    const page = await context.newPage();
    await page.goto(`${url}${name}.html`);
    if (!FOREIGN.includes(name)) await accessible(page, `${name}, ${scheme}, ${width}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${name} is ${wide} pixels wider than ${width}`);
    // A style sheet that the policy of the page does not know is not used.
    const margin = await page.evaluate(() => getComputedStyle(document.body).margin);
    assert.equal(margin, "0px", `${name} has no style`);
    if (PICTURED.includes(name)) await page.screenshot({path: path.join(PICTURES, `gateway-${name}-${scheme}-${width}.png`)});
    await context.close();
  }
  if (!OF_README.includes(name)) return;
  const page = await browser.newPage({viewport: SIZE_OF_README, colorScheme: scheme});
  await page.goto(`${url}${name}.html`);
  await page.screenshot({path: path.join(PICTURES, `serve-${name}-${scheme}.png`)});
  await page.close();
}

(async () => {
  fs.mkdirSync(PICTURES, {recursive: true});
  const {server, url} = await serve();
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-"));
  const browser = await chromium.launch({executablePath: "/usr/bin/chromium", args: ARGUMENTS, env: {...process.env, HOME: profile}});
  const names = fs.readdirSync(CASES).filter(name => name.endsWith(".html")).map(name => name.slice(0, -5)).concat(REPORT);
  for (const name of names) for (const scheme of ["light", "dark"]) await checks(browser, url, name, scheme);
  await browser.close();
  server.close();
  fs.rmSync(profile, {recursive: true, force: true});
  console.log(`${names.length} pages: axe-core reports nothing, none is too wide; pictures are in target/page/pictures`);
})().catch(error => { console.error(error); process.exit(1); });
