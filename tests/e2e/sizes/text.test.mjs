// All text can be read, at every size, in both languages, with any font: nothing is cut, and nothing lies over something else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSite, openText, press, resize, showOpened, toEnd } from "../helpers.mjs";
import { recorded } from "../recorded.mjs";
import { textFaults } from "./text.mjs";

const site = openSite();
const sizes = [[360, 740], [640, 400], [760, 560], [768, 1024], [1024, 768], [1280, 800], [2560, 1440]];

/** All of them: a comparison would show the first few. */
const none = (faults) => faults.length === 0 || assert.fail(`${faults.length} faults:\n${faults.join("\n")}`);

/** Looks at the page at each size; `prepare` brings it to what is looked at, once it has the size. */
async function look(page, moment, faults, prepare) {
  for (const [width, height] of sizes) {
    await resize(page, width, height);
    for await (const part of prepare?.() ?? [""]) {
      let found = await page.evaluate(textFaults);
      // What the program measures is drawn again a little later, on a busy machine much later: only what stays is a fault.
      for (const until = Date.now() + 10_000; Date.now() < until && found.length > 0; ) {
        await page.waitForTimeout(50);
        found = await page.evaluate(textFaults);
      }
      faults.push(...found.map((fault) => `${width}×${height}, ${moment}${part}: ${fault}`));
    }
  }
}

/** Every panel that a tab leads to, with its own tabs, and the menu. */
async function* panels(page) {
  const tabs = page.locator(".panes [role=tab], .inspector > .tabs [role=tab]").filter({ visible: true });
  for (let at = 0; at < (await tabs.count()); at += 1) {
    if ((await tabs.nth(at).getAttribute("aria-selected")) !== "true") await tabs.nth(at).click();
    yield `the tab ${await tabs.nth(at).textContent()}`;
    const within = page.locator(".tabs--within [role=tab]").filter({ visible: true });
    for (let one = 0; one < (await within.count()); one += 1) {
      await within.nth(one).click();
      yield `the tab ${await within.nth(one).textContent()}`;
    }
  }
  if ((await page.locator(".panes").count()) > 0) await tabs.first().click();
  // On a phone a second press of the tab closes its sheet.
  if (page.viewportSize().width < 600) await tabs.first().click();
  await page.locator("#more-button").click();
  yield "the menu";
  await press(page, "Escape");
}

for (const locale of ["en-US", "zh-CN"]) {
  for (const [name, path, kind] of [["a set", ""], ["a lost node", "?scenario=node-lost"], ["a Deployment", "", "Deployment"]]) {
    test(`the text of ${name} can be read at every size, in ${locale}`, async () => {
      const visit = await site.visit({ locale, path });
      const { page } = visit;
      if (kind) {
        await page.locator(".starters__fold > summary").click();
        await page.locator(".starters__fold").getByRole("button", { name: kind, exact: true }).click();
        await page.locator(".cards").waitFor();
      }
      const faults = [];
      await look(page, "at the start", faults);
      for (const syncs of [1, 3]) {
        for (let at = 0; at < syncs; at += 1) await page.locator(".stage").focus().then(() => press(page, "Shift+Period"));
        await look(page, `${syncs} syncs later`, faults);
      }
      await toEnd(page);
      // Nothing is left to happen: in either language the button is off.
      await page.locator(".transport__play:disabled").waitFor();
      await look(page, "at the end, ", faults, () => panels(page));
      none(faults);
      await visit.end();
    });
  }

  test(`the text of an opened cluster can be read at every size, in ${locale}`, async () => {
    const visit = await site.visit({ locale });
    const { page } = visit;
    await openText(page, recorded("d02a-rollback", 55));
    await page.locator(".cluster__workload").first().waitFor();
    const faults = [];
    await look(page, "in the dialog", faults);
    await showOpened(page);
    await look(page, "on the stage", faults);
    none(faults);
    await visit.end();
  });

  test(`the text of runs side by side can be read at every size, in ${locale}`, async () => {
    const visit = await site.visit({ locale, path: "?scenario=four-workloads&at=390" });
    const { page } = visit;
    await page.locator(".lanes__open").first().waitFor();
    const faults = [];
    await look(page, "closed", faults);
    for (const lane of await page.locator(".lanes__open").all()) await lane.click();
    await look(page, "at 390 s", faults);
    none(faults);
    await visit.end();
  });
}

test("no words of the time axis stand over others", async () => {
  const visit = await site.visit({ path: "?scenario=stuck-rollback&at=60", viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await page.locator(".time__tick--last").waitFor({ state: "attached" });
  const overlaps = await page.locator(".time__tick").evaluateAll((ticks) => {
    const seen = ticks.filter((tick) => !/, 0\)$/.test(getComputedStyle(tick).color)).map((tick) => tick.getBoundingClientRect());
    return seen.filter(({ right }, at) => seen[at + 1] && right > seen[at + 1].left).length;
  });
  assert.equal(overlaps, 0);
  await visit.end();
});
