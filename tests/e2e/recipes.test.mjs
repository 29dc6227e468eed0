// The recipes of docs/figures.md as a site's maintainer follows them: each block goes where its text says, the site's own generator makes
// the page, and the browser shows first what stands there and then the live figure. docs/hosting.md is asked of the server.
//
// HUGO and MDBOOK name these programs, as ./dev test does where it can have them.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compile } from "@mdx-js/mdx";
import { build } from "esbuild";
import { checkAccessibility, startBrowser } from "./helpers.mjs";
import { serveDist } from "./server.mjs";

const home = mkdtempSync(join(tmpdir(), "setscope-recipes-"));
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const DIST = here("../../dist/");
const WITHOUT = { Hugo: !process.env.HUGO && "HUGO names no program", mdBook: !process.env.MDBOOK && "MDBOOK names no program" };
const STANDS = "web-2 holds the rollout: it never becomes Ready.";
let browser;

before(async () => (browser = await startBrowser()));
after(async () => {
  await browser?.close();
  rmSync(home, { recursive: true, force: true });
});

/** The blocks of code below a heading of a page of docs/. */
function blocks(name, heading) {
  const text = readFileSync(here(`../../docs/${name}`), "utf8");
  const section = text.split(new RegExp(`^#+ ${heading}$`, "m"))[1]?.split(/^##/m)[0];
  assert.ok(section, `${name} has no ${heading}`);
  return [...section.matchAll(/^```\S+\n([\s\S]*?)^```$/gm)].map((found) => found[1]);
}

/** A folder of a site with these files, and with what dist/ holds where the recipe says. */
function folder(name, setscope, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name, path)), { recursive: true });
    writeFileSync(join(home, name, path), text);
  }
  if (setscope) cpSync(DIST, join(home, name, setscope), { recursive: true });
  return join(home, name);
}

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
const html = (body, head = "") =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">${head}</head><body><main><h1>A page</h1>${body}</main></body></html>`;

/**
 * Opens a page of a built site: what stands there is shown, 3 KB of SetScope are loaded and no more; a click on each figure shows it live.
 * `policy` is that of the site's own pages, which nothing may break.
 */
async function shows(root, path, { stands = STANDS, button = "Open the figure", live, policy, scripts = ["/setscope/set-scope.js"] }) {
  const headers = (asked) => (policy && !asked.includes("/setscope/") ? { "content-security-policy": policy } : {});
  const site = await serveDist({ root, folder: "/", isKept: true, headers });
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(site.url + path);
  await page.getByText(stands).first().waitFor();
  const buttons = page.locator("set-scope").getByRole("button", { name: button });
  await buttons.first().waitFor();
  assert.deepEqual([...new Set(site.answers.filter(({ path }) => path.includes("/setscope/")).map(({ path }) => path))], scripts);
  assert.ok(readFileSync(join(root, "setscope/set-scope.js")).length <= 3000);
  await checkAccessibility(page, "set-scope");
  const count = await buttons.count();
  for (let at = 0; at < count; at++) {
    await buttons.first().click();
    const frame = page.frameLocator("set-scope iframe").nth(at);
    await frame.locator('html[data-app="ready"]').waitFor({ state: "attached", timeout: 120_000 });
    if (live) await frame.getByText(live).first().waitFor();
  }
  assert.ok(count > 0 && (await page.locator("set-scope iframe[title]").count()) === count);
  const programs = site.answers.filter(({ path, status }) => path.endsWith(".wasm") && status === 200);
  assert.equal(programs.length, 1, "the program is loaded once, for however many figures");
  assert.deepEqual(problems, []);
  await context.close();
  await site.close();
}

test("plain HTML, several figures of one program", async () => {
  const [recipe] = blocks("figures.md", "Plain HTML");
  const root = folder("plain", "setscope", { "index.html": html(recipe + recipe) });
  const policy = "default-src 'none'; script-src 'self'; frame-src 'self'; img-src data:";
  await shows(root, "", { stands: "For up to a minute nobody notices.", policy });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const site = await serveDist({ root, folder: "/" });
  const page = await context.newPage();
  await page.goto(site.url);
  await page.getByText("For up to a minute nobody notices.").first().waitFor();
  assert.deepEqual(await page.getByRole("button").count(), 0);
  await context.close();
  await site.close();
});

test("Hugo", { skip: WITHOUT.Hugo }, async () => {
  const [shortcode, page] = blocks("figures.md", "Hugo");
  const layout = html("{{ .Content }}");
  const source = folder("hugo", "static/setscope", {
    "hugo.toml": 'baseURL = "https://site.example/"\ntitle = "A site"\ndisableKinds = ["taxonomy", "term", "rss", "sitemap"]\n',
    "layouts/single.html": layout,
    "layouts/home.html": layout,
    "layouts/shortcodes/set-scope.html": shortcode,
    "content/figure.md": `---\ntitle: A page\n---\n${page}`,
    "static/img/stuck-rollback.svg": PICTURE,
  });
  execFileSync(process.env.HUGO, ["--quiet", "--source", source], { stdio: "pipe" });
  const policy = "default-src 'none'; script-src 'self'; frame-src 'self'; img-src 'self' data:";
  await shows(join(source, "public"), "figure/", { live: STANDS, policy });
});

test("mdBook", { skip: WITHOUT.mdBook }, async () => {
  const [loader, settings, page] = blocks("figures.md", "mdBook");
  const source = folder("book", "src/setscope", {
    "book.toml": `[book]\ntitle = "A book"\n${settings}`,
    "set-scope-loader.js": loader,
    "src/SUMMARY.md": "# Summary\n\n- [One](one.md)\n- [Two](deep/two.md)\n",
    "src/one.md": "# One\n",
    "src/deep/two.md": `# Two\n\n${page.replace("img/", "../img/")}`,
    "src/img/stuck-rollback.svg": PICTURE,
  });
  execFileSync(process.env.MDBOOK, ["build", source], { stdio: "pipe" });
  await shows(join(source, "book"), "deep/two.html", { live: STANDS });
});

test("Docusaurus and other MDX: rendered by a server, then alive in the browser", async () => {
  const [component, page] = blocks("figures.md", "Docusaurus and other MDX");
  const source = folder("mdx", "static/setscope", {
    "src/components/SetScope.jsx": component,
    "page.jsx": String(await compile(page, { jsx: true })),
    "server.jsx": 'import { renderToString } from "react-dom/server";\nimport Page from "./page.jsx";\nexport default renderToString(<main><h1>A page</h1><Page /></main>);\n',
    "browser.jsx": 'import { hydrateRoot } from "react-dom/client";\nimport Page from "./page.jsx";\nhydrateRoot(document.getElementById("root"), <main><h1>A page</h1><Page /></main>);\n',
    "static/img/stuck-rollback.svg": PICTURE,
  });
  const modules = join(source, "node_modules");
  mkdirSync(modules);
  symlinkSync(DIST, join(modules, "setscope"));
  const options = { bundle: true, jsx: "automatic", format: "esm", logLevel: "silent", nodePaths: [modules, here("node_modules")], alias: { "@site": source } };
  await build({ ...options, entryPoints: [join(source, "server.jsx")], outfile: join(source, "server.cjs"), platform: "node", format: "cjs", external: ["setscope/element"] });
  const { default: rendered } = (await import(pathToFileURL(join(source, "server.cjs")))).default;
  assert.ok(rendered.includes("<set-scope ") && rendered.includes(STANDS), rendered);
  await build({ ...options, entryPoints: [join(source, "browser.jsx")], outdir: join(source, "static"), define: { "process.env.NODE_ENV": '"production"' } });
  const head = '<script type="module" src="browser.js"></script>';
  writeFileSync(join(source, "static/index.html"), html("", head).replace(/<main>.*<\/main>/, `<div id="root">${rendered}</div>`));
  // The bundle has the element.
  await shows(join(source, "static"), "", { button: "打开图示", scripts: [] });
});

test("a host answers as docs/hosting.md asks", async () => {
  const site = await serveDist();
  const [asked] = blocks("hosting.md", "What the host has to do");
  const all = [...asked.matchAll(/^GET \/(\S+) (\d+)(?:\nContent-Type: (\S+))?$/gm)];
  assert.ok(all.length >= 5);
  for (const [, path, status, type] of all) {
    const answer = await fetch(site.url + path);
    assert.equal(answer.status, Number(status), path);
    if (type) assert.equal(answer.headers.get("content-type").split(";")[0], type, path);
  }
  await site.close();
});
