// What moves, looked at frame by frame: the ring travels, a pod grows, a condemned one drains, a revision wipes over the other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSite, press, settle } from "./helpers.mjs";

const site = openSite();

/** What is looked at in each frame: how things are drawn right then, which no list of animations tells. */
function looks() {
  window.looks = {
    ring: () => {
      const ring = document.querySelector(".rail__ring:not([hidden])");
      return ring && Math.round(ring.getBoundingClientRect().left);
    },
    /** How large the pod is drawn, of its own size. */
    grown: (name) => {
      const pod = document.querySelector(`button#pod-${name}`);
      return pod && Math.round((100 * pod.getBoundingClientRect().width) / pod.offsetWidth);
    },
    /** Its revision, and how far that has come over the card, in percent. */
    wiped: (name) => {
      const band = document.querySelector(`#pod-${name} .pod__band`);
      if (!band) return null;
      const [, cut = 0] = /inset\(\S+ ([\d.]+)%/.exec(getComputedStyle(band).clipPath) ?? [];
      return `${band.textContent.at(-1)} ${Math.round(100 - cut)}`;
    },
    /** How much of a grace period is left. */
    left: () => {
      const bar = document.querySelector(".rail__wait--grace .rail__draining");
      return bar && Math.round((100 * bar.getBoundingClientRect().width) / bar.parentElement.getBoundingClientRect().width);
    },
  };
}

/** Looks in every frame, from before the act until so long after it: what was seen, each value once in a row. */
async function seen(page, look, argument, act, milliseconds = 900) {
  await page.evaluate(([look, argument]) => {
    window.seen = [];
    const next = () => {
      const value = window.looks[look](argument);
      if (value !== null && value !== undefined && value !== window.seen.at(-1)) window.seen.push(value);
      window.frame = requestAnimationFrame(next);
    };
    next();
  }, [look, argument]);
  await act();
  await page.waitForTimeout(milliseconds);
  return page.evaluate(() => {
    cancelAnimationFrame(window.frame);
    return window.seen;
  });
}

const isSteady = (values) => values.every((value, at) => at === 0 || value >= values[at - 1]);

/** Goes on sync by sync until it holds. */
async function until(page, holds) {
  for (let at = 0; at < 60 && !(await page.evaluate(holds)); at += 1) {
    await page.locator(".stage").focus();
    await press(page, "Shift+Period");
  }
}

const stage = (page) => page.locator(".stage");

async function moves(motion) {
  const visit = await site.visit({ motion, before: looks });
  const { page } = visit;
  const found = {};
  // The controller waits at web-1, and then at web-2.
  const until2 = () => until(page, () => document.querySelector("#explanation-title").textContent.endsWith("web-2"));
  await stage(page).focus();
  found.ring = await seen(page, "ring", "", until2);
  // Before the first one that is there web-2 is not.
  await page.getByRole("button", { name: "Back to the start" }).click();
  found.grown = await seen(page, "grown", "web-2", until2);
  await settle(page);
  await page.getByRole("button", { name: /^Roll out/ }).click();
  const isNew = () => document.querySelector("#pod-web-2 .pod__band")?.textContent.endsWith("B");
  found.wiped = await seen(page, "wiped", "web-2", () => until(page, isNew));
  await settle(page);
  await page.getByLabel("Replicas as a number").fill("2");
  await page.getByLabel("Replicas as a number").press("Enter");
  await page.getByLabel("Speed").selectOption({ label: "1×" });
  found.left = await seen(page, "left", "", async () => {
    await page.locator(".transport__play").click();
    await page.locator("#pod-web-2").waitFor({ state: "detached" });
  });
  await visit.end();
  return found;
}

test("the controller's ring travels, a pod grows, a condemned one drains, a revision wipes over the other", async () => {
  const { ring, grown, wiped, left } = await moves("no-preference");
  const [from, to] = [ring[0], ring.at(-1)];
  const between = ring.filter((at) => at > from + 4 && at < to - 4);
  assert.ok(to > from && between.length >= 2, `the ring is seen on its way: ${ring}`);
  assert.ok(grown.some((part) => part < 95) && grown.at(-1) === 100, `it grows: ${grown}`);
  const own = wiped.filter((value) => value.startsWith("B")).map((value) => Number(value.slice(2)));
  assert.ok(own.some((part) => part > 2 && part < 98) && own.at(-1) === 100 && isSteady(own), `B comes over A: ${wiped}`);
  assert.ok(left.length >= 4 && isSteady([...left].reverse()), `the grace period drains: ${left}`);
});

test("for those who want no motion the same is there at once", async () => {
  const { ring, grown, wiped, left } = await moves("reduce");
  const widths = ring.slice(1).map((at, index) => at - ring[index]);
  assert.ok(ring.length === 2 && widths[0] > 40, `from one ordinal to the next: ${ring}`);
  assert.deepEqual(grown, [100]);
  assert.deepEqual(wiped.filter((value) => value.startsWith("B")), ["B 100"]);
  assert.ok(left.length >= 2 && isSteady([...left].reverse()), `what is left is told: ${left}`);
});
