// Cells of very many pods are painted; what can be pressed and heard stands over them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, manifest } from "./frames.mjs";
import { openSite, press } from "./helpers.mjs";

const site = openSite();
const PODS = 1_000;

/** Plays until some pods of those in sight are Ready and others are not. */
async function playSome(page) {
  await apply(page, manifest(PODS));
  await page.locator(".transport__play").click();
  await page.waitForFunction(() => /^[1-9]\d*$/.test(document.querySelector(".summary__count b").textContent));
  await page.locator(".transport__play").click();
  await page.waitForFunction(() => document.querySelectorAll(".rail__list .pod").length > 20);
}

/** The color in the middle of the band and of the ground of the cell that stands here, as painted. */
const painted = (page, ordinal) =>
  page.evaluate((ordinal) => {
    const canvas = document.querySelector(".rail__picture canvas");
    const [picture, cell] = [canvas, document.querySelector(`[data-stop="${ordinal}"]`)].map((one) => one.getBoundingClientRect());
    const scale = canvas.width / picture.width;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const at = (x, y) => {
      const [left, top] = [x - picture.left, y - picture.top].map((length) => Math.round(length * scale));
      return copy.getImageData(left, top, 1, 1).data.join(" ");
    };
    return { band: at(cell.left + cell.width / 2, cell.top + 3), ground: at(cell.left + 3, cell.bottom - 4) };
  }, ordinal);

/** The same of what the stylesheet says. */
const said = (page, token) =>
  page.evaluate((token) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = `var(${token})`;
    const color = getComputedStyle(probe).color.match(/\d+/g).slice(0, 3);
    probe.remove();
    return [...color, "255"].join(" ");
  }, token);

/** Ordinal and title of each cell on the canvas: the one that the Tab key leads to is there wherever the axis stands. */
const cellsInSight = (page) =>
  page.evaluate(() => {
    const picture = document.querySelector(".rail__picture").getBoundingClientRect();
    const isOn = (cell) => cell.top >= picture.top && cell.bottom <= picture.bottom;
    const cells = [...document.querySelectorAll(".rail__list .pod")].filter((cell) => isOn(cell.getBoundingClientRect()));
    return cells.map((cell) => [cell.dataset.stop, cell.title]);
  });

const titled = (page, words) => page.locator(`.rail__list .pod[title*="${words}"]`).first().getAttribute("data-stop");

test("a painted cell has the colors of its pod's revision and state, in light and in dark", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await playSome(page);
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(300);
    for (const [words, token] of [["Running, 1/1", "--ready-soft"], ["Pending, 0/1", "--panel"]]) {
      const cells = (await cellsInSight(page)).filter(([, title]) => title.includes(words));
      const seen = await Promise.all(cells.slice(0, 40).map(([ordinal]) => painted(page, ordinal)));
      const [band, ground] = [await said(page, "--rev-a"), await said(page, token)];
      assert.ok(seen.length > 0 && seen.every((one) => one.band === band), `${scheme}: ${words}: ${JSON.stringify(seen[0])}, not ${band}`);
      assert.ok(seen.every((one) => one.ground === ground), `${scheme}: ${words}: ${JSON.stringify(seen[0])}, not ${ground}`);
    }
  }
  await visit.end();
});

test("over a painted cell its pod is pressed, named and reached by the keyboard", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await playSome(page);
  const ordinal = await titled(page, "Pending");
  const cell = page.locator(`.rail__list [data-stop="${ordinal}"]`);
  assert.match(await cell.getAttribute("title"), new RegExp(`^many-${ordinal}, Pending, 0/1, revision A$`));
  await cell.click();
  await page.getByRole("dialog", { name: `Pod many-${ordinal}` }).waitFor();
  await press(page, "Escape");
  await cell.focus();
  await press(page, "ArrowRight");
  const next = await page.evaluate(() => document.activeElement.dataset.stop);
  assert.equal(next, String(Number(ordinal) + 1));
  await visit.end();
});

test("what is painted is what is: elements over the cells say the same once the run stands", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await playSome(page);
  for (let at = 0; at < 3; at += 1) {
    await page.locator(".transport__play").click();
    // Not for long: once nearly all are Ready, their rows fold.
    await page.waitForTimeout(300);
    await page.locator('.rail__list .pod[title*=" 1/1,"]').first().waitFor({ state: "attached" });
    await page.locator(".transport__play").click();
    await page.waitForTimeout(100);
    const ready = await said(page, "--ready-soft");
    const cells = await cellsInSight(page);
    for (const [ordinal, title] of cells.slice(0, 60)) {
      const { ground } = await painted(page, ordinal);
      assert.equal(ground === ready, / 1\/1,/.test(title), title);
    }
    assert.ok(cells.some(([, title]) => / 1\/1,/.test(title)), "some are ready");
  }
  await visit.end();
});

test("cells are painted again after the browser has lost what was painted", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await playSome(page);
  const [[ordinal]] = await cellsInSight(page);
  const before = await painted(page, ordinal);
  assert.notEqual(before.band, "0 0 0 0");
  const canvas = page.locator(".rail__picture canvas");
  // As after the end of the browser's GPU process, which not every machine has.
  await canvas.evaluate((canvas) => canvas.getContext("2d").reset());
  assert.equal((await painted(page, ordinal)).band, "0 0 0 0");
  await canvas.dispatchEvent("contextrestored");
  await page.waitForTimeout(100);
  assert.deepEqual(await painted(page, ordinal), before);
  await visit.end();
});

test("in forced colors cells are elements, which the browser colors", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await page.emulateMedia({ forcedColors: "active" });
  await playSome(page);
  assert.equal(await page.locator(".rail__picture").count(), 0);
  assert.ok((await page.locator(".rail__list .pod .pod__name").count()) > 20);
  await visit.end();
});

test("while many pods play their rows stay where they are for some frames, and cells change meanwhile", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await apply(page, manifest(PODS));
  await page.locator(".transport__play").click();
  await page.waitForFunction(() => /^[1-9]\d*$/.test(document.querySelector(".summary__count b").textContent));
  const { frames, moved, painted } = await page.evaluate(async () => {
    const seen = { frames: 0, moved: 0, painted: 0 };
    let [rows, cells] = ["", ""];
    const [copy, began] = [new OffscreenCanvas(300, 240).getContext("2d", { willReadFrequently: true }), performance.now()];
    while (performance.now() - began < 2_000) {
      await new Promise(requestAnimationFrame);
      const [list, room, picture] = [".rail__scroll", ".rail__room", ".rail__picture"].map((one) => document.querySelector(one));
      const stands = [list.scrollTop, room.style.height, picture.style.top].join();
      copy.clearRect(0, 0, 300, 240);
      copy.drawImage(picture.lastElementChild, 0, 0);
      const looks = copy.getImageData(0, 0, 300, 240).data.reduce((sum, part, at) => (sum * 31 + part * (at % 7)) | 0, 0);
      seen.frames += 1;
      seen.moved += Number(stands !== rows);
      seen.painted += Number(stands === rows && looks !== cells);
      [rows, cells] = [stands, looks];
    }
    return seen;
  });
  assert.ok(moved > 2 && moved <= 25, `moved in ${moved} of ${frames} frames of 2 s`);
  assert.ok(painted > 2, `cells changed in ${painted} frames in which no row moved, of ${frames}`);
  await visit.end();
});

test("while many pods start, what stands below the axis moves down only, and up once the rows rest", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await apply(page, manifest(PODS));
  await page.evaluate(() => {
    window.heights = [];
    const list = document.querySelector(".rail__scroll");
    new ResizeObserver(() => window.heights.push(list.clientHeight)).observe(list);
  });
  await page.locator(".transport__play").click();
  // All are Ready: the rows are one, which takes as much room as a single one does.
  const one = () => document.querySelectorAll(".rail__list [data-stop]").length === 1 && document.querySelector(".rail__scroll").clientHeight < 120;
  await page.waitForFunction(() => document.querySelector(".summary__count b").textContent === "1000");
  await page.waitForFunction(one);
  const heights = await page.evaluate(() => window.heights);
  const most = heights.indexOf(Math.max(...heights));
  const [rising, falling] = [heights.slice(0, most + 1), heights.slice(most)];
  assert.ok(Math.max(...heights) > 200, `no rows folded: ${heights}`);
  assert.ok(rising.every((height, at) => at === 0 || height >= rising[at - 1]), `it fell while pods started: ${heights}`);
  assert.ok(falling.length <= 3, `it fell again and again: ${heights}`);
  await visit.end();
});
