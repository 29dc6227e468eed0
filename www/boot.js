// Loads the program, shows how far it is, and says plainly why it cannot run where it cannot.
// <html data-app> tells the state to styles and tests: loading, then ready or failed.

const root = document.documentElement;
const byId = (id) => document.getElementById(id);
const say = (text) => globalThis.setscopeHost?.say(text) ?? text;

function fail(sentence, error) {
  root.dataset.app = "failed";
  const message = byId("boot-message");
  if (message) {
    byId("boot-progress").hidden = true;
    message.textContent = say(sentence);
    message.hidden = false;
  }
  if (error) console.error(error);
}

function show(percent) {
  const bar = byId("boot-bar");
  if (!bar) return;
  bar.value = percent;
  byId("boot-label").textContent = `${say("Loading the simulator")}: ${percent} %`;
}

// Bytes of the program once unpacked, or 0 where a host that compresses does not tell: then the bar only shows that
// something is under way.
function sizeOf(response) {
  return response.headers.get("content-encoding") ? 0 : Number(response.headers.get("content-length"));
}

// Counts the bytes of a copy: the response itself goes to the compiler untouched, which may then start before the last
// byte is here and keep what it compiled for the next visit. Whether all came: the compiler calls what broke off a wrong program.
async function follow(copy, total) {
  const reader = copy.body.getReader();
  let seen = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    seen += part.value.byteLength;
    if (total > 0) show(Math.min(100, Math.round((100 * seen) / total)));
  }
  return !(seen < total);
}

// Asks for the style sheets that index.html keeps back from the first picture, and applies them once all are here.
async function applyStyles() {
  const sheets = [...byId("styles").content.children];
  const here = sheets.map((link) => new Promise((done) => (link.onload = link.onerror = done)));
  document.head.append(...sheets);
  await Promise.all(here);
  for (const link of sheets) link.media = "all";
}

const LOST = "A part of SetScope could not be loaded. Check the connection, then reload the page.";

async function start() {
  if (typeof WebAssembly !== "object") {
    fail("This browser has no WebAssembly, or it is switched off, so the simulator cannot run here. Any current Firefox, Chrome, Edge or Safari has it; some strict security modes switch it off.");
    return;
  }
  root.dataset.app = "loading";
  byId("boot-progress").hidden = false;
  const stylesApplied = applyStyles();
  let loaded, arrives;
  try {
    loaded = await Promise.all([
      import("./setscope-page.js"),
      fetch("./setscope-page_bg.wasm", { credentials: "same-origin" }).then((response) => {
        if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
        arrives = follow(response.clone(), sizeOf(response)).catch(() => false);
        return response;
      }),
    ]);
  } catch (error) {
    fail(LOST, error);
    return;
  }
  try {
    const [module, response] = loaded;
    // What the address names is known before anything is drawn (host.js).
    await Promise.all([globalThis.setscopeHost?.ready, stylesApplied]);
    await module.default({ module_or_path: response });
    root.dataset.app = "ready";
    keepForLater();
  } catch (error) {
    if (!(await arrives)) return fail(LOST, error);
    fail("SetScope could not start in this browser. A current version of Firefox, Chrome, Edge or Safari should run it; if yours is current, this is a bug in SetScope.", error);
  }
}

// Keeps the page on this device (offline.js), once it is drawn; not from within other people's pages.
async function keepForLater() {
  if (window.top !== window || !navigator.serviceWorker) return;
  // Whether the worker was there to see what the page asked for.
  const isFirst = !navigator.serviceWorker.controller;
  // The page's policy takes the address of a script from nobody but a named policy, which here knows only this one.
  const policy = globalThis.trustedTypes?.createPolicy("offline", { createScriptURL: () => "./offline.js" });
  try {
    await navigator.serviceWorker.register(policy?.createScriptURL("") ?? "./offline.js");
    const { active } = await navigator.serviceWorker.ready;
    const asked = [location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)];
    active.postMessage({ addresses: [...new Set(asked.map((address) => address.replace(/[?#].*/, "")))], isFirst });
  } catch {
    // Switched off here, or no secure address: the page works as it is, with a connection.
  }
}

// A program that has stopped does nothing any more; without a word the page would only seem to hang. `what` says why, where
// the program could say it (src/app/panic.rs), which then gives the link the run as it was right before.
function stopped(what) {
  if (byId("stopped")) return;
  const element = (tag, fields, ...content) => {
    const made = Object.assign(document.createElement(tag), fields);
    made.append(...content);
    return made;
  };
  const note = element("div", { id: "stopped", className: "stopped", role: "alert" },
    element("p", {}, say("SetScope has stopped: this is a bug in SetScope. Reload the page to go on.")),
    element("pre", { tabIndex: 0 }, what),
    element("a", { id: "stopped-link", href: location.href, target: "_blank" }, say("The run as it was right before")),
  );
  document.body.append(note);
  console.error(what);
}
const trapped = (error) => error instanceof WebAssembly.RuntimeError && stopped(String(error));
document.addEventListener("setscope:panic", ({ detail }) => stopped(detail));
addEventListener("error", (event) => trapped(event.error));
addEventListener("unhandledrejection", (event) => trapped(event.reason));

start();
