// How much a first look shows: words and controls in sight, and how much of the window the sheet has that holds the stage and its
// time. Runs in the page.
export const counts = () => {
  const isSeen = (element) => {
    const { width, height, left, top, right, bottom } = element.getBoundingClientRect();
    const isIn = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    return width > 2 && height > 2 && isIn && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let words = 0;
  while (texts.nextNode()) {
    const { parentElement: parent, data } = texts.currentNode;
    if (parent.closest("script, template, noscript, option, .unseen, .top__skip, svg title") || !isSeen(parent)) continue;
    words += data.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    // A path that may be broken behind its slashes is one word, in several nodes.
    if (texts.currentNode.previousSibling?.nodeName === "WBR") words -= 1;
  }
  for (const list of document.querySelectorAll("select")) if (isSeen(list)) words += list.selectedOptions[0]?.textContent.split(/\s+/).length ?? 0;
  const controls = [...document.querySelectorAll("button, select, input, textarea, a[href], summary, [role=slider], [role=tab]")];
  const area = (...parts) =>
    parts.flatMap((part) => [...document.querySelectorAll(part)]).map((part) => part.getBoundingClientRect()).reduce((sum, { width, height }) => sum + width * height, 0);
  const share = (...parts) => (100 * area(...parts)) / (innerWidth * innerHeight);
  const seen = controls.filter((one) => isSeen(one) && !one.matches(".top__skip"));
  return { words, controls: seen.length, named: seen.map((one) => (one.ariaLabel || one.textContent || one.id).slice(0, 24)), stage: share(".stage"), sheet: share(".stage", ".transport", ".time") };
};
