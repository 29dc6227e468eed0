import { startBrowser } from "./helpers.mjs";
import { serveDist } from "./server.mjs";
const server = await serveDist(); const browser = await startBrowser();
const which = (process.argv[2] ?? "1440,390").split(",").map(Number);
for (const width of which) for (const colorScheme of ["light","dark"]) {
  const context = await browser.newContext({ viewport: { width, height: width < 700 ? 844 : 900 }, colorScheme, reducedMotion: "reduce", hasTouch: width<700, isMobile: width<700 });
  const page = await context.newPage();
  page.on("console", m => ["error","warning"].includes(m.type()) && console.log(m.text()));
  page.on("pageerror", e => console.log("ERR", e.message));
  await page.goto(server.url);
  await page.waitForSelector("html[data-app=ready]", { state: "attached" });
  const shot = (n) => page.screenshot({ path: `/tmp/time-shots/${width}-${colorScheme}-${n}.png` });
  const key = async (k) => { await page.evaluate(() => document.querySelector(".stage").focus()); await page.keyboard.press(k); };
  const settled = () => page.waitForFunction(() => document.querySelector(".transport__play").textContent === "Settled", null, {timeout: 30000});
  await shot("a-first");
  await key("End"); await settled();
  if (width > 700) {
    await page.getByRole("slider", { name: "replicas flag" }).focus();
    for (let i=0;i<3;i++) await page.keyboard.press("ArrowRight");
    await key("End"); await settled();
    await page.getByRole("slider", { name: "partition flag" }).focus();
    await page.keyboard.press("ArrowRight"); await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: /^Roll out/ }).click();
    for (let i=0;i<12;i++) await key("Shift+Period"); await shot("x");
    await page.getByRole("button", { name: "Remove (node-c)" }).click();
    await key("End"); await settled();
  }
  await shot("b-run");
  await page.getByRole("slider", { name: "Moment" }).focus();
  for (let i=0;i<30;i++) await page.keyboard.press("ArrowLeft");
  await shot("c-past");
  if (width < 700) { await page.locator(".time").scrollIntoViewIfNeeded(); await page.evaluate(() => document.querySelector(".middle").scrollTo(0, 99999)); await shot("d-time"); }
  else {
    await page.getByRole("slider", { name: "replicas flag" }).focus();
    await page.keyboard.press("ArrowLeft");
    await key("End"); await settled();
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.getByRole("button", { name: /Branches/ }).click();
    await page.getByRole("button", { name: "Compare with branch 1" }).click();
    await shot("d-branches");
  }
  await context.close();
}
await browser.close(); await server.close();
