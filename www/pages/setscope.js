// SetScope's simulator for JavaScript, without its page. setscope.d.ts has the types.
//
//   import init, { Playground } from "./setscope.js";
//   await init();
//   const run = new Playground(manifest);        // or a scenario that starts with `setscope: 1`
//   run.subscribe((state) => console.log(state.explanation.headline));
//   run.seek(30);
//   run.command("kubectl set image sts/web app=app:2");
//   while (run.step());
//

import load, { Playground as Run } from "./setscope-page.js";

let program;
let loaded = false;

/** Loads the program, or takes its bytes; once is enough. After a failure the next call tries again. */
export default function init(bytes) {
  program ??= load(bytes && { module_or_path: bytes }).then(
    () => (loaded = true),
    (error) => {
      program = undefined;
      throw error;
    },
  );
  return program.then(() => undefined);
}

/** Why nothing can be asked any more; empty as long as it can. */
let stopped = "";

/**
 * What the program refuses with is a string: kubectl's or the API server's words. Anything else is the program itself, which
 * panicked or got no memory: nothing in it can be relied on from then on.
 */
function ask(act) {
  if (stopped) throw new Error(stopped);
  try {
    return act();
  } catch (error) {
    if (typeof error === "string") throw new Error(error);
    stopped = `SetScope's program has stopped (${error?.message ?? error}): load this page again`;
    throw new Error(stopped, { cause: error });
  }
}

/** A run of a simulated cluster. */
export class Playground {
  #run;
  #listeners = new Set();

  constructor(text) {
    if (!loaded) throw new Error("await init() first");
    this.#run = ask(() => Run.open(String(text)));
  }

  #ask(act) {
    if (!this.#run) throw new Error("this run was freed: make another one");
    return ask(() => act(this.#run));
  }

  #change(act) {
    const outcome = this.#ask(act);
    if (this.#listeners.size > 0) {
      const state = this.state();
      for (const listener of [...this.#listeners]) {
        // What was done is done, and the others hear of it too.
        try {
          listener(state);
        } catch (error) {
          (globalThis.reportError ?? console.error)(error);
        }
      }
    }
    return outcome;
  }

  apply(manifest) {
    this.#change((run) => run.apply(String(manifest)));
  }

  command(line) {
    this.#change((run) => run.command(String(line)));
  }

  rehearse(lines) {
    return this.#ask((run) => run.rehearse(String(lines)));
  }

  step() {
    return this.#change((run) => run.step());
  }

  seek(seconds) {
    if (typeof seconds !== "number" || !(seconds >= 0 && seconds <= 604_800)) {
      throw new RangeError("a moment is a number of seconds, at most a week");
    }
    this.#change((run) => run.seek(seconds));
  }

  state() {
    return this.#ask((run) => run.state());
  }

  decisions(from = 1) {
    return this.#ask((run) => run.syncs(from));
  }

  scenario() {
    return this.#ask((run) => run.scenario());
  }

  subscribe(listener) {
    if (typeof listener !== "function") throw new TypeError("subscribe takes a function");
    this.#ask(() => this.#listeners.add(listener));
    return () => this.#listeners.delete(listener);
  }

  free() {
    this.#listeners.clear();
    const run = this.#run;
    this.#run = undefined;
    if (run && !stopped) ask(() => run.free());
  }
}
