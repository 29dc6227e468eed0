// Puts on <html>, before the first paint, what the address asks of a figure, whether the page opens with another run than
// the one in the HTML, which theme holds and which language: the
// address's, else a stored one, else the system's (tokens.css) and the first of the browser's languages that there is.
const asked = new URLSearchParams(location.search);
const marks = document.documentElement.dataset;
// A moment of a run: "90s" and "1m30s", as kubectl writes them, or seconds alone.
const moment = /^(?=\d)(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?$/.exec(asked.get("at") ?? "");
if (moment) {
  const [hours, minutes, seconds] = moment.slice(1).map((part) => Number(part ?? 0));
  marks.at = 3600 * hours + 60 * minutes + seconds;
}
if (asked.has("embed")) {
  marks.embed = "";
  const panels = ["text", "summary", "rail", "stands", "time", "timeline", "nodes", "events", "controls", "inspector"];
  const names = (asked.get("show") ?? "").split(/[ ,]+/).filter(Boolean);
  const shown = names.filter((name) => panels.includes(name));
  // A lesson's guide moves the run. Whatever else names no panels is a figure of few lines.
  const usual = asked.has("lesson") ? ["summary", "rail", "stands"] : ["rail", "stands", "time"];
  marks.show = (shown.length > 0 ? shown : usual).join(" ");
  if (shown.length === 0 && !asked.has("lesson")) marks.usual = "";
  if (asked.get("controls") !== "open") marks.locked = "";
  // What the address asks and nobody knows: the program says so in the figure.
  const unknown = names.filter((name) => !panels.includes(name)).map((name) => ["show", name]);
  if (asked.has("at") && !moment) unknown.push(["at", asked.get("at")]);
  const known = { controls: /^(open)?$/, lang: /^(en|zh)\b/i, theme: /^(light|dark)$/ };
  for (const [name, form] of Object.entries(known)) {
    if (asked.has(name) && !form.test(asked.get(name))) unknown.push([name, asked.get(name)]);
  }
  if (unknown.length > 0) marks.unknown = JSON.stringify(unknown);
}
const stored = (name) => {
  try {
    return localStorage.getItem(`setscope.${name}`);
  } catch {
    // Storage can be blocked, as in an embedded page: the system's preference is right then.
  }
};
if (location.hash || asked.has("scenario") || asked.has("lesson") || stored("run.1")) marks.other = "";
const theme = asked.get("theme") ?? stored("theme");
if (theme === "light" || theme === "dark") marks.theme = theme;
const known = (name) => /^(en|zh)\b/i.test(name ?? "");
const language = [asked.get("lang"), stored("language"), ...navigator.languages].find(known);
if (/^zh/i.test(language)) document.documentElement.lang = "zh-CN";
