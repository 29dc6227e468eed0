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

/** Loads the program; once is enough. After a failure the next call tries again. */
export default function init() {
  program ??= load().then(
    () => (loaded = true),
    (error) => {
      program = undefined;
      throw error;
    },
  );
  return program.then(() => undefined);
}

/** What the program refuses with is a string: kubectl's or the API server's words. */
function refusing(act) {
  try {
    return act();
  } catch (error) {
    throw typeof error === "string" ? new Error(error) : error;
  }
}

/** A run of a simulated cluster. */
export class Playground {
  #run;
  #listeners = new Set();

  constructor(text) {
    if (!loaded) throw new Error("await init() first");
    this.#run = refusing(() => Run.open(String(text)));
  }

  #change(act) {
    const outcome = refusing(act);
    if (this.#listeners.size > 0) {
      const state = this.state();
      for (const listener of [...this.#listeners]) listener(state);
    }
    return outcome;
  }

  apply(manifest) {
    this.#change(() => this.#run.apply(String(manifest)));
  }

  command(line) {
    this.#change(() => this.#run.command(String(line)));
  }

  step() {
    return this.#change(() => this.#run.step());
  }

  seek(seconds) {
    if (!(seconds >= 0 && seconds <= 604_800)) throw new RangeError("a moment is a number of seconds, at most a week");
    this.#change(() => this.#run.seek(seconds));
  }

  state() {
    return this.#run.state();
  }

  decisions(from = 1) {
    return this.#run.syncs(from);
  }

  scenario() {
    return this.#run.scenario();
  }

  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  free() {
    this.#listeners.clear();
    this.#run.free();
  }
}
