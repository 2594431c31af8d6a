"use strict";
// Opens both forms of the page in chromium, and checks them; scripts/packages/page runs this.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");
const {chromium} = require("playwright-core");

const ROOT = path.resolve(__dirname, "../.."), PAGE = path.join(ROOT, "target/page");
const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const PICTURES = path.join(PAGE, "pictures");
const ARGUMENTS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
const EXAMPLES = JSON.parse(fs.readFileSync(path.join(ROOT, "web/page/examples.json")));
// How fast a text of 2,000 bytes is to be read, with room for a busy machine: a limit on work, not a measurement.
const SLOW = 250;

// Serves the files of target/page/site, as a plain server would.
function serve() {
  const types = {html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm"};
  const asked = [];
  const server = http.createServer((request, response) => {
    const name = request.url.split("?")[0].slice(1) || "index.html";
    const file = path.join(PAGE, "site", path.basename(name));
    asked.push(name);
    if (!fs.existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, {"Content-Type": types[name.split(".").pop()]}).end(fs.readFileSync(file));
  });
  return new Promise(done => server.listen(0, "127.0.0.1", () => done({server, asked, url: `http://127.0.0.1:${server.address().port}/`})));
}

async function open(context, url) {
  const page = await context.newPage();
  page.problems = [];
  page.on("console", message => { if (["error", "warning"].includes(message.type())) page.problems.push(message.text()); });
  page.on("pageerror", error => page.problems.push(String(error)));
  await page.goto(url);
  await page.waitForSelector("#out section");
  return page;
}

const text = (page, selector) => page.textContent(selector);

async function type(page, id, value) {
  await page.fill("#" + id, value);
  await page.waitForFunction(() => !document.getElementById("out").textContent.startsWith("Loading"));
}

async function accessible(page, what) {
  await page.evaluate(AXE);
  const {violations} = await page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
  const found = violations.map(one => `${one.id}: ${one.help}\n  ${one.nodes.slice(0, 3).map(node => node.html + "\n  " + node.failureSummary).join("\n  ")}`);
  assert.equal(found.length, 0, `axe-core, ${what}:\n${found.join("\n")}`);
}

async function readsUrls(page) {
  assert.equal(await text(page, "#hosts .verdict"), "The same URL, two different hosts.");
  await type(page, "url", "http://example.com/a?b#c");
  await page.waitForSelector("#components .verdict.good");
  assert.match(await text(page, "#components"), /Valid in every edition/);
  await type(page, "url", "ftp://h/%2Fetc/motd");
  await page.waitForFunction(() => document.querySelector("#plan kbd"));
  assert.match(await text(page, "#plan"), /C: CWD \/etc/);
  await type(page, "url", "http://h/a b");
  await page.waitForSelector("#errors pre");
  assert.match(await text(page, "#errors"), /a space is not allowed in the path/);
  await type(page, "url", "https://u:tarantula@h/");
  await page.waitForFunction(() => document.querySelector("#hosts").textContent.includes("u:(hidden)@h"));
  assert.doesNotMatch(await text(page, "#out"), /tarantula/);
  await type(page, "url", "http://h/<img src=x onerror=alert(1)>\u202e");
  await page.waitForFunction(() => document.querySelector("#hosts").textContent.includes("<U+202E>"));
  assert.equal(await page.locator("#out img").count(), 0);
  await type(page, "url", "");
  await page.waitForFunction(() => document.getElementById("out").textContent == "");
}

// What the page says of this browser is what the browser itself says.
async function measuresTheBrowser(page) {
  const url = "HTTP://u:tarantula@EXAMPLE.com:80/a b/../c?x=1 2#top";
  await type(page, "url", url);
  await page.waitForSelector("#browser table");
  const shown = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#browser tbody tr")].map(row => [row.cells[0].textContent, row.cells[1].textContent])));
  const found = await page.evaluate(url => { const {href, origin, protocol, username, password, hostname, port, pathname, search, hash} = new URL(url); return {href, origin, protocol, username, password, hostname, port, pathname, search, hash}; }, url);
  found.href = found.href.replace(found.password, "(hidden)");
  found.password = "(hidden)";
  for (const [name, value] of Object.entries(found)) assert.equal(shown[name], value || "(empty)", name);
  assert.doesNotMatch(await text(page, "#out"), /tarantula/);
  assert.equal(await text(page, "#this-browser td"), "contacts http://example.com");
  await type(page, "url", "http://[::1/");
  await page.waitForFunction(() => document.querySelector("#browser p")?.textContent.includes("rejects it"));
  assert.equal(await page.locator("#browser").count(), 1);
}

async function resolves(page) {
  await type(page, "url", "../img/a.png?q");
  await type(page, "base", "https://example.com/docs/guide/");
  await page.waitForSelector("#resolved .verdict.calm");
  assert.equal(await text(page, "#resolved .verdict"), "https://example.com/docs/img/a.png?q");
  await page.waitForFunction(() => document.querySelector("#browser tbody")?.textContent.includes("https://example.com/docs/img/a.png?q"));
  await type(page, "base", "docs/");
  await page.waitForSelector("#resolved .verdict.bad");
  assert.match(await text(page, "#resolved"), /The base is not a URL/);
  await page.waitForFunction(() => location.hash.includes("&base=docs%2F"));
  await page.reload();
  await page.waitForSelector("#resolved .verdict.bad");
  assert.equal(await page.inputValue("#base"), "docs/");
  await type(page, "base", "");
  await page.waitForFunction(() => !document.querySelector("#resolved"));
}

async function asksWhatIsMeant(page) {
  for (const [typed, meant] of [["example.com/a?b", "https://example.com/a?b"], ["bücher.example:8080", "https://bücher.example:8080"], ["localhost:3000/", "https://localhost:3000/"], ["127.0.0.1/x", "https://127.0.0.1/x"]]) {
    await type(page, "url", typed);
    await page.waitForSelector("#meant:not([hidden])");
    assert.equal(await text(page, "#mean"), meant);
  }
  for (const other of ["https://example.com/", "mailto:a@example.com", "a/b", "../x", "hello", "urn:isbn:1", ""]) {
    await type(page, "url", other);
    assert(await page.locator("#meant").isHidden(), other);
  }
  await type(page, "url", "example.com/a");
  await page.click("#mean");
  assert.equal(await page.inputValue("#url"), "https://example.com/a");
  await page.waitForSelector("#components .verdict.good");
}

// Whoever reloads the page, or goes back to it, finds what was typed; passwords are not kept.
async function keepsWhatWasTyped(page) {
  await type(page, "url", "http://h/?kept=1");
  await page.waitForFunction(() => location.hash == "#u=http%3A%2F%2Fh%2F%3Fkept%3D1");
  await page.reload();
  await page.waitForSelector("#hosts");
  assert.equal(await page.inputValue("#url"), "http://h/?kept=1");
  await type(page, "url", "https://u:tarantula@h/");
  await page.waitForFunction(() => location.hash == "");
}

async function showsExamples(page) {
  const buttons = page.locator(".examples button");
  assert.equal(await buttons.count(), EXAMPLES.length);
  for (const [number, example] of EXAMPLES.entries()) {
    await buttons.nth(number).click();
    assert.equal(await page.inputValue("#url"), example.url);
    assert.equal(await text(page, "#why"), example.why);
    assert.equal(await buttons.nth(number).getAttribute("aria-pressed"), "true");
    await page.waitForSelector("#out #hosts");
    assert.doesNotMatch(await text(page, "#out"), /cannot be shown/);
  }
}

async function comparesAndFinds(page) {
  await page.check("input[value=pair]");
  await type(page, "first", "http://example.com/~a");
  await type(page, "second", "HTTP://EXAMPLE.com:80/%7Ea");
  await page.waitForFunction(() => document.querySelector("#comparison .verdict.good"));
  assert.match(await text(page, "#comparison"), /default port/);
  await page.check("input[value=text]");
  await type(page, "text", "one\nsee http://a.example/x, and <ftp://b.example/>.");
  await page.waitForFunction(() => document.querySelectorAll("#found tbody tr").length == 2);
  assert.match(await text(page, "#found"), /2:5/);
  await page.click("#found a >> nth=0");
  await page.waitForSelector("#hosts");
  assert.equal(await page.inputValue("#url"), "http://a.example/x");
}

async function copiesLinks(page) {
  await page.check("input[value=url]");
  await type(page, "url", "http://h/?a=b&c=%23#d");
  await page.click("#copy");
  await page.waitForFunction(() => location.hash.length > 2);
  const link = page.url();
  await type(page, "url", "https://h/?access_token=0f8fad5bd9cb469f");
  await page.click("#copy");
  await page.waitForSelector("#warning:not([hidden])");
  assert.doesNotMatch(page.url(), /access_token/);
  assert.equal(await page.evaluate(() => document.activeElement.id), "anyway");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.includes("access_token"));
  await page.goto(link.replace("#", "?again#"));
  await page.waitForFunction(() => document.getElementById("url").value == "http://h/?a=b&c=%23#d");
}

// Whoever hears the page hears the verdict once the keys rest.
async function speaks(page) {
  await type(page, "url", "http://0x7f.1/");
  await page.waitForFunction(() => document.getElementById("said").textContent.includes("different hosts"));
}

async function reads2000BytesAtOnce(page) {
  const url = "http://example.com/" + "a/..;%2f".repeat(247);
  const taken = await page.evaluate(url => {
    const field = document.getElementById("url"), times = [];
    for (let i = 0; i < 9; i++) {
      field.value = url + i;
      const start = performance.now();
      field.dispatchEvent(new Event("input"));
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[4];
  }, url);
  console.log(`a URL of 2,000 bytes, until the script returns: ${taken.toFixed(1)} ms`);
  assert(taken < SLOW, `${taken} ms`);
}

// With the keyboard alone, every control is reached.
async function isUsedWithKeys(page) {
  await page.focus("#url");
  const reached = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.localName));
  }
  for (const wanted of ["copy", "button", "summary", "div"]) assert(reached.has(wanted), wanted);
}

async function fitsPhones(page, what) {
  const [wide, most] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert(wide <= most, `${what}: ${wide} of ${most} pixels`);
}

async function pictures(browser, url) {
  fs.mkdirSync(PICTURES, {recursive: true});
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [400, 1280]) {
      const context = await browser.newContext({viewport: {width, height: 800}, colorScheme, reducedMotion: "reduce"});
      const page = await open(context, url);
      await page.screenshot({path: path.join(PICTURES, `first-${width}-${colorScheme}.png`)});
      for (const [number, example] of EXAMPLES.entries()) {
        await type(page, "url", example.url);
        await page.waitForTimeout(0);
        await fitsPhones(page, example.url);
        if (width == 400) await accessible(page, `${example.url}, ${colorScheme}`);
        await page.screenshot({path: path.join(PICTURES, `example-${number}-${width}-${colorScheme}.png`), fullPage: true});
      }
      for (const mode of ["pair", "text"]) {
        await page.check(`input[value=${mode}]`);
        await page.waitForSelector(mode == "pair" ? "#comparison" : "#found");
        await fitsPhones(page, mode);
        await accessible(page, `${mode}, ${colorScheme}`);
        await page.screenshot({path: path.join(PICTURES, `${mode}-${width}-${colorScheme}.png`), fullPage: true});
      }
      assert.deepEqual(page.problems, []);
      await context.close();
    }
  }
}

// The module for ASCII says what the whole one says.
async function modulesAgree() {
  const exportsOf = async name => (await WebAssembly.instantiate(fs.readFileSync(path.join(PAGE, "site", name)))).instance.exports;
  const modules = [await exportsOf("ascii.wasm"), await exportsOf("full.wasm")];
  const read = (exports, text) => {
    const octets = new TextEncoder().encode(text), at = exports.input(octets.length);
    new Uint8Array(exports.memory.buffer, at, octets.length).set(octets);
    const html = exports.read(at, octets.length);
    return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, html, exports.output_len()));
  };
  const folder = path.join(ROOT, "testdata/parse");
  const cases = fs.readdirSync(folder).map(name => fs.readFileSync(path.join(folder, name), "utf8")).join("\n");
  const texts = [...cases.matchAll(/^input = (?:'(.*)'|("(?:[^\\\n]|\\[^U])*"))$/gm)].map(([, literal, quoted]) => literal ?? JSON.parse(quoted));
  const inputs = new Set(texts.filter(text => text && !/[^\0-\x7f]|xn--|%[89a-f]/i.test(text)));
  for (const text of inputs) assert.equal(read(modules[0], text), read(modules[1], text), text);
  assert(inputs.size > 300, String(inputs.size));
}

async function main() {
  await modulesAgree();
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "locator-page-"));
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({executablePath, headless: true, args: [...ARGUMENTS, `--disk-cache-dir=${profile}`]});
  const {server, asked, url} = await serve();
  try {
    const file = "file://" + path.join(PAGE, "locator.html");
    for (const at of [file, url]) {
      const context = await browser.newContext();
      const page = await open(context, at);
      if (at == url) assert.deepEqual([...new Set(asked)].filter(name => name != "favicon.ico").sort(), ["ascii.wasm", "index.html", "page.css", "page.js"]);
      for (const step of [readsUrls, measuresTheBrowser, resolves, asksWhatIsMeant, keepsWhatWasTyped, showsExamples, comparesAndFinds, speaks, copiesLinks, reads2000BytesAtOnce, isUsedWithKeys]) await step(page);
      assert.deepEqual(page.problems.filter(text => !text.includes("favicon")), []);
      if (at == url) assert(asked.includes("full.wasm"));
      await context.close();
    }
    await pictures(browser, file);
  } finally {
    await browser.close();
    server.close();
    fs.rmSync(profile, {recursive: true, force: true});
  }
  console.log(`packages/page: no errors; pictures are in ${path.relative(ROOT, PICTURES)}`);
}

main().catch(error => { console.error(error.message ?? error); process.exit(1); });
