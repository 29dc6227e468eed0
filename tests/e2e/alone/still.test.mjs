// Nothing moves while it plays.
import assert from "node:assert/strict";
import { test } from "node:test";
import { actOnNode, openSite, press } from "../helpers.mjs";

const site = openSite();

// The chart of time is drawn anew to its scale, and the reasons and the verdict's sentences are those of another sync: they are what
// changes. Of an element that has gone since, nothing tells whether it was of them. A status and a claim are other words in the
// middle of their places. What moves in answer to an input does not move by itself.
const OTHER_WORDS = ".time__canvas, .panel--why, .explanation__text, .pod__status, .place__claim";

const shiftsOf = (page) =>
  page.evaluate((OTHER_WORDS) => {
    window.shifts = [];
    window.answers = [];
    const element = ({ node }) => (node instanceof Element ? node : node?.parentElement);
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) {
        const isDrawn = (source) => !element(source) || element(source).closest(OTHER_WORDS);
        const distance = ({ previousRect, currentRect }) => [currentRect.x - previousRect.x, currentRect.y - previousRect.y];
        const moved = shift.sources
          .filter((source) => !isDrawn(source) && Math.hypot(...distance(source)) >= 0.5)
          .map((source) => `${element(source)?.className} by ${distance(source)}`);
        if (!shift.hadRecentInput && moved.length > 0) window.shifts.push({ at: shift.startTime, what: `${shift.value.toFixed(4)} ${moved.join(", ")}` });
      }
    }).observe({ type: "layout-shift", buffered: false });
  }, OTHER_WORDS);

// A browser forgives what moves in the half second after an input: 30 frames. A slow machine needs longer for as many.
const ANSWER = 30;

const answered = async (page, act) => {
  const from = await page.evaluate(() => performance.now());
  await act();
  await page.evaluate(async ([from, frames]) => {
    for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame);
    window.answers.push({ from, to: performance.now() });
  }, [from, ANSWER]);
};

const movedByItself = (page) =>
  page.evaluate(() => window.shifts.filter(({ at }) => !window.answers.some(({ from, to }) => from <= at && at <= to)).map(({ what }) => what));

for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
  test(`nothing moves by itself in a minute of creating, scaling, rolling and losing a node at ${viewport.width} wide`, async () => {
    const visit = await site.visit({ motion: "no-preference", viewport });
    const { page } = visit;
    const run = async (act) => {
      await answered(page, act);
      await page.waitForTimeout(10_000);
    };
    const flag = (name, key) => run(async () => {
      await page.locator(`.flag--${name}`).focus();
      await press(page, key);
    });
    await shiftsOf(page);
    await page.getByLabel("Speed").selectOption({ label: "10×" });
    await run(() => page.locator(".transport__play").click());
    await flag("replicas", "ArrowRight");
    await flag("partition", "ArrowRight");
    await flag("replicas", "ArrowLeft");
    if (viewport.width > 600) await run(() => page.getByRole("button", { name: /^Roll out/ }).click());
    await run(() => actOnNode(page, "node-b", "Cut its power"));
    assert.deepEqual(await movedByItself(page), []);
    await visit.end();
  });
}
