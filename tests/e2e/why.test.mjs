// Why: the inspector's tabs, the kubectl line, the way back to a revision, the flow chart.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { checkAccessibility, openExamples, openSite, openTab as tab, press, settle, themes, toEnd, openPassed } from "./helpers.mjs";

const site = openSite();
const phone = { viewport: { width: 390, height: 844 }, touch: true };

async function say(page, line) {
  await page.locator("#kubectl-line").fill(line);
  await press(page, "Enter");
  // What is not seen has no text here.
  return (await page.locator(".entry .printed").last().innerText()).trim();
}

/** A busy machine draws the line that a key recalls a moment later. */
async function recalls(page, line) {
  await page.waitForFunction((line) => document.querySelector("#kubectl-line").value === line, line);
}

test("the kubectl line opens by its keys from anywhere, scales the set and prints what kubectl prints", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await toEnd(page);
  await page.locator("#image").focus();
  await press(page, "Control+k");
  assert.ok(await page.locator("#kubectl-line").evaluate((line) => line === document.activeElement));
  assert.equal(await say(page, "kubectl scale sts web --replicas=4"), "statefulset.apps/web scaled");
  assert.equal(await page.locator(".flag--replicas").getAttribute("aria-valuenow"), "4");
  assert.match(await say(page, "get sts"), /^NAME {3}READY {3}AGE\nweb {4}3\/4 /);
  await press(page, "ArrowUp", "ArrowUp");
  await recalls(page, "kubectl scale sts web --replicas=4");
  await press(page, "ArrowDown", "ArrowDown");
  await recalls(page, "");
  assert.match(await say(page, "delete pod web-0 --force --grace-period=0"), /^Warning: Immediate deletion[^]*pod "web-0" force deleted from default namespace$/);
  await visit.end();
});

test("the key of the kubectl line does nothing under an open dialog", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await openExamples(page, "Scenarios");
  await page.locator("#scenarios[open]").waitFor();
  await press(page, "Control+k");
  await page.evaluate(() => document.activeElement.blur());
  await press(page, "Control+k", ".", "Escape");
  await page.locator("#scenarios[open]").waitFor({ state: "detached" });
  assert.equal(await page.getByRole("tab", { name: "Why" }).getAttribute("aria-selected"), "true");
  assert.notEqual(await page.evaluate(() => document.activeElement.id), "kubectl-line");
  await visit.end();
});

test("a region that scrolls keeps the keys that scroll it", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  const clock = () => page.locator(".transport__clock").textContent();
  await press(page, "Control+k");
  await page.locator("#kubectl-line").fill("kubectl get pods -o yaml");
  await press(page, "Enter");
  const log = page.locator(".log");
  await log.locator(".entry").waitFor();
  const before = await clock();
  // Its newest line is in sight at first: from there scrolling counts backwards.
  await log.focus();
  await press(page, "ArrowLeft", "ArrowRight", "Home");
  await page.waitForFunction(() => {
    const { scrollTop, scrollHeight, clientHeight } = document.querySelector(".log");
    return scrollTop <= clientHeight - scrollHeight + 1;
  });
  assert.equal(await clock(), before, "the run stands where it stood");
  await press(page, ",", ",", ",", ",", ",", ",");
  assert.notEqual(await clock(), before, "it keeps no other key");
  await visit.end();
});

test("a wrong line is answered in kubectl's words and changes nothing", async () => {
  const visit = await site.visit();
  const { page } = visit;
  const progress = await page.locator(".transport__progress").textContent();
  await press(page, "Meta+k");
  assert.match(await say(page, "kubectl aply -f web.yaml"), /^error: unknown command "aply" for "kubectl"\nKnown here: get, describe, scale/);
  assert.equal(await say(page, "scale sts db --replicas=1"), 'Error from server (NotFound): statefulsets.apps "db" not found');
  assert.equal(await page.locator(".entry.is-wrong").count(), 2);
  assert.equal(await page.locator(".transport__progress").textContent(), progress);
  await visit.end();
});

test("words are offered while a line is written, and taken by a click or by going on to the right", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await press(page, "Control+k");
  const line = page.locator("#kubectl-line");
  await line.pressSequentially("sca");
  await page.getByRole("button", { name: "scale", exact: true }).waitFor();
  await press(page, "ArrowRight");
  assert.equal(await line.inputValue(), "scale ");
  await page.getByRole("button", { name: "sts", exact: true }).click();
  await page.getByRole("button", { name: "web", exact: true }).click();
  await page.getByRole("button", { name: "--replicas=", exact: true }).click();
  assert.equal(await line.inputValue(), "scale sts web --replicas=");
  assert.ok(await line.evaluate((input) => input === document.activeElement));
  await line.pressSequentially("5");
  await press(page, "Enter");
  assert.equal(await page.locator(".flag--replicas").getAttribute("aria-valuenow"), "5");
  await visit.end();
});

test("Tab completes a word as a shell does, and moves on where there is nothing to complete", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await press(page, "Control+k");
  const line = page.locator("#kubectl-line");
  const hasFocus = () => line.evaluate((input) => input === document.activeElement);
  await page.locator("#kubectl-line:focus").waitFor();
  // Nothing is written: whoever walks through the page by Tab is not held.
  await press(page, "Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Run");
  await press(page, "Shift+Tab");
  assert.ok(await hasFocus());
  await line.pressSequentially("desc");
  await press(page, "Tab");
  assert.equal(await line.inputValue(), "describe ");
  await line.pressSequentially("po");
  await press(page, "Tab");
  assert.equal(await line.inputValue(), "describe pod ");
  await press(page, "Tab");
  assert.equal(await line.inputValue(), "describe pod web-");
  assert.ok(await hasFocus());
  await line.pressSequentially("0");
  // The word is complete.
  await press(page, "Tab");
  assert.equal(await line.inputValue(), "describe pod web-0");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Run");
  await press(page, "Shift+Tab", "Enter");
  assert.match(await page.locator(".entry .printed").last().textContent(), /^Name: +web-0\nNamespace: +default\n(.*\n)*Node: +node-/);
  // In the midst of the line, and with Shift, Tab is the page's.
  await line.pressSequentially("get no");
  await press(page, "ArrowLeft", "Tab");
  assert.equal(await line.inputValue(), "get no");
  assert.ok(!(await hasFocus()));
  await visit.end();
});

test("pods, nodes and claims are described, and objects printed as they are stored", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await toEnd(page);
  await press(page, "Control+k");
  const pod = await say(page, "kubectl describe pod web-1");
  assert.match(pod, /\nControlled By: {2}StatefulSet\/web\nContainers:\n/);
  assert.match(pod, /\n +Type: +PersistentVolumeClaim \(a reference[^]*\n +ClaimName: +\S+web-1\n/);
  assert.match(pod, /\nEvents:\n {2}Type +Reason +Age +From +Message\n[^]*Successfully assigned default\/web-1 to node-/);
  assert.match(await say(page, "kubectl describe node node-a"), /\nTaints: +<none>\nUnschedulable: +false\n[^]*\nNon-terminated Pods:/);
  const claim = (await say(page, "get pvc -o name")).split("\n")[0];
  assert.match(claim, /^persistentvolumeclaim\/\S+web-0$/);
  assert.match(await say(page, `describe ${claim}`), /\nStatus: +Bound\n[^]*\nUsed By: +web-0\n/);
  assert.match(await say(page, "get sts web -o yaml"), /^apiVersion: apps\/v1\nkind: StatefulSet\nmetadata:\n[^]*\n {2}replicas: 3\n/);
  const set = JSON.parse(await say(page, "get sts web -o json"));
  assert.deepEqual([set.kind, set.metadata.name, set.status.readyReplicas], ["StatefulSet", "web", 3]);
  assert.match(await say(page, "rollout history sts web --revision=1"), /^statefulset.apps\/web with revision #1\nPod Template:\n/);
  await checkAccessibility(page);
  await visit.end();
});

test("edit opens the manifest", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await press(page, "Control+k");
  await page.locator("#kubectl-line").fill("kubectl edit sts web");
  await press(page, "Enter");
  assert.equal(await page.getByRole("tab", { name: "Manifest" }).getAttribute("aria-selected"), "true");
  assert.match(await page.locator("#manifest").inputValue(), /kind: StatefulSet/);
  await visit.end();
});

test("what is kept in view is what kubectl prints", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await toEnd(page);
  await tab(page, "Terminal");
  const printed = page.locator(".screen");
  const watched = (await printed.textContent()).split("\n");
  assert.match(watched[0], /^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES$/);
  assert.match(watched[1], /^web-0 +0\/1 +Pending +0 +0s +<none> +<none> +<none> +<none>$/);
  const choose = (name) => page.getByRole("button", { name, exact: true }).click();
  await choose("get sts");
  assert.match(await printed.textContent(), /^NAME {3}READY {3}AGE\nweb {4}3\/3 {5}\d+s\n$/);
  await choose("rollout status");
  assert.match(await printed.textContent(), /^partitioned roll out complete: 3 new pods|^statefulset rolling update complete 3 pods at revision web-/);
  await choose("describe sts");
  assert.match(await printed.textContent(), /^Name: {15}web\n/);
  await visit.end();
});

test("a sync can be chosen, its decisions opened, and the status tells what it changed", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await toEnd(page);
  const title = page.locator("#panel-why .sync__bar h2");
  const last = await title.textContent();
  await page.getByRole("button", { name: "The sync before" }).click();
  const chosen = await title.textContent();
  assert.notEqual(chosen, last);
  assert.equal(await page.locator("#panel-why .explanation").count(), 0, "what is waited for is said on the stage");
  await openPassed(page);
  const decision = page.locator(".path__decision", { hasText: "owned" });
  await decision.locator("summary").click();
  assert.match(await decision.textContent(), /Rule.*Upstream.*pkg\/controller\/.*Holds in/);
  await tab(page, "Status");
  assert.equal(await page.locator("#panel-status .sync__bar h2").textContent(), chosen);
  while (await page.getByRole("button", { name: "The sync before" }).isEnabled()) {
    await page.getByRole("button", { name: "The sync before" }).click();
  }
  const changed = await page.locator(".status .is-changed code:first-child").allTextContents();
  assert.ok(changed.includes("updateRevision"), changed.join());
  assert.match(await page.locator(".sync__summary").textContent(), /^Sync 1 changed \d+ fields\.$/);
  await visit.end();
});

test("the history compares templates and leads back to a revision", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await toEnd(page);
  await press(page, "Control+k");
  await say(page, "set image sts/web nginx=nginx:9.9");
  await toEnd(page);
  await tab(page, "Revisions");
  assert.match(await page.locator(".compared__one").textContent(), /^spec\.containers\[nginx\]\.imagewas nginx:1\.27is nginx:9\.9$/);
  assert.match(await page.locator(".revisions__one").first().textContent(), /^B.*currentupdateRevision 2 .*web-0 to web-2/);
  await page.getByRole("button", { name: "Roll back to this" }).click();
  await toEnd(page);
  assert.match(await page.locator(".revisions__one").first().textContent(), /^A.*currentupdateRevision 3 /);
  const tags = await page.locator(".pod__tag").allTextContents();
  assert.deepEqual(new Set(tags), new Set([":1.27"]));
  await visit.end();
});

test("a pod's panel tells what has to happen before it changes and what was decided about it", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await toEnd(page);
  await page.locator("button.pod").first().click();
  const story = page.locator(".menu");
  assert.match(await story.textContent(), /Before it changesSettled: web-0 is in the desired state/);
  assert.match(await story.textContent(), /web-0 is missing; it is created/);
  await checkAccessibility(page);
  await visit.end();
});

test("the flow chart shows the sync and can be taken away as a file", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await toEnd(page);
  await openPassed(page);
  await page.getByRole("button", { name: "Flow chart of the sync" }).click();
  const chart = page.locator("#flow");
  await chart.waitFor();
  assert.match(await chart.getAttribute("aria-label"), /^A sync of the StatefulSet controller, v1\.36; the path of sync \d+ is highlighted$/);
  assert.ok((await page.locator(".flow__box").count()) > 50);
  assert.ok((await page.locator(".flow__line.is-lit").count()) > 5);
  assert.match(await page.locator(".flow__box", { hasText: "An ordinal is missing" }).textContent(), /3×/);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as SVG" }).click()]);
  assert.equal(file.suggestedFilename(), "sync.svg");
  const text = readFileSync(await file.path(), "utf8");
  assert.ok(text.startsWith("<svg ") && text.endsWith("</svg>") && text.includes("<style>"));
  // On an empty page: this one's policy forbids making anything of a text.
  const empty = await site.browser.newPage();
  const root = await empty.evaluate((drawn) => new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement.tagName, text);
  await empty.close();
  assert.equal(root, "svg");
  await press(page, "Escape");
  await chart.waitFor({ state: "detached" });
  await visit.end();
});

for (const theme of themes) {
  test(`axe-core finds nothing in any tab, nor in the chart, in ${theme}`, async () => {
    const visit = await site.visit({ theme });
    const { page } = visit;
    await toEnd(page);
    await press(page, "Control+k");
    await say(page, "set image sts/web nginx=nginx:9.9");
    await say(page, "nonsense");
    await press(page, "Escape");
    await page.locator(".stage").focus();
    for (let moves = 0; moves < 12; moves += 1) await press(page, "Shift+ArrowRight");
    for (const name of ["Why", "Terminal", "Events", "Status", "Revisions", "Manifest"]) {
      await tab(page, name);
      await checkAccessibility(page);
    }
    await tab(page, "Why");
    await openPassed(page);
    await page.locator(".path__decision summary").first().click();
    await checkAccessibility(page);
    await openPassed(page);
  await page.getByRole("button", { name: "Flow chart of the sync" }).click();
    await checkAccessibility(page);
    await visit.end();
  });
}

test("on a phone each tab leads to a panel that is there", async () => {
  const visit = await site.visit({ viewport: { width: 390, height: 844 }, touch: true });
  const { page } = visit;
  const tabs = page.locator(".panes").getByRole("tab");
  for (const name of ["Nodes", "Why", "Terminal", "Events", "Object"]) {
    await tabs.filter({ hasText: name }).click();
    const panel = await tabs.filter({ hasText: name }).getAttribute("aria-controls");
    await page.locator(`#${panel}[role=tabpanel]`).waitFor();
  }
  await visit.end();
});
