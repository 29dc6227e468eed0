import { serveDist } from "./server.mjs";
import { startBrowser } from "./helpers.mjs";
const steps = process.argv.slice(3);
const server = await serveDist();
const browser = await startBrowser();
const [w, h] = (process.env.SIZE ?? "1280x800").split("x").map(Number);
const context = await browser.newContext({ viewport: { width: w, height: h }, colorScheme: process.env.DARK ? "dark" : "light", reducedMotion: "reduce", serviceWorkers: "block", locale: process.env.LOC });
const page = await context.newPage();
page.setDefaultTimeout(8000);
page.on("console", (m) => ["error","warning"].includes(m.type()) && console.log(m.text()));
page.on("pageerror", (e) => console.log(e.message));
await page.goto(server.url + (process.env.PATHQ ?? ""));
await page.waitForSelector('html[data-app="ready"]', { state: "attached", timeout: 20000 });
for (const s of steps) { const r = await eval(`(async()=>{ return ${s} })()`); if (r !== undefined && r !== null && typeof r !== "object") console.log(r); }
await page.waitForTimeout(300);
await page.screenshot({ path: process.argv[2] });
await browser.close(); await server.close();
