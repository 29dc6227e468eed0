// Splits the built page's program in two: what the first look at the page runs, and the rest, which is fetched when
// somebody begins to use the page (www/rest.js). `./dev build` runs it on dist/:
//
//   node split.mjs <wasm-opt> <wasm-split>             splits; the functions that first-look.txt names stay
//   node split.mjs <wasm-opt> <wasm-split> instrument  writes a program that notes what it runs (tests/e2e/first-look.mjs)
//
// wasm-split, a tool of Binaryen, does the splitting; here only the functions are chosen. A function that the first look
// runs although it is not on the list still works: its call fetches the rest. `./dev first-look` renews the list.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { withShortImports, withShortNames } from "./short-names.mjs";

const LIST = "first-look.txt";
// The program uses nothing newer. Debian's wasm-split, of Binaryen 108, knows all of it.
const FEATURES = ["bulk-memory", "nontrapping-float-to-int", "multivalue", "reference-types", "sign-ext", "mutable-globals"];

const [wasmOpt, wasmSplit, task] = process.argv.slice(2);
const work = "target/dev/split";
mkdirSync(work, { recursive: true });
const run = (tool, ...args) =>
  execFileSync(tool, [...args, ...FEATURES.map((name) => `--enable-${name}`)], { stdio: ["ignore", "inherit", "pipe"] });
const only = (pattern) => {
  const found = readdirSync("dist").filter((name) => pattern.test(name));
  if (found.length !== 1) throw new Error(`one file like ${pattern} is expected in dist/, there are ${found.length}`);
  return found[0];
};
const replaced = (text, from, to) => {
  if (text.split(from).length !== 2) throw new Error(`${from} is expected once`);
  return text.replace(from, () => to);
};

const program = only(/_bg\.wasm$/);
const glue = only(/^setscope-page-.*\.js$/);

/** The functions' names in their order, without what differs from build to build. */
function names() {
  const text = `${work}/page.wat`;
  run(wasmOpt, `dist/${program}`, "-g", "-S", "-o", text);
  const found = readFileSync(text, "utf8").matchAll(/^ \(func \$(?:"((?:[^"\\]|\\.)*)"|([^\s()]+))/gm);
  return Array.from(found, ([, quoted, plain]) => (quoted ?? plain).replace(/\[[0-9a-f]+\]/g, ""));
}

const script = readFileSync(`dist/${glue}`, "utf8");
const all = names();
writeFileSync(`${work}/names.json`, JSON.stringify(all));
// Without names Binaryen calls a function by its number.
const bare = `${work}/bare.wasm`;
run(wasmOpt, `dist/${program}`, "--strip-debug", "--strip-producers", "-o", bare);

if (task === "instrument") {
  run(wasmSplit, "--instrument", bare, "-o", `dist/${program}`, "--profile-export=write_profile");
} else {
  split();
}

function split() {
  const stay = new Set(readFileSync(LIST, "utf8").split("\n"));
  const going = all.flatMap((name, index) => (stay.has(name) ? [] : [index]));
  const kept = all.length - going.length;
  if (kept < stay.size / 2) throw new Error(`${LIST} names ${stay.size} functions, of which only ${kept} are there: ./dev first-look renews it`);
  writeFileSync(`${work}/rest.txt`, going.map((index) => `${index}\n`).join(""));
  const parts = ["first", "rest"].map((name) => `${work}/${name}.wasm`);
  run(wasmSplit, bare, `--split-funcs=@${work}/rest.txt`, "-o1", parts[0], "-o2", parts[1], "--import-namespace=first", "--placeholder-namespace=rest", "--export-prefix=%");
  parts.forEach((part) => run(wasmOpt, part, "-Oz", "--one-caller-inline-max-function-size", "0", "-o", part));

  [program, glue].forEach((file) => rmSync(`dist/${file}`, { force: true }));
  const { module, names } = withShortImports(readFileSync(parts[0]));
  const first = put("setscope-page", "_bg.wasm", module);
  const rest = put("setscope-rest", ".wasm", readFileSync(parts[1]));
  const loader = put("setscope-page", ".js", withShortNames(joined(rest), names).replaceAll(program, first));
  const page = readFileSync("dist/index.html", "utf8");
  writeFileSync("dist/index.html", page.replaceAll(program, first).replaceAll(glue, loader));
  console.log(`The program is split: the first look runs ${kept} of ${all.length} functions, the others are fetched on demand.`);
}

/** The script of wasm-bindgen, to which www/rest.js is added. */
function joined(rest) {
  const imports = "function __wbg_get_imports() {";
  return replaced(script, imports, "function __wbg_get_imports() { return { ...namedImports(), rest: restFunctions }; }\nfunction namedImports() {")
    + replaced(readFileSync("www/rest.js", "utf8"), "setscope-rest.wasm", rest);
}

function put(name, suffix, bytes) {
  const file = `${name}-${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}${suffix}`;
  writeFileSync(`dist/${file}`, bytes);
  return file;
}
