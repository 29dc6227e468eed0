// Each kind of node failure with each way out, as one would do it on the page, and the clock times of what follows.
//
// A story is what is done, what the report that Share saves then tells from the failure on (with its clock, in its order,
// without the syncs that only wait), and what is drawn of node-b, of web-1 and of its claim at the end. The set is the
// page's own: three pods on node-a, node-b and node-c, a ReadWriteOnce claim each, settled at 14.2 s. node-b last renewed
// its Lease at 10 s, so its silence counts from there.
//
// SHOW_STORIES=1 prints what the page tells and draws.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { checkAccessibility, failNode, openSite, press, themes } from "./helpers.mjs";

const site = openSite();

// What is done. "Settle" runs until nothing is left to happen.
const settle = async (page) => {
  await page.locator(".stage").focus();
  await press(page, "End");
  await page.locator(".transport__play", { hasText: "Settled" }).waitFor();
};
const fail = (way, node = "node-b") => (page) => failNode(page, node, way);
const node = (label, name = "node-b") => (page) => page.getByRole("button", { name: `${label} (${name})`, exact: true }).click();
const at = (seconds) => async (page) => {
  await settle(page);
  await page.getByRole("slider", { name: "Moment" }).fill(String(seconds * 1000));
};
const forceDeleteInDialog = (pod) => async (page) => {
  await page.locator(`#pod-${pod}`).click();
  await page.getByRole("dialog", { name: `Pod ${pod}` }).getByRole("button", { name: "Force delete" }).click();
};
const release = (name) => (page) => page.locator("#release").selectOption(name);
const add = (count) => async (page) => {
  for (let added = 0; added < count; added += 1) await page.getByRole("button", { name: "Add a node" }).click();
};
const scaleUp = async (page) => {
  await page.getByRole("slider", { name: "replicas flag" }).focus();
  await press(page, "ArrowRight");
};
const edit = (from, to) => async (page) => {
  await page.getByRole("tab", { name: "Manifest" }).click();
  const manifest = await page.locator("#manifest").inputValue();
  assert.ok(manifest.includes(from), manifest);
  await page.locator("#manifest").fill(manifest.replace(from, to));
  await page.getByRole("button", { name: "Apply" }).click();
};
const tolerate = (seconds) => {
  const one = (key) => `{key: node.kubernetes.io/${key}, operator: Exists, effect: NoExecute, tolerationSeconds: ${seconds}}`;
  return edit("      containers:", `      tolerations: [${one("unreachable")}, ${one("not-ready")}]\n      containers:`);
};

const stories = [
  // The kubelet stops: its containers run on.
  { title: "a kubelet that stops, and nothing is done: web-1 stays Terminating", acts: [fail("Stop its kubelet")] },
  { title: "a kubelet that stops and is back before the eviction: nothing moves", acts: [fail("Stop its kubelet"), at(200), node("Bring it back")] },
  { title: "a kubelet that stops and is back after it: it ends web-1, which is made again", acts: [fail("Stop its kubelet"), settle, node("Bring it back")] },
  { title: "a kubelet that stops, and the Node object is deleted: two web-1 live", acts: [fail("Stop its kubelet"), at(70), node("Remove")] },
  { title: "a kubelet whose Node object was deleted starts again: it ends the old web-1", acts: [fail("Stop its kubelet"), at(70), node("Remove"), settle, node("Start its kubelet")] },
  // The network is cut: kubelet and containers run on.
  { title: "a node cut off that heals before the eviction", acts: [fail("Cut its network"), at(200), node("Bring it back")] },
  { title: "a node cut off that heals after the eviction", acts: [fail("Cut its network"), settle, node("Bring it back")] },
  { title: "a node cut off, on the way to the eviction: the time left is said", acts: [fail("Cut its network"), at(100)], stays: true },
  { title: "a node cut off, web-1 force deleted: until 12 m 00 s the new one waits for the volume", acts: [fail("Cut its network"), settle, node("Force delete web-1"), at(600)], stays: true },
  { title: "a node cut off, and web-1 force deleted: two live, with one claim", acts: [fail("Cut its network"), settle, node("Force delete web-1")] },
  { title: "a node cut off, web-1 force deleted, then healed: the old one is stopped", acts: [fail("Cut its network"), settle, node("Force delete web-1"), settle, node("Bring it back")] },
  { title: "a node cut off and tainted out-of-service: two live at once", acts: [fail("Cut its network"), settle, node("Taint out-of-service")] },
  { title: "a node cut off under a grace period of 0: the eviction itself is a force delete", acts: [edit("terminationGracePeriodSeconds: 10", "terminationGracePeriodSeconds: 0"), settle, fail("Cut its network")] },
  { title: "the same on the way: it is said that the eviction is a force delete", acts: [edit("terminationGracePeriodSeconds: 10", "terminationGracePeriodSeconds: 0"), settle, fail("Cut its network"), at(100)], stays: true },
  { title: "a node cut off under a toleration of 30 s", acts: [tolerate(30), settle, fail("Cut its network")] },
  // The power goes: nothing runs.
  { title: "power lost and back before the eviction: the containers start again", acts: [fail("Cut its power"), at(120), node("Bring it back")] },
  { title: "power lost and back after the eviction: web-1 is made again at once", acts: [fail("Cut its power"), settle, node("Bring it back")] },
  { title: "power lost and web-1 force deleted: safe, but its volume waits six minutes", acts: [fail("Cut its power"), settle, forceDeleteInDialog("web-1")] },
  { title: "power lost and the Node object deleted", acts: [fail("Cut its power"), at(105), node("Remove")] },
  { title: "power lost and tainted out-of-service after the eviction: pod and volume go with the collector's next look", acts: [fail("Cut its power"), settle, node("Taint out-of-service")] },
  { title: "power lost and tainted out-of-service before the eviction: it evicts at once", acts: [fail("Cut its power"), at(100), node("Taint out-of-service")] },
  { title: "power lost and tainted with the wrong effect: nothing before the eviction", acts: [fail("Cut its power"), at(100), node("Taint with NoSchedule")] },
  { title: "a taint on a node that is Ready: its pods go with their grace", acts: [fail("Taint out-of-service")] },
  // The other ways to fail.
  { title: "a reboot within the grace", acts: [fail("Reboot it")] },
  { title: "a graceful shutdown", acts: [fail("Shut it down")] },
  { title: "a graceful shutdown, and the node is back", acts: [fail("Shut it down"), at(120), node("Bring it back")] },
  { title: "a runtime that is down, and back before the eviction", acts: [fail("Break its runtime"), at(100), node("Bring it back")] },
  { title: "a runtime that is down, and back after it", acts: [fail("Break its runtime"), settle, node("Bring it back")] },
  { title: "a zone without power, and back", acts: [add(3), scaleUp, settle, fail("Cut the power of zone-a", "node-a"), settle, node("Bring zone-a back", "node-d")] },
  { title: "every node lost: nobody is evicted", acts: [fail("Cut its power", "node-a"), fail("Cut its power"), fail("Cut its power", "node-c")] },
  // The releases.
  { title: "under v1.20: NotReady after 40 s", acts: [release("v1.20"), settle, fail("Cut its power")] },
  { title: "under v1.28: tainted out-of-service", acts: [release("v1.28"), settle, fail("Cut its power"), settle, node("Taint out-of-service")] },
  { title: "under v1.9: five minutes after the last Lease, and shown as Unknown", acts: [release("v1.9"), settle, fail("Stop its kubelet")] },
  { title: "under v1.9: the node is back", acts: [release("v1.9"), settle, fail("Stop its kubelet"), settle, node("Bring it back")] },
];

async function told(page) {
  await page.getByRole("button", { name: "Share" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Report" }).click()]);
  const report = readFileSync(await download.path(), "utf8");
  await press(page, "Escape");
  const lines = report.split("\n").filter((line) => line.startsWith("- **")).map((line) => line.replace(/^- \*\*(.*)\*\*/, "$1"));
  const start = lines.findIndex((line) => /setscope fail|kubectl taint/.test(line));
  return lines.slice(start).filter((line) => !line.endsWith("OrderedReady waits until it is.") && !line.endsWith("OrderedReady waits until it is gone."));
}

const drawn = (page) =>
  page.evaluate(() => {
    const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.innerText.replace(/\s+/g, " ").trim());
    return {
      pod: texts("#pod-web-1")[0]?.replace(/^.*web-1 /, ""),
      nodes: texts(".node__head").filter((head) => !head.endsWith(" Ready")),
      says: texts(".node__condition"),
      ghosts: texts(".node__pod--ghost"),
      warnings: texts(".warning"),
      shared: texts(".place__claim--shared"),
      ends: texts(".stands").filter((text) => !text.startsWith("Settled")).map((text) => text.replace(/^.*What ends it: /, "")),
    };
  });

const nothing = { nodes: [], says: [], ghosts: [], warnings: [], shared: [], ends: [] };

for (const story of stories) {
  test(story.title, async () => {
    const visit = await site.visit();
    const { page } = visit;
    await settle(page);
    for (const act of story.acts) await act(page);
    if (!story.stays) await settle(page);
    const seen = { tells: await told(page), draws: await drawn(page) };
    if (process.env.SHOW_STORIES) console.log(JSON.stringify({ title: story.title, ...seen }));
    else assert.deepEqual(seen, { tells: story.tells, draws: { ...nothing, ...story.draws } });
    await visit.end();
  });
}
