// What SetScope is for, as one would do it: a manifest is pasted and comes up in order, is scaled down, rolled with a
// partition, and loses a node; a broken manifest shows its line and changes nothing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { actOnNode, failNode, openSite, openTab, press, settle } from "./helpers.mjs";

const site = openSite();
const example = readFileSync(new URL("../manifests/example.yaml", import.meta.url), "utf8").replace("name: web}\n", "name: shop}\n");

const pods = (page) =>
  page.locator("button.pod").evaluateAll((tiles) => tiles.map((tile) => tile.textContent.replace(/\s+/g, " ").trim()));
const names = async (page) => (await pods(page)).map((text) => text.match(/[a-z]+-\d+/)[0]);

async function apply(page, text) {
  await openTab(page, "Manifest");
  await page.locator("#manifest").fill(text);
  await page.getByRole("button", { name: "Apply", exact: true }).click();
}

// The keys of the page belong to the page, not to what was clicked last.
test("a pasted manifest is applied and its pods come up in order", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await apply(page, example.replace("replicas: 2", "replicas: 4"));
  await page.locator(".stage").focus();
  const seen = new Set();
  for (let moves = 0; moves < 400; moves += 1) {
    seen.add((await names(page)).join(" "));
    await press(page, "ArrowRight");
  }
  const growing = [...seen];
  assert.deepEqual(growing, [...growing].sort((a, b) => a.length - b.length), "pods appear one after the other, lowest first");
  assert.equal(growing.at(-1), "shop-0 shop-1 shop-2 shop-3");
  await visit.end();
});

test("scaled down, the highest ordinals stand on condemned ground, go, and leave their claims", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await page.getByRole("slider", { name: "replicas flag" }).focus();
  await press(page, "ArrowLeft");
  await press(page, "ArrowLeft");
  await page.locator(".place--condemned").nth(1).waitFor();
  assert.equal(await page.locator(".place--condemned").count(), 2);
  await settle(page);
  assert.deepEqual(await names(page), ["web-0"]);
  assert.equal(await page.locator(".rail__list").getByText("www-web-2").count(), 1);
  await visit.end();
});

test("a partition keeps the lower ordinals at the old image", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await page.getByRole("slider", { name: "partition flag" }).focus();
  await press(page, "ArrowRight");
  await page.getByRole("button", { name: /^Roll out/ }).click();
  await settle(page);
  const tags = (await pods(page)).map((text) => text.match(/1\.2\d/)[0]);
  assert.deepEqual(tags, ["1.27", "1.28", "1.28"]);
  await visit.end();
});

test("a lost node keeps its pod Terminating until it recovers", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await failNode(page, "node-b", "Stop its kubelet");
  await settle(page);
  assert.match((await pods(page))[1], /Terminating/);
  assert.match(await page.locator(".explanation").textContent(), /web-1 is not replaced: node-b cannot be reached.*nobody can reach/);
  await actOnNode(page, "node-b", "Bring it back");
  await settle(page);
  assert.equal(await page.locator(".pod.is-ready").count(), 3);
  await visit.end();
});

test("a broken manifest shows its line, keeps the text and the old set", async () => {
  const visit = await site.visit();
  const { page } = visit;
  const before = await pods(page);
  const broken = example.replace("  replicas: 2", "   replicas: 2");
  await apply(page, broken);
  assert.match(await page.locator(".problem").first().textContent(), /6/);
  assert.equal(await page.locator("#manifest").inputValue(), broken);
  assert.deepEqual(await pods(page), before);
  await visit.end();
});

test("what the API server refuses is said in its words", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await apply(page, example.replace("replicas: 2", "replicas: -1"));
  await page.getByText("spec.replicas: Invalid value: -1: must be greater than or equal to 0").waitFor();
  await visit.end();
});

test("of several sets the newest is drawn, and any can be chosen", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await apply(page, example);
  await settle(page);
  assert.deepEqual(await names(page), ["shop-0", "shop-1"]);
  await page.getByRole("combobox", { name: "Workload" }).selectOption("web");
  assert.deepEqual(await names(page), ["web-0", "web-1", "web-2"]);
  await visit.end();
});
