// Puts on <html>, before the first paint, what the address asks of a figure and which theme holds: the address's, else a
// stored one, else the system's (tokens.css).
const asked = new URLSearchParams(location.search);
const marks = document.documentElement.dataset;
if (asked.has("embed")) {
  marks.embed = "";
  marks.show = (asked.get("show") ?? "text,summary,rail,stands,time,timeline").replaceAll(",", " ");
  if (asked.get("controls") !== "open") marks.locked = "";
}
try {
  const theme = asked.get("theme") ?? localStorage.getItem("setscope.theme");
  if (theme === "light" || theme === "dark") marks.theme = theme;
} catch {
  // Storage can be blocked, as in an embedded page: the system's preference is right then.
}
