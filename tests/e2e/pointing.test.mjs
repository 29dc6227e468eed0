// A pod that is pointed at is marked wherever it is shown, and nothing else is drawn again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSite, press, settle } from "./helpers.mjs";

const site = openSite();

/** The ordinal that is marked on the axis, and the pods marked on nodes, in the timeline and among the reasons. */
const marked = (page) =>
  page.evaluate(() => {
    const mark = document.querySelector(".rail__pointed:not([hidden])")?.getBoundingClientRect();
    const places = [...document.querySelectorAll(".rail .place")];
    const at = places.find((place) => mark && Math.abs(place.getBoundingClientRect().left - mark.left) < 1);
    const pods = (selector) => [...document.querySelectorAll(selector)].map((one) => one.dataset.pod);
    return { axis: at?.dataset.pod, node: pods(".node__pod.is-pointed"), time: pods(".time__row.is-pointed"), why: [...new Set(pods(".path__decision.is-pointed"))] };
  });

const everywhere = { axis: "web-1", node: ["web-1"], time: ["web-1"], why: ["web-1"] };

test("pointing at a pod anywhere marks it everywhere", async () => {
  const visit = await site.visit();
  const { page } = visit;
  const places = ['.rail .place[data-pod="web-1"]', '.node__pod[data-pod="web-1"]', '.time__row[data-pod="web-1"] .time__label', '.is-here .path__decision[data-pod="web-1"] summary'];
  for (const place of places) {
    await page.locator(place).first().hover();
    assert.deepEqual(await marked(page), everywhere, place);
    await page.locator(".top__name").hover();
    assert.deepEqual(await marked(page), { axis: undefined, node: [], time: [], why: [] });
  }
  await page.locator("#pod-web-1").focus();
  assert.deepEqual(await marked(page), everywhere, "the focus counts as well");
  await visit.end();
});

test("pointing draws the marks and nothing else", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await page.locator(".top__name").hover();
  await page.evaluate(() => {
    window.changed = [];
    new MutationObserver((changes) => {
      for (const { type, target, attributeName } of changes) window.changed.push(`${type} ${attributeName ?? ""} ${target.getAttribute?.("class")}`);
    }).observe(document.querySelector("#app"), { subtree: true, childList: true, attributes: true, characterData: true });
  });
  await page.locator("#pod-web-2").hover();
  assert.deepEqual((await marked(page)).node, ["web-2"]);
  const changed = await page.evaluate(() => window.changed);
  const isMark = (change) => /^attributes [\w-]+ rail__pointed$|^attributes class (node__pod|time__row|path__decision) .*is-pointed/.test(change);
  assert.deepEqual(changed.filter((change) => !isMark(change)), [], "only marks change");
  await visit.end();
});

test("what moves takes at most 400 ms, and nothing moves for those who want no motion; the states are the same", async () => {
  const states = [];
  for (const motion of ["no-preference", "reduce"]) {
    const visit = await site.visit({ motion });
    const { page } = visit;
    await page.evaluate(() => {
      window.moved = new Map();
      const look = () => {
        for (const animation of document.getAnimations()) {
          const { duration, delay } = animation.effect.getTiming();
          window.moved.set(animation.animationName ?? animation.transitionProperty, duration + delay);
        }
        requestAnimationFrame(look);
      };
      look();
    });
    const own = [];
    const step = async (key) => {
      await page.locator(".stage").focus();
      await press(page, key);
      await page.waitForTimeout(60);
      own.push(await page.locator(".stage").innerText());
    };
    for (let at = 0; at < 12; at += 1) await step("Shift+Period");
    await page.getByRole("button", { name: /^Roll out/ }).click();
    for (let at = 0; at < 12; at += 1) await step("Shift+Period");
    states.push(own);
    const moved = await page.evaluate(() => [...window.moved]);
    if (motion === "reduce") {
      assert.deepEqual(moved.filter(([, time]) => time > 0), [], "no motion");
    } else {
      assert.deepEqual(moved.filter(([, time]) => time > 400), [], "no longer than 400 ms");
      for (const name of ["grow", "land", "wipe", "transform"]) assert.ok(moved.some(([own]) => own === name), `${name} among ${moved.map(([own]) => own)}`);
    }
    await visit.end();
  }
  assert.deepEqual(states[0], states[1], "the same states still");
});
