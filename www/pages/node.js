// The simulator in Node.js, which has no address to fetch the program from. setscope.d.ts has the types.
import { readFile } from "node:fs/promises";
import load, { Playground } from "./setscope.js";

export { Playground };

/** Loads the program; once is enough. */
export default async function init() {
  await load(await readFile(new URL("./setscope-page_bg.wasm", import.meta.url)));
}
