// CloneSet, Deployment and DaemonSet on the page: begun with one press, rolled, surged, undone, left by a node.
import assert from "node:assert/strict";
import { test } from "node:test";
import { actOnNode, checkAccessibility, failNode, openMore, openSite, openTab, press, settle, themes, openPassed } from "./helpers.mjs";

const site = openSite();
const phone = { viewport: { width: 390, height: 844 }, touch: true };

const begin = async (page, name) => {
  await page.locator(".starters__fold > summary").click();
  await page.locator(".starters__fold").getByRole("button", { name, exact: true }).click();
  await page.locator(".cards").waitFor();
};
const step = async (page) => {
  await page.locator(".stage").focus();
  await press(page, "ArrowRight");
};
// Steps until the page says so.
const until = async (page, holds, words) => {
  for (let count = 0; count < 400; count += 1) {
    if (await holds()) return;
    await step(page);
  }
  assert.fail(`it never came: ${words}`);
};
// What the cards say, in their order.
const cards = (page) =>
  page.locator(".cards button.pod").evaluateAll((all) =>
    all.map((card) => {
      const [first, second] = card.querySelectorAll(".pod__line");
      const says = (selector) => card.querySelector(selector)?.textContent ?? "";
      return {
        name: card.id.replace("pod-", ""),
        node: first.firstChild.textContent,
        ip: second.firstChild.textContent,
        tag: second.lastChild.textContent,
        letter: card.querySelector(".pod__band").childNodes[1].textContent,
        restarts: says(".pod__restarts, .pod__again"),
        failed: card.querySelector(".pod__restarts") !== null,
        turn: says(".pod__turn"),
        steps: says(".pod__steps"),
        came: says(".pod__came"),
        ready: card.classList.contains("is-ready"),
        surge: card.closest(".place").classList.contains("place--surge"),
      };
    }),
  );
const rollOut = (page) => page.getByRole("button", { name: "Roll out", exact: true }).click();
const title = (page) => page.locator("#explanation-title").textContent();

test("an update in place keeps the pod, its node and its address, and its gate closes and opens", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await begin(page, "CloneSet, in place");
  await settle(page);
  const before = await cards(page);
  assert.equal(before.length, 4);
  assert.ok(before.every((card) => card.steps === "Normalgate open" && card.came === "" && card.restarts === ""));
  assert.equal(await page.getByLabel("Image", { exact: true }).inputValue(), "nginx:1.28");
  await rollOut(page);
  const shut = async () => (await cards(page)).filter((card) => card.steps === "Updatinggate closed").length === 1;
  await until(page, shut, "a closed gate");
  const changing = (await cards(page)).find((card) => card.steps.endsWith("closed"));
  await page.locator(`[id="pod-${changing.name}"]`).click();
  const panel = page.getByRole("dialog", { name: `Pod ${changing.name}` });
  await panel.getByText("apps.kruise.io/inplace-update-grace").waitFor();
  await checkAccessibility(page);
  await press(page, "Escape");
  await settle(page);
  const after = await cards(page);
  assert.deepEqual(
    after.map(({ name, node, ip }) => ({ name, node, ip })),
    before.map(({ name, node, ip }) => ({ name, node, ip })),
  );
  for (const card of after) {
    assert.deepEqual(
      { tag: card.tag, restarts: card.restarts, failed: card.failed, steps: card.steps, came: card.came, letter: card.letter },
      { tag: ":1.28", restarts: "1 restart", failed: false, steps: "Normalgate open", came: "changed in place", letter: "B" },
    );
  }
  assert.equal(await page.locator(".pod--in-place").count(), 4);
  await page.locator(`[id="pod-${changing.name}"]`).click();
  await panel.getByRole("button", { name: "Let the controller replace it" }).click();
  await settle(page);
  const mixed = await cards(page);
  assert.deepEqual(mixed.map((card) => card.came), [...Array(3).fill("changed in place"), "another pod"]);
  assert.ok(mixed.every((card) => card.name !== changing.name));
  await visit.end();
});

test("a surge update shows its place and its card, and never has fewer ready than asked for", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await begin(page, "CloneSet, surge");
  await settle(page);
  await rollOut(page);
  await until(page, () => page.getByText("surge place").isVisible(), "a free surge place");
  const ranked = page.locator(".ranks__one", { hasText: "Next to be updated" }).locator("li");
  assert.equal(await ranked.count(), 3);
  const next = await ranked.first().locator("code").textContent();
  assert.deepEqual((await cards(page)).filter((card) => card.turn === "next").map((card) => card.name), [next]);
  assert.match(await ranked.first().locator("span").textContent(), /^ready for \d+s, \d pods? on node-\w$/);
  let surged = 0;
  for (let count = 0; count < 300 && !(await page.locator(".transport__play", { hasText: "Settled" }).count()); count += 1) {
    const now = await cards(page);
    assert.ok(now.filter((card) => card.ready).length >= 4, JSON.stringify(now));
    assert.ok(now.filter((card) => card.surge).length <= 1);
    surged += now.filter((card) => card.surge).length;
    await step(page);
  }
  assert.ok(surged > 0, "a surge card was shown");
  const after = await cards(page);
  assert.equal(after.length, 4);
  assert.ok(after.every((card) => card.tag === ":1.28" && card.came === "another pod" && card.name !== next));
  await visit.end();
});

test("a Deployment rolls from one ReplicaSet to the other, is paused and resumed, and is undone", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await begin(page, "Deployment");
  await settle(page);
  const before = await cards(page);
  await openMore(page);
  await page.getByRole("button", { name: "Pause updates" }).click();
  await rollOut(page);
  await settle(page);
  assert.deepEqual((await cards(page)).map((card) => card.name), before.map((card) => card.name));
  assert.equal(await title(page), "Rollouts are paused; it is only scaled");
  await page.getByRole("button", { name: "Resume updates" }).click();
  await until(page, async () => (await page.locator(".cards__head").count()) === 2, "a second ReplicaSet");
  await settle(page);
  const heads = await page.locator(".cards__head").allTextContents();
  assert.match(heads[0], /^AReplicaSet shop-\w+old: 0 desired/);
  assert.match(heads[1], /^BReplicaSet shop-\w+new: 4 desired, 4 ready, 4 available/);
  assert.ok((await cards(page)).every((card) => card.tag === ":1.28"));
  await openTab(page, "Revisions");
  await page.locator(".revisions__one", { hasText: "Revision 1" }).getByRole("button", { name: "Roll back to this" }).waitFor();
  await checkAccessibility(page);
  await page.getByRole("button", { name: "Roll back", exact: true }).click();
  await settle(page);
  assert.ok((await cards(page)).every((card) => card.tag === ":1.27" && card.letter === "A"));
  await visit.end();
});

test("a DaemonSet's pod stays on a lost node and is ready again when that comes back", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await begin(page, "DaemonSet");
  await settle(page);
  const before = await cards(page);
  assert.deepEqual(before.map((card) => card.name.startsWith("agent-")), [true, true, true]);
  const names = await page.locator(".cards .pod__name > :last-child").allTextContents();
  assert.deepEqual(names, ["node-a", "node-b", "node-c"]);
  await rollOut(page);
  const places = () => page.locator(".cards .pod__name").evaluateAll((all) => all.map((name) => name.lastChild.textContent));
  // The containers of the old pod have ended: the controller makes the new one before the old object is gone.
  await until(page, async () => (await places()).length === 4, "a node with the new pod beside the old one");
  assert.deepEqual(await places(), ["node-a", "node-a", "node-b", "node-c"]);
  await page.getByRole("button", { name: "Roll back", exact: true }).click();
  await settle(page);
  before.splice(0, 3, ...(await cards(page)));
  await failNode(page, "node-b", "Cut its power");
  await settle(page);
  const lost = await cards(page);
  assert.deepEqual(lost.map((card) => card.name), before.map((card) => card.name));
  assert.deepEqual(lost.map((card) => card.ready), [true, false, true]);
  assert.match(await page.locator(".explanation").textContent(), /stays on node-b, which cannot be reached: it tolerates that forever/);
  await actOnNode(page, "node-b", "Bring it back");
  await settle(page);
  const back = await cards(page);
  assert.deepEqual(back.map((card) => [card.name, card.ready]), before.map((card) => [card.name, true]));
  await visit.end();
});

test("every field of the strategy is there, says its kubectl line, and is refused in the server's words in place", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await begin(page, "Deployment");
  const controls = page.locator("#more");
  await openMore(page);
  const surge = controls.locator(".field", { hasText: "maxSurge" });
  await surge.locator("input").fill("0");
  await surge.locator("input").press("Enter");
  assert.match(await surge.getByRole("alert").textContent(), /may not be 0 when `maxSurge` is 0/);
  assert.equal(await surge.locator("input").inputValue(), "1", "what was refused does not stay as if it held");
  await controls.getByLabel("strategy.type").selectOption("Recreate");
  assert.equal(await surge.locator("input").inputValue(), "", "Recreate has no limits");
  assert.match(await page.locator(".same code").textContent(), /kubectl patch deploy shop -p .*"Recreate"/, "the last change in a terminal");
  await page.getByRole("button", { name: "Undo the last command" }).click();
  assert.equal(await controls.getByLabel("strategy.type").inputValue(), "RollingUpdate", "the list shows what is in force");
  await begin(page, "CloneSet, in place");
  const partition = page.getByRole("complementary", { name: "Controls" }).getByLabel("updateStrategy.rollingUpdate.partition");
  await partition.fill("50%");
  await partition.press("Enter");
  await page.locator(".cards__kept", { hasText: "2 of 4 pods may be updated; 2 stay old" }).waitFor();
  await settle(page);
  await rollOut(page);
  await settle(page);
  assert.deepEqual((await cards(page)).map((card) => card.turn).sort(), ["", "", "stays old", "stays old"]);
  const unavailable = controls.locator(".field", { hasText: "How many pods an update may take down at once." });
  await unavailable.locator("input").fill("0");
  await unavailable.locator("input").press("Enter");
  assert.match(await unavailable.getByRole("alert").textContent(), /maxUnavailable and maxSurge should not both be less than 1/);
  assert.equal(await unavailable.locator("input").inputValue(), "1");
  await visit.end();
});

test("a hook holds its pod until the label is off, and on again; many pods are small", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await begin(page, "CloneSet, hooks");
  await settle(page);
  await rollOut(page);
  for (const [state, act] of [["PreparingUpdate", "take off"], ["Updated", "put on"]]) {
    await settle(page);
    const held = (await cards(page)).find((card) => card.steps.startsWith(state));
    assert.match(await page.locator(".explanation").textContent(), new RegExp(`${held.name} is ${state} and waits at its hook`));
    await page.locator(".place--ringed button.pod").click();
    await page.getByRole("button", { name: `Hook: ${act} example.com/traffic=on` }).click();
  }
  await settle(page);
  assert.equal((await cards(page)).filter((card) => card.came === "changed in place").length, 1);
  const replicas = page.getByLabel("Replicas as a number");
  for (const [count, small] of [["60", ".cards--small"], ["210", ".cards--cell"]]) {
    await replicas.fill(count);
    await replicas.press("Enter");
    await settle(page);
    assert.equal(await page.locator(`.cards__list${small} button.pod`).count(), Number(count));
  }
  await checkAccessibility(page, ".stage");
  await visit.end();
});

test("the picker goes from one workload to another, and each keeps its own fields", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await begin(page, "Deployment");
  await begin(page, "DaemonSet");
  const picker = page.getByRole("combobox", { name: "Workload" });
  assert.deepEqual(await picker.locator("option").allTextContents(), ["web", "shop (Deployment)", "agent (DaemonSet)"]);
  await picker.selectOption("shop (Deployment)");
  await page.getByLabel("Replicas as a number").fill("2");
  await page.getByLabel("Replicas as a number").press("Enter");
  await settle(page);
  assert.equal((await cards(page)).length, 2);
  await picker.selectOption("web");
  assert.equal(await page.getByLabel("Replicas as a number").inputValue(), "3");
  assert.equal(await page.locator(".rail .place").count(), 3);
  assert.equal(await page.getByLabel("Image", { exact: true }).inputValue(), "nginx:1.28");
  await visit.end();
});

test("a manifest of such a kind, applied by hand, is shown, and its tabs are about it", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await openTab(page, "Manifest");
  const text = await page.evaluate(async () => "apiVersion: apps.kruise.io/v1alpha1\nkind: CloneSet\nmetadata:\n  name: own\nspec:\n  replicas: 2\n  selector:\n    matchLabels:\n      app: own\n  template:\n    metadata:\n      labels:\n        app: own\n    spec:\n      containers:\n        - name: main\n          image: app:1\n");
  await page.locator("textarea").fill(text);
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await page.locator(".cards").waitFor();
  await settle(page);
  await page.locator(".editor__more > summary").click();
  await page.getByRole("button", { name: "Show the set as it is now" }).click();
  assert.match(await page.locator("textarea").inputValue(), /kind: CloneSet/);
  await openTab(page, "Why");
  await openPassed(page);
  await page.locator(".path__stage", { hasText: "Move pods on" }).waitFor();
  const decision = page.locator(".path__stage:visible .path__decision").first();
  await decision.locator("summary").click();
  assert.match(await decision.textContent(), /pkg\/controller\/cloneset/);
  await openTab(page, "Status");
  await page.getByRole("rowheader", { name: /expectedUpdatedReplicas/ }).waitFor();
  await openTab(page, "Terminal");
  const told = page.getByRole("region", { name: "What kubectl prints" });
  for (const [screen, words] of [
    ["get cloneset", /^NAME +DESIRED +UPDATED +UPDATED_READY +READY +TOTAL +AGE\nown +2/],
    ["rollout status", /^CloneSet rolling update complete 2 pods at revision own-/],
    ["describe cloneset", /^Name: +own\nNamespace: +default\n/],
  ]) {
    await page.getByRole("button", { name: screen, exact: true }).click();
    assert.match(await told.textContent(), words);
  }
  await checkAccessibility(page);
  await visit.end();
});

test("by keyboard alone: a workload is added, a card opened and closed", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await page.locator(".starters__fold > summary").focus();
  await press(page, "Enter");
  await page.getByRole("button", { name: "Deployment", exact: true }).focus();
  await press(page, "Enter");
  await page.locator(".cards").waitFor();
  await settle(page);
  const card = page.locator(".cards button.pod").first();
  await card.focus();
  await press(page, "Enter");
  await page.getByRole("dialog", { name: /^Pod shop-/ }).waitFor();
  await press(page, "Escape");
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.ok(await card.evaluate((button) => button === document.activeElement));
  await visit.end();
});

test("on a phone nothing of these stages is wider than the screen", async () => {
  const visit = await site.visit(phone);
  const { page } = visit;
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  for (const name of ["CloneSet, in place", "Deployment", "DaemonSet"]) {
    await begin(page, name);
    await settle(page);
    assert.ok(await fits(), name);
    await checkAccessibility(page);
    await page.getByRole("tab", { name: "Change it", exact: true }).click();
    assert.ok(await fits(), `${name}: controls`);
    await checkAccessibility(page);
    await press(page, "Escape");
  }
  await visit.end();
});

for (const theme of themes) {
  test(`axe-core finds nothing on these stages in ${theme}`, async () => {
    const visit = await site.visit({ theme });
    const { page } = visit;
    await page.locator(".starters__fold > summary").click();
    await checkAccessibility(page);
    await page.locator(".starters__fold > summary").click();
    for (const name of ["CloneSet, in place", "CloneSet, surge", "Deployment", "DaemonSet"]) {
      await begin(page, name);
      await settle(page);
      await rollOut(page);
      for (let count = 0; count < 24; count += 1) await step(page);
      await checkAccessibility(page);
      await settle(page);
      await checkAccessibility(page);
    }
    await visit.end();
  });
}
