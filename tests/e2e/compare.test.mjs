// Runs side by side: opening a comparison, time, the controls for all lanes and for one, links and figures.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAccessibility, openExamples, openSite, press, settle, themes } from "./helpers.mjs";

const site = openSite();
const phone = { viewport: { width: 390, height: 844 }, touch: true };
const FOUR = "Losing a node: four workload kinds side by side";

const clock = (page) => page.locator(".lanes .transport__clock").textContent();
const slider = (page) => page.locator(".lanes").getByRole("slider", { name: "Moment" });
// What a key leads to may take some frames.
const clockIs = (page, time) => page.locator(".lanes .transport__clock", { hasText: new RegExp(`^${time}$`) }).waitFor();
const lane = (page, name) => page.locator(`.lane[aria-label="${name}"]`);
const row = (page, name) => page.locator(".lanes__lane", { has: page.locator(".lanes__name", { hasText: new RegExp(`^${name}$`) }) });
const ready = (page, name) => row(page, name).locator(".lanes__ready").textContent();

/** Opens what stands below the rows of all lanes. */
async function openLanes(page) {
  const closed = page.locator(".lanes__open[aria-expanded=false]");
  while ((await closed.count()) > 0) await closed.first().click();
}
const settled = (page) => page.locator(".lanes .transport__play", { hasText: "Settled" }).waitFor();

/** Commands that run again, as after a change of a lane, take several frames of a slow browser. */
const runAgain = (page) => page.waitForFunction(() => document.querySelector(".lanes .transport__play").textContent !== "Cancel");

async function openComparison(page, title) {
  await openExamples(page, "Side by side");
  await page.locator("#compare").getByRole("button", { name: title }).click();
  await page.locator(".lanes").waitFor();
}

async function shareLink(page) {
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.waitForFunction(() => document.getElementById("share-link").value.includes("#1."));
  const link = await page.locator("#share-link").inputValue();
  await press(page, "Escape");
  return link;
}

/** A lane's pods as people read them: name, status, node. */
const pods = (page, name) =>
  lane(page, name).locator(".lane__pod").evaluateAll((tiles) =>
    tiles.map((tile) => {
      const words = (part) => tile.querySelector(part)?.textContent ?? "";
      return `${words("b")} ${words(".lane__status")} ${words(".lane__where > span")}`.trim();
    }),
  );

/** What came of the lanes: a question, then each lane's answer. */
const table = (page) =>
  page.evaluate(() => {
    const titles = [...document.querySelectorAll(".lanes__table > table [scope=col]")].map((head) => head.title);
    const lanes = [...document.querySelectorAll(".lanes__lane")].map((lane) => [...lane.querySelectorAll("[data-name]")].map((cell) => cell.title));
    const more = [...document.querySelectorAll(".lanes__more tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent));
    const shown = titles.map((title, at) => [title, lanes.map((cells) => cells[at])]);
    return Object.fromEntries([...shown, ...more.map(([name, ...cells]) => [name, cells])]);
  });

async function seek(page, seconds) {
  await slider(page).evaluate((input, at) => {
    input.value = String(at);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, seconds * 1000);
  await page.waitForFunction((at) => Number(document.getElementById("lanes-moment").getAttribute("value") ?? document.getElementById("lanes-moment").value) === at, seconds * 1000);
}

/** What is seen of a moment. */
const moment = async (page) => [await clock(page), await page.locator(".lane").allTextContents(), await table(page)];

test("a comparison opens at its moment, plays until it is settled, and the table tells what each came to", async () => {
  const visit = await site.visit();
  const { page } = visit;
  const before = await page.locator(".transport__clock").textContent();
  await openComparison(page, "StatefulSet vs. CloneSet with in-place update");
  assert.equal(await clock(page), "29.0 s", "before the event");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await settled(page);
  // A frame or two after 50.7 s, when the last pod is ready.
  assert.match(await clock(page), /^5[0-2]\.\d s$/);
  const expected = {
    "Last change after": ["20.7 s", "19.4 s"],
    "Most pods unavailable at once": ["1", "1"],
    "Pods recreated": ["3", "0"],
    "Restarts in place": ["0", "3"],
    "Names kept": ["3 of 3", "3 of 3"],
    "Claims left behind": ["0", "0"],
  };
  const came = await table(page);
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, came[name]])), expected);
  const marks = await page.locator(".lanes__mark").allTextContents();
  assert.ok(marks.includes("30.0 s kubectl set image sts/web app=app:2"), marks.join("\n"));
  assert.ok(marks.includes("30.0 s StatefulSet: 2 of 3 pods available, 1 terminating; CloneSet in place: 2 of 3 pods available"));
  assert.equal(marks.at(-1), "50.7 s Alike again");
  await page.locator(".lanes__mark", { hasText: "36.9 s" }).click();
  assert.equal(await clock(page), "36.9 s");
  assert.deepEqual(await pods(page, "StatefulSet"), ["web-0 Running node-a", "web-1 Terminating node-b", "web-2 Running node-c"]);
  await page.getByRole("button", { name: "Close the comparison" }).click();
  assert.equal(await page.locator(".lanes").count(), 0);
  assert.equal(await page.locator(".transport__clock").textContent(), before, "the run that was there is not lost");
  await page.waitForFunction(() => location.hash === "");
  await visit.end();
});

test("one lost node, four workloads, on one clock", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await openComparison(page, FOUR);
  await seek(page, 79);
  assert.deepEqual(await pods(page, "Deployment"), ["web-5bcb69887-lv4bf Running node-a"], "nobody knows yet");
  await seek(page, 400);
  assert.deepEqual(await pods(page, "Deployment"), ["web-5bcb69887-lv4bf Terminating node-a", "web-5bcb69887-pq4z7 Running node-b"]);
  assert.deepEqual(await pods(page, "StatefulSet"), ["web-0 Terminating node-a"]);
  assert.match(await lane(page, "StatefulSet").locator(".lane__explanation").textContent(), /web-0 is not replaced: node-a cannot be reached.*deletion at 6 m 20 s/);
  assert.deepEqual(await pods(page, "DaemonSet"), ["web-lv4bf Running node-a", "web-pq4z7 Running node-b", "web-q6vtb Running node-c"]);
  assert.match(await ready(page, "DaemonSet"), /2 \/ 2 ready/);
  assert.match(await lane(page, "DaemonSet").locator(".lane__explanation").textContent(), /web-lv4bf stays on node-a/);
  assert.deepEqual(await pods(page, "CloneSet"), ["web-dsfm4 Terminating node-a", "web-4jdjt Running node-b"]);
  const marks = await page.locator(".lanes__mark").allTextContents();
  const from = marks.findIndex((mark) => mark.startsWith("30.0 s"));
  assert.deepEqual(marks.slice(from), [
    "30.0 s fail node node-a power",
    "1 m 20 s Deployment, StatefulSet, CloneSet: 0 of 1 pod available; DaemonSet: 2 of 3 pods available",
    "6 m 20 s Deployment, CloneSet: 0 of 2 pods available, 1 terminating; StatefulSet: 0 of 1 pod available, 1 terminating; DaemonSet: 2 of 3 pods available",
    "6 m 24 s Deployment, CloneSet: 1 of 2 pods available, 1 terminating; StatefulSet: 0 of 1 pod available, 1 terminating; DaemonSet: 2 of 3 pods available",
    "10 m 00 s recover node node-a",
    "10 m 00 s Deployment, CloneSet: 1 of 1 pod available; StatefulSet: 0 of 1 pod available; DaemonSet: 2 of 3 pods available",
    "10 m 03 s Deployment, StatefulSet, CloneSet: 1 of 1 pod available; DaemonSet: 3 of 3 pods available",
  ]);
  // The node comes back.
  await page.getByRole("button", { name: "Run until settled" }).click();
  await settled(page);
  assert.deepEqual(await pods(page, "Deployment"), ["web-5bcb69887-pq4z7 Running node-b"]);
  assert.deepEqual(await pods(page, "StatefulSet"), ["web-0 Running node-a"]);
  assert.match(await lane(page, "DaemonSet").locator(".lane__pod").first().textContent(), /web-lv4bf.*↻ 1/);
  const came = await table(page);
  assert.deepEqual(came["Pods recreated"], ["1", "1", "0", "1"]);
  assert.deepEqual(came["Restarts in place"], ["0", "0", "1", "0"]);
  assert.deepEqual(came["Names kept"], ["0 of 1", "1 of 1", "3 of 3", "0 of 1"]);
  await visit.end();
});

test("the controls are for all lanes, or for one; what a lane refuses is said", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await openComparison(page, "OrderedReady vs. Parallel");
  await page.getByRole("button", { name: "Run until settled" }).click();
  await settled(page);
  const both = async () => [await ready(page, "OrderedReady"), await ready(page, "Parallel")];
  assert.deepEqual(await both(), ["2 / 2 ready", "2 / 2 ready"]);
  assert.equal(await page.locator("#lanes-replicas").inputValue(), "2");
  const proposed = await page.locator("#lanes-node, #lanes-failure").evaluateAll((lists) => lists.map((list) => list.selectedIndex));
  assert.deepEqual(proposed, [0, 0], "the first node and the first failure are proposed");
  await page.locator("#lanes-replicas").fill("4");
  await press(page, "Enter");
  assert.deepEqual(await both(), ["2 / 4 ready", "2 / 4 ready"]);
  assert.match((await page.locator(".lanes__mark").allTextContents()).at(-1), /kubectl scale sts web --replicas=4$/);
  await page.locator("#lanes-replicas").fill("2.5");
  await press(page, "Enter");
  assert.match(await page.getByRole("alert").textContent(), /2\.5 is not a whole number\./);
  await page.getByRole("alert").getByRole("button", { name: "Dismiss" }).click();
  await page.getByLabel("For", { exact: true }).selectOption("Parallel");
  await page.locator("#lanes-replicas").fill("6");
  await page.getByRole("button", { name: "Set replicas" }).click();
  await page.getByRole("button", { name: "Run until settled" }).click();
  await settled(page);
  assert.deepEqual(await both(), ["4 / 4 ready", "6 / 6 ready"]);
  assert.ok((await page.locator(".lanes__mark").allTextContents()).some((mark) => mark.endsWith("Parallel: kubectl scale sts web --replicas=6")));
  await page.getByLabel("For", { exact: true }).selectOption("all lanes");
  await page.getByLabel("A kubectl line").fill("kubectl delete pod web-5");
  await press(page, "Enter");
  assert.match(await page.getByRole("alert").textContent(), /OrderedReady: .*"web-5" not found/);
  assert.equal((await pods(page, "Parallel")).filter((pod) => /^web-5 Terminating/.test(pod)).length, 1);
  await page.getByRole("alert").getByRole("button", { name: "Dismiss" }).click();
  await openLanes(page);
  // A lane that starts otherwise: the same commands from the start.
  await lane(page, "Parallel").getByText("Change how it starts").click();
  assert.match(await lane(page, "Parallel").getByLabel("Manifest").inputValue(), /podManagementPolicy: Parallel/);
  await page.getByLabel("Release of Parallel").selectOption("v1.17");
  await runAgain(page);
  assert.match(await lane(page, "Parallel").locator(".lane__what").first().textContent(), /^StatefulSet, v1.17, Parallel$/);
  await lane(page, "Parallel").getByRole("button", { name: "Duplicate this lane" }).click();
  await runAgain(page);
  await openLanes(page);
  await lane(page, "Parallel again").getByText("Change how it starts").click();
  await page.getByLabel("Policy of Parallel again").selectOption("OrderedReady");
  await runAgain(page);
  assert.match(await lane(page, "Parallel again").locator(".lane__what").first().textContent(), /^StatefulSet, v1.17, OrderedReady$/);
  assert.equal(await page.locator(".lane").count(), 3);
  await lane(page, "Parallel again").getByRole("button", { name: "Remove this lane" }).click();
  await runAgain(page);
  assert.equal(await page.locator(".lane").count(), 2);
  const manifest = lane(page, "Parallel").getByLabel("Manifest");
  await manifest.fill((await manifest.inputValue()).replace("replicas: 5", "replicas: 3"));
  await lane(page, "Parallel").getByRole("button", { name: "Start with this manifest" }).click();
  await runAgain(page);
  await seek(page, 30);
  assert.deepEqual(await both(), ["5 / 5 ready", "3 / 3 ready"]);
  await visit.end();
});

test("the set on the page is put beside another one", async () => {
  const visit = await site.visit();
  const { page } = visit;
  for (const [name, lanes] of [
    ["Under both policies", ["OrderedReady", "Parallel"]],
    ["Under v1.17 and the newest release", ["v1.17", "v1.36"]],
    ["Beside a CloneSet with in-place update", ["StatefulSet", "CloneSet in place"]],
    ["Beside a Deployment", ["StatefulSet", "Deployment"]],
    ["All four workload kinds side by side", ["Deployment", "StatefulSet", "DaemonSet", "CloneSet"]],
  ]) {
    await openExamples(page, "Side by side");
    await page.locator("#compare .dialog__row").getByRole("button", { name }).click();
    await page.locator(".lanes").waitFor();
    assert.deepEqual(await page.locator(".lanes__name").allTextContents(), lanes);
    await page.getByRole("button", { name: "Run until settled" }).click();
    await settled(page);
    for (const own of lanes) assert.match(await ready(page, own), /^3 \/ 3 ready$/, own);
    await page.getByRole("button", { name: "Close the comparison" }).click();
  }
  await visit.end();
});

test("the browser's Back leads from a comparison to the run that was compared, and Forward to it again", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  const before = page.url();
  await openExamples(page, "Side by side");
  await page.locator("#compare .dialog__row").getByRole("button", { name: "Beside a Deployment" }).click();
  await page.locator(".lanes").waitFor();
  await page.waitForFunction(() => location.hash !== "");
  await page.goBack();
  await page.locator(".lanes").waitFor({ state: "detached" });
  assert.equal(page.url(), before);
  await page.locator(".transport__play", { hasText: "Settled" }).waitFor();
  await page.goForward();
  await page.locator(".lanes").waitFor();
  await page.goBack();
  await page.locator(".lanes").waitFor({ state: "detached" });
  await visit.end();
});

test("a link and the address open the comparison at the moment, and a figure shows it", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await openComparison(page, FOUR);
  await page.getByLabel("For", { exact: true }).selectOption("StatefulSet");
  await page.getByLabel("A kubectl line").fill("kubectl delete pod web-0 --grace-period=0 --force");
  await press(page, "Enter");
  await page.locator(".stage, .lanes__main").last().focus();
  await press(page, "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft");
  const shared = await moment(page);
  const link = await shareLink(page);
  assert.ok(link.length < 2000, `${link.length} characters`);
  await page.waitForFunction((hash) => location.hash === hash, new URL(link).hash);
  const address = new URL(page.url()).hash.slice(1);
  await visit.end();
  const again = await site.visit({ hash: address });
  await again.page.locator(".lanes").waitFor();
  assert.deepEqual(await moment(again.page), shared, "the address, as after a reload");
  await again.end();
  const hash = new URL(link).hash.slice(1);
  const figure = await site.visit({ hash, path: "?embed" });
  await figure.page.locator(".lanes").waitFor();
  assert.equal(await clock(figure.page), shared[0]);
  assert.deepEqual(await table(figure.page), shared[2]);
  assert.equal(await figure.page.locator(".lanes__panel").isVisible(), false, "whoever may only look is not shown what acts");
  assert.equal(await figure.page.locator(".lane__own").first().isVisible(), false);
  assert.ok(await figure.page.locator(".lanes__plot").isVisible());
  assert.ok((await figure.page.getByRole("link", { name: "Open in SetScope" }).getAttribute("href")).includes("#1."));
  await checkAccessibility(figure.page);
  await figure.end();
  const named = await site.visit({ path: "?embed&scenario=four-workloads&at=390&show=rail,time&controls=open" });
  await named.page.locator(".lanes").waitFor();
  assert.equal(await clock(named.page), "6 m 30 s");
  assert.equal(await named.page.locator(".lanes__plot").isVisible(), false);
  await openLanes(named.page);
  assert.equal(await named.page.locator(".lane__pods").first().isVisible(), true);
  await named.end();
});

test("in forced colors the tracks and what explains them tell the states apart", async () => {
  const visit = await site.visit({ path: "?scenario=four-workloads&at=390" });
  const { page } = visit;
  await page.emulateMedia({ forcedColors: "active" });
  for (const part of [".lanes__band", ".lanes__sample"]) {
    const looks = await page.evaluate((part) => ["is-ready", "is-pending", "is-terminating"].map((state) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(document.querySelector(`${part}.${state}`));
      return `${backgroundColor} ${backgroundImage}`;
    }), part);
    assert.equal(new Set(looks).size, 3, JSON.stringify(looks));
    const ground = await page.evaluate(() => getComputedStyle(document.querySelector(".lanes__course")).backgroundColor);
    assert.ok(!looks.includes(`${ground} none`), `a state has the ground's color, ${ground}`);
  }
  await visit.end();
});

test("everything works by keyboard alone", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await page.getByRole("button", { name: "Examples", exact: true }).focus();
  await press(page, "Enter");
  await page.locator("#learn[open]").getByRole("button", { name: "Side by side", exact: true }).focus();
  await press(page, "Enter");
  await page.locator("#compare .scenario").first().waitFor();
  await page.locator("#compare .scenario", { hasText: "OrderedReady vs. Parallel" }).focus();
  await press(page, "Enter");
  await page.locator(".lanes").waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "lanes-main");
  assert.equal(await clock(page), "0.0 s");
  await press(page, "Space");
  await page.locator(".lanes .transport__play", { hasText: "Pause" }).waitFor();
  await press(page, "Space", "Home");
  assert.equal(await clock(page), "0.0 s");
  await press(page, "ArrowRight", "ArrowRight");
  const second = await clock(page);
  await press(page, "ArrowRight", "ArrowLeft");
  assert.equal(await clock(page), second, "one moment forward and back");
  await press(page, "End");
  await settled(page);
  const end = await clock(page);
  await slider(page).focus();
  await press(page, "ArrowLeft", "ArrowLeft");
  assert.notEqual(await clock(page), end);
  assert.equal(await slider(page).getAttribute("aria-valuetext"), await clock(page));
  await page.locator(".lanes__main").focus();
  await press(page, "Control+z", "Control+z");
  // Right before the scaling.
  await clockIs(page, "59\\.9 s");
  await press(page, "Control+Shift+z");
  await clockIs(page, "1 m 00 s");
  await press(page, "End");
  await settled(page);
  await press(page, "Control+k");
  await page.keyboard.type("kubectl scale sts web --replicas=3");
  await press(page, "Enter");
  await page.locator(".lanes .transport__last", { hasText: /replicas=3$/ }).waitFor();
  await page.getByRole("button", { name: "Close the comparison" }).focus();
  await press(page, "Enter");
  await page.waitForFunction(() => document.activeElement?.classList.contains("stage"));
  await visit.end();
});

for (const theme of themes) {
  for (const [size, options] of [["wide", {}], ["a phone", phone]]) {
    test(`axe-core finds nothing in ${theme}, ${size}; nothing is cut off and everything can be touched`, async () => {
      const visit = await site.visit({ theme, ...options });
      const { page } = visit;
      await openComparison(page, FOUR);
      if (size !== "wide") await page.locator(".lanes").getByRole("button", { name: "Controls" }).click();
      await page.getByLabel("A kubectl line").fill("kubectl delete pod web-7");
      await press(page, "Enter");
      await page.getByRole("alert").waitFor();
      await openLanes(page);
      for (const summary of await page.locator(".lane__own summary").all()) await summary.click();
      await checkAccessibility(page);
      const { inner, outer } = await page.evaluate(() => ({ inner: document.documentElement.scrollWidth, outer: innerWidth }));
      assert.ok(inner <= outer, `${inner} of ${outer}`);
      const small = await page.locator(".lanes :is(button, select, summary, input):visible").evaluateAll((all) =>
        all.map((one) => [one.textContent || one.id, one.getBoundingClientRect()]).filter(([, { width, height }]) => width < 24 || height < 24).map(([name]) => name),
      );
      assert.deepEqual(small, []);
      await visit.end();
    });
  }
}

test("what came of the lanes is seen first: a sentence, and a row each with the best and the worst marked", async () => {
  const visit = await site.visit({ viewport: { width: 1440, height: 900 } });
  const { page } = visit;
  await openComparison(page, FOUR);
  await page.getByRole("button", { name: "Run until settled" }).click();
  await settled(page);
  await page.locator(".lanes__result", { hasText: "StatefulSet is down longest, 8 m 43 s, and needed help" }).waitFor();
  assert.match(await row(page, "StatefulSet").locator(".is-bad").first().textContent(), /8 m 43 s/);
  assert.match(await row(page, "DaemonSet").locator(".is-best").first().textContent(), /none/);
  for (const name of ["Deployment", "StatefulSet", "DaemonSet", "CloneSet"]) {
    const { y, height } = await row(page, name).boundingBox();
    assert.ok(y + height <= 900, `${name} ends at ${y + height}`);
  }
  await visit.end();
});

test("the set on the page begins at its moment, and is asked what shall happen", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  const before = await page.locator(".transport__clock").textContent();
  await openExamples(page, "Side by side");
  await page.locator("#compare .dialog__row").getByRole("button", { name: "Beside a Deployment" }).click();
  await page.locator(".lanes__since", { hasText: `Counted since ${before}` }).waitFor();
  await page.getByRole("button", { name: /^Cut the power of node-/ }).click();
  await settled(page);
  await page.locator(".lanes__ask").waitFor({ state: "detached" });
  assert.deepEqual((await table(page))["Recovered by itself"].map((cell) => cell.split(",")[0].split(":")[0]), ["no", "yes"]);
  await visit.end();
});
