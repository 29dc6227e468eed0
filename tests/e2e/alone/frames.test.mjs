// A thousand pods play without holding up the page. The limits are about five times the work and the input to paint that were
// measured on two cores, so that they hold on slow machines; `node tests/e2e/frames.mjs` has the figures.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSite } from "../helpers.mjs";
import { apply, frames, inputs, manifest, speedOf } from "../frames.mjs";

const site = openSite();
const WORK = 120;
const INPUT = 800;
const ELEMENTS = 20_000;

test("a thousand pods come up and no frame is late by much", async () => {
  const visit = await site.visit();
  const { page } = visit;
  page.setDefaultTimeout(60_000);
  await apply(page, manifest(1000));
  await speedOf(page, 50);
  const { work } = await frames(page, 6_000);
  assert.ok(work.count > 20 && work.p50 <= WORK, `work in a frame: ${JSON.stringify(work)} ms, of which half may take ${WORK}`);
  const seen = await page.evaluate(() => document.querySelectorAll("*").length);
  assert.ok(seen <= ELEMENTS, `${seen} elements`);
  const times = await inputs(page, async () => {
    for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft"]) await page.keyboard.press(key);
  });
  const slowest = Math.max(0, ...times.map(({ duration }) => duration));
  assert.ok(slowest <= INPUT, `an input was painted after ${slowest} ms`);
  await visit.end();
});

test("of a long axis the rows in sight are drawn, each place says which it is, and every pod can be reached", async () => {
  const visit = await site.visit();
  const { page } = visit;
  page.setDefaultTimeout(60_000);
  await apply(page, manifest(1000));
  await page.locator(".rail__run button").first().click();
  const list = page.locator(".rail__scroll");
  const drawn = () => page.locator(".rail__list [role=listitem]").count();
  await page.waitForFunction(() => document.querySelectorAll(".rail__list [role=listitem]").length > 50);
  assert.ok((await drawn()) < 900, `${await drawn()} places drawn`);
  const first = page.locator(".rail__list [role=listitem]").first();
  assert.deepEqual([await first.getAttribute("aria-posinset"), await first.getAttribute("aria-setsize")], ["1", "1000"]);
  await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await page.waitForFunction(() => [...document.querySelectorAll(".rail__list [role=listitem]")].at(-1)?.dataset.pod === "many-999");
  await visit.end();
});
