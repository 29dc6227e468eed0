// Splits the built page's program in two: what the first look at the page needs, and the rest, which is fetched when
// somebody begins to use the page (www/rest.js). `./dev build` runs it on dist/: node split.mjs <wasm-opt> <wasm-split>.
//
// wasm-split (Binaryen) does the splitting; this file only says which functions go: those whose names speak of the
// modules below, and those that nothing else calls.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";

const REST = [
  "setscope::session::(kubectl|complete|lanes|workloads)\\b",
  "setscope::session::scenario::read",
  "setscope::view::(answer|board|board_groups|board_ranks|clones|minis|workloads|workload_revisions|workload_syncs|export|flow|json|print|revisions|status)\\b",
  "setscope::app::(cards|controls::workload|dialogs|sharing|keys_dialog)\\b",
  "setscope::app::inspector::(chart|revisions|status|terminal)\\b",
  "setscope::js\\b",
];

// The program uses nothing newer. wasm-split of Binaryen 108, which is Debian's, knows all of it.
const FEATURES = ["bulk-memory", "nontrapping-float-to-int", "multivalue", "reference-types", "sign-ext", "mutable-globals"].map((name) => `--enable-${name}`);

const [wasmOpt, wasmSplit] = process.argv.slice(2);
const work = "target/dev/split";
mkdirSync(work, { recursive: true });
const only = (pattern) => {
  const found = readdirSync("dist").filter((name) => pattern.test(name));
  if (found.length !== 1) throw new Error(`one file like ${pattern} is expected in dist/, there are ${found.length}`);
  return `dist/${found[0]}`;
};
const run = (tool, ...args) => execFileSync(tool, [...args, ...FEATURES], { stdio: ["ignore", "inherit", "pipe"] });
const replaced = (text, from, to) => {
  if (text.split(from).length !== 2) throw new Error(`${from} is expected once`);
  return text.replace(from, () => to);
};

const program = only(/_bg\.wasm$/);
const glue = only(/^setscope-page-.*\.js$/);

/** Every function of the module in its order: its name, whom it calls, and whether it is called by other means. */
function functionsOf(text) {
  const name = /\$("(?:[^"\\]|\\.)*"|[^\s()]+)/.source;
  const all = (part, before) => [...part.matchAll(new RegExp(before + name, "g"))].map((found) => found[1]);
  const functions = [];
  const reached = new Set();
  const exported = new Set();
  for (const part of text.split(/\n (?=\()/)) {
    if (part.startsWith("(func ")) {
      functions.push({ name: all(part, "^\\(func ")[0], calls: new Set(all(part, "\\((?:return_)?call ")) });
      all(part, "\\(ref\\.func ").forEach((one) => reached.add(one));
    } else if (part.startsWith("(elem")) {
      all(part, "").forEach((one) => reached.add(one));
    } else if (part.startsWith("(export ")) {
      all(part, "\\(func ").forEach((one) => exported.add(one));
    }
  }
  return functions.map((one) => ({ ...one, reached: reached.has(one.name), exported: exported.has(one.name) }));
}

/** The numbers of those that go: named by REST, then again and again those that only such call. */
function chosen(functions) {
  const rest = new RegExp(REST.join("|"));
  const callers = new Map(functions.map((one) => [one.name, []]));
  functions.forEach((one, index) => one.calls.forEach((callee) => callers.get(callee)?.push(index)));
  const going = new Set(functions.flatMap((one, index) => (rest.test(one.name.replace(/\[[0-9a-f]{16}\]/g, "")) && !one.exported ? [index] : [])));
  if (going.size === 0) throw new Error("no function has a name that split.mjs looks for: was the program built with its names?");
  for (let before = -1; before !== going.size; ) {
    before = going.size;
    functions.forEach((one, index) => {
      const by = callers.get(one.name);
      if (!one.reached && !one.exported && by.length > 0 && by.every((caller) => going.has(caller))) going.add(index);
    });
  }
  return [...going].sort((left, right) => left - right);
}

const text = `${work}/page.wat`;
run(wasmOpt, program, "-g", "-S", "-o", text);
const functions = functionsOf(readFileSync(text, "utf8"));
const going = chosen(functions);

// Without names Binaryen calls a function by its number.
const [bare, list, first, rest] = ["bare.wasm", "rest.txt", "first.wasm", "rest.wasm"].map((name) => `${work}/${name}`);
run(wasmOpt, program, "--strip-debug", "--strip-producers", "-o", bare);
writeFileSync(list, going.map((index) => `${index}\n`).join(""));
run(wasmSplit, bare, `--split-funcs=@${list}`, "-o1", first, "-o2", rest, "--import-namespace=first", "--placeholder-namespace=rest", "--export-prefix=%");

const hashed = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
const put = (name, suffix, bytes) => {
  const file = `${name}-${hashed(bytes)}${suffix}`;
  writeFileSync(`dist/${file}`, bytes);
  return file;
};
rmSync(program);
const firstFile = put("setscope-page", "_bg.wasm", readFileSync(first));
const restFile = put("setscope-rest", ".wasm", readFileSync(rest));

let script = readFileSync(glue, "utf8");
script = replaced(script, "function __wbg_get_imports() {", "function __wbg_get_imports() { return { ...theirImports(), rest: restFunctions }; }\nfunction theirImports() {");
script = script.replaceAll(program.slice("dist/".length), firstFile);
script += replaced(readFileSync("www/rest.js", "utf8"), "setscope-rest.wasm", restFile);
rmSync(glue);
const glueFile = put("setscope-page", ".js", script);

let page = readFileSync("dist/index.html", "utf8");
page = page.replaceAll(program.slice("dist/".length), firstFile).replaceAll(glue.slice("dist/".length), glueFile);
writeFileSync("dist/index.html", page);
console.log(`The program is split: ${going.length} of ${functions.length} functions are fetched on demand.`);
