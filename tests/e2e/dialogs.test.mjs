// Every dialog, panel and menu there is, looked at by axe-core in both themes; and that each gives the focus back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAccessibility, openExamples, openSite, press, settle, themes } from "./helpers.mjs";

const site = openSite();

const inHead = (name) => (page) => page.locator(".top").getByRole("button", { name, exact: true }).click();
const inMenu = (name) => async (page) => {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.locator("#page-menu").getByRole("button", { name, exact: true }).click();
};
const shareTab = (name) => async (page) => {
  await inHead("Share")(page);
  await page.locator("#share").getByRole("tab", { name, exact: true }).click();
};

/** How each is opened, and what is in it once it is there. */
const all = {
  Lessons: [(page) => openExamples(page, "Lessons"), ".lessons__card"],
  Scenarios: [(page) => openExamples(page, "Scenarios"), "#scenarios .scenario"],
  "Side by side": [(page) => openExamples(page, "Side by side"), "#compare .scenario"],
  "Your cluster": [inHead("Open your cluster"), "#cluster textarea"],
  "Share, link": [shareTab("Link"), "#share input"],
  "Share, figure": [shareTab("Figure"), "#share .share__code"],
  "Share, picture": [shareTab("Picture"), "#share img"],
  "Share, report": [shareTab("Report"), "#share .share__report"],
  Help: [inMenu("Help"), "#help[open], .help"],
  "How true is this?": [inMenu("How true is this?"), "#truth table"],
  More: [inHead("More"), "#page-menu:popover-open"],
  "a node": [(page) => page.locator("#node-node-b").click(), ".menu"],
  "a pod": [(page) => page.locator("#pod-web-1").click(), ".menu"],
  "a workload to add": [(page) => page.locator(".starters__fold > summary").click(), "details[open], [popover]:popover-open"],
};

for (const theme of themes) {
  test(`axe-core finds nothing in any dialog, panel or menu in ${theme}`, async () => {
    const visit = await site.visit({ theme });
    const { page } = visit;
    await settle(page);
    for (const [name, [open, content]] of Object.entries(all)) {
      await open(page);
      await page.locator(content).first().waitFor();
      await checkAccessibility(page).catch((error) => assert.fail(`${name}: ${error.message}`));
      await press(page, "Escape");
      await page.waitForFunction(() => !document.querySelector("dialog[open], :popover-open, .menu"));
    }
    await visit.end();
  });
}
