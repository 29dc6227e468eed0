// Releases, the less used fields, and what can go wrong: from the controls, as one would.
import assert from "node:assert/strict";
import { test } from "node:test";
import { actOnNode, checkAccessibility, failNode, openMore, openSite, press, settle } from "./helpers.mjs";

const site = openSite();

const fold = (page, title) => page.locator("summary.fold__title", { hasText: title }).click();

async function run(page, release) {
  await openMore(page);
  await page.locator("#release").selectOption(release);
}

async function set(page, path, value) {
  const field = page.locator(`[id="more-${path}"]`);
  if ((await field.evaluate((element) => element.tagName)) === "SELECT") await field.selectOption(value);
  else await field.fill(value);
  await field.dispatchEvent("change");
}

test("the run is given to another release, and the first decision that differs is shown", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await run(page, "v1.20");
  await page.getByText("First difference from v1.36").waitFor();
  assert.equal(await page.locator(".gate").count(), 0, "1.20 has no feature gate to switch");
  assert.equal(await page.locator('[id="more-minReadySeconds"]').count(), 0, "1.20 does not know minReadySeconds");
  const before = await page.locator(".transport__clock").textContent();
  await page.getByRole("button", { name: "Show the moment" }).click();
  assert.notEqual(await page.locator(".transport__clock").textContent(), before);
  await fold(page, "v1.20 against v1.36");
  await page.getByText("minReadySeconds is unknown").waitFor();
  await run(page, "v1.28");
  assert.equal(await page.locator(".gate").count(), 4);
  await checkAccessibility(page);
  await visit.end();
});

test("a release that decides the same is said to", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  assert.equal(await page.locator(".parting").count(), 0, "there is no other run yet");
  await run(page, "v1.20");
  await page.getByText("First difference from v1.36").waitFor();
  await run(page, "v1.34");
  await page.getByText("First difference from v1.20").waitFor();
  await run(page, "v1.35");
  await page.locator(".parting", { hasText: "v1.35 decides the same here as v1.34" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Show the moment" }).count(), 0);
  await checkAccessibility(page, "#more");
  await visit.end();
});

test("what changed between two releases is listed, and each difference opens a run that shows it", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await run(page, "v1.28");
  await fold(page, "What changed: v1.28 against v1.36");
  // What is only proposed is in no release, so in no run.
  const list = page.locator(".changes li").filter({ hasNotText: "Proposed" });
  const count = await list.count();
  assert.ok(count >= 5, `${count} differences`);
  assert.equal(await page.getByRole("button", { name: /^Show it: / }).count(), count, "each has a run");
  await page.getByRole("button", { name: "Show it: A node is NotReady 40 s after its last heartbeat." }).click();
  await page.locator(".about__title", { hasText: "NotReady after 40 s or 50 s" }).waitFor();
  assert.match(await page.locator(".parting").textContent(), /here at 1 m 20 s, under v1.28 at 1 m 10 s: web-1 is not Running and Ready/);
  await page.getByRole("button", { name: "Show the moment" }).click();
  assert.match(await page.locator(".transport__clock").textContent(), /1 m 10 s/);
  await checkAccessibility(page);
  await run(page, "v1.20");
  await page.getByRole("button", { name: /^Show it: / }).first().click();
  await page.locator(".parting", { hasText: "under v1." }).waitFor();
  await visit.end();
});

test("a release leaves out what it does not know, and says so", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await openMore(page);
  await set(page, "ordinals.start", "2");
  await settle(page);
  assert.deepEqual(await page.locator("button.pod .pod__name").allTextContents(), ["web-2", "web-3", "web-4"]);
  await set(page, "minReadySeconds", "-3");
  await page.getByText("spec.minReadySeconds: Invalid value: -3").waitFor();
  await checkAccessibility(page);
  await visit.end();
});

test("claims go with their ordinal where the retention policy says so", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await openMore(page);
  await set(page, "persistentVolumeClaimRetentionPolicy.whenScaled", "Delete");
  await settle(page);
  await page.getByRole("slider", { name: "replicas flag" }).focus();
  await press(page, "ArrowLeft");
  await settle(page);
  assert.equal(await page.locator(".rail__list").getByText("www-web-2").count(), 0, "its claim went with it");
  assert.equal(await page.locator(".rail__list").getByText("www-web-1").count(), 1);
  await visit.end();
});

test("a refused creation is said, and the controller goes on once it is allowed", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await page.getByRole("button", { name: "More that can break" }).click();
  await page.getByRole("button", { name: "Webhook denies new pods" }).click();
  await page.getByRole("slider", { name: "replicas flag" }).focus();
  await press(page, "ArrowRight");
  await page.locator(".stage").focus();
  for (let steps = 0; steps < 20; steps += 1) await press(page, "ArrowRight");
  assert.match(await page.locator(".explanation").textContent(), /refused/);
  await page.getByRole("button", { name: "Webhook allows pods again" }).click();
  await settle(page);
  assert.equal(await page.locator(".pod.is-ready").count(), 4);
  await visit.end();
});

test("force deletion behind a cut network makes two live pods, which is drawn and said; its return ends it", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await failNode(page, "node-c", "Cut its network");
  await settle(page);
  await actOnNode(page, "node-c", "Force delete web-2");
  await settle(page);
  await page.getByText("Two live web-2: at-most-one is broken.").waitFor();
  assert.equal(await page.locator(".node__pod--ghost").count(), 1);
  assert.equal(await page.locator(".place__claim--shared").count(), 1);
  await checkAccessibility(page);
  await actOnNode(page, "node-c", "Bring it back");
  await settle(page);
  assert.equal(await page.locator(".node__pod--ghost").count(), 0);
  assert.equal(await page.locator(".warning").count(), 0);
  await visit.end();
});
