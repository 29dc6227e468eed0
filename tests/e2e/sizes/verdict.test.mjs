// The verdict of an opened text: its words, names and commands, at the sizes and with the fonts it is read with.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openSite, openText, showOpened } from "../helpers.mjs";

const site = openSite();
const text = (name) => readFileSync(new URL(`../../cases/${name}.yaml`, import.meta.url), "utf8");

/** Opens a case of tests/cases and shows it on the stage, with what would help. */
async function show(page, name) {
  await openText(page, text(name));
  await showOpened(page);
}

// A long name of a taint in the cause, in the button and in the command; an option in the button and in the command.
for (const [width, height] of [[320, 640], [390, 844], [768, 1024], [1280, 800]]) {
  for (const name of ["f40-cloud-controller-without-its-secret", "c02"]) {
    test(`at ${width}×${height} no word of ${name} leaves the verdict, and none is broken that has room`, async () => {
      const visit = await site.visit({ viewport: { width, height }, touch: width < 600 });
      const { page } = visit;
      await show(page, name);
      const verdict = await page.locator(".explanation").evaluate((own) => ({ needs: own.scrollWidth, has: own.clientWidth }));
      assert.ok(verdict.needs <= verdict.has, JSON.stringify(verdict));
      const broken = await page.locator(".explanation .whole").evaluateAll((all) =>
        all.filter((one) => {
          const words = document.createRange();
          words.selectNodeContents(one);
          const lines = new Set([...words.getClientRects()].map(({ top }) => Math.round(top)));
          // One that takes the whole line has no room.
          return lines.size > 1 && one.getBoundingClientRect().width < one.closest("p, h3, button, .verdict__leads").clientWidth - 60;
        }).map((one) => one.textContent));
      assert.deepEqual(broken, []);
      await visit.end();
    });
  }
}

test("an option is not broken behind its hyphens", async () => {
  const visit = await site.visit({ viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await show(page, "c02");
  assert.ok((await page.locator(".verdict__way .whole", { hasText: /^--cascade=orphan$/ }).count()) >= 2, "in the button and in the command");
  await visit.end();
});

for (const width of [360, 640, 720]) {
  test(`a figure that is ${width} px wide does not scroll sideways`, async () => {
    const visit = await site.visit({ viewport: { width, height: 480 }, path: "?embed&scenario=node-lost&at=390" });
    const { page } = visit;
    await page.evaluate(() => scrollTo(100, 0));
    assert.equal(await page.evaluate(() => scrollX), 0);
    await visit.end();
  });
}
