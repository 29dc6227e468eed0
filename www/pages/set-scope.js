// <set-scope scenario="stuck-rollback" at="90s" show="rail,stands" theme="dark" lang="en" title="…">what stands there before</set-scope>
//
// The live figure comes by the button, the attribute `open` or load().
const PASSED = ["scenario", "lesson", "at", "show", "controls", "theme", "lang"];
const WORDS = { en: ["Open the figure", "A simulated cluster"], zh: ["打开图示", "模拟的集群"] };

class SetScope extends HTMLElement {
  static observedAttributes = ["open"];
  #frame;
  #button;
  #follow = ({ data, source }) => {
    const isIts = this.#frame && source === this.#frame.contentWindow && data?.type === "setscope:height";
    if (isIts && data.height > 0) this.#frame.height = Math.min(Math.ceil(data.height), 4000);
  };

  connectedCallback() {
    addEventListener("message", this.#follow);
    if (this.#frame || this.#button) return;
    if (this.open) return void this.load();
    this.#button = Object.assign(document.createElement("button"), {
      type: "button",
      textContent: this.#words()[0],
      onclick: () => this.load().focus(),
    });
    this.append(this.#button);
  }

  disconnectedCallback() {
    removeEventListener("message", this.#follow);
  }

  attributeChangedCallback() {
    if (this.#button && this.open) this.load();
  }

  // Frameworks set the property of an attribute's name.
  get open() {
    return this.hasAttribute("open");
  }
  set open(is) {
    this.toggleAttribute("open", !!is);
  }

  #words() {
    const lang = this.lang || this.closest("[lang]")?.lang || "";
    return WORDS[lang.startsWith("zh") ? "zh" : "en"];
  }

  /** The address of the live figure. */
  get address() {
    const src = this.getAttribute("src");
    const address = new URL(src ?? ".", src ? document.baseURI : import.meta.url);
    const passed = address.searchParams;
    passed.set("embed", "");
    for (const name of PASSED) {
      const value = this.getAttribute(name);
      if (value) passed.set(name, name === "show" ? value.trim().split(/[\s,]+/).join() : value);
    }
    return address;
  }

  /** Shows the live figure, and gives its frame. */
  load() {
    if (this.#frame) return this.#frame;
    this.#frame = Object.assign(document.createElement("iframe"), {
      title: this.title || `SetScope: ${this.getAttribute("scenario") ?? this.getAttribute("lesson") ?? this.#words()[1]}`,
      width: "100%",
      height: this.getAttribute("height") ?? 260,
      style: "border: 0",
      allow: "clipboard-write",
      src: this.address,
    });
    this.replaceChildren(this.#frame);
    return this.#frame;
  }
}

if (!customElements.get("set-scope")) customElements.define("set-scope", SetScope);
