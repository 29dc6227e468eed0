// Writes first-look.txt: the functions that the page's program runs until it is drawn for the first time, and while somebody
// looks around and lets it play, so that nothing has to wait while the rest comes. `./dev first-look` runs it on a dist/
// whose program notes what it runs (split.mjs). Without that it ends with an error.
import { readFileSync, writeFileSync } from "node:fs";
import { startBrowser } from "./helpers.mjs";
import { serveDist } from "./server.mjs";

const root = new URL("../../", import.meta.url);
const names = JSON.parse(readFileSync(new URL("target/dev/split/names.json", root), "utf8"));
const server = await serveDist();
const browser = await startBrowser();
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
await page.goto(server.url);
await page.waitForFunction(() => document.documentElement.dataset.app === "ready");
await page.waitForTimeout(500);
for (const [x, y] of [[10, 10], [200, 400], [500, 150], [700, 300], [700, 600], [1200, 300], [900, 850]]) await page.mouse.move(x, y);
for (const key of ["Space", "Shift", "Tab", "Tab"]) await page.keyboard.press(key);
// Less than a second: then the run is saved, which the rest does.
await page.waitForTimeout(600);
const bytes = await page.evaluate(async () => {
  const module = await import(new URL(document.querySelector("meta[name=app-module]").content, document.baseURI).href);
  const program = await module.default();
  const at = program.memory.grow(1) * 65_536;
  const length = program.write_profile(at, 65_536);
  return Array.from(new Uint8Array(program.memory.buffer, at, length));
});
await browser.close();
await server.close();

// The profile: a hash of eight bytes, then for each function a number of four, which is 0 if it was never called.
const profile = Buffer.from(bytes);
const ran = names.filter((_, index) => profile.readUInt32LE(8 + 4 * index) !== 0);
writeFileSync(new URL("first-look.txt", root), [...new Set(ran)].sort().map((name) => `${name}\n`).join(""));
console.log(`first-look.txt names ${ran.length} of ${names.length} functions.`);
