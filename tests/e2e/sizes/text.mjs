// What of a page's text cannot be read. A width that depends on a font's metrics is found out here under each of the tests' fonts.

/**
 * One line for each fault in sight: text that is cut without dots and a title that says all of it, that leaves its button or
 * the window, and parts of a row that lie over each other. Runs in the page. What scrolls may be longer than its place (the
 * editor's numbers scroll with its text), and what is only read aloud is no text in sight.
 */
export const textFaults = () => {
  const NEAR = 1.5;
  const faults = new Set();
  const named = (element) => `${element.tagName.toLowerCase()}${[...element.classList].map((name) => `.${name}`).join("")}`;
  const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  const isHidden = (overflow) => overflow === "hidden" || overflow === "clip";
  const ancestors = (element) => {
    const all = [];
    for (let one = element; one && one !== document.body; one = one.parentElement) all.push([one, getComputedStyle(one)]);
    return all;
  };
  const isOnlyHeard = (chain) => chain.some(([, style]) => style.clipPath.startsWith("inset(50%") || style.fontSize === "0px");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const own = node.parentElement;
    const words = node.data.trim();
    if (!words || !isSeen(own) || own.closest("svg, option, textarea, noscript, template, .editor__gutter")) continue;
    const chain = ancestors(own);
    if (isOnlyHeard(chain)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    let { left, right, top, bottom } = range.getBoundingClientRect();
    if (right - left < 1) continue;
    const fault = (what, element) => faults.add(`${what}: “${words.slice(0, 50)}” in ${named(own)}${element && element !== own ? ` of ${named(element)}` : ""}`);
    const button = own.closest("button, summary, .tag, .button");
    if (button && !chain.some(([one, style]) => button.contains(one) && isHidden(style.overflowX))) {
      const box = button.getBoundingClientRect();
      if (left < box.left - NEAR || right > box.right + NEAR || top < box.top - NEAR || bottom > box.bottom + NEAR) fault("leaves its button", button);
    }
    // Words without room are left out whole: their place has but its padding.
    const isLeftOut = ([one, style]) => isHidden(style.overflowX) && one.clientWidth > 0 && one.clientWidth <= parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
    if (chain.some(isLeftOut)) continue;
    for (const [one, style] of chain) {
      const box = one.getBoundingClientRect();
      const scrolls = [style.overflowX, style.overflowY].map((overflow) => overflow === "auto" || overflow === "scroll");
      if (isHidden(style.overflowX) && (left < box.left - NEAR || right > box.right + NEAR)) {
        const isSaid = own.closest("[title]") !== null || one.closest("[title]") !== null;
        if (style.textOverflow !== "ellipsis") fault("cut", one);
        else if (!isSaid) fault("dots without a title", one);
        [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      }
      if (isHidden(style.overflowY) && (top < box.top - NEAR || bottom > box.bottom + NEAR)) {
        if (style.webkitLineClamp === "none" || own.closest("[title]") === null) fault("cut in height", one);
        [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      }
      if (scrolls[0]) [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      if (scrolls[1]) [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      if (right <= left || bottom <= top || style.position === "fixed") break;
    }
    if (right > left && bottom > top && (left < -NEAR || right > innerWidth + NEAR)) fault("leaves the window");
  }
  // Whatever is cut within it, a part of a card does not lie over the card beside it. A row that scrolls holds its own.
  const scrolls = (part, card) => {
    const within = part.parentElement;
    return within !== card && (/auto|scroll/.test(getComputedStyle(within).overflowX) || scrolls(within, card));
  };
  for (const card of document.querySelectorAll(".node, .pod, .explanation, .opened")) {
    if (!isSeen(card)) continue;
    const edge = card.getBoundingClientRect();
    for (const part of card.querySelectorAll("*")) {
      const style = getComputedStyle(part);
      const box = part.getBoundingClientRect();
      if (part.closest("svg") || style.position === "absolute" || box.width === 0 || !isSeen(part)) continue;
      if (scrolls(part, card)) continue;
      if (box.right > edge.right + NEAR || box.left < edge.left - NEAR) faults.add(`${named(part)} leaves ${named(card)}`);
    }
  }
  for (const row of document.querySelectorAll("body *")) {
    const { display } = getComputedStyle(row);
    if (!/flex|grid/.test(display) || !isSeen(row)) continue;
    const parts = [...row.children].filter((one) => isSeen(one) && ["static", "relative"].includes(getComputedStyle(one).position));
    const boxes = parts.map((one) => [one, one.getBoundingClientRect()]).filter(([, { width, height }]) => width > 0 && height > 0);
    for (const [at, [one, box]] of boxes.entries()) {
      for (const [other, its] of boxes.slice(at + 1)) {
        const meets = Math.min(box.right, its.right) - Math.max(box.left, its.left) > NEAR && Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top) > NEAR;
        if (meets) faults.add(`${named(one)} and ${named(other)} of ${named(row)} lie over each other`);
      }
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.add(`the page is ${document.documentElement.scrollWidth} px wide in ${innerWidth}`);
  return [...faults];
};
