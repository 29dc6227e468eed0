// One scale: what the browser computes has few sizes, weights, corners and heights, and few boxes have an outline.
import assert from "node:assert/strict";
import { test } from "node:test";
import { counts } from "../counts.mjs";
import { openMore, openSite, settle, themes } from "../helpers.mjs";

const site = openSite();

/** The computed values of all that is in sight. Runs in the page. */
const values = () => {
  const of = { size: new Set(), weight: new Set(), corner: new Set(), height: new Set() };
  let boxes = 0;
  for (const element of document.querySelectorAll("body *")) {
    const { width, height } = element.getBoundingClientRect();
    if (width < 2 || height < 2 || element.closest("svg, option") || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const style = getComputedStyle(element);
    if ([...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()) && style.fontSize !== "0px") {
      of.size.add(parseFloat(style.fontSize));
      of.weight.add(Number(style.fontWeight));
    }
    if (style.borderTopLeftRadius !== "0px") of.corner.add(parseFloat(style.borderTopLeftRadius));
    if (element.matches(".button, .select, .text, .stepper__button, .segments__one, .transport__play")) of.height.add(parseFloat(style.minHeight) || height);
    const sides = ["Top", "Right", "Bottom", "Left"].filter((side) => parseFloat(style[`border${side}Width`]) > 0 && !/, 0\)$/.test(style[`border${side}Color`]));
    if (sides.length === 4) boxes += 1;
  }
  return { ...Object.fromEntries(Object.entries(of).map(([name, set]) => [name, [...set].sort((one, other) => one - other)])), boxes };
};

for (const theme of themes) {
  test(`sizes, weights, corners and heights are of one scale in ${theme}`, async () => {
    const visit = await site.visit({ theme });
    const { page } = visit;
    const look = async (moment) => {
      const { size, weight, corner, height, boxes } = await page.evaluate(values);
      const within = (found, known) => assert.deepEqual(found.filter((value) => !known.includes(value)), [], moment);
      within(size, [11, 12, 13, 15, 20, 28]);
      within(weight, [400, 500, 650]);
      within(corner, [4, 8, 12, 999]);
      within(height, [28, 36]);
      assert.ok(boxes <= 20, `${moment}: ${boxes} boxes with an outline`);
    };
    await look("at first look");
    await settle(page);
    await look("at rest");
    await openMore(page);
    await look("with the settings");
    await visit.end();
  });
}

for (const [width, height] of [[1280, 800], [1440, 900], [1920, 1080], [2560, 1440]]) {
  test(`at ${width}×${height} what is changed most is in sight without a fold`, async () => {
    const visit = await site.visit({ viewport: { width, height } });
    const { page } = visit;
    const names = ["Replicas as a number", "Partition as a number", "Image", "What it does", "Break a node"].map((name) => page.getByLabel(name, { exact: true }));
    const choices = ["OrderedReady", "Parallel", "RollingUpdate", "OnDelete"].map((name) => page.getByRole("radio", { name }));
    const acts = ["Roll out", "Power off", "Cut off", "Reboot"].map((name) => page.getByRole("button", { name, exact: true }));
    for (const control of [...names, ...choices, ...acts]) {
      const { x, y, width: wide, height: high } = await control.boundingBox();
      assert.ok(x >= 0 && y >= 0 && x + wide <= width && y + high <= height && high >= 24, `${control}: ${x} ${y} ${wide} ${high}`);
    }
    await visit.end();
  });
}

test("a first look shows few words and controls, and the sheet of the stage has half of a small laptop's window", async () => {
  const visit = await site.visit();
  const { page } = visit;
  const { words, controls, named } = await page.evaluate(counts);
  assert.ok(words <= 220, `${words} words`);
  assert.ok(controls <= 40, `${controls} controls: ${named.join(", ")}`);
  await page.setViewportSize({ width: 1280, height: 800 });
  const { sheet } = await page.evaluate(counts);
  assert.ok(sheet >= 50, `${sheet} % of the window`);
  await visit.end();
});
