// What the program asks of the browser: links, the clipboard, files, scenarios fetched on demand. src/app/host.rs calls
// setscopeHost.ask; what there is to say goes back as an event of the document.
//
// A link is the page's address and `#<version>.<body>`. Version 1: the scenario as YAML (with the moment it opens at),
// compressed as a raw deflate stream, in base64 of the kind that addresses can hold.

const VERSION = "1";
/** Bytes of a scenario, however it comes; a link may not unfold to more. */
const LIMIT = 256 * 1024;
const root = document.documentElement;
const asked = new URLSearchParams(location.search);

/** A problem by the name that `outside_problem` in src/page/sharing.rs knows; the program has the text. */
class Problem extends Error {}
const damaged = () => new Problem("damaged");
const tooLarge = () => new Problem("too-large");

const tell = (kind, detail) => document.dispatchEvent(new CustomEvent(`setscope:${kind}`, { detail }));

async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `${VERSION}.${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

async function unpack(fragment) {
  const [version, body] = fragment.split(".");
  if (version !== VERSION) throw new Problem(`version ${version} ${VERSION}`);
  if (fragment.length > LIMIT) throw tooLarge();
  try {
    const letters = atob(body.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return await textOf(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
  } catch (error) {
    throw error instanceof Problem ? error : damaged();
  }
}

/** Bytes of what kubectl prints of a cluster. */
const CLUSTER_LIMIT = 20 * 1024 * 1024;

/** Windows PowerShell writes UTF-16 with a byte order mark. */
const encodingOf = ([first, second]) =>
  first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";

/** Reads no further than the limit. */
async function textOf(stream, limit = LIMIT) {
  const reader = stream.getReader();
  let decoder;
  let text = "";
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    decoder ??= new TextDecoder(encodingOf(part.value), { fatal: true });
    size += part.value.byteLength;
    if (size > limit) {
      reader.cancel().catch(() => {});
      throw tooLarge();
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + (decoder?.decode() ?? "");
}

/** The text of a file; undefined if it holds none. */
async function readableTextOf(file) {
  try {
    const text = await textOf(file.stream(), CLUSTER_LIMIT);
    return text.includes("\0") ? undefined : text;
  } catch (error) {
    if (error instanceof Problem) throw error;
  }
}

async function fetched(file) {
  const response = await fetch(new URL(file, document.baseURI));
  if (!response.ok) throw new Problem(`${response.status === 404 ? "not-there" : "not-loaded"} ${file}`);
  return response.text();
}

const linkOf = () => (/^\w+\./.test(location.hash.slice(1)) ? location.hash.slice(1) : "");

/** The name of the scenario that the address names by its file, if it holds no link. */
function nameOf() {
  const name = new URLSearchParams(location.search).get("scenario") ?? "";
  return !linkOf() && /^[\w-]+$/.test(name) ? name : "";
}

/** The page's address with a scenario of this name, or with none. */
function addressOf(name) {
  const fields = new URLSearchParams(location.search);
  for (const field of ["scenario", "lesson", "at"]) fields.delete(field);
  if (name) fields.set("scenario", name);
  const text = fields.toString().replace(/=(?=&|$)/g, "");
  return location.pathname + (text && `?${text}`);
}

/** The scenario that the address names: by a link, as ?lesson=<name>, or as ?scenario=<name>&at=<moment>. */
async function addressed() {
  let text = "";
  if (linkOf()) text = await unpack(linkOf());
  else if (/^[\w-]+$/.test(asked.get("lesson") ?? "")) return fetched(`lessons/${asked.get("lesson")}.yaml`);
  else if (nameOf()) text = await fetched(`scenarios/${nameOf()}.yaml`);
  const { at } = root.dataset;
  return at ? text.replace(/^opensAfter: .*\n/m, "").replace(/^open: .*$/m, `open: ${at}`) : text;
}

// The dictionary of the page's language: lines of `English => translation`. English needs none.
let words = "";
const { title } = document;

async function learn() {
  words = root.lang === "en" ? "" : await fetched("lang/zh.txt");
  document.title = say(title);
}

/** A text that does not pass through the program, in the page's language. */
function say(text) {
  const key = `\n${text} => `;
  const at = words.indexOf(key);
  return at < 0 ? text : words.slice(at + key.length).split("\n", 1)[0];
}

async function speak(name) {
  try {
    localStorage.setItem("setscope.language", name);
  } catch {
    // It still holds for this visit.
  }
  const before = root.lang;
  root.lang = name === "zh" ? "zh-CN" : "en";
  try {
    await learn();
  } catch (error) {
    root.lang = before;
    throw error;
  }
  tell("words");
}

async function copy(id) {
  const field = document.getElementById(id);
  const said = document.getElementById("share-said");
  try {
    await navigator.clipboard.writeText(field.value);
    said.textContent = say("Copied.");
  } catch {
    // Not allowed here, as in some figures: the person can still do it.
    field.focus();
    field.select();
    said.textContent = say("The link is selected; copy it with Ctrl or ⌘ and C.");
  }
}

/** Copies a text; where that is not allowed, selects the code beside the button for the person to copy. */
async function copyText(text, button, tell) {
  try {
    await navigator.clipboard.writeText(text);
    tell("copied");
  } catch {
    const around = button.parentElement;
    const code = around.querySelector("code") ?? around.parentElement.querySelector("code");
    if (code) getSelection().selectAllChildren(code);
    tell(code ? "selected" : "refused");
  }
}

/** A link to this text. */
const linkTo = async (text) => new URL(`#${await pack(text)}`, location.origin + location.pathname).href;

/** Makes a link to this text for the anchor of this id. */
async function link(text, id) {
  if (id === "open-here" && !("embed" in root.dataset)) return;
  const address = await linkTo(text);
  document.getElementById(id).href = address;
}

/** Answers a request with its number, by which the program drops what it no longer waits for. */
async function answer(request, file) {
  try {
    tell("fetched", `${request} ${await fetched(file)}`);
  } catch (error) {
    tell("not-fetched", `${request} ${problem(error)}`);
  }
}

function download(blob, name) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
}

const save = (text, name) => download(new Blob([text], { type: name.endsWith(".svg") ? "image/svg+xml" : "text/plain" }), name);

/** Pixels of a PNG for each of the picture's: it stays sharp on fine screens and on paper. */
const PNG_SCALE = 2;

/** Saves a picture, given as SVG, as a PNG. */
async function png(svg, name) {
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.naturalWidth * PNG_SCALE;
  canvas.height = picture.naturalHeight * PNG_SCALE;
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  download(await new Promise((done) => canvas.toBlob(done, "image/png")), name);
}

/** Prints once the report's pictures are there. */
async function print() {
  await Promise.allSettled([...document.querySelectorAll(".printed img")].map((picture) => picture.decode()));
  globalThis.print();
}

addEventListener("beforeprint", () => tell("print", "begins"));
addEventListener("afterprint", () => tell("print", "ended"));

// Whether the newest entry of the history is a comparison of the run below it, which Back leads to; and whether the page knows of
// the next step back already.
let isBeside = history.state?.beside === true;
let isKnown = false;

// The address names the comparison that is open. Browsers refuse many changes in a short time.
let named;
const address = (text) => {
  if ("embed" in root.dataset) return;
  clearTimeout(named);
  named = setTimeout(async () => history.replaceState(history.state, "", `${addressOf("")}#${await pack(text)}`), 300);
};

// How often a comparison was entered or left: it may be left before its address is there.
let turns = 0;

async function enter(text) {
  if ("embed" in root.dataset) return;
  clearTimeout(named);
  const own = (turns += 1);
  const packed = await pack(text);
  if (own !== turns) return;
  history.pushState({ beside: true }, "", `${addressOf("")}#${packed}`);
  isBeside = true;
}

function leave() {
  clearTimeout(named);
  turns += 1;
  if (!isBeside) return history.replaceState(null, "", addressOf(""));
  [isBeside, isKnown] = [false, true];
  history.back();
}

const openFile = async (kind, file, limit) => tell(kind, await textOf(file.stream(), limit));

/** Opens the file that was chosen in the field of this id; the same one can be chosen again. */
const reading = (kind, limit) => async (_, id) => {
  const field = document.getElementById(id);
  const [file] = field.files;
  field.value = "";
  if (file) await openFile(kind, file, limit);
};

const acts = {
  address,
  copy: (_, id) => copy(id),
  enter,
  fetch: (request, file) => answer(request, `scenarios/${file}`),
  leave,
  // The browser's Back leads to what was shown before; a figure leaves the history to the page around it.
  name: (name) => {
    clearTimeout(named);
    if (!("embed" in root.dataset) && nameOf() !== name) history.pushState(null, "", addressOf(name));
  },
  lesson: (request, name) => answer(request, `lessons/${name}.yaml`),
  lessons: async () => tell("lessons", await fetched("lessons/index.json")),
  link,
  nameLesson: (_, name) => {
    if ("embed" in root.dataset) return;
    const there = new URL(location.href);
    there.hash = "";
    const before = there.searchParams.get("lesson") ?? "";
    ["lesson", "scenario", "at"].forEach((key) => there.searchParams.delete(key));
    if (name) there.searchParams.set("lesson", name);
    // The browser's Back leaves a lesson, and leads from one to the one before.
    const isEntered = name && name !== before;
    history[isEntered ? "pushState" : "replaceState"](null, "", there.pathname + there.search);
  },
  png,
  print,
  panicked: (_, message) => tell("panic", message),
  list: async () => tell("list", await fetched("scenarios/index.json")),
  truth: async () => tell("truth", await fetched("truth.json")),
  read: reading("open", LIMIT),
  readCluster: reading("cluster", CLUSTER_LIMIT),
  readFile: reading("file", CLUSTER_LIMIT),
  save,
  shareLink: async (text, request) => tell("link", `${request} ${await linkTo(text)}`),
  speak,
};

/** The files that were dropped, those in folders among them. */
async function dropped({ items, files }) {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.every((entry) => entry.isFile)) return [...files];
  const within = async (entry) => {
    if (entry.isFile) return [await new Promise((done, failed) => entry.file(done, failed))];
    const reader = entry.createReader();
    const found = [];
    for (;;) {
      const some = await new Promise((done, failed) => reader.readEntries(done, failed));
      if (some.length === 0) return (await Promise.all(found.map(within))).flat();
      found.push(...some);
    }
  };
  return (await Promise.all(entries.map(within))).flat();
}

// Texts may be dropped or pasted anywhere on the page: a manifest, or what kubectl printed of a cluster. Several files are read
// as one text, as YAML documents follow each other.
if (!("embed" in root.dataset)) {
  const veil = (isShown) => root.toggleAttribute("data-drop", isShown);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    veil(event.dataTransfer?.types.includes("Files") ?? false);
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && veil(false));
  addEventListener("drop", async (event) => {
    veil(false);
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    try {
      const files = await dropped(event.dataTransfer);
      if (files.length === 0) throw new Problem("no-files");
      // A folder may hold pictures too: the texts in it are read, and it is said what was not.
      const read = await Promise.all(files.map(async (file) => ({ file, text: await readableTextOf(file) })));
      const texts = read.filter(({ text }) => text !== undefined).map(({ text }) => text);
      if (texts.length === 0) throw new Problem("no-text");
      tell("file", texts.join("\n---\n"));
      const others = read.filter(({ text }) => text === undefined).map(({ file }) => file.name);
      if (others.length > 0) tell("left-out", others.join(", "));
    } catch (error) {
      tell("problem", problem(error));
    }
  });
  addEventListener("paste", (event) => {
    if (event.defaultPrevented || event.target.closest?.("input, textarea")) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.trim()) tell("file", text);
  });
}

const problem = (error) => (error instanceof Problem ? error.message : "refused");

async function ask(act, text, name) {
  try {
    await acts[act](text, name);
  } catch (error) {
    tell("problem", problem(error));
  }
}

// The program starts once this is known, so that what is drawn first is what the address names.
let first = "";
const opening = addressed().then((text) => (first = text), (error) => (first = `!${problem(error)}`));
// Without its dictionary the page speaks English.
const learning = learn().catch(() => (root.lang = "en"));
const ready = Promise.all([opening, learning]);
globalThis.setscopeHost = { ask, copyText, opened: () => first, named: () => nameOf() !== "", ready, say, words: () => words };

// `kubectl setscope --web` serves the page beside what kubectl printed; it is opened once the program listens.
if (asked.has("cluster")) {
  const open = async () => {
    try {
      const response = await fetch(new URL("cluster.yaml", document.baseURI));
      if (!response.ok) throw new Problem("not-loaded cluster.yaml");
      tell("cluster", await textOf(response.body, CLUSTER_LIMIT));
    } catch (error) {
      tell("problem", problem(error));
    }
  };
  new MutationObserver((_, observer) => {
    if (root.dataset.app !== "ready") return;
    observer.disconnect();
    open();
  }).observe(root, { attributes: true, attributeFilter: ["data-app"] });
}

// The browser's Back and Forward. What a link holds is opened by the listener below, unless it is the run that is there already.
let stays = false;
addEventListener("popstate", () => {
  const wasBeside = isBeside;
  isBeside = history.state?.beside === true;
  stays = isKnown || (wasBeside && !isBeside);
  if (stays) {
    if (!isKnown) tell("closed");
    isKnown = false;
    return;
  }
  if (linkOf()) return;
  const lesson = new URLSearchParams(location.search).get("lesson") ?? "";
  if (/^[\w-]+$/.test(lesson)) tell("lesson", lesson);
  else tell("went", nameOf());
});

addEventListener("hashchange", async () => {
  if (stays) return (stays = false);
  if (!linkOf()) return;
  try {
    tell("open", await unpack(linkOf()));
  } catch (error) {
    tell("problem", problem(error));
  }
});

// A figure tells the page around it how high it is: { type: "setscope:height", height } in CSS pixels.
if ("embed" in root.dataset && parent !== window) {
  const post = () => parent.postMessage({ type: "setscope:height", height: Math.ceil(document.body.getBoundingClientRect().height) }, "*");
  new ResizeObserver(post).observe(document.body);
}
