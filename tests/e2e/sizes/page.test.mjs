// The page at the sizes it is used at: the head, the bar of time, the timeline, sheets and tabs have their room.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAccessibility, openSite, openTab, press, resize, settle, toEnd } from "../helpers.mjs";

const site = openSite();
const phone = { viewport: { width: 390, height: 844 }, touch: true };

test("on a phone nothing is wider than the screen, and the sheets open under the stage", async () => {
  const visit = await site.visit(phone);
  const { page } = visit;
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  assert.ok(await fits());
  for (const name of ["Change it", "Why"]) {
    await page.getByRole("tab", { name, exact: true }).click();
    const [stage, sheet] = [await page.locator(".stage").boundingBox(), await page.getByRole("complementary").boundingBox()];
    assert.ok(stage.height >= 300 && sheet.height <= 844 / 2, "the stage stays in sight");
    assert.ok(await page.getByRole("complementary").isVisible());
    assert.ok(await fits());
    await checkAccessibility(page);
  }
  await visit.end();
});

test("on a phone the page holds with letters of any width", async () => {
  const visit = await site.visit({ ...phone, viewport: { width: 360, height: 740 } });
  const { page } = visit;
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { font-family: monospace !important; letter-spacing: 0.15em !important }");
    document.adoptedStyleSheets = [sheet];
  });
  const keys = await page.getByRole("button", { name: "More" }).boundingBox();
  assert.ok(keys.x >= 0 && keys.x + keys.width <= 360, `? ends at ${keys.x + keys.width}`);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
  await visit.end();
});

// Width, height, and how high the stage is at least.
const sizes = [
  [360, 740, 500], [390, 844, 600], [430, 932, 680], [844, 390, 240], [640, 400, 250], [760, 560, 400], [768, 1024, 760],
  [1024, 768, 600], [1280, 800, 500], [1440, 900, 600], [1920, 1080, 750], [2560, 1440, 1000],
];

test("at every size the head, the time and the stage have their room, and nothing leaves the window", async () => {
  const visit = await site.visit();
  const { page } = visit;
  for (const [width, height, least] of sizes) {
    await resize(page, width, height);
    const outside = () => page.evaluate(() => {
      const within = ({ left, right, top, bottom }) => left >= 0 && right <= innerWidth + 1 && top >= 0 && bottom <= innerHeight + 1;
      const parts = [...document.querySelectorAll(".top button:not(.top__skip), .transport :is(button, select, .transport__clock)")];
      const cut = parts.filter((part) => part.checkVisibility() && !within(part.getBoundingClientRect()));
      return [document.documentElement.scrollWidth > innerWidth && "wider than the window", ...cut.map((part) => part.ariaLabel ?? part.textContent)].filter(Boolean);
    });
    // What the program measures is drawn again a little later, on a busy machine much later: only what stays is a fault.
    for (const until = Date.now() + 10_000; Date.now() < until && (await outside()).length > 0; ) await page.waitForTimeout(50);
    assert.deepEqual(await outside(), [], `${width} by ${height}`);
    const stage = await page.locator(".stage").boundingBox();
    assert.ok(stage.height >= least, `${width} by ${height}: the stage is ${stage.height} px high`);
  }
  await visit.end();
});

test("on a phone nothing of the head is cut off or broken, in either language", async () => {
  for (const locale of ["zh-CN", "en-US"]) {
    const visit = await site.visit({ ...phone, locale });
    const { page } = visit;
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `the page is ${wide} px wider than the screen`);
    for (const part of await page.locator(".top button").all()) {
      if (!(await part.isVisible())) continue;
      const { x, width, height } = await part.boundingBox();
      assert.ok(x >= 0 && x + width <= 390 && width >= 24 && height >= 24 && height < 45, `${await part.innerText()}: ${x} ${width} ${height}`);
    }
    if (locale === "zh-CN") await checkAccessibility(page);
    await visit.end();
  }
});

test("on small phones a clock of minutes is whole in Chinese", async () => {
  for (const width of [360, 390]) {
    const visit = await site.visit({ locale: "zh-CN", path: "?scenario=node-lost", viewport: { width, height: 740 }, touch: true });
    const { page } = visit;
    await toEnd(page);
    await page.locator(".transport__clock", { hasText: /\d 分/ }).waitFor();
    const clock = await page.locator(".transport__clock").evaluate((clock) => {
      const words = document.createRange();
      words.selectNodeContents(clock);
      return words.getBoundingClientRect().right;
    });
    assert.ok(clock <= width - 4, `${clock} of ${width}`);
    await visit.end();
  }
});

test("on a phone every tab fits the screen", async () => {
  const visit = await site.visit(phone);
  const { page } = visit;
  for (const name of ["Terminal", "Status", "Revisions", "Why"]) {
    await openTab(page, name);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), name);
  }
  await visit.end();
});

for (const [name, options] of [["1440 px", {}], ["390 px", phone]]) {
  test(`no mark of the axis lies behind the moment's label at ${name}`, async () => {
    const visit = await site.visit(options);
    const { page } = visit;
    await settle(page);
    const axis = () => page.evaluate(() => {
      const label = document.querySelector(".time__clock").getBoundingClientRect();
      const whole = (tick) => {
        const words = document.createRange();
        words.selectNodeContents(tick);
        return words.getBoundingClientRect();
      };
      // A mark without room for its words is but its line.
      const shown = [...document.querySelectorAll(".time__tick")].filter((tick) => tick.getBoundingClientRect().width > 6 && getComputedStyle(tick).color !== "rgba(0, 0, 0, 0)");
      const cut = shown.filter((tick) => tick.scrollWidth > tick.clientWidth);
      const behind = shown.filter((tick) => whole(tick).right > label.left && whole(tick).left < label.right);
      return { shown: shown.length, all: document.querySelectorAll(".time__tick").length, wrong: [...cut, ...behind].map((tick) => tick.textContent) };
    });
    await page.getByRole("slider", { name: "Moment" }).focus();
    for (let times = 0; times < 12; times += 1) {
      const { shown, all, wrong } = await axis();
      assert.deepEqual(wrong, [], await page.locator(".transport__clock").textContent());
      assert.ok(shown >= Math.floor(all / 2) - 2, `${shown} of ${all} marks have words`);
      await press(page, "PageDown");
    }
    await visit.end();
  });
}

test("a phone has room for the question and the pods", async () => {
  const visit = await site.visit({ path: "?lesson=create-in-order", viewport: { width: 390, height: 844 }, touch: true });
  const { page } = visit;
  await page.locator(".guide").getByRole("button", { name: "web-0" }).waitFor();
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  const { y, height } = await page.locator(".rail").first().boundingBox();
  const box = await page.locator(".guide").boundingBox();
  assert.ok(box.height < 844 * 0.6, `the guide is ${box.height} high`);
  assert.ok(y < 844, `the pods begin at ${y}, ${height} high`);
  await visit.end();
});

test("on a phone the kubectl line is in sight in its sheet, whatever was printed", async () => {
  const visit = await site.visit({ viewport: { width: 390, height: 844 }, touch: true });
  const { page } = visit;
  await page.getByRole("tab", { name: "Terminal", exact: true }).click();
  await page.getByLabel("kubectl command").fill("get pods -A");
  await press(page, "Enter");
  const [line, bar] = await page.evaluate(() => [".line", ".transport"].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
  assert.ok(line.bottom <= bar.top + 1, JSON.stringify([line, bar]));
  await visit.end();
});

test("on a phone the buttons of time are one row, and the lanes have the room", async () => {
  const visit = await site.visit({ path: "?scenario=four-workloads", viewport: { width: 360, height: 740 }, touch: true });
  const { page } = visit;
  await page.locator(".lanes").waitFor();
  const { bar, cut } = await page.locator(".lanes .transport").evaluate((bar) => ({
    bar: bar.getBoundingClientRect().height,
    cut: [...bar.querySelectorAll("button, select, .transport__clock")].filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth).length,
  }));
  assert.ok(bar <= 52, `${bar} high`);
  assert.equal(cut, 0);
  await visit.end();
});
