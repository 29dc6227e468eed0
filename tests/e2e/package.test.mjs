// The package for npm, as it is packed from dist/: used by Node.js, and by a page of another origin as <set-scope>.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkAccessibility, startBrowser } from "./helpers.mjs";
import { serveDist } from "./server.mjs";

const home = mkdtempSync(join(tmpdir(), "setscope-package-"));
const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
let files;

before(() => {
  const cache = ["--cache", join(home, "cache")];
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", home, ...cache], { cwd: dist, encoding: "utf8" }));
  files = packed.files.map(({ path }) => path);
  const folder = join(home, "node_modules/setscope");
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-xzf", join(home, packed.filename), "--strip-components=1", "-C", folder]);
});
after(() => rmSync(home, { recursive: true, force: true }));

test("the package has what its package.json names", () => {
  const own = JSON.parse(readFileSync(join(dist, "package.json"), "utf8"));
  const targets = Object.values(own.exports).flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)));
  for (const target of targets.filter((target) => !target.includes("*"))) assert.ok(files.includes(target.slice(2)), target);
  for (const file of ["LICENSE", "NOTICE", "index.html", "scenarios/stuck-rollback.yaml", own.customElements]) assert.ok(files.includes(file), file);
  const version = /^version = "(.*)"$/m.exec(readFileSync(new URL("../../Cargo.toml", import.meta.url), "utf8"))[1];
  assert.equal(own.version, version);
});

test("Node.js runs a scenario of the package", () => {
  const script = `
    import init, { Playground } from "setscope";
    import { readFile } from "node:fs/promises";
    await init();
    const run = new Playground(await readFile("node_modules/setscope/scenarios/stuck-rollback.yaml", "utf8"));
    run.seek(60);
    console.log(run.state().explanation.headline);`;
  writeFileSync(join(home, "run.mjs"), script);
  assert.equal(execFileSync("node", ["run.mjs"], { cwd: home, encoding: "utf8" }), "web-2 holds the rollout: it never becomes Ready\n");
});

test("<set-scope> shows what stands in it, and the live figure when it is asked for", async () => {
  const site = await serveDist({ root: join(home, "node_modules/setscope") });
  const origin = new URL(site.url).origin;
  const policy = `default-src 'none'; script-src ${origin}; frame-src ${origin}`;
  const html = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
    <script type="module" src="${site.url}set-scope.js" crossorigin></script></head><body><main><h1>A page</h1>
    <set-scope scenario="stuck-rollback" at="1m" show="rail stands" theme="dark" lang="en" title="A rollback that changes nothing">
    <p>web-2 holds the rollout: it never becomes Ready.</p></set-scope>
    <set-scope scenario="node-lost" lang="zh"><p lang="en">A node dies.</p></set-scope></main></body></html>`;
  const host = createServer((_, response) => response.writeHead(200, { "content-type": "text/html", "content-security-policy": policy }).end(html));
  await new Promise((ready) => host.listen(0, "127.0.0.1", ready));
  const browser = await startBrowser();
  const page = await browser.newPage();
  const problems = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  let bytes = 0;
  // The script is asked for across origins, as hosts of such files allow.
  await page.route(`${site.url}set-scope.js`, async (route) => {
    const response = await route.fetch();
    bytes += (await response.body()).length;
    await route.fulfill({ response, headers: { ...response.headers(), "access-control-allow-origin": "*" } });
  });
  const asked = [];
  page.on("request", (request) => request.url().startsWith(origin) && asked.push(request.url()));
  await page.goto(`http://127.0.0.1:${host.address().port}/`);
  const button = page.getByRole("button", { name: "Open the figure" });
  await button.waitFor();
  await page.getByRole("button", { name: "打开图示" }).waitFor();
  await page.getByText("web-2 holds the rollout: it never becomes Ready.").waitFor();
  assert.ok(bytes > 0 && bytes <= 3000, `${bytes} bytes before the click`);
  assert.deepEqual(asked.filter((url) => !url.endsWith(".js") && !url.endsWith("favicon.ico")), []);
  await checkAccessibility(page);
  await button.click();
  const frame = page.frameLocator('iframe[title="A rollback that changes nothing"]');
  await frame.locator('html[data-app="ready"]').waitFor({ state: "attached", timeout: 60_000 });
  await frame.getByText("web-2 holds the rollout: it never becomes Ready").first().waitFor();
  await page.waitForFunction(() => document.querySelector("iframe").height !== "260");
  assert.deepEqual(problems.filter((problem) => !problem.includes("favicon")), []);
  await browser.close();
  await site.close();
  host.closeAllConnections();
  await new Promise((closed) => host.close(closed));
});
