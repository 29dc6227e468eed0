// Pictures of the built page: node tests/e2e/shots.mjs [folder], with CHROME naming the browser.
// Wide and narrow, light and dark; the folder is target/shots if none is given.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startBrowser } from "./helpers.mjs";
import { serveDist } from "./server.mjs";

const folder = process.argv[2] ?? "target/shots";
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

mkdirSync(folder, { recursive: true });
const server = await serveDist();
const browser = await startBrowser();
for (const viewport of sizes) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport, colorScheme });
    await page.goto(server.url);
    await page.waitForSelector("html[data-app]:not([data-app=loading])", { state: "attached" });
    const file = join(folder, `${viewport.width}x${viewport.height}-${colorScheme}.png`);
    await new Promise((done) => setTimeout(done, 600)); // what was just drawn fades in
    await page.screenshot({ path: file });
    console.log(file);
    await page.close();
  }
}
await browser.close();
await server.close();
