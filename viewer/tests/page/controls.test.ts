import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { samples } from "../samples/runs";
import { launch, open } from "./browser";
import { deadKeys, keys, keyStatesOf, statesOf, walkControls } from "./walk";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const walked_samples = ["exchange-4x4", "prefix-3", "tree-4", "deadlock", "contention", "two", "sort-12"];

describe.each(walked_samples)("%s", (name) => {
  const runs = samples[name]();
  const steps = Math.max(...runs.map((run) => run.steps.messages.length));

  test("every control changes the picture or the state", { timeout: 300_000 }, async () => {
    const opened = await open(browser, `walk-${name}`, runs, "#step=1");
    const { acted, dead } = await walkControls(opened, statesOf(steps));
    expect(dead).toEqual([]);
    expect(opened.complaints).toEqual([]);
    for (const one of ["Zoom in", "Zoom out", "Show all", "Play", "Full screen"])
      expect(acted).toContain(`button ${one}`);
    await opened.page.context().close();
  });

  test("every key changes the picture or the state", async () => {
    const opened = await open(browser, `keys-${name}`, runs, "#step=1");
    expect(keys).toHaveLength(16);
    expect(await deadKeys(opened, keyStatesOf(steps))).toEqual([]);
    expect(opened.complaints).toEqual([]);
    await opened.page.context().close();
  });
});

/// The place and size of a page's drawing by where its processors lie: the least and the largest
/// place of a painted pixel.
function extentOf(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>("canvas.still")!;
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, width, height);
    let [left, right] = [width, 0];
    for (let at = 0; at < width * height; ++at)
      if (data[4 * at + 3] > 0) {
        left = Math.min(left, at % width);
        right = Math.max(right, at % width);
      }
    return [left, right];
  });
}

test("buttons, wheel, mouse and fingers zoom and move the drawing", async () => {
  const { page, complaints } = await open(browser, "zoom", samples["exchange-4x4"](), "#step=1");
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const all = await extentOf(page);
  const off = async () => [await button("Zoom out").isDisabled(), await button("Show all").isDisabled()];
  expect(await off()).toEqual([true, true]);
  await button("Zoom in").click();
  const [left, right] = await extentOf(page);
  expect((right - left) / (all[1] - all[0])).toBeCloseTo(1.4, 1);
  expect(await off()).toEqual([false, false]);
  await button("Zoom out").click();
  expect(await extentOf(page)).toEqual(all);

  const box = (await page.locator(".canvases").boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -400);
  expect(await extentOf(page)).toEqual(all); // a wheel alone scrolls
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -40);
  await page.keyboard.up("Control");
  await expect.poll(() => off()).toEqual([false, false]);
  const [before] = await extentOf(page);
  await page.mouse.down();
  await page.mouse.move(x + 30, y, { steps: 3 });
  await page.mouse.up();
  expect((await extentOf(page))[0] - before).toBeCloseTo(30, -1);
  expect(await page.locator("#panel h3:has-text('Processor')").count()).toBe(0); // it was no click
  await button("Show all").click();
  expect(await extentOf(page)).toEqual(all);

  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...places: number[]) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: places.map((place, id) => ({ x: x + place, y, id })),
    });
  await touch("touchStart", -50, 50);
  await touch("touchMove", -75, 75);
  await touch("touchMove", -100, 100);
  await touch("touchEnd");
  const [from, to] = await extentOf(page);
  expect((to - from) / (all[1] - all[0])).toBeGreaterThan(1.7);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("an address is read, though the page writes its own at that moment, and ends the playing", async () => {
  const { page } = await open(browser, "race", samples["exchange-4x4"](), "#step=1");
  await page.keyboard.press(" ");
  await page.evaluate(() => {
    location.hash = "#step=5";
    history.replaceState(null, "", "#step=2");
  });
  await expect.poll(() => page.locator(".caption .where b").innerText()).toBe("Step 5");
  expect(await page.getByRole("button", { name: "Play" }).count()).toBe(1);
  await page.context().close();
});
