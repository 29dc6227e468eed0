// What every end-to-end test needs. A test file looks like this:
//
//   import { test } from "node:test";
//   import assert from "node:assert/strict";
//   import { openSite, press, checkAccessibility } from "./helpers.mjs";
//
//   const site = openSite();               // serves dist/ from a sub-folder and starts one browser for this file
//
//   test("the sentence says what is seen", async () => {
//     const visit = await site.visit();    // a fresh profile: nothing stored; the app is mounted when this returns
//     const { page } = visit;              // Playwright's Page: page.getByRole("button", { name: "Play" }).click()
//     await press(page, "Tab", "Space");
//     await checkAccessibility(page);      // axe-core, every rule but best practices, fails with what it found
//     await visit.end();                   // fails if there was an error, a refusal by the policy or a foreign request
//   });
//
// site.visit(options), all optional:
//   theme        "light" or "dark": the system's preference          viewport  { width, height }, 1440 × 900 if not given
//   touch        true for a phone-like context                       motion    "no-preference"; "reduce" if not given
//   locale       the browser's language, such as "zh-CN"
//   javaScript   false switches JavaScript off                       before    a function run in the page before its own scripts
//   offline      true lets the page keep itself on the device
//   path         what follows the page's folder: "?embed", "example.html"
//   hash         what follows # in the address                       state     the state to wait for: "ready" (usual), "failed",
//   routes       { "**/*.wasm": (route) => … }, Playwright's routes            "loading", or null to wait for nothing
// A visit has: page, problems (what went wrong, as lines), requests (all addresses asked for), end().
//
// In both themes: for (const theme of themes) test(`… in ${theme}`, …).
//
// `./dev test` names the browser in CHROME. By hand, after `./dev build` and `npm ci` in this folder:
//   CHROME=$(command -v chromium) node --test tests/e2e/*.test.mjs
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { fontsOf } from "./fonts.mjs";
import { serveDist } from "./server.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];

export const themes = ["light", "dark"];

/** Starts the system's browser: headless, with fonts of the tests' own, without its sandbox, which root in a container cannot have. */
export function startBrowser() {
  assert.ok(process.env.CHROME, "CHROME must name the browser, as ./dev test does");
  return chromium.launch({ executablePath: process.env.CHROME, headless: true, args: ["--disable-dev-shm-usage"], env: { ...process.env, ...fontsOf() } });
}

/** One server and one browser for the file that calls this, from before its first test until after its last. */
export function openSite() {
  const site = { visit: (options) => visit(site, options) };
  before(async () => {
    site.server = await serveDist();
    site.browser = await startBrowser();
  });
  after(async () => {
    await site.browser?.close();
    await site.server?.close();
  });
  return site;
}

async function visit(site, options = {}) {
  const { theme = "light", viewport = { width: 1440, height: 900 }, motion = "reduce", state = "ready" } = options;
  const context = await site.browser.newContext({
    colorScheme: theme,
    hasTouch: options.touch ?? false,
    isMobile: options.touch ?? false,
    javaScriptEnabled: options.javaScript ?? true,
    locale: options.locale,
    reducedMotion: motion,
    serviceWorkers: options.offline ? "allow" : "block",
    viewport,
  });
  // Long enough for slow machines. It delays only the report of a step that never ends.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const { problems, requests } = watch(page, new URL(site.server.url).origin, options.javaScript ?? true);
  for (const [pattern, handler] of Object.entries(options.routes ?? {})) await page.route(pattern, handler);
  if (options.before) await page.addInitScript(options.before);
  await page.goto(site.server.url + (options.path ?? "") + (options.hash ? `#${options.hash}` : ""), { waitUntil: "commit" });
  if (state && options.javaScript !== false) await page.waitForSelector(`html[data-app="${state}"]`, { state: "attached" });
  const end = async () => {
    // Copied first: closing aborts what is still under way, and that is no problem of the page.
    // A page that cannot run its program leaves it preloaded and unused, which a slow browser remarks on.
    const unused = (problem) => state === "failed" && problem.includes("was preloaded using link preload but not used");
    const found = problems.filter((problem) => !unused(problem));
    await context.close();
    assert.deepEqual(found, [], "the page had problems");
  };
  return { page, problems, requests, end };
}

const isPlaywrights = (message) => message.text().startsWith("Service Worker registration blocked");

// Chromium reports what the content security policy refuses as a console error, so that is caught here too.
function watch(page, origin, javaScript) {
  const problems = [];
  const requests = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !isPlaywrights(message) && problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("requestfailed", (request) => {
    // Without JavaScript the browser itself drops the preload of a script, and calls that "csp".
    if (!javaScript && request.url().endsWith(".js")) return;
    const error = request.failure()?.errorText;
    // Given up by the browser itself, which leaves a document before all of it has come. Whatever cannot be found,
    // does not arrive or is refused has other words.
    if (error === "net::ERR_ABORTED") return;
    problems.push(`failed: ${request.url()} ${error}`);
  });
  page.on("response", (response) => response.status() >= 400 && problems.push(`${response.status()}: ${response.url()}`));
  page.on("websocket", (socket) => problems.push(`websocket: ${socket.url()}`));
  page.on("request", (request) => {
    requests.push(request.url());
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:" && asked !== origin) problems.push(`foreign: ${request.url()}`);
  });
  return { problems, requests };
}

/** Presses keys one after another, in Playwright's names: press(page, "Tab", "ArrowRight", "Shift+Tab"). */
export async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

/** Fails with one line per finding of axe-core; `within` is a selector that narrows it down. */
export async function checkAccessibility(page, within) {
  // evaluate() is the debugger's, not the page's: the page's policy stays as it is.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    ([scope, tags]) => window.axe.run(scope ?? document, { runOnly: tags }),
    [within, AXE_TAGS],
  );
  const lines = violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary.replaceAll("\n", " ")}`),
  );
  assert.deepEqual(lines, [], "axe-core found something");
}

/** Shows a part of the inspector: a tab, or a tab of the object. */
export async function openTab(page, name) {
  if (["Manifest", "Settings", "Revisions", "Status"].includes(name)) {
    // On a phone the tab of the open panel closes it.
    const object = page.getByRole("tab", { name: "Object", exact: true });
    if ((await object.getAttribute("aria-selected")) !== "true") await object.click();
  }
  await page.getByRole("tab", { name, exact: true }).click();
}

/** Unfolds the steps of a sync before the one where it stands, and after it. */
export async function openPassed(page) {
  const folds = page.locator(".path__passed:not([open]) > summary");
  while ((await folds.count()) > 0) await folds.first().click();
}

/** Opens what is set less often: fields, the whole set, release, simulation. */
export const openMore = (page) => openTab(page, "Settings");

/** Opens the dialog of examples, and in it one of their kinds: Lessons, Scenarios or Side by side. */
export async function openExamples(page, kind) {
  await page.getByRole("button", { name: "Examples", exact: true }).click();
  if (kind !== "Lessons") await page.locator("dialog[open]").getByRole("button", { name: kind, exact: true }).click();
}

/** Changes the size of the window, and waits until the page has followed: its panels are others then. */
export async function resize(page, width, height) {
  await page.setViewportSize({ width, height });
  // A phone has a tab for the nodes too.
  const tabs = width < 600 ? 6 : width < 1100 || height < 640 ? 5 : 0;
  await page.waitForFunction((tabs) => document.querySelector(".app[hidden]") || document.querySelectorAll(".panes [role=tab]").length === tabs, tabs);
}

/** Scales the set by the field of its controls. */
export async function scaleTo(page, replicas) {
  await page.getByLabel("Replicas as a number").fill(String(replicas));
  await page.getByLabel("Replicas as a number").press("Enter");
}

/** Runs until nothing is left to happen, or as far as End goes. */
export async function toEnd(page) {
  await page.locator(".stage").focus();
  await press(page, "End");
}

/** Runs until nothing is left to happen, in an English page. */
export async function settle(page) {
  await toEnd(page);
  await page.locator(".transport__play", { hasText: /Settled|Stuck/ }).waitFor();
}

/** Opens the text of a cluster in the dialog. */
export const openText = (page, text) => page.evaluate((detail) => document.dispatchEvent(new CustomEvent("setscope:cluster", { detail })), text);

/** Shows the first workload of the text in the dialog on the stage, and waits until all was tried that could help. */
export async function showOpened(page) {
  await page.locator("#cluster .dialog__row .button").filter({ hasText: /Show it on the stage|在舞台上显示/ }).first().click();
  await page.locator("#cluster").waitFor({ state: "hidden" });
  await page.locator(".opened").waitFor();
  await page.locator(".verdict__trying").waitFor({ state: "detached" });
}

/** Opens the panel of what can be done to a node. */
export async function openNode(page, node) {
  await page.locator(`#node-${node}`).click();
  await page.locator(".menu").waitFor();
}

/** Takes one of a node's actions, in an English page: a way in which it fails, or a way out. */
export async function actOnNode(page, node, act) {
  if ((await page.locator(".menu").count()) === 0) await openNode(page, node);
  await page.getByRole("button", { name: `${act} (${node})`, exact: true }).click();
  await press(page, "Escape");
}

export const failNode = actOnNode;
