// The page as people use it: by pointer, by keyboard, on a phone, in both themes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAccessibility, failNode, openMore, openSite, openTab, press, themes } from "./helpers.mjs";

const site = openSite();
const phone = { viewport: { width: 390, height: 844 }, touch: true };
const flag = (page, name) => page.locator(`.flag--${name}`);

test("the flag of replicas dragged to the right scales the set up, in one command", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await press(page, "End");
  const before = await page.locator(".transport__progress").textContent();
  const from = await flag(page, "replicas").locator(".flag__label").boundingBox();
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  const last = await page.locator(".place").last().boundingBox();
  await page.mouse.move(last.x + last.width + last.width * 0.75, last.y + last.height / 2, { steps: 6 });
  assert.equal(await page.locator(".transport__progress").textContent(), before, "nothing is sent before it is let go");
  await page.mouse.up();
  assert.equal(await flag(page, "replicas").getAttribute("aria-valuenow"), "4");
  assert.equal(await page.getByLabel("Replicas as a number").inputValue(), "4");
  await visit.end();
});

test("a number that cannot be read is refused in words, and the one in force stands again", async () => {
  const visit = await site.visit();
  const { page } = visit;
  const field = page.getByLabel("Replicas as a number");
  const before = await field.inputValue();
  await field.fill("2.5");
  await press(page, "Enter");
  await page.getByRole("alert").filter({ hasText: "2.5 is not a whole number." }).waitFor();
  assert.equal(await field.inputValue(), before);
  await field.fill("4");
  await press(page, "Enter");
  await page.getByRole("alert").waitFor({ state: "detached" });
  await visit.end();
});

test("a flag moves by the primary button and by bare keys, and a drag that the browser ends sets nothing", async () => {
  const visit = await site.visit();
  const { page } = visit;
  const replicas = flag(page, "replicas");
  const stood = await replicas.getAttribute("aria-valuenow");
  const label = await replicas.locator(".flag__label").boundingBox();
  const [x, y] = [label.x + label.width / 2, label.y + label.height / 2];
  const move = async (button) => {
    await page.mouse.move(x, y);
    await page.mouse.down({ button });
    await page.mouse.move(x - 300, y, { steps: 4 });
  };
  for (const button of ["right", "middle"]) {
    await move(button);
    assert.equal(await page.locator(".flag--held").count(), 0, button);
    await page.mouse.up({ button });
  }
  await move("left");
  await page.locator(".flag--held").waitFor();
  await replicas.evaluate((element) => element.releasePointerCapture(1));
  await page.mouse.move(x - 310, y);
  await page.locator(".flag--held").waitFor({ state: "detached" });
  await page.mouse.up();
  assert.equal(await replicas.getAttribute("aria-valuenow"), stood);
  // Alt and ← is the browser's way back.
  await page.evaluate(() => {
    window.kept = [];
    addEventListener("keydown", (event) => event.key === "ArrowLeft" && window.kept.push(event.defaultPrevented));
  });
  await replicas.focus();
  await press(page, "Alt+ArrowLeft", "Control+ArrowLeft");
  assert.deepEqual(await page.evaluate(() => window.kept), [false, false]);
  assert.equal(await replicas.getAttribute("aria-valuenow"), stood);
  await press(page, "ArrowLeft");
  assert.equal(await replicas.getAttribute("aria-valuenow"), String(stood - 1));
  await visit.end();
});

test("a newcomer's first success takes one press and less than 20 seconds, and the next thing to try is offered", async () => {
  const visit = await site.visit({ motion: "no-preference" });
  const { page } = visit;
  const from = Date.now();
  await page.getByRole("button", { name: "Watch web come up" }).click();
  await page.locator(".explanation.is-settled").waitFor();
  assert.ok(Date.now() - from < 20_000, `${Date.now() - from} ms`);
  assert.equal(await page.locator(".pod.is-ready").count(), 3);
  assert.deepEqual(await page.locator(".next--offers .button").allTextContents(), ["Scale to 5 pods", "Update to nginx:1.28", "Pin all but the last pod: partition 2"]);
  await visit.end();
});

test("Play runs until everything is settled and then stops by itself", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await page.getByLabel("Speed").selectOption({ label: "100×" });
  await page.getByRole("button", { name: "Play" }).click();
  await page.locator(".transport__play", { hasText: "Settled" }).waitFor();
  assert.equal(await page.locator(".pod.is-ready").count(), 3);
  await visit.end();
});

test("a pod's panel opens from its tile, and Escape closes it and gives the focus back", async () => {
  const visit = await site.visit();
  const { page } = visit;
  const tile = page.locator("button.pod").first();
  await tile.focus();
  await press(page, "Enter");
  await page.getByRole("dialog", { name: "Pod web-0" }).waitFor();
  await checkAccessibility(page);
  await press(page, "Escape");
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.ok(await tile.evaluate((button) => button === document.activeElement));
  await visit.end();
});

for (const theme of themes) {
  test(`axe-core finds nothing in any moment of the page in ${theme}`, async () => {
    const visit = await site.visit({ theme });
    const { page } = visit;
    await checkAccessibility(page);
    await failNode(page, "node-a", "Stop its kubelet");
    await press(page, "Escape");
    await page.locator(".stage").focus();
    await press(page, "End");
    await openMore(page);
    await page.getByRole("radio", { name: "Parallel" }).click();
    await page.getByRole("tab", { name: "Events" }).click();
    await checkAccessibility(page);
    await openTab(page, "Manifest");
    await page.locator("#manifest").fill("kind: StatefulSet\n");
    await page.getByRole("button", { name: "Apply", exact: true }).click();
    await page.locator(".problem").first().waitFor();
    await checkAccessibility(page);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.locator("#page-menu").getByRole("button", { name: "Help", exact: true }).click();
    await checkAccessibility(page);
    await visit.end();
  });
}
