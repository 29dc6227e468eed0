// The stage: what is offered on it, and how the keys lead through its pods. What of it depends on sizes is in sizes/.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { actOnNode, openSite, press, scaleTo, settle, toEnd } from "./helpers.mjs";

const site = openSite();

test("what would end a wait is offered where the wait is told, with what would not", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await actOnNode(page, "node-b", "Cut its power");
  await settle(page);
  // What the order holds back would come without it, and the pod that it waits for would not.
  await scaleTo(page, 5);
  await settle(page);
  const ways = page.locator(".verdict__way");
  await ways.first().waitFor();
  assert.match(await ways.first().textContent(), /well in about/);
  assert.match(await page.locator(".verdict__ways").textContent(), /would not help/);
  await ways.first().getByRole("button").first().click();
  await settle(page);
  assert.match(await page.locator(".explanation").textContent(), /Nothing to do/);
  await visit.end();
});

test("every command of a panel can be copied, and no label of a name in DNS is broken", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  for (const opener of ["#pod-web-1", "#node-node-b"]) {
    await page.locator(opener).click();
    const menu = page.locator(".menu");
    await menu.waitFor();
    const lines = await menu.locator(".kubectl").allTextContents();
    const copies = await menu.locator(".copy").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    assert.ok(lines.length > 1, opener);
    assert.deepEqual(copies, lines.map((line) => `Copy: ${line}`));
    if (opener.startsWith("#pod")) {
      const labels = await menu.locator(".menu__facts code span").evaluateAll((all) => all.map((one) => [one.textContent, one.getBoundingClientRect().height]));
      assert.equal(labels.map(([label]) => label).join(""), "web-1.nginx.default.svc.cluster.local");
      assert.equal(new Set(labels.map(([, height]) => height)).size, 1, JSON.stringify(labels));
    }
    await press(page, "Escape");
  }
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

test("Home and End lead to the first and the last of a thousand pods, wherever the axis was scrolled", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await scaleTo(page, 1_000);
  await toEnd(page);
  await page.locator(".transport__play", { hasText: "Settled" }).waitFor({ timeout: 120_000 });
  // The rows there are drawn first.
  const isReached = (end, ordinal) =>
    page.waitForFunction(([end, ordinal]) => {
      const { stop, to } = document.activeElement.dataset;
      return [stop, to ?? stop][end] === ordinal;
    }, [end, ordinal]);
  const isSeen = () =>
    page.evaluate(() => {
      const [list, own] = [document.querySelector(".rail__scroll"), document.activeElement].map((one) => one.getBoundingClientRect());
      return own.top >= list.top - 4 && own.bottom <= list.bottom + 4;
    });
  // Every run opened: far more rows than are drawn.
  await page.locator(".rail__run button").first().click();
  await page.locator(".rail__list [data-stop]").first().focus();
  for (const [key, end] of [["End", 1], ["Home", 0], ["End", 1]]) {
    await press(page, key);
    await isReached(end, end === 1 ? "999" : "0");
    assert.ok(await isSeen(), `${key} brings it into sight`);
  }
  assert.ok((await page.locator(".rail .place").count()) < 1_000, "not every row is drawn");
  await page.locator(".rail__scroll").evaluate((list) => list.scrollTo(0, list.scrollHeight / 2));
  await press(page, "Home");
  await isReached(0, "0");
  assert.ok(await isSeen());
  assert.equal(await page.locator('.rail__list [data-stop][tabindex="0"]').count(), 1, "one stop of the Tab key");
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
