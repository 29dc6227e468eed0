// Chinese: nothing on the page is left in English that is not Kubernetes' own; the language is chosen, switched and kept.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAccessibility, openNode, openSite, press, themes, toEnd, openPassed } from "./helpers.mjs";

const site = openSite();
const chinese = { locale: "zh-CN" };

// Words that stay: Kubernetes' and other programs' own, and names that are in the manifests. A word with a capital inside, a
// digit or a hyphen is a name, and so is one without a vowel: Kubernetes makes names of such letters.
const STAY = `
  Kubernetes Pod Ready Running Pending Terminating Failed Succeeded Unknown Error Evicted Completed Parallel Recreate Retain
  Delete Webhook Deployment Node English Markdown Chrome Firefox Edge Safari Normal True False Bound
  kubectl kubelet web nginx app data www partition replicas spec status service headless finalizer
  get pod pods cloneset replicaset deployment daemonset statefulset controllerrevision persistentvolumeclaim sts rollout describe scale set image delete undo drain help drained cordon cascade
  fail recover add crash evict complete quota budget webhook recreate null true false wide
  Updating Updated deploy ds clone node zone power network clones hooked shop agent surge lifecycle
  Ctrl Shift Home End Uid Advanced Progressing Service
`.trim().split(/\s+/);

// What Kubernetes says itself: kubectl's output, events, refusals, code, what people type, key caps.
const OWN = "pre, code, kbd, label[for^=more-], textarea, .offer, .time__act, .events__age, .events__reason, .events__message, .latest__reason, .latest__message, .writes__refusal, .refusal__words, .summary__name, [lang=en]";

/** Texts that are seen or heard and have an English word in them that does not stay. */
async function english(page) {
  const texts = await page.evaluate((own) => {
    const found = [];
    const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) || element.closest(".unseen, option");
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
      if (element.closest(own) || ["SCRIPT", "STYLE"].includes(element.tagName)) continue;
      // A pod's or a node's status may be broken inside, and so may what is done to it: it is one word all the same.
      if (["pod__word", "pod__step", "node__word"].some((name) => element.classList.contains(name))) {
        if (node === element && isSeen(element)) found.push(element.textContent);
        continue;
      }
      // So may a sentence be cut around a name that stays whole.
      if (element.classList.contains("whole")) continue;
      if (node.nodeType === Node.TEXT_NODE) {
        if (isSeen(element)) found.push(element.querySelector(":scope > .whole") ? element.textContent : node.data);
        continue;
      }
      if (!isSeen(element)) continue;
      for (const name of ["aria-label", "aria-valuetext", "aria-description", "title", "alt"]) {
        // The other part of a title may be the command.
        const words = (element.getAttribute(name) ?? "").split("\n").filter((line) => !line.startsWith("kubectl "));
        found.push(...words);
      }
    }
    return [document.title, ...found];
  }, OWN);
  const stays = (word) => STAY.includes(word) || /\d|-|\w\.\w|^[A-Z]+$|[a-z][A-Z]/.test(word) || word.length < 2 || !/[aeiouy]/i.test(word);
  // What is reported or refused is told in the words of who said it, and what is copied is what was typed.
  const left = (text) => text.replace(/(报告|拒绝|复制)：.*|kubectl .*|\S+=\S+/, "").replace(/'[^']*'|"[^"]*"/g, "").match(/[A-Za-z][\w.:/-]*/g)?.map((word) => word.replace(/[.:/-]+$/, "")).filter((word) => !stays(word)) ?? [];
  return [...new Set(texts.flatMap((text) => (left(text).length ? [`${left(text).join(" ")}   in: ${text.trim()}`] : [])))];
}

async function isChinese(page, where) {
  assert.deepEqual(await english(page), [], `English is left ${where}`);
}

const button = (page, name) => page.getByRole("button", { name, exact: true });

async function settle(page) {
  await toEnd(page);
  await page.locator(".transport__play:disabled").waitFor();
}

test("the browser's language decides, the switch changes it, and a reload keeps it", async () => {
  const visit = await site.visit(chinese);
  const { page } = visit;
  assert.equal(await page.locator("html").getAttribute("lang"), "zh-CN");
  assert.equal(await page.title(), "SetScope：观察 StatefulSet 如何调谐");
  await button(page, "播放").waitFor();
  await page.locator("#more-button").click();
  await button(page, "English").click();
  await button(page, "Play").waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "en");
  assert.equal(await page.title(), "SetScope: watch a StatefulSet reconcile");
  // Parts that did not change otherwise are drawn again too.
  assert.equal(await page.locator(".node__open").first().getAttribute("aria-label"), "What can be done to node-a");
  assert.ok(await page.locator("#more-button").evaluate((more) => more === document.activeElement), "the focus stays");
  await page.reload();
  await button(page, "Play").waitFor();
  await page.locator("#more-button").click();
  await button(page, "中文").click();
  await button(page, "播放").waitFor();
  await page.reload();
  await button(page, "播放").waitFor();
  await visit.end();
});

test("English asks for no dictionary, whatever else the browser would read", async () => {
  const visit = await site.visit({ locale: "de-DE" });
  await button(visit.page, "Play").waitFor();
  assert.equal(await visit.page.locator("html").getAttribute("lang"), "en");
  assert.deepEqual(visit.requests.filter((address) => address.includes("/lang/")), []);
  await visit.end();
});

test("the address decides before the browser does", async () => {
  const english = await site.visit({ ...chinese, path: "?lang=en" });
  await button(english.page, "Play").waitFor();
  await english.end();
  const figure = await site.visit({ path: "?lang=zh&embed&scenario=node-lost&at=390" });
  await figure.page.getByRole("heading", { name: "web-1 没有被替换" }).waitFor();
  await figure.page.getByRole("link", { name: "在 SetScope 中打开" }).waitFor();
  await isChinese(figure.page, "in a figure");
  await figure.end();
});

test("without its dictionary the page speaks English", async () => {
  const visit = await site.visit({ ...chinese, routes: { "**/lang/zh.txt": (route) => route.abort() } });
  await button(visit.page, "Play").waitFor();
  assert.equal(await visit.page.locator("html").getAttribute("lang"), "en");
  visit.problems.splice(0);
  await visit.end();
});

test("no tab, menu or dialog leaves anything in English", async () => {
  const visit = await site.visit(chinese);
  const { page } = visit;
  await isChinese(page, "on the first look");
  await settle(page);
  await isChinese(page, "once all is settled");
  for (const tab of await page.getByRole("tab").all()) {
    await tab.click();
    await isChinese(page, `in the tab ${await tab.innerText()}`);
  }
  await page.locator("#tab-why").click();
  await openPassed(page);
  for (const decision of await page.locator(".path__decision summary").all()) await decision.click();
  await isChinese(page, "in the opened decisions");
  for (const fold of await page.locator(".fold summary").all()) await fold.click();
  await isChinese(page, "in what is folded");
  await page.locator("#pod-web-1").click();
  await isChinese(page, "in a pod's menu");
  await press(page, "Escape");
  await press(page, "?");
  await isChinese(page, "in the help");
  await press(page, "Escape");
  for (const name of ["示例", "分享"]) {
    await button(page, name).click();
    await page.locator("dialog[open]").waitFor();
    await isChinese(page, `in the dialog ${name}`);
    if (name === "示例") {
      await button(page.locator("dialog[open]"), "场景").click();
      await page.locator("#scenarios .scenario").nth(10).waitFor();
      await isChinese(page, "in the scenarios");
    }
    await press(page, "Escape");
  }
  await button(page, "同步的流程图").click();
  await page.locator("#flow").waitFor();
  await isChinese(page, "in the flow chart");
  await press(page, "Escape");
  await visit.end();
});

test("a run with commands, faults, branches and a refusal is told in Chinese", async () => {
  const visit = await site.visit(chinese);
  const { page } = visit;
  await settle(page);
  const say = async (line) => {
    await press(page, "Control+k");
    await page.locator("#kubectl-line").fill(line);
    await press(page, "Enter");
  };
  await page.getByRole("radio", { name: "Parallel" }).click();
  await page.locator(".refusal").first().waitFor();
  await isChinese(page, "beside a refusal");
  await say("scale sts web --replicas=5");
  await say("set image sts/web nginx=nginx:1.28");
  await page.locator("#tab-why").click();
  for (let at = 0; at < 12; at += 1) {
    await page.locator(".stage").focus();
    await press(page, "Shift+Period");
    await isChinese(page, `after sync ${at}`);
  }
  await openNode(page, "node-b");
  await isChinese(page, "in what can be done to a node");
  await button(page, "切断其电源（node-b）").click();
  await isChinese(page, "in the ways out of a failed node");
  await press(page, "Escape");
  for (const at of [10, 55, 200, 360]) {
    for (let step = 0; step < 6; step += 1) await press(page, "Period");
    await isChinese(page, `${at} steps after the loss`);
  }
  await settle(page);
  await isChinese(page, "once the loss is settled");
  for (const tab of await page.getByRole("tab").all()) {
    await tab.click();
    await isChinese(page, `of the loss, in the tab ${await tab.innerText()}`);
  }
  await page.locator(".stage").focus();
  await press(page, "Home", "Period", "Period", "Period");
  await say("scale sts web --replicas=2");
  await page.locator("#branches-button").click();
  await page.locator(".branches__acts button").nth(1).click();
  await page.locator(".branches__table").waitFor();
  await isChinese(page, "in the branches");
  await visit.end();
});

for (const name of ["stuck-rollback", "node-lost", "two-copies", "multi-attach", "scale-down-deadlock", "waits-for-peers", "drain-refused", "partition-is-an-index"]) {
  test(`the scenario ${name} is told in Chinese`, async () => {
    const visit = await site.visit({ ...chinese, path: `?scenario=${name}` });
    await visit.page.locator(".about__title").waitFor();
    await isChinese(visit.page, "where it opens");
    await visit.end();
  });
}

test("workloads without ordinals are told in Chinese", async () => {
  const visit = await site.visit(chinese);
  const { page } = visit;
  for (const name of ["CloneSet，原地更新", "CloneSet，钩子", "Deployment", "DaemonSet"]) {
    const fold = page.locator(".starters__fold > summary");
    if (await fold.isVisible()) await fold.click();
    await button(page, name).first().click();
    for (let at = 0; at < 4; at += 1) {
      await page.locator(".stage").focus();
      await press(page, "Shift+Period");
      await isChinese(page, `of ${name}, after sync ${at}`);
    }
    await settle(page);
    await page.locator("#image").fill("nginx:1.28");
    await press(page, "Enter");
    for (let at = 0; at < 5; at += 1) {
      await page.locator(".stage").focus();
      await press(page, "Shift+Period");
      await isChinese(page, `of ${name}, in its update ${at}`);
    }
    await page.locator("button.pod").first().click();
    await isChinese(page, `in the menu of a pod of ${name}`);
    await press(page, "Escape");
    await page.getByRole("button", { name: "更多可以破坏的" }).click();
    await isChinese(page, `in the controls of ${name}`);
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      await isChinese(page, `of ${name}, in the tab ${await tab.innerText()}`);
    }
  }
  await visit.end();
});

test("runs side by side are told in Chinese", async () => {
  for (const name of ["four-workloads", "claims-reused", "ordered-against-parallel"]) {
    const visit = await site.visit({ ...chinese, path: `?scenario=${name}` });
    const { page } = visit;
    await page.locator(".lanes__name").first().waitFor();
    for (const lane of await page.locator(".lanes__open").all()) await lane.click();
    await isChinese(page, `where ${name} opens`);
    for (const fold of await page.locator(".lane__own summary").all()) await fold.click();
    await isChinese(page, `in the lanes of ${name}`);
    await visit.end();
  }
  const visit = await site.visit(chinese);
  await button(visit.page, "示例").click();
  await button(visit.page.locator("#learn"), "并排比较").click();
  await visit.page.locator("#compare .scenario").nth(3).waitFor();
  await isChinese(visit.page, "in the dialog of comparisons");
  await button(visit.page, "作为全部四种工作负载").click();
  await visit.page.locator(".lanes__name").first().waitFor();
  await isChinese(visit.page, "of the set beside others");
  await visit.end();
});

for (const theme of themes) {
  test(`everyone can use the Chinese page, in ${theme}`, async () => {
    const visit = await site.visit({ ...chinese, theme });
    await checkAccessibility(visit.page);
    await visit.end();
  });
}
