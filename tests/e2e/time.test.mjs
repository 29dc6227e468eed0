// The timeline: seeking by key and by pointer, acting in the past, branches, undo, runs to a goal, a reload.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAccessibility, openSite, openTab, press, settle, themes } from "./helpers.mjs";

const site = openSite();
const phone = { viewport: { width: 390, height: 844 }, touch: true };

const slider = (page) => page.getByRole("slider", { name: "Moment" });
const clock = (page) => page.locator(".transport__clock").textContent();
const progress = (page) => page.locator(".transport__progress").textContent();
const rows = (page) => page.locator(".time__rows .time__label").allTextContents();
async function keys(page, ...names) {
  await page.locator(".stage").focus();
  await press(page, ...names);
}

async function scale(page, key) {
  await page.getByRole("slider", { name: "replicas flag" }).focus();
  await press(page, key);
}

test("every ordinal and node has a row, every sync a mark, and the whole run is in view", async () => {
  const visit = await site.visit();
  const { page } = visit;
  const all = ["web-0", "web-1", "web-2", "node-a…c"];
  assert.deepEqual(await rows(page), all, "one that is to come has its row");
  await settle(page);
  await scale(page, "ArrowLeft");
  await settle(page);
  assert.deepEqual(await rows(page), all, "one that is gone keeps its row");
  const gone = page.locator(".time__row", { hasText: "web-2" }).locator(".time__span");
  assert.match(await gone.last().getAttribute("title"), /^web-2: Terminating, revision A, from .* to /);
  const marks = await page.locator(".time__sync").evaluateAll((paths) => paths.map((path) => path.getAttribute("d").split("M").length - 1));
  assert.ok(marks.every((count) => count > 0), `syncs that wrote nothing, syncs that wrote: ${marks}`);
  assert.equal(await page.locator(".time__canvas .time__act").count(), 2);
  const { inner, outer } = await page.locator(".time__scroll").evaluate((box) => ({ inner: box.scrollWidth, outer: box.clientWidth }));
  assert.equal(inner, outer);
  // Wider, the cursor stays in sight.
  for (let times = 0; times < 3; times += 1) await page.getByRole("button", { name: "Zoom in" }).click();
  const box = await page.locator(".time__scroll").boundingBox();
  const cursor = await page.locator(".time__cursor").boundingBox();
  assert.ok(cursor.x > box.x && cursor.x < box.x + box.width);
  assert.ok(await page.locator(".time__scroll").evaluate((element) => element.scrollWidth > 6 * element.clientWidth));
  await visit.end();
});

test("arrows, Home and End on the slider seek, and what it says is the clock and what happened", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  const end = await clock(page);
  await slider(page).focus();
  await press(page, "ArrowLeft", "ArrowLeft", "PageDown");
  const past = await clock(page);
  assert.notEqual(past, end);
  assert.equal(await page.locator(".time__clock").textContent(), past);
  assert.ok((await slider(page).getAttribute("aria-valuetext")).startsWith(`${past}: `));
  await press(page, "Home");
  assert.equal(await clock(page), "0.0 s");
  await press(page, "End");
  assert.equal(await clock(page), end);
  // Space is the page's: the slider has no use for it.
  await press(page, "Home", "Space");
  await page.locator(".transport__play", { hasText: "Pause" }).waitFor();
  await visit.end();
});

test("a drag over the rows seeks, and the labels are no part of it", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  const plot = await page.locator("#time-plot").boundingBox();
  const y = plot.y + plot.height / 2;
  await page.mouse.move(plot.x + plot.width * 0.2, y);
  await page.mouse.down();
  const first = Number(await slider(page).inputValue());
  await page.mouse.move(plot.x + plot.width * 0.6, y - 200, { steps: 5 });
  const second = Number(await slider(page).inputValue());
  await page.mouse.up();
  await page.mouse.move(plot.x + plot.width * 0.1, y);
  assert.equal(Number(await slider(page).inputValue()), second, "let go, it stays");
  const max = Number(await slider(page).getAttribute("max"));
  assert.ok(Math.abs(first / max - 0.2) < 0.03 && Math.abs(second / max - 0.6) < 0.03, `${first} and ${second} of ${max}`);
  await page.mouse.click(plot.x + plot.width * 0.3, y, { button: "right" });
  await page.mouse.click(plot.x + plot.width * 0.4, y, { button: "middle" });
  assert.equal(Number(await slider(page).inputValue()), second, "the other buttons do not seek");
  await page.locator(".time__row .time__label", { hasText: "web-0" }).click();
  assert.equal(Number(await slider(page).inputValue()), second);
  await visit.end();
});

test("comma and full stop step by event, with Shift by sync, and forget nothing", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  const known = (await progress(page)).match(/of (\d+)/)[1];
  await openTab(page, "Why");
  await keys(page, "Home");
  assert.equal(await progress(page), `Event 1 of ${known}`);
  await keys(page, "Period", "Period", "Comma");
  assert.equal(await progress(page), `Event 2 of ${known}`);
  await keys(page, "Shift+Period", "Shift+Period");
  await page.getByRole("heading", { name: "Sync 2", exact: true }).waitFor();
  const second = await progress(page);
  await keys(page, "Shift+Period", "Shift+Comma");
  assert.equal(await progress(page), second);
  await visit.end();
});

test("acting in the past makes a branch; the other one can be compared and taken up again", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await scale(page, "ArrowRight");
  await settle(page);
  const whole = await progress(page);
  await keys(page, "Control+z");
  assert.equal(await page.locator(".place .pod:not(.pod--empty)").count(), 3);
  await keys(page, "Control+Shift+z");
  await page.waitForFunction(() => document.querySelector(".place:nth-child(4)"));
  assert.equal(await page.getByLabel("Replicas as a number").inputValue(), "4");
  await keys(page, "Control+z");
  assert.equal(await page.getByRole("button", { name: /^Branches/ }).count(), 0, "undoing alone forks nothing");
  await page.getByRole("button", { name: "Roll out" }).click();
  await settle(page);
  await page.getByRole("button", { name: /^Branches 2/ }).click();
  const list = page.getByRole("dialog", { name: "Branches" });
  assert.match(await list.textContent(), /kubectl scale sts web --replicas=4 at .*settled at/);
  await list.getByRole("button", { name: "Compare with branch 1" }).click();
  assert.match(await list.textContent(), /Pods created64.*Pods deleted30.*Settled/);
  await checkAccessibility(page, "#branches");
  const jump = list.getByRole("button", { name: /^Go to/ });
  const at = (await jump.textContent()).replace("Go to ", "");
  await jump.click();
  assert.equal(await clock(page), at);
  assert.ok(await list.isVisible(), "the comparison stays open");
  await list.getByRole("button", { name: "Switch to branch 1" }).click();
  assert.match(await list.textContent(), /kubectl set image sts\/web nginx=nginx:1.28/);
  await press(page, "Escape");
  assert.equal(await list.isVisible(), false);
  await settle(page);
  assert.equal(await progress(page), whole);
  await visit.end();
});

test("back to the start keeps what is known, and starting over leaves it as a branch", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  const known = (await progress(page)).match(/of (\d+)/)[1];
  await page.getByRole("button", { name: "Back to the start" }).click();
  assert.equal(await progress(page), `Event 1 of ${known}`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("button", { name: "Start over" }).click();
  assert.equal(await progress(page), "Event 1 of 1");
  assert.equal(await page.getByRole("button", { name: /^Branches 2/ }).count(), 1);
  await visit.end();
});

test("a run goes on to the next decision at a pod, and as fast as possible until it is canceled", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await page.getByRole("button", { name: "Roll out" }).click();
  await page.locator("button.pod", { hasText: "web-0" }).click();
  await page.getByRole("button", { name: "Run until the next decision at this pod" }).click();
  await page.locator(".transport__play", { hasText: "Play" }).waitFor();
  assert.match(await page.locator(".transport__last").textContent(), /^At .*: The controller .* pod web-0 \(sync \d+\)\.$/);
  assert.match(await page.locator(".panel--why").textContent(), /web-0/);
  // So many pods one after another take a while.
  await page.getByLabel("Replicas as a number").fill("2000");
  await page.getByLabel("Replicas as a number").press("Enter");
  await keys(page, "End");
  const cancel = page.getByRole("button", { name: "Cancel" });
  await cancel.waitFor();
  assert.match(await page.locator(".transport__last").textContent(), /Running until everything is settled/);
  const before = await progress(page);
  await page.waitForFunction((text) => document.querySelector(".transport__progress").textContent !== text, before);
  await cancel.click();
  await page.locator(".transport__play", { hasText: "Play" }).waitFor();
  await visit.end();
});

test("a run that finds no end stops, and says why", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await press(page, "Control+k");
  for (const line of ["setscope budget web 3", "drain node-b --ignore-daemonsets"]) {
    await page.locator("#kubectl-line").fill(line);
    await press(page, "Enter");
  }
  await press(page, "Escape");
  await page.getByRole("button", { name: "Run until something needs you" }).click();
  await page.locator(".note", { hasText: "Something goes on without an end. No status has changed for 15 minutes" }).waitFor();
  assert.match(await page.locator(".transport__play").textContent(), /Play/);
  await checkAccessibility(page);
  await page.getByRole("button", { name: "Dismiss" }).last().click();
  assert.equal(await page.locator(".note").count(), 0);
  await visit.end();
});

test("a reload shows again what was there, with its future and its branches", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await scale(page, "ArrowRight");
  await settle(page);
  await keys(page, "Control+z");
  await scale(page, "ArrowLeft");
  await settle(page);
  await keys(page, "Comma", "Comma", "Comma");
  const seen = () => page.evaluate(() => [".transport__progress", ".transport__clock", ".rail", ".time__canvas"].map((part) => document.querySelector(part).textContent));
  const before = await seen();
  await page.reload();
  await page.waitForSelector('html[data-app="ready"]', { state: "attached" });
  assert.deepEqual(await seen(), before);
  assert.equal(await page.getByRole("button", { name: /^Branches 2/ }).count(), 1);
  await visit.end();
});

test("a figure restores nothing and saves nothing", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await page.waitForFunction(() => localStorage.getItem("setscope.run.1"));
  const saved = await page.evaluate(() => localStorage.getItem("setscope.run.1"));
  await page.goto(`${site.server.url}?embed&show=rail,time`);
  await page.waitForSelector('html[data-app="ready"]', { state: "attached" });
  const progressThere = await page.locator(".transport__progress").textContent();
  await page.getByRole("button", { name: "Run until something needs you" }).click();
  await page.locator(".transport__play", { hasText: "Settled" }).waitFor();
  await page.reload();
  await page.waitForSelector('html[data-app="ready"]', { state: "attached" });
  assert.equal(await page.evaluate(() => localStorage.getItem("setscope.run.1")), saved);
  assert.equal(await progress(page), progressThere);
  await visit.end();
});

test("a save that cannot be read is kept aside and said", async () => {
  const visit = await site.visit({ before: () => sessionStorage.broken || ((sessionStorage.broken = 1), localStorage.setItem("setscope.run.1", "setscope: 99\n")) });
  const { page } = visit;
  assert.match(await page.getByRole("alert").textContent(), /cannot be read.*version 99.*setscope\.run\.aside/);
  await checkAccessibility(page);
  assert.equal(await page.evaluate(() => localStorage.getItem("setscope.run.aside")), "setscope: 99\n");
  await page.getByRole("button", { name: "Dismiss" }).click();
  assert.equal(await page.getByRole("alert").count(), 0);
  await visit.end();
});

test("an untouched page saves nothing", async () => {
  const visit = await site.visit();
  await visit.page.reload();
  await visit.page.waitForSelector('html[data-app="ready"]', { state: "attached" });
  assert.equal(await visit.page.evaluate(() => localStorage.getItem("setscope.run.1")), null);
  await visit.end();
});

test("on a phone the timeline opens from its strip, and a finger seeks", async () => {
  const visit = await site.visit(phone);
  const { page } = visit;
  await settle(page);
  await page.getByRole("button", { name: "Show the whole timeline" }).click();
  const plot = await page.locator("#time-plot").boundingBox();
  await page.touchscreen.tap(plot.x + plot.width / 2, plot.y + plot.height / 2);
  const value = Number(await slider(page).inputValue());
  const max = Number(await slider(page).getAttribute("max"));
  assert.ok(Math.abs(value / max - 0.5) < 0.05, `${value} of ${max}`);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
  await checkAccessibility(page);
  await visit.end();
});

for (const theme of themes) {
  test(`axe-core finds nothing on a timeline with a future in ${theme}`, async () => {
    const visit = await site.visit({ theme });
    const { page } = visit;
    await settle(page);
    await page.getByRole("button", { name: "Roll out" }).click();
    await settle(page);
    await slider(page).focus();
    await press(page, "PageDown");
    await checkAccessibility(page);
    await visit.end();
  });
}
