// The dialog "Your cluster": what a person pastes, and what is said of it.
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { checkAccessibility, openSite, openText, press } from "./helpers.mjs";
import { recorded } from "./recorded.mjs";

const site = openSite();

const texts = {
  rollback: recorded("d02a-rollback", 55),
  "dead-node": recorded("d10a-loss-force", 460),
  healthy: recorded("d01b-healthy-claims", 35),
};
const text = (name) => texts[name];

/** The healthy one in so many namespaces. */
function many(namespaces) {
  const [objects, nodes] = text("healthy").split("---\n");
  const own = objects.match(/^ {4}namespace: (\S+)$/m)[1];
  const copies = Array.from({ length: namespaces }, (_, at) => objects.replaceAll(own, `space-${at}`).replaceAll("uid: ", `uid: ${at}-`));
  return [...copies, nodes].join("---\n");
}

/** Pastes a text into the dialog. */
const typed = (page, words) =>
  // As Ctrl and V do, without the clipboard of the machine that the test runs on.
  page.getByLabel("Its output; descriptions and tables are read too").evaluate((field, words) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", words);
    field.focus();
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, words);

/** Opens the dialog and pastes a text into it. */
async function paste(page, name) {
  await page.getByRole("button", { name: "Open your cluster" }).first().click();
  await typed(page, text(name));
  await page.locator(".cluster__workload").first().waitFor();
}

/** Holds back the next slice of a reading, so that it does not end while it is looked at, however fast the machine is; gives what lets it go. */
async function holdNextSlice(page) {
  await page.evaluate(() => {
    const real = window.setTimeout;
    window.setTimeout = (call, wait) => {
      if (wait !== 0) return real(call, wait);
      window.setTimeout = real;
      window.letGo = () => real(call, 0);
      return 0;
    };
  });
  return () => page.evaluate(() => window.letGo());
}

const finding = (page, condition) => page.locator(`[data-condition="${condition}"]`).first();

/** What of the text shows that finding, unfolded. */
async function unfold(page, condition) {
  await page.locator("#cluster summary").filter({ hasText: /^What shows it in the text/ }).first().click();
  return page.locator(`[data-shows="${condition}"]`).first();
}

test("a stuck rollback is named with the fields that show it, a press away in the text", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await paste(page, "rollback");
  const found = finding(page, "old-revision-blocks");
  await found.waitFor();
  const said = await found.innerText();
  assert.match(said, /stuck/i);
  assert.match(said, /web-2 runs revision/);
  assert.match(said, /Not a rollback that failed/);
  const fields = await unfold(page, "old-revision-blocks");
  assert.equal(await fields.getByRole("link").getAttribute("href"), "https://github.com/kubernetes/kubernetes/issues/67250");
  const evidence = fields.locator("summary").filter({ hasText: "status.updateRevision" });
  await evidence.click();
  const here = fields.locator("details[open] .cluster__here");
  assert.match(await here.innerText(), /updateRevision: /);
  await checkAccessibility(page, "#cluster");
  await visit.end();
});

test("first the cause, then what would help, then what if, then what shows it, folded: all in sight at 1280×800", async () => {
  const visit = await site.visit({ viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await paste(page, "rollback");
  const dialog = page.locator("#cluster");
  const parts = [
    finding(page, "old-revision-blocks").locator("p").first(),
    dialog.getByRole("button", { name: "Try the ways out" }),
    dialog.locator("summary").filter({ hasText: /^What shows it in the text: [1-9]/ }),
  ];
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  const edges = boxes.flatMap(({ y, height }) => [y, y + height]);
  assert.deepEqual(edges, edges.toSorted((one, other) => one - other));
  const show = await dialog.getByRole("button", { name: "Show it on the stage" }).boundingBox();
  const [, tries] = boxes;
  assert.ok(show.x > tries.x + tries.width && show.y >= tries.y && show.y < tries.y + tries.height, "in one row with what is tried");
  assert.ok(edges.at(-1) < 800, `${edges.at(-1)} is in sight`);
  assert.equal(await dialog.locator(".cluster__evidence").first().isVisible(), false);
  await visit.end();
});

test("a report of a problem is the text without its names, saved as a file", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await paste(page, "rollback");
  await page.locator("#cluster").getByRole("button", { name: "Show it on the stage" }).click();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.locator("#share").getByRole("button", { name: "Report a problem" }).click();
  const report = page.locator(".cluster__report");
  await report.locator("summary").click();
  await report.getByRole("button", { name: "Take the names out" }).click();
  await report.getByRole("button", { name: "Copy: Text for the report" }).waitFor();
  const downloading = page.waitForEvent("download");
  await report.getByRole("button", { name: "Save as a file" }).click();
  const file = readFileSync(await (await downloading).path(), "utf8");
  assert.match(file, /kind: StatefulSet/);
  assert.doesNotMatch(file, /\bweb\b|node-[abc]\b/);
  assert.equal((await report.locator("pre").innerText()).trim(), file.trim());
  await checkAccessibility(page, "#cluster");
  await visit.end();
});

test("lines are rehearsed, told, shown on the stage, and one that does nothing is refused in place", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await paste(page, "rollback");
  await page.locator("#cluster").getByRole("button", { name: "Rehearse" }).click();
  const dialog = page.locator("#rehearse");
  const lines = dialog.getByLabel("Lines of kubectl");
  const rehearse = dialog.getByRole("button", { name: "Rehearse", exact: true });
  await lines.fill("kubectl get pods");
  await rehearse.click();
  assert.match(await dialog.getByRole("alert").innerText(), /nothing to try/);
  assert.equal(await lines.inputValue(), "kubectl get pods", "what was typed is still there");
  await lines.fill("kubectl delete pod web-2");
  await rehearse.click();
  await dialog.getByRole("button", { name: "Show it on the stage" }).waitFor();
  assert.match(await dialog.locator(".saying").innerText(), /pods replaced, under the same names: web-2/);
  assert.equal(await dialog.getByRole("alert").count(), 0);
  await dialog.getByRole("button", { name: "Copy: Report" }).waitFor();
  await checkAccessibility(page, "#rehearse");
  await dialog.getByRole("button", { name: "Show it on the stage" }).click();
  await dialog.waitFor({ state: "hidden" });
  await visit.end();
});

test("a question is chosen, its lines are looked at, and then it is answered", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await paste(page, "rollback");
  await page.locator("#cluster").getByRole("button", { name: "Rehearse" }).click();
  const dialog = page.locator("#rehearse");
  const asked = dialog.getByLabel("What if");
  await asked.selectOption({ label: "A label and an annotation of it are changed" });
  await page.waitForFunction(() => /^kubectl label sts web .*\nkubectl annotate sts web /.test(document.querySelector("#rehearse-lines").value));
  assert.equal(await dialog.locator(".saying").count(), 0, "nothing is tried yet");
  await dialog.getByRole("button", { name: "Rehearse", exact: true }).click();
  await dialog.locator(".saying").waitFor();
  assert.match(await dialog.locator(".saying").innerText(), /changes nothing, because metadata of an object/);
  assert.equal(await asked.locator("option:checked").textContent(), "A label and an annotation of it are changed");
  await checkAccessibility(page, "#rehearse");
  await visit.end();
});

test("the stage of an opened text has the cause for a headline, and invites nobody to watch it", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await paste(page, "rollback");
  const cause = await finding(page, "old-revision-blocks").locator("> p").first().innerText();
  await page.locator("#cluster").getByRole("button", { name: "Show it on the stage" }).click();
  const headline = await page.locator("#explanation-title").innerText();
  assert.ok(cause.includes(headline), `${cause} has ${headline}`);
  assert.equal(await page.getByRole("button", { name: /come up$/ }).count(), 0);
  await visit.end();
});

test("a node's drain is rehearsed from the node", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await page.locator(".node__open").first().click();
  await page.getByRole("button", { name: "Rehearse its drain" }).click();
  const said = page.locator("#rehearse .saying");
  await said.waitFor();
  assert.match(await said.innerText(), /stays cordoned/);
  await visit.end();
});

test("a dead node with a volume, by keyboard alone", async () => {
  const visit = await site.visit({ theme: "dark" });
  const { page } = visit;
  await paste(page, "dead-node");
  const found = finding(page, "terminating-on-a-lost-node");
  await found.waitFor();
  const fields = await unfold(page, "terminating-on-a-lost-node");
  const evidence = fields.locator("summary").filter({ hasText: "metadata.deletionTimestamp" });
  await evidence.focus();
  await press(page, "Enter");
  const here = await fields.locator("details[open] .cluster__here").innerText();
  const shown = await evidence.locator(".cluster__value").innerText();
  assert.ok(here.includes("deletionTimestamp") && here.includes(shown), `${here} has ${shown}: the text's own time`);
  await page.getByRole("button", { name: "Try the ways out" }).first().focus();
  await press(page, "Enter");
  await page.locator(".cluster__way").first().waitFor();
  await checkAccessibility(page, "#cluster");
  await visit.end();
});

test("a healthy set has no finding, and that is said", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await paste(page, "healthy");
  await page.getByText("Nothing is wrong: every workload is as it was asked to be.").waitFor();
  assert.equal(await page.locator(".cluster__finding").count(), 0);
  await visit.end();
});

test("on a phone nothing of it is wider than the screen", async () => {
  const visit = await site.visit({ viewport: { width: 360, height: 740 }, touch: true, path: "" });
  const { page } = visit;
  await openText(page, text("dead-node"));
  const found = finding(page, "terminating-on-a-lost-node");
  await found.waitFor();
  await (await unfold(page, "terminating-on-a-lost-node")).locator("summary").first().click();
  const wide = await page.locator("#cluster").evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
  assert.ok(wide <= 0, `${wide} px too wide`);
  await checkAccessibility(page, "#cluster");
  await visit.end();
});

test("what kubectl setscope --web hands out beside the page is opened", async () => {
  const routes = { "**/cluster.yaml": (route) => route.fulfill({ contentType: "text/plain", body: text("rollback") }) };
  const visit = await site.visit({ path: "?cluster", routes });
  await finding(visit.page, "old-revision-blocks").waitFor();
  await visit.end();
});

test("in Chinese", async () => {
  const visit = await site.visit({ locale: "zh-CN" });
  const { page } = visit;
  await openText(page, text("rollback"));
  const found = finding(page, "old-revision-blocks");
  await found.waitFor();
  const said = await found.locator("> p").allInnerTexts();
  assert.match(said.join(" "), /卡住.*修订版/s);
  assert.doesNotMatch(said.join(" ").replace(/kubernetes\/kubernetes/g, ""), /\b(runs|the|waits)\b/);
  await visit.end();
});

test("a long text is opened while the page goes on, and can be given up", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await page.getByRole("button", { name: "Open your cluster" }).first().click();
  const words = many(40);
  const letGo = await holdNextSlice(page);
  await typed(page, words);
  const progress = page.getByRole("progressbar", { name: /Reading and diagnosing/ });
  await progress.waitFor();
  await checkAccessibility(page, "#cluster");
  await page.locator("#cluster").getByRole("button", { name: "Cancel" }).click();
  await progress.waitFor({ state: "detached" });
  await letGo();
  assert.equal(await page.locator(".cluster__workload").count(), 0);
  await typed(page, words);
  await page.locator(".cluster__workload").first().waitFor();
  assert.equal(await page.locator(".cluster__workload").count(), 20);
  await page.getByRole("button", { name: /^Show more workloads \(20 are not shown/ }).click();
  await page.locator(".cluster__workload").nth(39).waitFor();
  assert.equal(await page.locator(".cluster__workload").count(), 40);
  assert.equal(await progress.count(), 0);
  await visit.end();
});

test("what is assumed is said otherwise in its line, and back", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await paste(page, "dead-node");
  const line = page.locator(".cluster__assumed li").filter({ hasText: /^The kubelet of node/ });
  const choice = line.getByLabel(/^Change this assumption: /);
  assert.equal(await line.locator("s").count(), 0);
  await choice.selectOption({ label: "loses power" });
  await line.locator("s").waitFor();
  assert.equal(await choice.locator("option:checked").textContent(), "loses power");
  await choice.selectOption({ label: "as assumed" });
  await line.locator("s").waitFor({ state: "detached" });
  await visit.end();
});

test("a choice that is given up with Cancel is not shown as if it were in force", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await page.getByRole("button", { name: "Open your cluster" }).first().click();
  await typed(page, many(40));
  const choice = page.locator(".cluster__assumed li").filter({ hasText: /^The control plane runs/ }).getByLabel(/^Change this assumption: /);
  await choice.waitFor();
  const shown = () => choice.locator("option:checked").textContent();
  const before = await shown();
  const letGo = await holdNextSlice(page);
  await choice.selectOption({ label: before === "v1.28" ? "v1.34" : "v1.28" });
  const progress = page.getByRole("progressbar", { name: /Reading and diagnosing/ });
  await progress.waitFor();
  await page.locator("#cluster").getByRole("button", { name: "Cancel" }).click();
  await progress.waitFor({ state: "detached" });
  assert.equal(await shown(), before);
  await letGo();
  await visit.end();
});

test("a cluster on the stage says whose it is, and is closed to what was there", async () => {
  const visit = await site.visit();
  const { page } = visit;
  const name = page.locator(".summary__name");
  const [before, clock] = [await name.innerText(), await page.locator(".transport__clock").innerText()];
  await paste(page, "rollback");
  await page.getByRole("button", { name: "Show it on the stage" }).click();
  const strip = page.locator(".opened");
  assert.match(await strip.innerText(), /From your text of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC · v1\.\d+/);
  assert.match(await strip.innerText(), /\d+ assumptions/);
  assert.equal(await page.getByRole("button", { name: /^Branches/ }).count(), 0, "nobody made a branch");
  await checkAccessibility(page);
  await strip.getByRole("button", { name: "Diagnosis" }).click();
  await page.locator(".cluster__workload").first().waitFor();
  await press(page, "Escape");
  await strip.getByRole("button", { name: "Close" }).click();
  await strip.waitFor({ state: "detached" });
  assert.deepEqual([await name.innerText(), await page.locator(".transport__clock").innerText()], [before, clock]);
  await visit.end();
});

/** Drops files of these names and contents anywhere on the page. */
const drop = (page, files) =>
  page.evaluate((files) => {
    const dataTransfer = new DataTransfer();
    for (const [name, content] of files) dataTransfer.items.add(new File([typeof content === "string" ? content : new Uint8Array(content)], name));
    const event = (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event("dragover"));
    const veil = getComputedStyle(document.body, "::after").content;
    document.body.dispatchEvent(event("drop"));
    return veil;
  }, files);

const PICTURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0xff];

test("several files that are dropped anywhere are read as one, under a veil that says what it takes", async () => {
  const visit = await site.visit();
  const { page } = visit;
  const [objects, nodes] = text("rollback").split("---\n");
  const veil = await drop(page, [["objects.yaml", objects], ["nodes.yaml", nodes], ["screen.png", PICTURE]]);
  assert.match(veil, /Drop what kubectl printed/);
  await finding(page, "old-revision-blocks").waitFor();
  assert.match(await page.locator("#cluster").innerText(), /Not read, since it is no text: screen\.png/);
  await visit.end();
});

test("Ctrl and V anywhere opens what kubectl printed", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await page.evaluate((words) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", words);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text("rollback"));
  await finding(page, "old-revision-blocks").waitFor();
  await visit.end();
});

test("what cannot be read is named, with the one command to type", async () => {
  for (const [name, content, said] of [
    ["screen.png", PICTURE, /no text.*kubectl get/s],
    ["page.html", "<!DOCTYPE html><html><p>web-0</p></html>", /web page/],
    ["mail.txt", "It does not work since this morning", /kubectl get/],
  ]) {
    const visit = await site.visit();
    const { page } = visit;
    await drop(page, [[name, content]]);
    const alert = page.getByRole("alert").filter({ hasText: said });
    await alert.first().waitFor();
    await visit.end();
  }
});
