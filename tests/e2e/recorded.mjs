// Texts of real clusters, for tests that open one.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** What a person would paste at a recorded moment of a real cluster, seconds since the start of its run. */
export function recorded(name, at) {
  const file = new URL(`../prediction/dumps/${name}.jsonl.gz`, import.meta.url);
  const records = gunzipSync(readFileSync(file)).toString().trim().split("\n").map((line) => JSON.parse(line));
  const of = (which) => records.find((one) => one.record === "dump" && one.at === at && one.which === which).text;
  return `${of("objects")}---\n${of("nodes")}`;
}
