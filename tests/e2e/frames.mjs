// How long frames take while many pods play. By hand, against dist/:
//   CHROME=$(command -v chromium) node tests/e2e/frames.mjs 1000 2000 [--profile]
// A frame's work is what the main thread is busy with from one animation frame to the next.
import { fileURLToPath } from "node:url";
import { openTab, startBrowser } from "./helpers.mjs";
import { serveDist } from "./server.mjs";

/** A set that starts and ends all its pods at once. */
export const manifest = (pods, policy = "Parallel") => `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: many}
spec:
  serviceName: many
  replicas: ${pods}
  podManagementPolicy: ${policy}
  selector: {matchLabels: {app: many}}
  template:
    metadata: {labels: {app: many}}
    spec:
      containers:
      - {name: main, image: registry.k8s.io/pause:3.9}
`;

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

export function spread(times) {
  const sorted = [...times].sort((one, other) => one - other);
  const round = (time) => Math.round(time * 10) / 10;
  return { count: sorted.length, p50: round(at(sorted, 0.5)), p95: round(at(sorted, 0.95)), most: round(sorted.at(-1) ?? 0) };
}

/** Applies a manifest in the editor. */
export async function apply(page, text) {
  await openTab(page, "Manifest");
  await page.locator("#manifest").fill(text);
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await openTab(page, "Why");
}

async function isPlaying(page) {
  return (await page.locator(".transport__play").textContent()) === "Pause";
}

/** Plays for so long, and measures each frame: its work, and how long it came after the one before. */
export async function frames(page, milliseconds) {
  const cdp = await page.context().newCDPSession(page);
  const events = [];
  cdp.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await page.evaluate(() => {
    const times = (window.frameTimes = []);
    const next = (time) => {
      times.push(time);
      window.frameNext = requestAnimationFrame(next);
    };
    window.frameNext = requestAnimationFrame(next);
  });
  const categories = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"];
  await cdp.send("Tracing.start", { traceConfig: { includedCategories: categories }, transferMode: "ReportEvents" });
  if (!(await isPlaying(page))) await page.locator(".transport__play").click();
  await page.waitForTimeout(milliseconds);
  const ended = new Promise((resolve) => cdp.once("Tracing.tracingComplete", resolve));
  await cdp.send("Tracing.end");
  await ended;
  const times = await page.evaluate(() => {
    cancelAnimationFrame(window.frameNext);
    return window.frameTimes;
  });
  await cdp.detach();
  const thread = events.find((event) => event.name === "FireAnimationFrame");
  const own = events.filter((event) => event.pid === thread?.pid && event.tid === thread?.tid && event.ph === "X");
  const tasks = own.filter((event) => event.name === "RunTask").sort((one, other) => one.ts - other.ts);
  // The page asks for animation frames too: a frame begins with the task that has one or several of them.
  const fired = own.filter((event) => event.name === "FireAnimationFrame").map((event) => event.ts);
  const starts = tasks.filter((task) => fired.some((ts) => ts >= task.ts && ts < task.ts + task.dur)).map((task) => task.ts);
  const work = starts.slice(1).map((end, index) => {
    const from = starts[index];
    // By the thread's own clock: what other programs do on the same cores is not the page's work.
    return tasks.filter((task) => task.ts >= from && task.ts < end).reduce((sum, task) => sum + (task.tdur ?? task.dur), 0) / 1000;
  });
  const parts = {};
  for (const name of ["FunctionCall", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "MajorGC", "MinorGC"]) {
    parts[name] = Math.round(own.filter((event) => event.name === name).reduce((sum, event) => sum + (event.tdur ?? event.dur), 0) / 1000);
  }
  const between = times.slice(1).map((time, index) => time - times[index]);
  return { work: spread(work), between: spread(between), parts };
}

/** The busiest functions of the program while it plays, by their own time and with what they call, in percent. */
export async function profile(page, milliseconds) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Profiler.enable");
  await cdp.send("Profiler.setSamplingInterval", { interval: 500 });
  await cdp.send("Profiler.start");
  if (!(await isPlaying(page))) await page.locator(".transport__play").click();
  await page.waitForTimeout(milliseconds);
  const { profile: taken } = await cdp.send("Profiler.stop");
  await cdp.detach();
  const nodes = new Map(taken.nodes.map((node) => [node.id, node]));
  for (const node of taken.nodes) for (const child of node.children ?? []) nodes.get(child).parent = node.id;
  const [own, whole] = [new Map(), new Map()];
  const add = (map, name, time) => map.set(name, (map.get(name) ?? 0) + time);
  taken.samples.forEach((id, index) => {
    const time = taken.timeDeltas[index];
    const nameOf = (node) => node.callFrame.functionName || "(anonymous)";
    add(own, nameOf(nodes.get(id)), time);
    const seen = new Set();
    for (let node = nodes.get(id); node; node = nodes.get(node.parent)) {
      const name = nameOf(node);
      if (!seen.has(name)) add(whole, name, time);
      seen.add(name);
    }
  });
  const all = taken.timeDeltas.reduce((sum, time) => sum + time, 0);
  const lines = (map, most) =>
    [...map].sort((one, other) => other[1] - one[1]).slice(0, most).map(([name, time]) => `${((100 * time) / all).toFixed(1).padStart(5)} % ${(time / 1000).toFixed(0).padStart(6)} ms  ${name}`);
  return { own: lines(own, 40), whole: lines(whole, 90) };
}

/** The time from an input to the next paint, as the browser itself measures it (in steps of 8 ms). */
export async function inputs(page, act) {
  await page.evaluate(() => {
    window.inputTimes = [];
    window.inputObserver = new PerformanceObserver((list) => window.inputTimes.push(...list.getEntries().map(({ name, duration }) => ({ name, duration }))));
    window.inputObserver.observe({ type: "event", durationThreshold: 16, buffered: false });
  });
  await act();
  await page.waitForTimeout(300);
  return page.evaluate(() => {
    window.inputObserver.disconnect();
    return window.inputTimes;
  });
}

/** Milliseconds of the main thread's work of each of some seeks, spread over the run that is known. */
export async function seeks(page, places = 12) {
  return page.locator("#moment").evaluate((slider, places) => {
    const times = [];
    for (let place = 0; place < places; place += 1) {
      const began = performance.now();
      // Forth and back, so that none is near the one before.
      slider.value = String(Math.round((Number(slider.max) * ((place * 5) % places)) / places));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      times.push(performance.now() - began);
    }
    return times;
  }, places);
}

export async function speedOf(page, tenths) {
  await page.locator(".transport__speed").selectOption(String(tenths));
}

async function main() {
  const sizes = process.argv.slice(2).filter((word) => /^\d+$/.test(word)).map(Number);
  const option = (name, usual) => process.argv.find((word) => word.startsWith(`--${name}=`))?.split("=")[1] ?? usual;
  const profiled = process.argv.includes("--profile");
  const seconds = Number(option("seconds", "6"));
  const server = await serveDist();
  const browser = await startBrowser();
  for (const pods of sizes.length ? sizes : [1000, 2000]) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: "block" });
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    page.on("pageerror", (error) => console.log("error:", error.message));
    await page.goto(server.url);
    await page.waitForSelector('html[data-app="ready"]', { state: "attached" });
    await apply(page, manifest(pods, option("policy", "Parallel")));
    await speedOf(page, option("speed", "20"));
    if (profiled) {
      const { own, whole } = await profile(page, seconds * 1000);
      console.log(`${pods} pods: own time\n${own.join("\n")}\nwith what they call\n${whole.join("\n")}`);
    } else {
      const rising = await frames(page, seconds * 1000);
      console.log(`${pods} pods come up:`, JSON.stringify(rising), await page.locator(".summary__count").first().textContent(), await page.locator(".transport__clock").textContent());
      const times = await inputs(page, async () => {
        for (let times = 0; times < 6; times += 1) await page.keyboard.press(times % 2 ? "ArrowRight" : "k");
        await page.locator("button.pod, .rail__run button").first().click();
      });
      console.log(`${pods} pods, input to paint:`, JSON.stringify(spread(times.map(({ duration }) => duration))));
    }
    await context.close();
  }
  await browser.close();
  await server.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
