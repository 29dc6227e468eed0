// Texts of real clusters on the stage: all that is said can be read, and headline, state, cards and panel say one thing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openSite, openTab, openText, resize, showOpened, toEnd } from "../helpers.mjs";
import { textFaults } from "./text.mjs";

const site = openSite();
const sizes = [[320, 640], [360, 740], [390, 844], [768, 1024], [1280, 800]];

/** Opens a text of tests/cases and shows its first workload on the stage. */
async function open(page, name) {
  const words = readFileSync(new URL(`../../cases/${name}.yaml`, import.meta.url), "utf8");
  await openText(page, words);
  await showOpened(page);
}

// Names of pods that are longer than a node's card on a phone; states of a life that have no room on a card; a hundred pods; ways out;
// a node's state of two words; long names of a workload and of nodes.
for (const name of [
  "q12-daemon-rejected-on-a-full-node", "t12-nobody-lets-the-update-in", "c22", "f31-recreate-and-crash", "e26-node-powered-off",
  "u26-every-worker-is-cordoned", "u17-data-folder-may-not-be-written", "t25-table-of-tablets",
  "u05-ring-of-which-one-goes",
]) {
  test(`${name} can be read at every size`, async () => {
    const visit = await site.visit();
    const { page } = visit;
    await open(page, name);
    const faults = [];
    for (const [width, height] of sizes) {
      await resize(page, width, height);
      let found = await page.evaluate(textFaults);
      for (const until = Date.now() + 10_000; Date.now() < until && found.length > 0; ) {
        await page.waitForTimeout(50);
        found = await page.evaluate(textFaults);
      }
      faults.push(...found.map((fault) => `${width}×${height}: ${fault}`));
    }
    assert.ok(faults.length === 0, `${faults.length} faults:\n${faults.join("\n")}`);
    await visit.end();
  });
}

test("a text that names no moment is told to be of none, and its strip has two lines at most", async () => {
  const visit = await site.visit({ viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await open(page, "u17-data-folder-may-not-be-written");
  for (const [width, height] of [[1280, 800], [768, 1024], [360, 740]]) {
    await resize(page, width, height);
    const strip = page.locator(".opened");
    const words = await strip.innerText();
    assert.match(words, /names no moment/);
    assert.doesNotMatch(words, /\d{4}-\d\d-\d\d/);
    const { height: high } = await strip.boundingBox();
    assert.ok(high <= 44, `${width}×${height}: the strip is ${high} px high`);
  }
  await visit.end();
});

test("on narrow screens the namespace gives way before the name of the workload", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await open(page, "u26-every-worker-is-cordoned");
  for (const [width, height] of [[768, 1024], [360, 740], [320, 640]]) {
    await resize(page, width, height);
    const name = page.locator(".summary__name > span").last();
    assert.equal(await name.innerText(), "router-default");
    const cut = await name.evaluate((element) => element.scrollWidth - element.clientWidth);
    assert.ok(cut <= 0, `${width}×${height}: ${cut} px of it are cut`);
  }
  await visit.end();
});

test("a node's name is whole beside a state of two words", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await open(page, "u26-every-worker-is-cordoned");
  for (const [width, height] of [[1280, 800], [768, 1024], [390, 844]]) {
    await resize(page, width, height);
    const name = page.locator(".node__name").first();
    assert.equal(await name.innerText(), "worker-a");
    const [needed, there] = await name.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return [range.getClientRects().length, element.scrollHeight - element.clientHeight];
    });
    assert.deepEqual([needed, there], [1, 0], `${width}×${height}: in one line, and nothing of it cut`);
  }
  await visit.end();
});

test("names are drawn as they are written, and no line ends with the bracket before one", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await open(page, "f31-recreate-and-crash");
  assert.equal(await page.locator(".pod__name").first().evaluate((name) => getComputedStyle(name).fontVariantLigatures), "no-contextual");
  await open(page, "u26-every-worker-is-cordoned");
  const first = page.locator(".explanation__headline .whole", { hasText: "worker-a" });
  assert.equal(await first.innerText(), "(worker-a,");
  await visit.end();
});

test("what ends it is a sentence, and what is not known is told with what to look at next", async () => {
  const visit = await site.visit();
  const { page } = visit;
  const ends = (words) => page.locator(".explanation__resolution", { hasText: words }).waitFor();
  await open(page, "u33-description-of-an-evicted-one");
  await ends(/^What ends it: Not known: .* may hold it\. Look at what the text does not show: kubectl get .*\.$/s);
  await open(page, "u17-data-folder-may-not-be-written");
  await ends(/^What ends it: No pod of this revision was ever Ready: .*\.$/s);
  await visit.end();
});

test("a cause that holds several pods is told once, with the others named", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await open(page, "f31-recreate-and-crash");
  assert.match(await page.locator(".explanation").innerText(), /Likewise: billing-7fd8c9b64-j8z6q, billing-7fd8c9b64-tt9ws/);
  await page.locator(".opened").getByRole("button", { name: "Diagnosis" }).click();
  const findings = page.locator("#cluster .cluster__finding", { hasText: "does not run" });
  assert.equal(await findings.count(), 1);
  assert.match(await findings.innerText(), /Likewise: billing-7fd8c9b64-j8z6q, billing-7fd8c9b64-tt9ws/);
  await visit.end();
});

test("a container that is Ready for a moment is not told to be Ready beside a card that crashes", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await open(page, "k04-ready-for-a-moment");
  assert.match(await page.locator(".place--ringed, .rail").first().innerText(), /Crashing/);
  assert.doesNotMatch(await page.locator(".explanation__headline").innerText(), /Ready/);
  assert.match(await page.locator(".explanation").innerText(), /At the moment of the text it had been Ready for 25 s/);
  await visit.end();
});

test("cordoned nodes are not told to want a rollback", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await open(page, "u26-every-worker-is-cordoned");
  assert.doesNotMatch(await page.locator(".explanation").innerText(), /roll back/);
  assert.match(await page.locator(".verdict__way").first().innerText(), /Uncordon node worker-a/);
  await visit.end();
});

for (const name of ["u17-data-folder-may-not-be-written", "f31-recreate-and-crash", "t05-mesh-plugin-was-late-on-a-new-node"]) {
  test(`at 320×640 a long cause leaves room for a pod of ${name}`, async () => {
    const visit = await site.visit();
    const { page } = visit;
    await open(page, name);
    await resize(page, 320, 640);
    const [pod, verdict, stage] = await page.evaluate(() =>
      [".pod", ".explanation", ".stage"].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
    const word = await page.locator(".pod__status").first().boundingBox();
    assert.ok(pod.top >= stage.top && word.y + word.height <= verdict.top, JSON.stringify({ pod, word, verdict }));
    await visit.end();
  });
}

test("the nodes of a stuck workload are in sight on a small laptop", async () => {
  const visit = await site.visit({ viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await open(page, "t05-mesh-plugin-was-late-on-a-new-node");
  const [node, transport] = await Promise.all([".node", ".transport"].map((one) => page.locator(one).first().boundingBox()));
  assert.ok(node.y + node.height <= transport.y, `they end at ${node.y + node.height}, and the stage at ${transport.y}`);
  await visit.end();
});

test("a text of no workload that can be drawn is not shown as a stage at rest", async () => {
  const visit = await site.visit();
  const { page } = visit;
  const words = readFileSync(new URL("../../cases/k14-very-many-replicas.yaml", import.meta.url), "utf8");
  await openText(page, words);
  await page.locator("#cluster").getByText("Not known: it asks for 30000 replicas").waitFor();
  assert.equal(await page.getByRole("button", { name: "Show it on the stage" }).count(), 0);
  await visit.end();
});

test("the set can be deleted, and the page goes on without one", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await openTab(page, "Terminal");
  const line = page.locator(".inspector input").filter({ visible: true }).first();
  await line.fill("kubectl delete sts web");
  await line.press("Enter");
  await toEnd(page);
  await page.getByRole("heading", { name: "No StatefulSet", exact: true }).waitFor();
  await visit.end();
});

test("a pod that waits for somebody is not told to start, and no gate of it to be open", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await open(page, "t12-nobody-lets-the-update-in");
  const card = page.locator("#pod-game-cc2lz");
  assert.equal(await card.locator(".pod__word").innerText(), "Not Ready");
  assert.doesNotMatch(await card.innerText(), /gate open/);
  await visit.end();
});

test("what is not known has no color of what is stuck, and a step with nothing left to do is passed", async () => {
  const visit = await site.visit({ viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  const color = (selector) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).color);
  await open(page, "q12-daemon-rejected-on-a-full-node");
  const stuck = await color(".explanation__severity");
  assert.equal(await page.locator(".path__stage.is-here.is-done").count(), 1);
  await open(page, "k02-deployment-stands");
  await page.locator(".explanation__severity", { hasText: "Not known" }).waitFor();
  assert.notEqual(await color(".explanation__severity"), stuck);
  await visit.end();
});

test("what helps begins at one edge, behind buttons no wider than their words", async () => {
  const visit = await site.visit({ viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await open(page, "f31-recreate-and-crash");
  const box = await page.getByRole("button", { name: "Roll back", exact: true }).filter({ visible: true }).last().boundingBox();
  assert.ok(box.width < 120, `${box.width} px for two words`);
  await visit.end();
});

test("what may help is told first where nothing is known to", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await open(page, "k04-ready-for-a-moment");
  const first = await page.locator(".verdict__way").first().textContent();
  assert.match(first, /^Delete web-2 not known: well in about/);
  assert.ok(!first.includes("would not help"), first);
  await visit.end();
});
