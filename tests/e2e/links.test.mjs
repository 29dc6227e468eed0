// Scenarios, links, files, figures in other pages, and the simulator from JavaScript.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import ts from "typescript";
import { checkAccessibility, openExamples, openSite, openTab, press, scaleTo, themes } from "./helpers.mjs";

const site = openSite();
const here = (path) => new URL(`../../${path}`, import.meta.url);
const index = JSON.parse(readFileSync(here("www/scenarios/index.json"), "utf8")).scenarios;
/** The groups of the list: by their first tag. */
const GROUPS = ["node loss", "rollout", "scaling", "storage", "releases", "kinds"];
const listed = GROUPS.flatMap((group) => index.filter((entry) => entry.tags[0] === group));
const packed = (text) => `1.${deflateRawSync(text).toString("base64url")}`;

const stands = (page) => page.locator(".explanation__headline").textContent();
const clock = (page) => page.locator(".transport__clock").textContent();
const rail = (page) => page.locator(".rail__list").innerText();
/** What is seen of a moment. */
const moment = async (page) => [await stands(page), await clock(page), await rail(page)];

async function openScenario(page, title) {
  await openExamples(page, "Scenarios");
  await page.locator("#scenarios").getByRole("button", { name: title }).click();
  await page.locator(".about__title", { hasText: title }).waitFor();
}

async function shareLink(page) {
  await page.getByRole("button", { name: "Share" }).click();
  await page.waitForFunction(() => document.getElementById("share-link").value.includes("#1."));
  return page.locator("#share-link").inputValue();
}

test("the scenarios are fetched when asked for, listed, and each opens at its moment", async () => {
  const visit = await site.visit();
  const { page } = visit;
  const before = await moment(page);
  assert.ok(!visit.requests.some((address) => address.includes("/scenarios/")), "nothing is fetched before");
  await openExamples(page, "Scenarios");
  await page.locator(".scenario").first().waitFor();
  assert.deepEqual(await page.locator(".scenario b").allTextContents(), listed.map((entry) => entry.title));
  assert.equal(listed.length, index.length, "each stands in a group");
  await press(page, "Escape");
  await openScenario(page, "A rollback that changes nothing");
  assert.equal(await stands(page), "Nothing to do");
  assert.equal(await clock(page), "19.0 s", "before the event");
  await page.waitForFunction(() => new URLSearchParams(location.search).get("scenario") === "stuck-rollback");
  await page.getByRole("button", { name: "Back to the previous run" }).click();
  assert.deepEqual(await moment(page), before, "the run that was there is not lost");
  await visit.end();
});

test("a link opens exactly the moment that was shared", async () => {
  const visit = await site.visit();
  await openScenario(visit.page, "A node dies and its pod stays Terminating");
  for (let steps = 0; steps < 3; steps += 1) await press(visit.page, "ArrowLeft");
  await visit.page.locator(".transport__clock").filter({ hasNotText: "29.0 s" }).waitFor();
  const shared = await moment(visit.page);
  const link = await shareLink(visit.page);
  assert.ok(link.length < 1500, `${link.length} characters`);
  await checkAccessibility(visit.page, "#share");
  await visit.end();
  const other = await site.visit({ hash: new URL(link).hash.slice(1) });
  assert.deepEqual(await moment(other.page), shared);
  assert.equal(await other.page.locator(".about__title").textContent(), "A node dies and its pod stays Terminating");
  await other.page.getByRole("button", { name: "Play" }).waitFor();
  await other.end();
});

test("links of every version open", async () => {
  for (const file of readdirSync(here("tests/links/"))) {
    const [fragment, ...opens] = readFileSync(here(`tests/links/${file}`), "utf8").trim().split("\n");
    const { title, stands: stood } = Object.fromEntries(opens.map((line) => line.split(": ")));
    const visit = await site.visit({ hash: fragment });
    // A scenario with a title alone has nothing to say about itself.
    if (file !== "1-from-objects.txt") assert.equal(await visit.page.locator(".about__title").textContent(), title);
    // A set that waits, or is stuck, said so in other words.
    const pod = stood.replace("Controller is waiting at ", "");
    assert.ok((await stands(visit.page)).includes(pod), `${file}: ${await stands(visit.page)}`);
    await visit.end();
  }
});

test("a damaged, oversized or hostile link is said to be one and changes nothing", async () => {
  const whole = readFileSync(here("tests/links/1.txt"), "utf8").split("\n")[0];
  const usual = await site.visit();
  const untouched = await moment(usual.page);
  const cases = [
    [`${whole.slice(0, 200)}`, /damaged/],
    [`1.${whole.slice(20)}`, /damaged/],
    ["1.%%%", /damaged/],
    [`9.${whole.slice(2)}`, /version 9/],
    [packed("a".repeat(20_000_000)), /more than 256 KB/],
    [packed("<script>alert(1)</script>"), /not a scenario/],
    [packed("setscope: 1\nnodes: 100000"), /at most 100/],
    [packed("setscope: 1\nopen: 1\nrun:\n- {at: 0, do: kubectl delete pod none}"), /run\[0\].*not found/],
  ];
  for (const [fragment, words] of cases) {
    const visit = await site.visit({ hash: fragment });
    assert.match(await visit.page.getByRole("alert").innerText(), words);
    assert.deepEqual(await moment(visit.page), untouched, fragment.slice(0, 30));
    await visit.end();
  }
  // The same while the page is open: what was done stays.
  await press(usual.page, "ArrowRight", "ArrowRight");
  const worked = await moment(usual.page);
  await usual.page.evaluate((hash) => (location.hash = hash), cases[0][0]);
  await usual.page.getByRole("alert").waitFor();
  assert.deepEqual(await moment(usual.page), worked);
  await checkAccessibility(usual.page);
  await usual.page.getByRole("button", { name: "Dismiss" }).click();
  await usual.page.evaluate((hash) => (location.hash = hash), whole);
  await usual.page.locator(".about__title", { hasText: "A rollback that changes nothing" }).waitFor();
  await usual.end();
});

test("a link that no longer says what is on the page leaves the address", async () => {
  const fragment = readFileSync(here("tests/links/1.txt"), "utf8").split("\n")[0];
  const { page, end } = await site.visit({ hash: fragment });
  assert.ok(page.url().includes("#1."));
  await page.locator("#replicas, input[type=number]").first().fill("4");
  await press(page, "Enter");
  await page.waitForFunction(() => location.hash === "");
  await end();
});

test("the link is copied, or selected where copying is not allowed", async () => {
  const visit = await site.visit({
    before: () => Object.defineProperty(navigator, "clipboard", { value: { writeText: (text) => ((window.copied = text), Promise.resolve()) } }),
  });
  const link = await shareLink(visit.page);
  await visit.page.getByRole("button", { name: "Copy link" }).click();
  await visit.page.getByText("Copied.").waitFor();
  assert.equal(await visit.page.evaluate(() => window.copied), link);
  await visit.end();
  const refused = await site.visit({ before: () => Object.defineProperty(navigator, "clipboard", { value: undefined }) });
  await shareLink(refused.page);
  await refused.page.getByRole("button", { name: "Copy link" }).click();
  await refused.page.getByText("The link is selected").waitFor();
  assert.match(await refused.page.evaluate(() => getSelection().toString()), /#1\./);
  await refused.end();
});

test("a command says that it is copied once it is, and is selected where copying is not allowed", async () => {
  const visit = await site.visit({
    before: () => Object.defineProperty(navigator, "clipboard", { value: { writeText: (text) => ((window.copied = text), new Promise((done) => (window.allow = done))) } }),
  });
  await scaleTo(visit.page, 4);
  const copy = visit.page.locator(".same .copy");
  await copy.click();
  assert.equal(await visit.page.evaluate(() => window.copied), await visit.page.locator(".same code").textContent());
  assert.equal(await copy.textContent(), "Copy", "it is not copied yet");
  await visit.page.evaluate(() => window.allow());
  await copy.filter({ hasText: "Copied" }).waitFor();
  await visit.end();
  const undefinedOn = () => Object.defineProperty(navigator, "clipboard", { value: undefined });
  const refusing = () => Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new DOMException("", "NotAllowedError")) } });
  for (const before of [undefinedOn, refusing]) {
    const { page, end } = await site.visit({ before });
    await scaleTo(page, 4);
    await page.locator(".same .copy").click();
    await page.locator(".same .copy__refused", { hasText: "It is selected" }).waitFor();
    assert.equal(await page.evaluate(() => getSelection().toString()), await page.locator(".same code").textContent());
    assert.equal(await page.locator(".same .copy").textContent(), "Copy");
    await checkAccessibility(page);
    await end();
  }
});

/** Chooses a tab of the dialog "Share". */
const shareTab = (page, name) => page.locator("#share").getByRole("tab", { name }).click();

test("a link says what it contains, and has a title and a text of one's own", async () => {
  const visit = await site.visit();
  const link = await shareLink(visit.page);
  const contents = await visit.page.locator(".share__contents").innerText();
  assert.match(contents, /Every command of the run/);
  assert.equal(await visit.page.getByLabel(/values of environment variables/).count(), 0, "the run began empty");
  await visit.page.getByLabel("Title").fill("Three pods");
  await visit.page.getByLabel("Text", { exact: true }).fill("One after the other.");
  await press(visit.page, "Tab");
  // Both fields change it, one after the other: it is the one that stays.
  const stays = (before) => {
    const [last, now] = [window.lastLink, document.getElementById("share-link").value];
    window.lastLink = now;
    return now !== before && now === last;
  };
  await visit.page.waitForFunction(stays, link, { polling: 500 });
  const own = await visit.page.locator("#share-link").inputValue();
  await visit.end();
  const other = await site.visit({ hash: new URL(own).hash.slice(1) });
  assert.equal(await other.page.locator(".about__title").textContent(), "Three pods");
  assert.equal(await other.page.locator(".about__text").textContent(), "One after the other.");
  await other.end();
});

test("a figure is seen as it will be, and its code is that of what is seen", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await openScenario(page, "A node dies and its pod stays Terminating");
  await shareLink(page);
  await shareTab(page, "Figure");
  const figure = page.frameLocator(".share__preview");
  await figure.locator(".rail").waitFor();
  assert.equal(await figure.locator(".nodes").isVisible(), false);
  await page.getByRole("checkbox", { name: "Nodes" }).check();
  await page.locator("#share").getByLabel("Theme").selectOption("dark");
  await figure.locator("html[data-theme=dark] .nodes").waitFor();
  assert.equal(await figure.locator(".time").isVisible(), false);
  const code = await page.locator(".share__code code").textContent();
  const address = await page.locator(".share__preview").getAttribute("src");
  assert.ok(code.includes(`src="${address.replaceAll("&", "&amp;")}"`), code);
  assert.match(address, /\?embed&show=rail,stands,time,nodes&theme=dark#1\./);
  for (const name of ["Pods", "Where the controller stands", "Buttons of time"]) await page.getByRole("checkbox", { name, exact: true }).uncheck();
  assert.equal(await page.getByRole("checkbox", { name: "Nodes" }).isDisabled(), true, "a figure shows something");
  assert.match(await page.locator(".share__preview").getAttribute("src"), /show=nodes&/);
  assert.match(code, / allow="clipboard-write">/, "the commands in it can be copied");
  await checkAccessibility(page, "#share");
  await visit.end();
});

test("the report and the pictures are looked at before they are taken; what is printed is the report", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await openScenario(page, "A node dies and its pod stays Terminating");
  await shareLink(page);
  await shareTab(page, "Picture");
  await page.waitForFunction(() => [...document.querySelectorAll(".share__picture img")].filter((one) => one.naturalWidth > 100).length === 2);
  await checkAccessibility(page, "#share");
  for (const name of ["This moment (PNG)", "The whole run (PNG)"]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    const bytes = readFileSync(await download.path());
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    assert.equal(bytes.readUInt32BE(16), 2 * 960, "its width");
    assert.match(download.suggestedFilename(), /\.png$/);
  }
  await shareTab(page, "Report");
  assert.match(await page.locator(".share__report").innerText(), /A node dies and its pod stays Terminating[^]*What happened, and why/);
  await checkAccessibility(page, "#share");
  await page.evaluate(() => (window.print = () => (window.printed = (window.printed ?? 0) + 1)));
  await page.getByRole("button", { name: "Print the report" }).click();
  await page.waitForFunction(() => window.printed === 1);
  await press(page, "Escape");
  await page.locator(".paper").waitFor({ state: "detached" });
  // As by the browser's own menu.
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator(".paper h4", { hasText: "A node dies and its pod stays Terminating" }).isVisible());
  assert.equal(await page.locator(".app").isVisible(), false);
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.locator(".paper").waitFor({ state: "detached" });
  await visit.end();
});

async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
  return { file: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

test("the run can be taken away as files, and a scenario comes back by text and by file", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await openScenario(page, "A force delete can run the same pod twice");
  await page.getByRole("slider", { name: "Moment" }).fill("420000");
  await page.locator(".transport__clock", { hasText: "7 m 00 s" }).waitFor();
  const shown = await moment(page);
  await shareLink(page);
  const scenario = await saved(page, "Scenario (YAML)");
  assert.equal(scenario.file, "scenario.yaml");
  assert.match(scenario.text, /^setscope: 1\ntitle: A force delete/);
  const pods = await saved(page, "kubectl get pods -w");
  await shareTab(page, "Report");
  const report = await saved(page, "Report (Markdown)");
  assert.match(report.text, /^# A force delete/);
  assert.match(report.text, /`kubectl delete pod web-1 --grace-period=0 --force`/);
  assert.match(report.text, /Two live web-1/);
  assert.match(pods.text, /^NAME +READY +STATUS +RESTARTS +AGE/);
  assert.match(pods.text, /web-1 +1\/1 +Terminating/);
  await shareTab(page, "Picture");
  for (const [name, words] of [["This moment (SVG)", /web-2/], ["The whole run (SVG)", /node-b/]]) {
    const picture = await saved(page, name);
    assert.match(picture.text, words);
    const [width, broken] = await page.evaluate((text) => {
      return [/viewBox="0 0 (\d+) /.exec(text)[1], /NaN|undefined/.test(text)];
    }, picture.text);
    assert.ok(Number(width) > 100 && !broken);
  }
  await press(page, "Escape");
  await openExamples(page, "Scenarios");
  const wrong = "setscope: 1\nopne: 3";
  await page.locator("#scenario-text").fill(wrong);
  await page.getByRole("button", { name: "Open this text" }).click();
  const problem = page.locator("#scenarios[open] .refusal__words");
  assert.match(await problem.innerText(), /line 2: "opne" is not a field of a scenario/);
  assert.equal(await page.locator("#scenario-text").inputValue(), wrong, "it can be put right");
  assert.equal(await page.locator(".refusal").count(), 1, "it is said once");
  const seen = await page.evaluate(() => {
    const boxes = ["scenario-text", "problem"].map((id) => document.getElementById(id).getBoundingClientRect());
    const around = document.getElementById("scenarios").getBoundingClientRect();
    return boxes.map((box) => box.top >= around.top && box.bottom <= around.bottom && box.height > 40);
  });
  assert.deepEqual(seen, [true, true], "the text and the problem are both in sight");
  await checkAccessibility(page, "#scenarios");
  const broken = "setscope: 1\nrun:\n- {at: 1, do: kubectl fly}\n";
  await page.locator("#scenario-file").setInputFiles({ name: "mine.yaml", mimeType: "text/yaml", buffer: Buffer.from(broken) });
  await problem.getByText("line 3: run[0]: ").waitFor();
  assert.equal(await page.locator("#scenario-text").inputValue(), broken, "what was in the file can be put right here");
  await page.locator("#scenarios").getByRole("button", { name: "Dismiss" }).click();
  await page.locator(".refusal").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Open this text" }).click();
  await problem.waitFor();
  await press(page, "Escape");
  await page.locator("#scenarios[open]").waitFor({ state: "detached" });
  await page.locator(".refusal").waitFor({ state: "detached" });
  await openScenario(page, "OnDelete waits until pods are deleted");
  await openExamples(page, "Scenarios");
  await page.locator("#scenario-text").fill(scenario.text);
  await page.getByRole("button", { name: "Open this text" }).click();
  await page.locator(".about__title", { hasText: "Force delete" }).waitFor();
  assert.deepEqual(await moment(page), shown);
  await openScenario(page, "OnDelete waits until pods are deleted");
  await openExamples(page, "Scenarios");
  await page.locator("#scenario-file").setInputFiles({ name: "mine.yaml", mimeType: "text/yaml", buffer: Buffer.from(scenario.text) });
  await page.locator(".about__title", { hasText: "Force delete" }).waitFor();
  assert.deepEqual(await moment(page), shown);
  await visit.end();
});

for (const theme of themes) {
  test(`axe-core finds nothing around scenarios in ${theme}`, async () => {
    const visit = await site.visit({ theme });
    await openExamples(visit.page, "Scenarios");
    await visit.page.locator(".scenario").first().waitFor();
    await checkAccessibility(visit.page, "#scenarios");
    await press(visit.page, "Escape");
    await openScenario(visit.page, "A rollback that changes nothing");
    await checkAccessibility(visit.page);
    await visit.end();
  });
}

test("a figure shows its panels at its moment, does not start, and cannot be acted on", async () => {
  const visit = await site.visit({ path: "?embed&scenario=stuck-rollback&at=60&theme=dark&lang=en", viewport: { width: 720, height: 600 } });
  const { page } = visit;
  assert.equal(await stands(page), "web-2 holds the rollout: it never becomes Ready");
  const before = await clock(page);
  for (const hidden of [".top", ".controls", ".inspector", ".nodes", ".panes", ".starters__fold"]) {
    assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
  }
  // The flags stand where the run has them, and move for nobody.
  for (const flag of await page.locator(".flag").all()) {
    assert.ok(await flag.isVisible());
    assert.equal(await flag.getAttribute("aria-disabled"), "true");
    const stood = await flag.getAttribute("aria-valuenow");
    await flag.evaluate((element) => element.focus());
    await press(page, "ArrowLeft", "Home");
    assert.equal(await flag.getAttribute("aria-valuenow"), stood);
  }
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  await page.locator(".pod").last().click();
  assert.ok(await page.locator(".menu").isVisible(), "a pod can be looked at");
  assert.equal(await page.getByRole("button", { name: /elete/ }).filter({ visible: true }).count(), 0);
  await press(page, "Escape");
  await new Promise((done) => setTimeout(done, 500));
  assert.equal(await clock(page), before, "time stands still");
  await checkAccessibility(page);
  const [popup] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: "Open in SetScope" }).click()]);
  await popup.waitForSelector('html[data-app="ready"]', { state: "attached" });
  assert.equal(await stands(popup), "web-2 holds the rollout: it never becomes Ready");
  assert.equal(await popup.locator(".top").isVisible(), true, "the whole page");
  await visit.end();
});

test("a figure to look at has no button that would do nothing", async () => {
  for (const viewport of [{ width: 1440, height: 900 }, { width: 720, height: 600 }]) {
    const visit = await site.visit({ path: "?embed&scenario=stuck-rollback&at=60&show=nodes,inspector", viewport });
    const { page } = visit;
    const acts = page.getByRole("button", { name: /^(A node|Power off|Apply|Start from|Roll back|Delete|What can be done|Ways out|Change it)/ });
    await page.locator(".node").first().waitFor();
    assert.equal(await page.locator(".controls, .starters__fold, .node__open").count(), 0);
    for (const tab of ["Manifest", "Revisions", "Status"]) {
      await openTab(page, tab);
      assert.equal(await acts.count(), 0, tab);
    }
    await openTab(page, "Manifest");
    assert.equal(await page.locator("#manifest").isEditable(), false);
    assert.equal(await page.locator("label[for=manifest-file]").count(), 0);
    await checkAccessibility(page);
    await visit.end();
  }
  const lanes = await site.visit({ path: "?embed&scenario=four-workloads&at=390&show=rail,controls" });
  await lanes.page.locator(".lanes__lane").first().waitFor();
  assert.equal(await lanes.page.locator(".lanes__panel, .lane__own, .lanes__since .button").count(), 0);
  await lanes.end();
});

test("a simulator that did not load is loaded by the next call", async () => {
  let isBroken = true;
  // The figures on the page load theirs.
  const isOwn = (request) => request.frame().parentFrame() === null;
  const wasm = (route) => (isBroken && isOwn(route.request()) ? route.fulfill({ contentType: "application/wasm", body: "" }) : route.continue());
  const { page, end } = await site.visit({ path: "embed.html", state: null, routes: { "**/*.wasm": wasm } });
  await page.waitForLoadState();
  const init = () =>
    page.evaluate(async () => {
      const { default: load } = await import(new URL("setscope.js", document.baseURI).href);
      return load().then(() => "loaded", () => "failed");
    });
  assert.equal(await init(), "failed");
  isBroken = false;
  assert.equal(await init(), "loaded");
  await end();
});

test("an open figure at a moment of its own lets its reader act", async () => {
  const visit = await site.visit({ path: "?embed&scenario=node-lost&at=1m30s&show=rail,stands,nodes,controls&controls=open" });
  const { page } = visit;
  assert.equal(await clock(page), "1 m 30 s");
  assert.equal(await page.locator(".controls").isVisible(), true);
  assert.equal(await page.locator(".nodes").isVisible(), true);
  assert.equal(await page.locator(".about").isVisible(), false);
  await visit.end();
});

test("a figure of unknown panels shows the usual ones, and says which there are", async () => {
  const visible = async (page) => {
    const panels = [".about", ".summary", ".rail", ".explanation", ".transport", ".time", ".nodes", ".controls"];
    return Promise.all(panels.map((panel) => page.locator(panel).first().isVisible()));
  };
  const usual = await site.visit({ path: "?embed&scenario=stuck-rollback" });
  const panels = await visible(usual.page);
  assert.deepEqual(panels, [false, false, true, true, true, false, false, false]);
  await usual.end();
  const visit = await site.visit({ state: null });
  for (const [show, shown] of [["stage,nothing", panels], ["", panels], ["stage,nodes", panels.map((_, at) => at === 6)]]) {
    await visit.page.goto(new URL(`?embed&scenario=stuck-rollback&show=${show}`, visit.page.url()).href);
    await visit.page.waitForSelector('html[data-app="ready"]', { state: "attached" });
    assert.deepEqual(await visible(visit.page), shown, show);
    const there = "there are text, summary, rail, stands, time, timeline, nodes, events, controls, inspector.";
    const unknown = show.split(",").filter((name) => name !== "nodes").join(", ");
    const said = await visit.page.locator(".note p").allTextContents();
    assert.deepEqual(said, show ? [`show= has no panel ${unknown}: ${there}`] : []);
  }
  await visit.page.goto(new URL("?embed&scenario=stuck-rollback&at=soon", visit.page.url()).href);
  await visit.page.getByRole("alert").getByText("at=soon is not a moment: it is a time since the start, such as at=90s.").waitFor();
  await visit.end();
});

test("the snippets stand in their page live, as high as they need to be", async () => {
  const visit = await site.visit({ path: "embed.html", state: null });
  const { page } = visit;
  await page.locator("iframe").first().waitFor();
  const frame = page.frameLocator("iframe").first();
  await frame.locator(".explanation__headline", { hasText: "web-2 holds the rollout: it never becomes Ready" }).waitFor();
  await page.waitForFunction(() => document.querySelector("iframe").height !== "260");
  const height = await frame.locator("body").evaluate((body) => Math.ceil(body.getBoundingClientRect().height));
  assert.equal(Number(await page.locator("iframe").first().getAttribute("height")), height);
  // The code that is shown is the figure that is seen.
  const sources = await page.locator("iframe").evaluateAll((frames) => frames.map((one) => one.getAttribute("src")));
  const shown = await page.locator("pre").allTextContents();
  sources.forEach((source, at) => assert.ok(shown[at].includes(`src="${source}"`), source));
  await checkAccessibility(page, "main");
  await visit.end();
});

test("a page without SetScope's page runs the simulator", async () => {
  const visit = await site.visit({ path: "example.html" });
  const { page } = visit;
  assert.match(await page.locator("#title").textContent(), /^10\.0 s: /);
  await page.getByRole("button", { name: "Until nothing is due" }).click();
  assert.match(await page.locator("#title").textContent(), /Nothing to do/);
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("button", { name: "One event" }).click();
  await page.getByRole("button", { name: "One event" }).click();
  assert.match(await page.locator("#title").textContent(), /web-2 was deleted to be updated/);
  await page.locator("#command").fill("kubectl scale sts web --replicas=-1");
  await page.getByRole("button", { name: "Send" }).click();
  assert.match(await page.locator("#problem").textContent(), /must be greater than or equal to 0/);
  await checkAccessibility(page);
  await visit.end();
});

test("the types are those of the values", async () => {
  const visit = await site.visit({ path: "example.html" });
  const seen = await visit.page.evaluate(async () => {
    const { default: init, Playground } = await import(new URL("setscope.js", location.href).href);
    await init();
    const text = await (await fetch("scenarios/two-copies.yaml")).text();
    const run = new Playground(text);
    const states = [];
    const end = run.subscribe((state) => states.push(state));
    run.seek(420);
    run.command("kubectl scale sts web --replicas=4");
    run.step();
    end();
    run.step();
    let refused = "";
    try {
      run.command("kubectl scale sts none --replicas=4");
    } catch (error) {
      refused = error.message;
    }
    return { states, syncs: run.decisions(), one: run.decisions(3)[0].number, refused, scenario: run.scenario(), members: Object.getOwnPropertyNames(Playground.prototype) };
  });
  await visit.end();
  assert.equal(seen.states.length, 3);
  assert.equal(seen.one, 3);
  assert.match(seen.refused, /statefulsets.apps "none" not found/);
  assert.match(seen.scenario, /^setscope: 1/);
  assert.ok(seen.states.some((state) => state.warnings.length > 0));
  const types = readFileSync(here("www/pages/setscope.d.ts"), "utf8");
  const declared = [...types.match(/class Playground \{([^]*?)\n\}/)[1].matchAll(/^  (\w+)\(/gm)].map((found) => found[1]);
  assert.deepEqual(declared.sort(), seen.members.sort());
  const source = `import type { State, Sync } from "./setscope";
export const states: State[] = ${JSON.stringify(seen.states)};
export const syncs: Sync[] = ${JSON.stringify(seen.syncs)};`;
  assert.deepEqual(complaints(types, source), []);
  const wrong = source.replaceAll('"seconds":', '"second":');
  assert.notDeepEqual(complaints(types, wrong), [], "another name is noticed");
});

/** What the TypeScript compiler says of values.ts beside setscope.d.ts. */
function complaints(types, source) {
  const files = { "/values.ts": source, "/setscope.d.ts": types };
  const options = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022, moduleResolution: ts.ModuleResolutionKind.Bundler, types: [] };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...rest) => (files[name] ? ts.createSourceFile(name, files[name], ts.ScriptTarget.ES2022) : getSourceFile.call(host, name, ...rest));
  host.fileExists = (name) => name in files || fileExists.call(host, name);
  host.readFile = (name) => files[name] ?? readFile.call(host, name);
  const program = ts.createProgram(["/values.ts"], options, host);
  return ts.getPreEmitDiagnostics(program).map((one) => ts.flattenDiagnosticMessageText(one.messageText, "\n"));
}
