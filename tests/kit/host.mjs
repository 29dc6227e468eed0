// Runs the page's own host.js outside a browser, as far as links need one. Each line of the input is a question as JSON,
// { pack: text } or { open: fragment }; its answer is a line too: { address }, { text }, { problem }, or {} where the page
// takes the fragment for no link.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { runInThisContext } from "node:vm";

const listeners = {};
globalThis.location = { hash: "", search: "", origin: "https://setscope.example.org", pathname: "/playground/" };
globalThis.history = { state: null };
globalThis.addEventListener = (kind, listener) => (listeners[kind] = listener);
globalThis.document = Object.assign(new EventTarget(), {
  documentElement: { lang: "en", dataset: {} },
  getElementById: () => null,
  title: "",
});

const file = new URL("../../www/host.js", import.meta.url);
runInThisContext(readFileSync(file, "utf8"), { filename: file.pathname });
await setscopeHost.ready;

let answer = {};
document.addEventListener("setscope:open", ({ detail }) => (answer = { text: detail }));
// An answer begins with the number of its request.
document.addEventListener("setscope:link", ({ detail }) => (answer = { address: detail.replace(/^1 /, "") }));
document.addEventListener("setscope:problem", ({ detail }) => (answer = { problem: detail }));

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  answer = {};
  if ("pack" in question) {
    await setscopeHost.ask("shareLink", question.pack, "1");
  } else {
    location.hash = `#${question.open}`;
    await listeners.hashchange();
  }
  console.log(JSON.stringify(answer));
}
