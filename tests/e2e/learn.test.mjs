// Lessons: by keyboard, with a wrong and a right answer, what is remembered, in Chinese, in a figure, on a phone.
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { checkAccessibility, openExamples, openSite, press } from "./helpers.mjs";

const site = openSite();
const guide = (page) => page.getByRole("region", { name: "Pods are created in order" });
/** The run has stopped: either something is asked, or the way on is there. It plays for as long as a slow machine takes. */
const settled = (page) => page.locator(".guide__moving").waitFor({ state: "detached" });
const focused = (page) => page.evaluate(() => document.activeElement?.id);

test("a question has the room of the verdict that it hides", async () => {
  const visit = await site.visit({ path: "?lesson=create-in-order", viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await guide(page).getByText("Which pod does the controller create first?").waitFor();
  const { height } = await page.locator(".explanation").evaluate((hidden) => hidden.getBoundingClientRect());
  assert.equal(height, 0);
  for (const name of ["Why", "Terminal", "Events", "Object"]) {
    await page.getByRole("tab", { name, exact: true }).click();
    assert.ok(await page.getByText("Hidden until you answer").isVisible(), `${name} is empty and says why`);
    assert.equal(await page.locator('.inspector > [role="tabpanel"]:not([hidden])').isVisible(), false, name);
  }
  await visit.end();
});

test("a lesson by keyboard, from the gallery to its end, is remembered", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await page.getByRole("button", { name: "Examples", exact: true }).focus();
  await press(page, "Enter");
  const first = page.getByRole("button", { name: /Pods are created in order/ });
  await first.waitFor();
  assert.equal(await page.locator(".lessons__card").count(), 13);
  await checkAccessibility(page);
  await first.focus();
  await press(page, "Enter");
  await guide(page).getByText("Which pod does the controller create first?").waitFor();
  assert.equal(await focused(page), "guide", "the question has the focus");
  assert.match(page.url(), /\?lesson=create-in-order$/);
  assert.equal(await page.locator(".explanation").first().isVisible(), false, "nothing gives the answer away");
  await checkAccessibility(page);

  // The first answer is the pod after the question: web-0, which is right.
  await press(page, "Tab", "Enter");
  await settled(page);
  await guide(page).getByText("Right.").waitFor();
  assert.match(await guide(page).innerText(), /What the controller decided: web-0/);
  assert.match(await guide(page).innerText(), /CreateStatefulPod, stateful_pod_control\.go/);
  assert.equal(await focused(page), "guide");
  await checkAccessibility(page);
  await press(page, "Tab", "Enter");
  await settled(page);

  // A wrong answer: its reason, and what really happens.
  await guide(page).getByRole("button", { name: "It creates web-1, because web-0 is Running" }).focus();
  await press(page, "Enter");
  await settled(page);
  await guide(page).getByText("Not quite.").waitFor();
  assert.match(await guide(page).innerText(), /Running is not enough/);
  assert.match(await guide(page).innerText(), /processReplica, stateful_set_control\.go/);

  // On to the pod question; it is answered on the stage.
  for (const _ of [1, 2]) {
    await guide(page).getByRole("button", { name: "Next" }).click();
    await settled(page);
  }
  await guide(page).getByText("Which pod is created next?").waitFor();
  await guide(page).getByRole("button", { name: "web-1" }).click();
  await settled(page);
  await guide(page).getByText("Right.").waitFor();
  await guide(page).getByRole("button", { name: "Next" }).click();
  await settled(page);
  await guide(page).getByText("The run is yours now").waitFor();
  await guide(page).getByRole("button", { name: "Next lesson: Scaling down leaves the claims" }).waitFor();

  await page.goto(page.url().replace(/\?.*/, ""));
  await page.waitForSelector('html[data-app="ready"]', { state: "attached" });
  await openExamples(page, "Lessons");
  await page.getByText("1 of 13 are done").waitFor();
  assert.match(await first.innerText(), /Done/);
  await visit.end();
});

test("a lesson in Chinese, opened by its address", async () => {
  const visit = await site.visit({ locale: "zh-CN", path: "?lesson=stuck-rollout" });
  const { page } = visit;
  await page.getByText("更新能走多远").waitFor();
  await page.getByRole("button", { name: "一个 Pod，然后停住" }).click();
  await settled(page);
  await page.getByText("正确").first().waitFor();
  assert.match(await page.locator(".guide").innerText(), /控制器的决定/);
  await checkAccessibility(page);
  await visit.end();
});

test("a figure shows the stage and the guide of a lesson, and stores nothing", async () => {
  const visit = await site.visit({ path: "?embed&lesson=create-in-order", viewport: { width: 760, height: 700 } });
  const { page } = visit;
  await guide(page).getByRole("button", { name: "web-0" }).click();
  await settled(page);
  await guide(page).getByText("Right.").waitFor();
  assert.equal(await page.locator(".transport").isVisible(), false);
  assert.equal(await page.locator(".controls").first().isVisible(), false);
  assert.equal(await page.locator(".rail").first().isVisible(), true);
  assert.equal(await page.evaluate(() => localStorage.length), 0);
  await checkAccessibility(page);
  await visit.end();
});

test("whoever shares a figure in a lesson takes the lesson, or the moment", async () => {
  const visit = await site.visit({ path: "?lesson=create-in-order" });
  const { page } = visit;
  await guide(page).getByText("Which pod does the controller create first?").waitFor();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.locator("#share").getByRole("tab", { name: "Figure" }).click();
  assert.ok(await page.getByRole("radio", { name: "the lesson" }).isChecked());
  const address = () => page.locator(".share__preview").getAttribute("src");
  assert.match(await address(), /\?embed&lesson=create-in-order$/);
  await page.frameLocator(".share__preview").getByText("Which pod does the controller create first?").waitFor();
  await checkAccessibility(page, "#share");
  await page.getByRole("radio", { name: "this moment of the run" }).check();
  assert.match(await address(), /\?embed#1\./);
  await visit.end();
});

test("the browser's Back leaves a lesson, and Forward enters it again", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await page.locator(".stage").focus();
  await press(page, "ArrowRight", "ArrowRight");
  const clock = () => page.locator(".transport__clock").textContent();
  const before = await clock();
  await openExamples(page, "Lessons");
  await page.getByRole("button", { name: /Pods are created in order/ }).click();
  await guide(page).waitFor();
  await page.goBack();
  await guide(page).waitFor({ state: "detached" });
  assert.equal(await clock(), before, "the run that was there");
  assert.doesNotMatch(page.url(), /lesson/);
  await page.goForward();
  await guide(page).waitFor();
  assert.match(page.url(), /\?lesson=create-in-order$/);
  await visit.end();
});

const lessons = JSON.parse(readFileSync(new URL("../../www/lessons/index.json", import.meta.url), "utf8")).lessons;

test("axe-core finds nothing in any lesson, light and dark", async () => {
  const visit = await site.visit({ state: null });
  const { page } = visit;
  for (const [at, { name }] of lessons.entries()) {
    await page.emulateMedia({ colorScheme: at % 2 === 0 ? "light" : "dark" });
    await page.goto(new URL(`?lesson=${name}`, page.url()).href);
    await page.locator(".guide").waitFor();
    await page.getByRole("button", { name: "Skip ahead" }).click({ timeout: 1_000 }).catch(() => {});
    await settled(page);
    await checkAccessibility(page);
  }
  await visit.end();
});
