// <set-scope scenario="stuck-rollback" at="90s" show="rail,stands" theme="dark" lang="en" title="…">what stands there before</set-scope>
//
// Shows what is in it, such as the figure that `setscope figure -o html` prints, until somebody asks for the live one: nothing but
// this file is loaded before. embed.html says what the attributes take; `open` asks for it at once, and so does open().
const PAGE = new URL("./", import.meta.url);
const PASSED = ["scenario", "lesson", "show", "controls", "theme", "lang"];
const UNITS = { h: 3600, m: 60, s: 1, ms: 0.001 };
const WORDS = { en: ["Open the figure", "A simulated cluster"], zh: ["打开图示", "模拟的集群"] };

/** "90s", "1m30s" or "90": seconds. */
const seconds = (text) =>
  Number(text) || [...text.matchAll(/([\d.]+)(ms|h|m|s)/g)].reduce((sum, [, number, unit]) => sum + number * UNITS[unit], 0);

class SetScope extends HTMLElement {
  #frame;
  #button;

  connectedCallback() {
    if (this.#frame || this.#button) return;
    if (this.hasAttribute("open")) return void this.open();
    this.#button = document.createElement("button");
    this.#button.type = "button";
    this.#button.textContent = this.#words()[0];
    this.#button.addEventListener("click", () => this.open().focus());
    this.append(this.#button);
  }

  #words() {
    const lang = this.getAttribute("lang") ?? this.closest("[lang]")?.lang ?? "";
    return lang.startsWith("zh") ? WORDS.zh : WORDS.en;
  }

  /** The address of the live figure. */
  get address() {
    const address = new URL(this.getAttribute("src") ?? PAGE, document.baseURI);
    address.searchParams.set("embed", "");
    for (const name of PASSED) {
      const value = this.getAttribute(name);
      if (value) address.searchParams.set(name, name === "show" ? value.trim().split(/[\s,]+/).join() : value);
    }
    if (this.hasAttribute("at")) address.searchParams.set("at", seconds(this.getAttribute("at")));
    return address;
  }

  /** Shows the live figure in the place of what stands here, and gives its frame. */
  open() {
    if (this.#frame) return this.#frame;
    const frame = document.createElement("iframe");
    const address = this.address;
    frame.title = this.title || `SetScope: ${this.getAttribute("scenario") ?? this.getAttribute("lesson") ?? this.#words()[1]}`;
    frame.width = "100%";
    frame.height = this.getAttribute("height") ?? 560;
    frame.style.border = "0";
    frame.allow = "clipboard-write";
    frame.src = address;
    addEventListener("message", ({ data, source, origin }) => {
      const isIts = source === frame.contentWindow && origin === address.origin;
      if (isIts && data?.type === "setscope:height" && data.height > 0) frame.height = Math.min(Math.ceil(data.height), 4000);
    });
    this.#frame = frame;
    this.replaceChildren(frame);
    return frame;
  }
}

if (!customElements.get("set-scope")) customElements.define("set-scope", SetScope);
