// What the page keeps on the device across releases: the loader and the worker as they are, with a program of a few bytes.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { startBrowser } from "./helpers.mjs";

const www = (name) => readFileSync(new URL(`../../www/${name}`, import.meta.url), "utf8");
const FIXED = {
  "/": `<!DOCTYPE html><html lang="en"><head><title>loading</title><link rel="icon" href="data:,"></head><body>
    <p id="boot-message" hidden></p><p id="boot-progress" hidden></p><template id="styles"></template>
    <script type="module" src="boot.js"></script></body></html>`,
  "/boot.js": www("boot.js"),
  "/offline.js": www("offline.js"),
  "/scenarios/index.json": `{ "scenarios": [{ "file": "a.yaml" }] }`,
  "/lessons/index.json": `{ "lessons": [{ "name": "b" }] }`,
};
const PROGRAM = "/setscope-page_bg.wasm";

/** The files of a release: script and program say which. */
const release = (number) => ({
  ...FIXED,
  "/setscope-page.js": `export default async ({ module_or_path }) => {
    document.title = "script ${number}, " + (await module_or_path.text()); };`,
  [PROGRAM]: `program ${number}`,
  ...Object.fromEntries(["/scenarios/a.yaml", "/lessons/b.yaml", "/lang/zh.txt", "/truth.json", "/icon.svg"].map((file) => [file, `text ${number}`])),
});

const typeOf = (path) => (path === "/" ? "text/html" : path.endsWith(".js") ? "text/javascript" : path.endsWith(".wasm") ? "application/wasm" : "text/plain");
const host = { files: {}, breaks: [] };
let server, browser, page;

before(async () => {
  server = createServer(({ url }, response) => {
    const path = url.replace(/[?#].*/, "");
    const text = host.files[path];
    // What breaks off has its head, and then half of its bytes.
    if (host.breaks.includes(path)) {
      response.writeHead(200, { "content-type": typeOf(path), "content-length": text.length });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
    } else if (host.breaks === "all") response.destroy();
    else if (text === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": typeOf(path), "cache-control": "no-cache" }).end(text);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  browser = await startBrowser();
  page = await browser.newPage();
});
after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

/** Reloads, with what the host has and what of it breaks off; what the page then says. */
async function visited(number, breaks = []) {
  Object.assign(host, { files: release(number), breaks });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForSelector("html[data-app=ready], html[data-app=failed]", { state: "attached" });
  return (await page.locator("html").getAttribute("data-app")) === "failed" ? "failed" : page.title();
}

/** Waits until the whole of a release is kept, and nothing else. */
async function isKept(number) {
  for (let looked = 0; looked < 100; looked += 1) {
    const found = await page.evaluate(async () => {
      const names = await caches.keys();
      const texts = names.map(async (name) => {
        const cache = await caches.open(name);
        const [whole, text] = await Promise.all([cache.match("?whole"), cache.match("scenarios/a.yaml")]);
        return whole && text ? text.text() : "in part";
      });
      return Promise.all(texts);
    });
    if (found.length === 1 && found[0] === `text ${number}`) return;
    await page.waitForTimeout(50);
  }
  assert.fail(`release ${number} is not kept alone and whole`);
}

test("a release is taken whole or not at all", async () => {
  assert.equal(await visited(1), "script 1, program 1");
  await isKept(1);
  assert.equal(await visited(1, "all"), "script 1, program 1", "without a connection");
  assert.equal(await visited(2, [PROGRAM]), "failed", "the new script has no old program");
  assert.match(await page.locator("#boot-message").innerText(), /could not be loaded. Check the connection/, "not that SetScope has a bug");
  assert.equal(await visited(2, [PROGRAM]), "script 1, program 1", "the reload has what is kept");
  assert.equal(await visited(2, ["/scenarios/a.yaml"]), "script 2, program 2");
  await page.waitForTimeout(500);
  assert.equal(await visited(2, "all"), "script 1, program 1", "not all of the new one is there");
  assert.equal(await visited(2), "script 2, program 2");
  await isKept(2);
  assert.equal(await visited(2, "all"), "script 2, program 2");
  const text = await page.evaluate(async () => (await fetch("lang/zh.txt")).text());
  assert.equal(text, "text 2");
});

test("a page of a release that is open goes on with its own files", async () => {
  assert.equal(await visited(2), "script 2, program 2");
  await isKept(2);
  host.files = release(3);
  assert.equal(await page.evaluate(async () => (await fetch("lang/zh.txt")).text()), "text 2");
  assert.equal(await visited(3), "script 3, program 3");
});
