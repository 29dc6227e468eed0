// Opens a served page as a new visitor and sees the first picture before there is a program, then the interactive page:
//
//   node tests/e2e/fresh-clone.mjs http://127.0.0.1:8080/
//
// `./dev test` runs it on a fresh clone of the project, served in both ways that README names.
import assert from "node:assert/strict";
import { startBrowser } from "./helpers.mjs";

const browser = await startBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, serviceWorkers: "block" });
  let arrive;
  const held = new Promise((done) => (arrive = done));
  await page.route("**/*.wasm", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(process.argv[2], { waitUntil: "commit" });
  await page.waitForSelector('html[data-app="loading"]', { state: "attached" });
  await page.getByText("web-1 is starting, and web-2 waits for it", { exact: true }).filter({ visible: true }).waitFor();
  arrive();
  await page.waitForSelector('html[data-app="ready"]', { state: "attached", timeout: 60_000 });
  assert.equal(await page.locator(".first").count(), 0);
  await page.getByRole("button", { name: "Play" }).click();
  await page.getByText("web-2", { exact: true }).first().waitFor();
  console.log(`${process.argv[2]} shows the first picture, then the page.`);
} finally {
  await browser.close();
}
