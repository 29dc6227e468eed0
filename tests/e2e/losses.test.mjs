// A node is lost and what follows is seen, as one would do it on the page. What each failure with each way out leads to is
// told without a browser, by tests/stories.
import assert from "node:assert/strict";
import { test } from "node:test";
import { actOnNode, openMore, openNode, checkAccessibility, failNode, openSite, settle, themes } from "./helpers.mjs";

const site = openSite();

/** The pod web-1, the nodes that are not Ready, and whatever is drawn only of a loss. */
const drawn = async (page) => {
  await tried(page);
  return page.evaluate(() => {
    const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.innerText.replace(/\s+/g, " ").trim());
    return {
      pod: texts("#pod-web-1")[0]?.replace(/^.*web-1 /, ""),
      nodes: texts(".node__head").map((head) => head.replace(/ (…|Ways out)$/, "")).filter((head) => !head.endsWith(" Ready")),
      says: texts(".node__condition"),
      ghosts: texts(".node__pod--ghost"),
      warnings: texts(".warning"),
      shared: texts(".place__claim--shared"),
      ends: [...document.querySelectorAll(".explanation:not(.is-settled)")].map((told) =>
        (told.querySelector(".explanation__resolution") ?? told).innerText.replace(/\s+/g, " ").trim().replace(/^What ends it: /, ""),
      ),
    };
  });
};

/** Waits until what would end a wait has been tried, in branches of the run. */
async function tried(page) {
  await page.locator(".verdict__trying").waitFor({ state: "detached" });
}

test("a node is cut off with its buttons, and web-1 force deleted: two live, with one claim", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await failNode(page, "node-b", "Cut its network");
  await settle(page);
  assert.deepEqual(await drawn(page), {
    pod: "Lost Terminating node-b :1.27",
    nodes: ["node-b NotReady"],
    says: [
      "Cut off from the API, its containers run on, since 14.2 s, for 5 m 45 s.",
      "web-1 stays Terminating: nobody confirms that it stopped.",
    ],
    ghosts: [],
    warnings: [],
    shared: [],
    ends: [
      "Nothing ends this wait by itself: web-1 was marked for deletion at 6 m 00 s and stays Terminating until node-b returns. Force delete frees the ordinal. If node-b is only cut off, its container runs on: two live web-1, both writing to www-web-1.",
    ],
  });
  await actOnNode(page, "node-b", "Force delete web-1");
  await settle(page);
  assert.deepEqual(await drawn(page), {
    pod: "Ready Running node-a :1.27",
    nodes: ["node-b NotReady"],
    says: ["Cut off from the API, its containers run on, since 14.2 s, for 11 m 49 s."],
    ghosts: ["web-1 runs, unknown to the API"],
    warnings: [
      "Two live web-1: at-most-one is broken. One runs on node-a, one on node-b. Both have www-web-1 open. It ends when node-b returns: its kubelet then stops the one that the API no longer knows.",
    ],
    shared: ["www-web-1 two writers"],
    ends: [],
  });
  await visit.end();
});

test("a node without power: its pod is force deleted in the dialog, and the node brought back", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await settle(page);
  await failNode(page, "node-b", "Cut its power");
  await settle(page);
  await page.locator("#pod-web-1").click();
  await page.getByRole("dialog", { name: "Pod web-1" }).getByRole("button", { name: "Force delete" }).click();
  await settle(page);
  const lost = await drawn(page);
  assert.deepEqual([lost.pod, lost.nodes, lost.ghosts], ["Ready Running node-a :1.27", ["node-b NotReady"], []]);
  await actOnNode(page, "node-b", "Bring it back");
  await settle(page);
  assert.deepEqual((await drawn(page)).nodes, []);
  await visit.end();
});

for (const theme of themes) {
  test(`axe-core finds nothing on a lost node, a wait for a volume and two writers in ${theme}`, async () => {
    const visit = await site.visit({ theme });
    const { page } = visit;
    await settle(page);
    await failNode(page, "node-b", "Cut its network");
    await settle(page);
    await checkAccessibility(page);
    await actOnNode(page, "node-b", "Force delete web-1");
    await settle(page);
    await checkAccessibility(page);
    await visit.end();
  });
}

test("the ways out of a loss say what they risk", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await openMore(page);
  await page.locator("#release").selectOption("v1.20");
  await settle(page);
  await failNode(page, "node-b", "Cut its power");
  await settle(page);
  await openNode(page, "node-b");
  const ways = await page.locator(".menu .node__way").evaluateAll((all) => all.map((way) => way.innerText.replace(/\s+/g, " ")));
  assert.equal(ways.length, 5);
  assert.equal(
    ways[1],
    "Force delete web-1 kubectl delete pod web-1 --grace-period=0 --force Copy At once. Nothing runs on node-b: no second web-1 while it is off. Were it only cut off, two would live, both writing to www-web-1. Its volume stays attached here for 6 m more.",
  );
  await visit.end();
});
