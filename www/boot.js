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

// The size of the file as it is once unpacked: `./dev build` writes it beside the name. Without it the header tells,
// unless the host compresses, in which case the bar only shows that something is under way.
function sizeOf(meta, response) {
  const written = Number(meta.dataset.bytes);
  if (written > 0) return written;
  return response.headers.get("content-encoding") ? 0 : Number(response.headers.get("content-length"));
}

// Counts the bytes of a copy: the response itself goes to the compiler untouched, which may then start before the last
// byte is here and keep what it compiled for the next visit.
async function follow(copy, total) {
  if (!copy.body || !(total > 0)) return;
  const reader = copy.body.getReader();
  let seen = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    seen += part.value.byteLength;
    show(Math.min(100, Math.round((100 * seen) / total)));
  }
}

// The rest of the program (rest.js) and its styles are fetched as soon as somebody touches the page, or at once where more
// than the usual first look is asked for: by the address, or by a run that was saved. A page in one piece has no rest.
async function prepareRest(module) {
  // Where it fails, the call that needs it tries once more, and says so.
  const fetchRest = () => Promise.all([module.fetchRest?.().catch(() => {}), laterStyles()]);
  if (location.hash || location.search || hasSavedRun() || root.lang !== "en") {
    await fetchRest();
    return;
  }
  // Kept on this device (offline.js) it is here at once, and a call that waits for it would not find it there.
  if (navigator.serviceWorker?.controller) fetchRest();
  for (const act of ["pointermove", "pointerdown", "keydown", "focusin"]) addEventListener(act, fetchRest, { once: true, passive: true });
}

let styles;
function laterStyles() {
  const address = document.querySelector('meta[name="later-styles"]')?.content;
  styles ??= address && new Promise((done) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address, onload: done, onerror: done });
    document.head.append(link);
  });
  return styles;
}

function hasSavedRun() {
  try {
    return localStorage.getItem("setscope.run.1") !== null;
  } catch {
    return false;
  }
}

async function start() {
  if (typeof WebAssembly !== "object") {
    fail("This browser has no WebAssembly, or it is switched off, so the simulator cannot run here. Any current Firefox, Chrome, Edge or Safari has it; some strict security modes switch it off.");
    return;
  }
  root.dataset.app = "loading";
  byId("boot-progress").hidden = false;
  const meta = (name) => document.querySelector(`meta[name="${name}"]`);
  const address = (name) => new URL(meta(name).content, document.baseURI).href;
  let loaded;
  try {
    loaded = await Promise.all([
      import(address("app-module")),
      fetch(address("app-wasm"), { credentials: "same-origin" }).then((response) => {
        if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
        // A transfer that breaks off is reported by the compiler, which reads the same bytes.
        follow(response.clone(), sizeOf(meta("app-wasm"), response)).catch(() => {});
        return response;
      }),
    ]);
  } catch (error) {
    fail("A part of SetScope could not be loaded. Check the connection, then reload the page.", error);
    return;
  }
  try {
    const [module, response] = loaded;
    await prepareRest(module);
    // What the address names is known before anything is drawn (host.js).
    await globalThis.setscopeHost?.ready;
    await module.default({ module_or_path: response });
    root.dataset.app = "ready";
    keepForLater();
  } catch (error) {
    fail("SetScope could not start in this browser. A current version of Firefox, Chrome, Edge or Safari should run it; if yours is current, this is a mistake of ours.", error);
  }
}

// Keeps the page on this device (offline.js), once it is drawn; not from within other people's pages.
function keepForLater() {
  if (window.top !== window || !document.querySelector('meta[name="offline"]')) return;
  // The page's policy takes the address of a script from nobody but a named policy, which here knows only this one.
  const policy = globalThis.trustedTypes?.createPolicy("offline", { createScriptURL: () => "./offline.js" });
  navigator.serviceWorker?.register(policy?.createScriptURL("") ?? "./offline.js").catch(() => {
    // Switched off here, or no secure address: the page works as it is, with a connection.
  });
}

// A program that trapped does nothing any more; without a word the page would only seem to hang. The same holds where
// the rest of it was needed and could not be fetched.
function stopped(error) {
  const isAway = error?.name === "RestMissing";
  if (!(isAway || error instanceof WebAssembly.RuntimeError) || byId("stopped")) return;
  const note = document.createElement("p");
  note.id = "stopped";
  note.className = "stopped";
  note.setAttribute("role", "alert");
  note.textContent = say(
    isAway
      ? "A part of SetScope could not be loaded. Check the connection, then reload the page."
      : "SetScope has stopped: this is a mistake of ours. Reload the page to go on.",
  );
  document.body.append(note);
}
addEventListener("error", (event) => stopped(event.error));
addEventListener("unhandledrejection", (event) => stopped(event.reason));

start();
