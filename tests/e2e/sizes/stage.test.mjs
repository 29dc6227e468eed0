// The stage: the axis is whole and the verdict in sight at every size and with any number of pods.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { apply, manifest } from "../frames.mjs";
import { actOnNode, openSite, openText, press, scaleTo, settle, showOpened, toEnd } from "../helpers.mjs";
import { recorded } from "../recorded.mjs";

const site = openSite();

/** Where the verdict is, the stage's box, and how many ordinals can be seen, folded ones counted. */
const measured = (page) =>
  page.evaluate(() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const [stage, verdict] = [box(".stage"), box(".explanation")];
    const isSeen = (element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return found !== null && (element.contains(found) || found.classList.contains("flag__label") || found.closest(".flag") !== null);
    };
    const places = [...document.querySelectorAll(".rail .place")].filter(isSeen);
    const cut = places.flatMap((place) => [...place.querySelectorAll(".pod__name")]).filter((name) => name.scrollWidth > name.clientWidth + 1);
    return {
      stage: { top: stage.top, bottom: stage.bottom },
      verdict: { top: verdict.top, bottom: verdict.bottom },
      ordinals: places.length,
      cut: cut.length,
      wide: document.documentElement.scrollWidth,
    };
  });

for (const [pods, seen] of [[4, 4], [9, 9], [12, 12], [24, 24], [40, 40], [100, 80], [1_000, 2]]) {
  test(`with ${pods} pods the verdict is in sight at 1280×800, and so are ordinals`, async () => {
    const visit = await site.visit({ viewport: { width: 1280, height: 800 } });
    const { page } = visit;
    await scaleTo(page, pods);
    for (let at = 0; at < 3; at += 1) {
      await page.locator(".stage").focus();
      await press(page, "Shift+Period");
    }
    const { stage, verdict, ordinals, cut } = await measured(page);
    assert.ok(verdict.top >= stage.top && verdict.bottom <= stage.bottom + 1, JSON.stringify({ stage, verdict }));
    assert.ok(ordinals >= seen, `${ordinals} of ${pods} ordinals`);
    assert.equal(cut, 0, "no ordinal is cut");
    if (pods === 1_000) assert.match(await page.locator(".rail__run").last().textContent(), /–999/, "the rest is folded");
    await visit.end();
  });
}

for (const [width, height] of [[1280, 800], [2560, 1440]]) {
  test(`at ${width}×${height} the verdict covers none of the rows of a thousand pods, and nodes begin below it`, async () => {
    const visit = await site.visit({ viewport: { width, height } });
    const { page } = visit;
    await apply(page, manifest(1_000));
    await page.locator(".transport__play").click();
    await page.waitForFunction(() => {
      const rows = document.querySelector(".rail--rows .rail__scroll");
      return rows !== null && rows.scrollHeight > rows.clientHeight + 1;
    });
    await page.locator(".transport__play").click();
    const [stage, rows, verdict, nodes] = await page.evaluate(() =>
      [".stage", ".rail__scroll", ".explanation", ".nodes"].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
    assert.ok(rows.bottom <= verdict.top + 1 && verdict.bottom <= nodes.top + 1, JSON.stringify([rows, verdict, nodes]));
    assert.ok(width < 2560 || nodes.top < stage.bottom, JSON.stringify([stage, nodes]));
    await visit.end();
  });
}

const sizes = [[360, 640], [360, 740], [390, 844], [640, 400], [760, 560], [844, 390], [768, 1024], [1024, 768], [1280, 800], [1440, 900], [2560, 1440]];
for (const [width, height] of sizes) {
  test(`at ${width}×${height} a pod and the verdict are in sight, and nothing is wider than the screen`, async () => {
    const visit = await site.visit({ viewport: { width, height } });
    const { page } = visit;
    const { stage, verdict, ordinals, wide } = await measured(page);
    assert.ok(verdict.top >= stage.top - 1 && verdict.top + 44 <= stage.bottom, JSON.stringify({ stage, verdict }));
    assert.ok(ordinals >= 1, `${ordinals} ordinals`);
    assert.ok(wide <= width, `${wide} wide`);
    const tabs = await page.locator(".panes").evaluateAll((rows) => rows.map((row) => [row.scrollWidth, row.clientWidth]));
    for (const [needed, there] of tabs) assert.ok(needed <= there, `the tabs are ${needed} wide in ${there}`);
    await visit.end();
  });
}

for (const [width, height] of [[360, 640], [360, 740], [390, 844]]) {
  test(`at ${width}×${height} the pods and the verdict stay in sight while a sheet is open, over one row of buttons`, async () => {
    const visit = await site.visit({ viewport: { width, height }, touch: true });
    const { page } = visit;
    for (const tab of ["Change it", "Why", "Nodes"]) {
      await page.getByRole("tab", { name: tab, exact: true }).click();
      const { stage, verdict, ordinals } = await measured(page);
      assert.ok(ordinals >= 3, `${tab}: ${ordinals} ordinals`);
      assert.ok(verdict.top + 44 <= stage.bottom, `${tab}: ${JSON.stringify({ stage, verdict })}`);
    }
    const [bar, tabs] = await page.evaluate(() => {
      const row = document.querySelector(".panes");
      return [document.querySelector(".transport").getBoundingClientRect().height, [row.scrollWidth, row.clientWidth]];
    });
    assert.ok(bar <= 48, `${bar} high`);
    assert.ok(tabs[0] <= tabs[1], `the tabs are ${tabs[0]} wide in ${tabs[1]}`);
    await visit.end();
  });
}

for (const [width, height] of [[360, 740], [390, 844], [2560, 1440]]) {
  test(`at ${width}×${height} what is on the stage uses its room`, async () => {
    const visit = await site.visit({ viewport: { width, height } });
    const { page } = visit;
    const [stage, nodes] = await page.evaluate(() => [".stage", ".nodes"].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
    assert.ok(nodes.height > 0 && nodes.bottom <= stage.bottom + 1, `the nodes are in sight: ${JSON.stringify([stage, nodes])}`);
    assert.ok(stage.bottom - nodes.bottom < stage.height * 0.2, `${stage.bottom - nodes.bottom} of ${stage.height} are empty below the nodes`);
    await visit.end();
  });
}

const LONG = "payments-ledger-postgresql-primary";

for (const [width, height] of [[360, 740], [390, 844]]) {
  test(`at ${width}×${height} the name of a workload has room beside the count of many pods, and a line of its own if it is long`, async () => {
    const visit = await site.visit({ viewport: { width, height }, touch: true });
    const { page } = visit;
    await apply(page, manifest(1_000));
    const picker = page.getByLabel("Workload", { exact: true });
    await picker.waitFor();
    const [needed, there] = await picker.evaluate((select) => {
      const style = getComputedStyle(select);
      const pen = new OffscreenCanvas(1, 1).getContext("2d");
      pen.font = style.font;
      const name = select.selectedOptions[0].textContent;
      return [pen.measureText(name).width, select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)];
    });
    assert.ok(needed <= there, `${needed} px of name in ${there}`);
    await apply(page, manifest(1_000).replaceAll("many", LONG));
    await page.waitForFunction((name) => document.querySelector("select.summary__name").selectedOptions[0].textContent === name, LONG);
    const [line, long] = await page.evaluate(() => [".summary", "select.summary__name"].map((one) => document.querySelector(one).clientWidth));
    assert.ok(long > line * 0.9, `${long} of ${line}`);
    await visit.end();
  });
}

for (const [width, height] of [[360, 740], [390, 844], [1280, 800], [2560, 1440]]) {
  test(`at ${width}×${height} a long prefix covers no cell, and can be read whole`, async () => {
    const visit = await site.visit({ viewport: { width, height } });
    const { page } = visit;
    // So few that none are folded on a phone, so many that they take several rows.
    await apply(page, manifest(width < 600 ? 24 : 100).replaceAll("many", LONG));
    await page.locator(".rail--rows .place").first().waitFor();
    const prefix = page.locator(".rail__prefix");
    const [own, cell] = await Promise.all([prefix.boundingBox(), page.locator(".rail--rows .place").first().boundingBox()]);
    assert.ok(own.x + own.width <= cell.x, JSON.stringify([own, cell]));
    assert.equal(await prefix.getAttribute("title"), `${LONG}-`);
    await visit.end();
  });
}

test("at 1280×800 the nodes begin in sight below a scenario's note", async () => {
  const visit = await site.visit({ viewport: { width: 1280, height: 800 }, path: "?scenario=node-lost" });
  const { page } = visit;
  await page.locator(".telling").waitFor();
  const [stage, head] = await Promise.all([".stage", ".node__head"].map((one) => page.locator(one).first().boundingBox()));
  assert.ok(head.y + head.height <= stage.y + stage.height, JSON.stringify([stage, head]));
  await visit.end();
});

test("on a phone no line of a verdict is drawn over another while a sheet is open", async () => {
  const visit = await site.visit({ viewport: { width: 390, height: 844 }, touch: true });
  const { page } = visit;
  await page.getByRole("tab", { name: "Why", exact: true }).click();
  const [reason, resolution] = await page.locator(".explanation__text > p").evaluateAll((all) => all.map((one) => [one.clientHeight, one.scrollHeight]));
  assert.ok(reason[1] <= reason[0] && resolution[1] <= resolution[0], JSON.stringify([reason, resolution]));
  await visit.end();
});

test("the risk of a way out is read beside the button that takes it", async () => {
  const visit = await site.visit({ path: "?scenario=parallel-update", viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await toEnd(page);
  const way = page.locator(".verdict__way", { hasText: "Force delete web-0" });
  assert.match(await way.innerText(), /Risk: Two copies may run at once, and both may write to one volume\./);
  const [verdict, stage] = await page.evaluate(() => [".explanation", ".stage"].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
  assert.ok(verdict.bottom <= stage.bottom, JSON.stringify([verdict, stage]));
  assert.ok(await page.locator(".explanation").evaluate((own) => own.scrollHeight <= own.clientHeight + 1), "nothing of the verdict is cut");
  await visit.end();
});

test("a stuck set's pods are whole above the ways out", async () => {
  const visit = await site.visit({ viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await settle(page);
  await page.locator("#behavior").selectOption("cannot-be-pulled");
  await page.getByRole("button", { name: /^Roll out/ }).click();
  // The kubelet tries for ever.
  await toEnd(page);
  await page.locator(".verdict__way").first().waitFor();
  const [pods, verdict, stage] = await page.evaluate(() => [".rail__list .pod", ".explanation", ".stage"].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
  assert.ok(pods.bottom <= verdict.top && verdict.bottom <= stage.bottom, JSON.stringify([pods, verdict, stage]));
  await visit.end();
});

const opened = (name) => readFileSync(new URL(`../../cases/${name}.yaml`, import.meta.url), "utf8");
const TEXTS = [
  ["a rollback", recorded("d02a-rollback", 55)],
  ["a dead node", recorded("d10a-loss-force", 460)],
  ["a node without power", opened("e26-node-powered-off")],
  ["what the scheduler says at length", opened("c07")],
  ["a Deployment without a node", opened("r19-asks-for-three-zones-of-two")],
];

for (const [width, height] of [[360, 740], [390, 844], [1280, 800], [1440, 900]]) {
  for (const [what, text] of TEXTS) {
    test(`at ${width}×${height} the pods, the cause and the first way out of ${what} in an opened text are in sight`, async () => {
      const visit = await site.visit({ viewport: { width, height }, touch: width < 600 });
      const { page } = visit;
      await openText(page, text);
      await showOpened(page);
      const { pods, cause, way, verdict, stage } = await page.evaluate(() => {
        const box = (one) => one.getBoundingClientRect().toJSON();
        return {
          pods: [...document.querySelectorAll(":is(.rail__list, .cards__list) .pod")].map(box),
          cause: box(document.querySelector(".explanation__headline")),
          way: box(document.querySelector(".verdict__way .button")),
          verdict: box(document.querySelector(".explanation")),
          stage: box(document.querySelector(".stage")),
        };
      });
      assert.ok(pods.length > 0);
      for (const pod of pods) assert.ok(pod.bottom <= verdict.top, JSON.stringify([pod, verdict]));
      const foot = Math.min(verdict.bottom, stage.bottom) + 1;
      assert.ok(cause.bottom <= way.top + 1 && way.bottom <= foot, JSON.stringify([cause, way, verdict, stage]));
      // The others are a press away where they stand folded.
      const more = page.locator(".verdict__more");
      if (await more.isVisible()) {
        assert.equal(await page.locator(".verdict__way:visible").count(), 1);
        await more.click();
        assert.ok((await page.locator(".verdict__way:visible").count()) > 1);
      }
      await visit.end();
    });
  }
}

test("on a phone the strip over an opened text says of when it is, of which release, and how much was assumed", async () => {
  const visit = await site.visit({ viewport: { width: 360, height: 740 }, touch: true });
  const { page } = visit;
  await openText(page, opened("c46"));
  await page.getByRole("button", { name: "Show it on the stage" }).first().click();
  assert.equal(await page.locator(".opened__short").innerText(), "2026-11-20 10:00:00 UTC\nv1.34 · 4 assumptions");
  assert.equal((await page.locator(".summary__name").textContent()).trim(), "prod/web");
  await visit.end();
});

for (const [width, height] of [[1440, 900], [1920, 1080], [2560, 1440]]) {
  test(`at ${width}×${height} a dead node and its pods are in sight below what would help`, async () => {
    const visit = await site.visit({ viewport: { width, height } });
    const { page } = visit;
    await settle(page);
    await actOnNode(page, "node-b", "Cut its power");
    await settle(page);
    await page.locator(".verdict__way").first().waitFor();
    const [pods, verdict, chip, stage] = await page.evaluate(() =>
      [".rail__list .pod", ".explanation", ".node--out .node__pod", ".stage"].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
    assert.ok(pods.bottom <= verdict.top && verdict.bottom <= chip.top && chip.bottom <= stage.bottom, JSON.stringify([pods, verdict, chip, stage]));
    assert.ok(await page.locator(".explanation").evaluate((own) => own.scrollHeight <= own.clientHeight + 1), "nothing of the verdict is cut");
    await visit.end();
  });
}

for (const [width, height] of [[390, 844], [768, 1024], [1280, 800]]) {
  test(`at ${width}×${height} a failed node's state and the way to what can be done are whole`, async () => {
    const visit = await site.visit({ viewport: { width, height } });
    const { page } = visit;
    await settle(page);
    const chip = () => page.locator('.node__pod[data-pod="web-1"]').first().evaluate((pod) => pod.offsetTop);
    const before = await chip();
    await actOnNode(page, "node-b", "Cut its power");
    await settle(page);
    const node = page.locator(".node--out");
    const cut = await node.locator(".node__name, .tag, .node__open, .node__pod").evaluateAll((parts) => {
      const boxes = parts.map((part) => [part.className, part.getBoundingClientRect()]);
      const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
      const over = boxes.flatMap(([name, box], at) => boxes.slice(at + 1).filter(([, other]) => meet(box, other)).map(([other]) => `${name} over ${other}`));
      return [...over, ...parts.filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflow !== "visible").map((part) => `${part.className} is cut`)];
    });
    assert.deepEqual(cut, []);
    assert.equal(await chip(), before, "its pods stand where they stood");
    await visit.end();
  });

  test(`at ${width}×${height} what is told of a node that nobody misses yet is whole, beside the way to what can be done`, async () => {
    const visit = await site.visit({ viewport: { width, height }, path: "?scenario=node-lost&at=70" });
    const { page } = visit;
    await page.locator(".node--out").waitFor();
    const { cut, apart } = await page.evaluate(() => {
      const [words, open] = [".node--out .node__condition", ".node--out .node__open"].map((one) => document.querySelector(one));
      const [text, button] = [words, open].map((one) => one.getBoundingClientRect());
      const isBeside = button.right <= text.left || button.bottom <= text.top || button.top >= text.bottom;
      return { cut: words.scrollHeight - words.clientHeight, apart: isBeside };
    });
    assert.ok(cut <= 0, `${cut} px of it are cut`);
    assert.ok(apart, "the button lies over what is told");
    await visit.end();
  });

  test(`at ${width}×${height} what to try next stands whole in the verdict, and the nodes where they stood`, async () => {
    const visit = await site.visit({ viewport: { width, height } });
    const { page } = visit;
    const nodes = () => page.locator(".nodes").evaluate((own) => Math.round(own.getBoundingClientRect().top));
    const before = await nodes();
    await settle(page);
    const { verdict, offers } = await page.evaluate(() => ({
      verdict: document.querySelector(".explanation").getBoundingClientRect().toJSON(),
      offers: [...document.querySelectorAll(".next--offers .button")].map((one) => one.getBoundingClientRect().toJSON()),
    }));
    assert.equal(offers.length, 3);
    for (const one of offers) assert.ok(one.left >= verdict.left && one.right <= verdict.right && one.bottom <= verdict.bottom, JSON.stringify({ verdict, one }));
    assert.equal(await nodes(), before);
    await visit.end();
  });
}

/** How far apart the names of the rows of pods are that can be seen, from their middles, and how high each row is. */
const rows = (page) =>
  page.locator(".time__rows:not(.time__rows--nodes) .time__label").evaluateAll((all) => {
    const isSeen = (one) => getComputedStyle(one.firstElementChild).visibility === "visible";
    const middles = all.filter(isSeen).map((one) => one.getBoundingClientRect()).map(({ top, height }) => top + height / 2);
    const scroll = document.querySelector(".time__scroll");
    return { apart: middles.slice(1).map((middle, at) => middle - middles[at]), high: all.map((one) => one.parentElement.getBoundingClientRect().height), fits: scroll.scrollHeight <= scroll.clientHeight };
  });

for (const [width, height, pods, least] of [[390, 844, 3, 12], [390, 844, 8, 4], [1280, 800, 5, 12], [1280, 800, 8, 12], [1280, 800, 12, 8], [1280, 800, 20, 8], [1440, 900, 20, 8]]) {
  test(`at ${width}×${height} the names of the rows of time of ${pods} pods stand below one another`, async () => {
    const visit = await site.visit({ viewport: { width, height } });
    const { page } = visit;
    if (pods !== 3) {
      if (width < 600) await page.getByRole("tab", { name: "Change it", exact: true }).click();
      await scaleTo(page, pods);
      if (width < 600) await page.getByRole("tab", { name: "Change it", exact: true }).click();
      await toEnd(page);
    }
    const { apart, high, fits } = await rows(page);
    assert.equal(high.length, pods);
    assert.ok(apart.every((distance) => distance >= 12), `their letters are 11 px high, and they are ${apart} px apart`);
    assert.ok(high.every((one) => one >= least) && fits, `the rows are ${high} px high`);
    await visit.end();
  });
}

test("on a phone the rows of pods have the strip of time while a node is lost", async () => {
  const visit = await site.visit({ viewport: { width: 390, height: 844 }, path: "?scenario=node-lost&at=70" });
  const { page } = visit;
  const { apart } = await rows(page);
  assert.ok(apart.every((distance) => distance >= 12), `their names are ${apart} px apart`);
  assert.equal(await page.locator(".time__rows--nodes > .time__row").filter({ visible: true }).count(), 0);
  await visit.end();
});

test("the name of a strip of many pods is whole", async () => {
  const visit = await site.visit({ viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await scaleTo(page, 100);
  const name = page.locator(".time__unfold");
  await name.waitFor();
  const [needed, there] = await name.evaluate((own) => [own.scrollWidth, own.clientWidth]);
  assert.ok(needed <= there, `${needed} px in ${there}`);
  await visit.end();
});

test("a claim that is left has one sign", async () => {
  const visit = await site.visit({ viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await settle(page);
  await scaleTo(page, 1);
  await settle(page);
  await page.locator(".place--slot").first().waitFor();
  const signs = await page.locator(".place--slot").first().locator("svg").evaluateAll((all) =>
    all.filter((one) => !getComputedStyle(one.closest(".place__claim") ?? one).clipPath.startsWith("inset")).length);
  assert.equal(signs, 1);
  await visit.end();
});

test("at 1280×800 what ends the loss of a node is in sight, and what kubectl cannot do has no line to copy", async () => {
  const visit = await site.visit({ viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await settle(page);
  await page.getByLabel("Break a node", { exact: true }).selectOption("node-b");
  await page.getByRole("button", { name: "Power off", exact: true }).click();
  await page.getByRole("button", { name: "Watch", exact: true }).waitFor();
  await toEnd(page);
  await page.locator(".verdict__way").first().waitFor();
  const all = await page.locator(".verdict__way:not(.verdict__way--aside)").evaluateAll((ways) => ways.map((way) => [way.textContent, way.getBoundingClientRect().bottom, way.querySelectorAll("code, .copy").length]));
  const foot = await page.locator(".explanation").evaluate((box) => box.getBoundingClientRect().top + box.clientHeight);
  assert.ok(all.length >= 3 && all.every(([, bottom]) => bottom <= foot), JSON.stringify({ all, foot }));
  assert.ok(all.some(([words]) => words.includes("--force") && words.includes("Risk: ")));
  assert.deepEqual(all.filter(([words]) => words.startsWith("Bring node")).map(([, , lines]) => lines), [0]);
  await visit.end();
});
