// The stage: the axis is whole and the verdict in sight at every size and with any number of pods; nothing moves while it plays.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { actOnNode, openSite, press, settle } from "./helpers.mjs";

const site = openSite();

/** Where the verdict is, the stage's box, and how many ordinals can be seen, folded ones counted. */
const measured = (page) =>
  page.evaluate(() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const [stage, verdict] = [box(".stage"), box(".explanation")];
    const isSeen = (element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return found !== null && (element.contains(found) || found.classList.contains("flag__label") || found.closest(".flag") !== null);
    };
    const places = [...document.querySelectorAll(".rail .place")].filter(isSeen);
    const cut = places.map((place) => place.querySelector(".pod__name")).filter((name) => name.scrollWidth > name.clientWidth + 1);
    return {
      stage: { top: stage.top, bottom: stage.bottom },
      verdict: { top: verdict.top, bottom: verdict.bottom },
      ordinals: places.length,
      cut: cut.length,
      wide: document.documentElement.scrollWidth,
    };
  });

async function scaleTo(page, replicas) {
  await page.getByLabel("Replicas as a number").fill(String(replicas));
  await page.getByLabel("Replicas as a number").press("Enter");
}

for (const [pods, seen] of [[4, 4], [9, 9], [12, 12], [24, 24], [40, 40], [100, 80], [1_000, 2]]) {
  test(`with ${pods} pods the verdict is in sight at 1280×800, and so are ordinals`, async () => {
    const visit = await site.visit({ viewport: { width: 1280, height: 800 } });
    const { page } = visit;
    await scaleTo(page, pods);
    for (let at = 0; at < 3; at += 1) {
      await page.locator(".stage").focus();
      await press(page, "Shift+Period");
    }
    const { stage, verdict, ordinals, cut } = await measured(page);
    assert.ok(verdict.top >= stage.top && verdict.bottom <= stage.bottom + 1, JSON.stringify({ stage, verdict }));
    assert.ok(ordinals >= seen, `${ordinals} of ${pods} ordinals`);
    assert.equal(cut, 0, "no ordinal is cut");
    if (pods === 1_000) assert.match(await page.locator(".rail__run").last().textContent(), /–999/, "the rest is folded");
    await visit.end();
  });
}

const sizes = [[360, 640], [360, 740], [390, 844], [640, 400], [760, 560], [844, 390], [768, 1024], [1024, 768], [1280, 800], [1440, 900], [2560, 1440]];
for (const [width, height] of sizes) {
  test(`at ${width}×${height} a pod and the verdict are in sight, and nothing is wider than the screen`, async () => {
    const visit = await site.visit({ viewport: { width, height } });
    const { page } = visit;
    const { stage, verdict, ordinals, wide } = await measured(page);
    assert.ok(verdict.top >= stage.top - 1 && verdict.top + 44 <= stage.bottom, JSON.stringify({ stage, verdict }));
    assert.ok(ordinals >= 1, `${ordinals} ordinals`);
    assert.ok(wide <= width, `${wide} wide`);
    await visit.end();
  });
}

test("nothing on the stage moves by itself while it plays", async () => {
  const visit = await site.visit({ motion: "no-preference", viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await page.evaluate(() => {
    window.shifts = [];
    const element = ({ node }) => (node instanceof Element ? node : node?.parentElement);
    const isOfStage = (source) => Boolean(element(source)?.closest(".stage"));
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) {
        const moved = shift.sources.filter(isOfStage).map((source) => element(source).className);
        if (!shift.hadRecentInput && moved.length > 0) window.shifts.push(`${shift.value.toFixed(4)} ${moved.join(", ")}`);
      }
    }).observe({ type: "layout-shift", buffered: false });
  });
  await page.getByLabel("Speed").selectOption({ label: "10×" });
  await page.getByRole("button", { name: "Play" }).click();
  await page.locator(".transport__play", { hasText: "Settled" }).waitFor({ timeout: 30_000 });
  await page.getByRole("button", { name: /^Roll out/ }).click();
  await page.locator(".transport__play", { hasText: "Settled" }).waitFor({ timeout: 30_000 });
  assert.deepEqual(await page.evaluate(() => window.shifts), []);
  await visit.end();
});

test("what would end a wait is offered where the wait is told, with what would not", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await actOnNode(page, "node-b", "Cut its power");
  await settle(page);
  const ways = page.locator(".verdict__way");
  await ways.first().waitFor();
  assert.match(await ways.first().textContent(), /well after/);
  assert.match(await page.locator(".verdict__ways").textContent(), /would not help/);
  await ways.first().getByRole("button").first().click();
  await settle(page);
  assert.match(await page.locator(".explanation").textContent(), /Nothing to do/);
  await visit.end();
});

test("a failed node stands where it stood", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  const places = () =>
    page.locator(".node").evaluateAll((nodes) => nodes.map((node) => [node.querySelector("h3").textContent, Math.round(node.getBoundingClientRect().left)]));
  const before = await places();
  await actOnNode(page, "node-b", "Cut its power");
  assert.deepEqual(await places(), before);
  await visit.end();
});

test("the arrow keys lead from pod to pod, and a number to its ordinal", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  const focused = () => page.evaluate(() => document.activeElement.id);
  const stops = () => page.locator('.rail__list [data-stop][tabindex="0"]').count();
  const clock = await page.locator(".transport__clock").textContent();
  await page.locator("#pod-web-0").focus();
  const led = [];
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End", "1"]) {
    await press(page, key);
    led.push(await focused());
  }
  assert.deepEqual(led.map((id) => id.slice(-1)), ["1", "2", "2", "1", "0", "2", "1"]);
  assert.equal(await page.locator(".transport__clock").textContent(), clock, "time stands still meanwhile");
  assert.equal(await stops(), 1, "one pod is a stop of the Tab key");
  await press(page, "Tab", "Shift+Tab");
  assert.equal(await focused(), "pod-web-1", "the one that had the focus");
  await press(page, "Enter");
  await page.locator(".menu").waitFor();
  await press(page, "Escape");
  assert.equal(await focused(), "pod-web-1");
  // Cells in rows, and runs of them.
  await scaleTo(page, 100);
  await settle(page);
  await page.locator("#pod-web-1").focus();
  await press(page, "4", "2");
  const seen = await page.evaluate(() => [document.activeElement.dataset.stop, document.activeElement.dataset.to ?? document.activeElement.dataset.stop].map(Number));
  assert.ok(seen[0] <= 42 && 42 <= seen[1], `${seen}`);
  assert.equal(await stops(), 1);
  await press(page, "Home", "ArrowDown");
  const [first, below] = await page.evaluate(() => [document.querySelector("[data-stop]"), document.activeElement].map((one) => one.getBoundingClientRect().top));
  assert.ok(below > first, "a row below");
  await visit.end();
});

test("cards of a workload without ordinals are led through as well", async () => {
  const manifest = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "api" },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: "api" } },
      template: { metadata: { labels: { app: "api" } }, spec: { containers: [{ name: "app", image: "app:1" }] } },
    },
  };
  const run = { setscope: 1, open: 30, run: [{ at: 0, apply: JSON.stringify(manifest) }] };
  const visit = await site.visit({ hash: `1.${deflateRawSync(JSON.stringify(run)).toString("base64url")}` });
  const { page } = visit;
  await page.locator(".cards [data-stop]").first().focus();
  await press(page, "ArrowRight");
  const at = await page.evaluate(() => [...document.querySelectorAll(".cards [data-stop]")].indexOf(document.activeElement));
  assert.equal(at, 1);
  assert.equal(await page.locator('.cards [data-stop][tabindex="0"]').count(), 1);
  await visit.end();
});
