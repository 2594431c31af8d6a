"use strict";
// Reads what is typed with the module of WebAssembly, and shows the HTML that it returns, in which all
// characters of the input are escaped.
(() => {
  const $ = id => document.getElementById(id);
  const encoder = new TextEncoder(), decoder = new TextDecoder();
  // Up to so many bytes are read at each key; longer texts once the keys rest.
  const AT_ONCE = 2000, QUIET = 100, SPOKEN = 500, KEPT = 400;
  // What needs the data of Unicode: other characters than ASCII, as such, encoded, or in Punycode.
  const UNICODE = /[^\0-\x7f]|xn--|%[89a-f]/i;
  const FIELDS = {url: ["url", "base"], pair: ["first", "second"], text: ["text"]};
  // A host without a scheme, as people type it: a name with a dot, an address, or localhost.
  const HOST = /^(?:localhost|[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}-]+)*\.[\p{L}\p{N}-]{2,}|\d+(?:\.\d+){3})(?::\d+)?(?:[/?#]|$)/iu;
  // What `new URL()` has, by the names that scripts know.
  const PROPERTIES = ["href", "origin", "protocol", "username", "password", "hostname", "port", "pathname", "search", "hash"];
  const policy = window.trustedTypes?.createPolicy("locator", {createHTML: html => html}) ?? {createHTML: html => html};
  const packed = $("module");
  const modules = {};
  let reading = 0, later, spoken, kept;

  async function compiled(name) {
    if (packed) {
      const bytes = Uint8Array.from(atob(packed.textContent.trim()), c => c.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      return WebAssembly.compile(await new Response(stream).arrayBuffer());
    }
    const response = await fetch(name + ".wasm");
    if (!response.ok) throw new Error(name + ".wasm: " + response.status);
    return WebAssembly.compile(await response.arrayBuffer());
  }

  // Loads each module once, and makes a new instance of it where the last one has stopped.
  function load(name) {
    const slot = modules[name] ??= {};
    slot.loading ??= compiled(name).then(async module => {
      slot.start = async () => { slot.exports = (await WebAssembly.instantiate(module, {})).exports; };
      await slot.start();
      return slot;
    }).catch(error => { slot.loading = undefined; throw error; });
    return slot.loading;
  }

  const nameFor = texts => packed || texts.some(text => UNICODE.test(text)) ? "full" : "ascii";

  // Calls a function of the module with texts; returns what it returns, as a number or as HTML.
  function call({exports}, name, texts) {
    const parts = texts.map(text => encoder.encode(text));
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const at = exports.input(length);
    let to = at;
    for (const part of parts) {
      new Uint8Array(exports.memory.buffer, to, part.length).set(part);
      to += part.length;
    }
    const result = exports[name](at, length, parts[0].length);
    if (name == "secrets") return result;
    return decoder.decode(new Uint8Array(exports.memory.buffer, result, exports.output_len()));
  }

  const mode = () => document.querySelector("input[name=mode]:checked").value;
  const texts = () => FIELDS[mode()].map(id => $(id).value);

  async function show() {
    const mine = ++reading, given = texts();
    const name = {url: given[1] ? "resolve" : "read", pair: "compare", text: "find"}[mode()];
    const wanted = nameFor(given);
    try {
      // What is loaded answers at once, within the same event.
      const slot = modules[wanted]?.exports ? modules[wanted] : await load(wanted);
      if (mine != reading) return;
      let html;
      try {
        html = given.every(text => text == "") ? "" : call(slot, name, given);
      } catch (error) {
        await slot.start();
        throw error;
      }
      const out = $("out"), open = new Set([...out.querySelectorAll("details[open]")].map(one => one.textContent));
      out.innerHTML = policy.createHTML(html);
      if (mode() == "url" && given[0] + given[1] != "") addBrowser(out, ...given);
      for (const one of out.querySelectorAll("details")) one.open = open.has(one.textContent);
      document.documentElement.dataset.shown = mine;
      clearTimeout(spoken);
      spoken = setTimeout(() => speak(out), SPOKEN);
    } catch (error) {
      if (mine == reading) $("out").textContent = "This cannot be shown: " + error.message;
    }
  }

  const element = (name, content, attributes = {}) => {
    const made = document.createElement(name);
    made.append(...[content].flat());
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  // What this browser itself makes of the URL. Passwords are hidden, as everywhere on the page.
  function measured(url, base) {
    try {
      const found = base ? new URL(url, base) : new URL(url), hidden = found.password ? "(hidden)" : "";
      const shown = Object.fromEntries(PROPERTIES.map(name => [name, found[name]]));
      if (hidden) {
        const start = found.protocol + "//" + found.username + ":";
        shown.href = start + hidden + found.href.slice(start.length + found.password.length);
      }
      return {...shown, password: hidden};
    } catch {
      return null;
    }
  }

  function addBrowser(out, url, base) {
    const found = measured(url, base);
    const code = text => text == "" ? element("span", "(empty)", {class: "none"}) : element("code", text, {class: "text"});
    const contact = found?.hostname ? ["contacts ", code(found.protocol + "//" + found.hostname + (found.port && ":" + found.port))]
      : found ? ["contacts nothing"] : [element("span", "rejects it", {class: "none"})];
    const row = element("tr", [element("th", "this browser", {scope: "row"}), element("td", contact)], {id: "this-browser"});
    out.querySelector("#programs tbody")?.prepend(row);
    const heading = element("h2", "This browser", {id: "h-browser"});
    const body = found ? element("div", element("table", [
      element("caption", "What new URL() of this browser gives", {class: "hidden"}),
      element("thead", element("tr", [element("th", "Property", {scope: "col"}), element("th", "Value", {scope: "col"})])),
      element("tbody", PROPERTIES.map(name => element("tr", [element("th", name, {scope: "row"}), element("td", code(found[name]))]))),
    ]), {class: "scroll", tabindex: "0", role: "group", "aria-label": "What new URL() of this browser gives"}) : element("p", "new URL() of this browser rejects it.", {class: "verdict calm"});
    const section = element("section", [heading, body], {id: "browser", class: "reading", "aria-labelledby": "h-browser"});
    (out.querySelector("#programs") ?? out.lastElementChild)?.after(section);
  }

  function speak(out) {
    const words = [...out.querySelectorAll(".verdict")].slice(0, 3).map(one => one.textContent);
    $("said").textContent = words.join(" ");
  }

  function changed() {
    clearTimeout(later);
    $("warning").hidden = true;
    $("copied").textContent = "";
    for (const one of document.querySelectorAll(".examples button")) {
      const is = mode() == "url" && one.value == $("url").value;
      one.setAttribute("aria-pressed", is);
      if (is) $("why").textContent = one.dataset.why;
    }
    if (!document.querySelector(".examples button[aria-pressed=true]")) $("why").textContent = "";
    const typed = $("url").value.trim();
    $("meant").hidden = mode() != "url" || $("base").value != "" || !HOST.test(typed);
    $("mean").textContent = "https://" + typed;
    clearTimeout(kept);
    kept = setTimeout(keep, KEPT);
    const length = texts().reduce((sum, text) => sum + encoder.encode(text).length, 0);
    if (length <= AT_ONCE) show();
    else later = setTimeout(show, QUIET);
  }

  function choose(name) {
    document.querySelector(`input[name=mode][value=${name}]`).checked = true;
    for (const one of document.querySelectorAll("[data-mode]")) one.hidden = one.dataset.mode != name;
  }

  // The link has what is read after "#", which browsers do not send to servers.
  const KEYS = {url: "u", base: "base", first: "a", second: "b", text: "t"};
  function link() {
    const fields = FIELDS[mode()].filter(id => id != "base" || $(id).value).map(id => KEYS[id] + "=" + encodeURIComponent($(id).value.toWellFormed?.() ?? $(id).value));
    return location.href.split("#")[0] + "#" + fields.join("&");
  }

  const hasSecrets = async () => call(await load(nameFor(texts())), "secrets", [texts().join("\n")]) > 0;

  // The address bar keeps what was typed, but no passwords and tokens: history and bookmarks would have them.
  async function keep() {
    try {
      const isSecret = await hasSecrets();
      history.replaceState(null, "", isSecret ? location.href.split("#")[0] + "#" : link());
    } catch {
      // A browser allows a number of changes in a time; the next one is kept again.
    }
  }

  function follow() {
    const given = {};
    for (const field of location.hash.slice(1).split("&")) {
      const [key, value] = field.split("=", 2);
      try { given[key] = decodeURIComponent(value ?? ""); } catch { given[key] = value; }
    }
    const name = "t" in given ? "text" : "a" in given || "b" in given ? "pair" : "u" in given ? "url" : null;
    if (!name) return false;
    choose(name);
    for (const id of FIELDS[name]) $(id).value = given[KEYS[id]] ?? "";
    changed();
    return true;
  }

  async function copy(isMeant) {
    const isSecret = await hasSecrets();
    $("warning").hidden = isMeant || !isSecret;
    if (isSecret && !isMeant) return $("anyway").focus();
    clearTimeout(kept);
    history.replaceState(null, "", link());
    try {
      await navigator.clipboard.writeText(location.href);
      $("copied").textContent = "Copied.";
    } catch {
      $("copied").textContent = "The link is in the address bar.";
    }
    $("said").textContent = $("copied").textContent;
    if (isMeant) $("copy").focus();
  }

  for (const one of document.querySelectorAll("textarea")) one.addEventListener("input", changed);
  for (const one of document.querySelectorAll("input[name=mode]")) {
    one.addEventListener("change", () => { choose(one.value); changed(); });
  }
  for (const one of document.querySelectorAll(".examples button")) {
    one.addEventListener("click", () => { $("url").value = one.value; $("base").value = ""; changed(); });
  }
  // A URL has no line breaks: Enter has nothing to do.
  for (const id of ["url", "base", "first", "second"]) {
    $(id).addEventListener("keydown", event => { if (event.key == "Enter") event.preventDefault(); });
  }
  $("form").addEventListener("submit", event => event.preventDefault());
  $("mean").addEventListener("click", () => { $("url").value = $("mean").textContent; changed(); $("url").focus(); });
  $("copy").addEventListener("click", () => copy(false));
  $("anyway").addEventListener("click", () => copy(true));
  addEventListener("hashchange", () => { if (follow()) scrollTo(0, 0); });
  if (!follow()) {
    choose("url");
    $("url").value ||= document.querySelector(".examples button").value;
    $("first").value ||= "http://example.com/%7Ea";
    $("second").value ||= "HTTP://EXAMPLE.com:80/~a";
    $("text").value ||= "See https://www.example.com:443@evil.example/login (not\nhttp://example.com/),\nor <ftp://ftp.example/%2Fetc/motd>; not http://example.com/%zz.";
    changed();
  }
})();
