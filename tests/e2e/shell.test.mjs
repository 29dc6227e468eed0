// The page around the program: where it may stand, what it may ask for, and what it says when the program cannot run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAccessibility, openExamples, openSite, openTab, press, themes } from "./helpers.mjs";

const site = openSite();

test("the page starts in a sub-folder and asks only its own folder", async () => {
  const visit = await site.visit();
  assert.match(await visit.page.title(), /SetScope/);
  assert.equal(await visit.page.locator("#boot-progress").count(), 0, "the app has replaced the shell");
  assert.equal(visit.requests.filter((address) => address.endsWith(".wasm")).length, 1, "the program is asked for once");
  for (const address of visit.requests) assert.ok(address.startsWith(site.server.url), address);
  await visit.end();
});

test("the content security policy is there and refuses inline scripts, eval and markup from strings", async () => {
  const { page } = await site.visit();
  const outcome = await page.evaluate(async () => {
    // In a task of the page's own: what the debugger runs directly may use eval whatever the policy says.
    const refused = (act) => new Promise((answer) => setTimeout(() => {
      try {
        act();
        answer(false);
      } catch {
        answer(true);
      }
    }));
    await refused(() => {
      const script = document.createElement("script");
      script.text = "window.injected = true";
      document.body.append(script);
    });
    return {
      policy: document.querySelector('meta[http-equiv="Content-Security-Policy"]').content,
      inlineScriptRan: window.injected === true,
      evalRefused: await refused(() => new Function("return 1")()),
      markupRefused: await refused(() => (document.createElement("div").innerHTML = "<b></b>")),
    };
  });
  assert.match(outcome.policy, /default-src 'self'/);
  assert.doesNotMatch(outcome.policy, /script-src[^;]*'unsafe-(inline|eval)'/);
  assert.deepEqual({ ...outcome, policy: "" }, { policy: "", inlineScriptRan: false, evalRefused: true, markupRefused: true });
  await page.context().close();
});

test("a request to another origin is refused by the page itself", async () => {
  const { page } = await site.visit();
  const refused = await page.evaluate(() => fetch("http://127.0.0.2:9/").then(() => false, () => true));
  assert.ok(refused);
  const reason = await page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective));
        fetch("http://127.0.0.2:9/").catch(() => {});
      }),
  );
  assert.equal(reason, "connect-src");
  await page.context().close();
});

test("without JavaScript the page says what it is and what it needs", async () => {
  const visit = await site.visit({ javaScript: false });
  const text = await visit.page.locator("body").innerText();
  assert.match(text, /Kubernetes StatefulSet/);
  assert.match(text, /JavaScript is switched off/);
  assert.equal(await visit.page.locator("progress").isVisible(), false);
  await visit.end();
});

test("without WebAssembly the page says so, accessibly", async () => {
  const visit = await site.visit({ before: () => delete window.WebAssembly, state: "failed" });
  assert.match(await visit.page.getByRole("alert").innerText(), /no WebAssembly/);
  assert.match(await visit.page.locator("body").innerText(), /Kubernetes StatefulSet/);
  await checkAccessibility(visit.page);
  await visit.end();
});

for (const viewport of [{ width: 1280, height: 800 }, { width: 360, height: 740 }]) {
  test(`the set is seen before there is a program, ${viewport.width} wide`, async () => {
    const never = { viewport, routes: { "**/*.wasm": () => {} }, state: "loading" };
    const { page } = await site.visit(never);
    const sentence = page.getByText(/^web-1 is starting, and( web-2 waits for it)?$/).filter({ visible: true });
    await sentence.waitFor();
    assert.equal(await page.locator(".first svg").filter({ visible: true }).count(), 1);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    // While they wait, people read what SetScope is.
    const isRead = await page.locator(".boot__about").evaluate((text) => {
      const { left, top } = text.getBoundingClientRect();
      return text.contains(document.elementFromPoint(left + 4, top + 8));
    });
    assert.ok(isRead, "what SetScope is stands in sight");
    await checkAccessibility(page);
    await page.context().close();
    const other = await site.visit({ ...never, path: "?scenario=node-lost" });
    assert.equal(await other.page.locator(".first svg").filter({ visible: true }).count(), 0, "the address asks for another run");
    await other.page.context().close();
  });
}

test("the program starts once its style sheets are there, and without one that does not arrive", async () => {
  let arrive;
  const late = new Promise((resolve) => (arrive = resolve));
  const routes = { "**/rail.css": (route) => late.then(() => route.continue()), "**/lanes.css": (route) => route.abort() };
  const { page } = await site.visit({ routes, state: "loading" });
  await page.locator(".first svg").filter({ visible: true }).waitFor();
  await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name, responseEnd }) => name.endsWith(".wasm") && responseEnd > 0));
  await page.waitForTimeout(1000);
  assert.equal(await page.locator("html").getAttribute("data-app"), "loading");
  arrive();
  await page.waitForSelector('html[data-app="ready"]', { state: "attached" });
  const waiting = await page.evaluate(() =>
    [...document.querySelectorAll("link[rel=stylesheet]")].filter(({ media }) => !matchMedia(media).matches).map(({ href }) => href));
  assert.deepEqual(waiting, []);
  await page.context().close();
});

test("a program that does not arrive is named, and reloading helps", async () => {
  let broken = true;
  const wasm = (route) => (broken ? route.fulfill({ status: 503, body: "" }) : route.continue());
  const { page } = await site.visit({ routes: { "**/*.wasm": wasm }, state: "failed" });
  assert.match(await page.getByRole("alert").innerText(), /could not be loaded/);
  broken = false;
  await page.reload();
  await page.waitForSelector('html[data-app="ready"]', { state: "attached" });
  await page.context().close();
});

test("after the first visit the page opens and works without a connection", async () => {
  const visit = await site.visit({ offline: true });
  const { page } = visit;
  // waitForFunction takes a promise for a yes.
  const isKept = () =>
    page.evaluate(async () => {
      const [name] = await caches.keys();
      const kept = name ? (await (await caches.open(name)).keys()).map(({ url }) => url) : [];
      const asked = [location.href, ...performance.getEntriesByType("resource").map((entry) => entry.name)];
      const own = asked.map((address) => address.replace(/[?#].*/, "")).filter((address) => address.startsWith(location.origin));
      return kept.some((url) => url.endsWith("zh.txt")) && own.every((address) => kept.includes(address));
    });
  for (let looked = 0; !(await isKept()); looked += 1) {
    assert.ok(looked < 600, "the page is kept within a minute");
    await page.waitForTimeout(100);
  }
  await site.server.stop();
  try {
    await page.reload();
    await page.waitForSelector('html[data-app="ready"]', { state: "attached" });
    await openExamples(page, "Scenarios");
    await page.getByRole("dialog").getByRole("button", { name: /stuck|wait|block/i }).first().click();
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByRole("dialog").waitFor();
  } finally {
    await site.server.start();
  }
  await page.context().close();
});

test("the bar fills by what has arrived while the program loads", async () => {
  const visit = await site.visit({
    // The first half of the file, then nothing until the test lets go: the state between is what is looked at.
    before: () => {
      const real = window.fetch;
      window.fetch = async (...request) => {
        const response = await real(...request);
        const bytes = new Uint8Array(await response.arrayBuffer());
        const half = bytes.length / 2;
        const body = new ReadableStream({
          async start(controller) {
            controller.enqueue(bytes.slice(0, half));
            await new Promise((go) => (window.letGo = go));
            controller.enqueue(bytes.slice(half));
            controller.close();
          },
        });
        return new Response(body, { status: 200, headers: { "content-type": "application/wasm", "content-length": bytes.length } });
      };
    },
    state: "loading",
  });
  const bar = visit.page.getByRole("progressbar", { name: /Loading the simulator: 50 %/ });
  await bar.waitFor();
  assert.equal(await bar.evaluate((element) => element.value), 50);
  await checkAccessibility(visit.page);
  await visit.page.evaluate(() => window.letGo());
  await visit.page.waitForSelector('html[data-app="ready"]', { state: "attached" });
  await visit.end();
});

const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("the theme follows the system, and a stored choice goes before it from the first paint on", async () => {
  const light = await site.visit({ theme: "light" });
  const dark = await site.visit({ theme: "dark" });
  const chosen = await site.visit({
    theme: "light",
    before: () => localStorage.setItem("setscope.theme", "dark"),
    // The program never comes: what is seen is the shell alone.
    routes: { "**/*.wasm": () => {} },
    state: "loading",
  });
  assert.notEqual(await background(light.page), await background(dark.page));
  assert.equal(await background(chosen.page), await background(dark.page));
  await light.end();
  await dark.end();
  await chosen.page.context().close();
});

for (const theme of themes) {
  test(`axe-core finds nothing on the page in ${theme}`, async () => {
    const visit = await site.visit({ theme });
    await checkAccessibility(visit.page);
    await visit.end();
  });
  test(`axe-core finds nothing in the shell without a program in ${theme}`, async () => {
    const visit = await site.visit({ theme, before: () => delete window.WebAssembly, state: "failed" });
    await checkAccessibility(visit.page);
    await visit.end();
  });
}

test("a program that trapped says so", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await page.evaluate(() => dispatchEvent(new ErrorEvent("error", { error: new WebAssembly.RuntimeError("unreachable") })));
  await page.getByText("SetScope has stopped").waitFor();
  await checkAccessibility(page);
  await page.context().close();
});

test("a panic says what happened, and its link opens the run as it was right before", async () => {
  const { page } = await site.visit();
  await page.locator(".stage").focus();
  for (let steps = 0; steps < 6; steps += 1) await press(page, "ArrowRight");
  const clock = await page.locator(".transport__clock").textContent();
  const pods = await page.locator(".rail .pod").allTextContents();
  // Once, the browser refuses the program an element, which Yew takes for granted.
  await page.evaluate(() => {
    const refuse = () => {
      delete document.createElement;
      delete document.createElementNS;
      throw new Error("no element");
    };
    Object.assign(document, { createElement: refuse, createElementNS: refuse });
  });
  await openTab(page, "Status");
  const note = page.getByRole("alert").filter({ hasText: "SetScope has stopped" });
  await note.waitFor();
  assert.match(await note.locator("pre").textContent(), /panicked at .*\.rs:\d+:\d+/);
  await checkAccessibility(page);
  const link = page.locator("#stopped-link[href*='#1.']");
  await link.waitFor();
  const opened = page.context().waitForEvent("page");
  await link.click();
  const second = await opened;
  await second.waitForSelector('html[data-app="ready"]', { state: "attached" });
  assert.equal(await second.locator(".transport__clock").textContent(), clock);
  assert.deepEqual(await second.locator(".rail .pod").allTextContents(), pods);
  await page.context().close();
});
