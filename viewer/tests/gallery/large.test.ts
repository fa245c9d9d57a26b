// Pages of runs with more data than fit on a page one by one. LOCKSTEP names the tool.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, openFile } from "../page/browser";
import { folder, runIn, tool } from "./pages";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const file = join(folder, "radix-sort-of-65536.html");
const done = spawnSync(tool, ["view", "radix-sort", "--on", "crossbar:16", "--output", file], {
  encoding: "utf8",
});

test("a page of 65,536 keys has less than a megabyte, which the command says", () => {
  expect(done.status).toBe(0);
  const bytes = statSync(file).size;
  expect(bytes).toBeLessThan(1_000_000);
  expect(done.stdout).toContain(`page       ${file}, ${Math.ceil(bytes / 1000)} kB\n`);
  expect(done.stderr).toBe("");
});

test("a large page is announced with what makes it smaller", () => {
  const large = join(folder, "large.html");
  const words = ["view", "radix-sort", "--on", "crossbar:64", "--output", large];
  const { status, stdout, stderr } = spawnSync(tool, words, { encoding: "utf8" });
  expect(status).toBe(0);
  const size = `${(statSync(large).size / 1e6).toFixed(1)} MB`;
  expect(stdout).toContain(`page       ${large}, ${size}\n`);
  expect(stderr).toMatch(new RegExp(`^lockstep: ${large} has ${size}: a smaller --n or machine makes it smaller\n$`));
});

test("each processor's keys are a picture at every phase, and each step has its bar", async () => {
  const run = runIn(file);
  const { page, complaints } = await openFile(browser, file, "#step=0&processor=3");
  const boxes = (what: string) =>
    page.locator(what).evaluateAll((all) =>
      all.map((one) => {
        const { left, right, height } = one.getBoundingClientRect();
        return { left, right, height };
      }),
    );
  const keys = async (step: number) => {
    await page.evaluate((to) => (location.hash = `#step=${to}&processor=3`), step);
    await expect.poll(() => page.locator(".caption .where b").innerText()).toBe(step === run.steps ? `After step ${run.steps - 1}` : `Step ${step}`);
    const bars = await boxes(".held >> nth=0 >> .bars:not(.spread) i");
    expect(bars.length).toBeGreaterThan(100);
    for (const { left, right } of bars) expect(right - left).toBeGreaterThan(0.5);
    const spread = await boxes(".held >> nth=0 >> .spread i");
    expect(spread).toHaveLength(32);
    return bars.map(({ height }) => height);
  };
  const first = await keys(0);
  expect(new Set(first).size).toBeGreaterThan(50);
  expect(first).not.toEqual([...first].sort((a, b) => a - b));
  const last = await keys(run.steps);
  last.slice(1).forEach((height, at) => expect(height).toBeGreaterThan(last[at] - 1));

  const columns = (await page.locator(".columns").boundingBox())!;
  const bars = await boxes(".columns .bar i");
  expect(bars).toHaveLength(run.steps);
  bars.forEach(({ left, right, height }, at) => {
    expect(right - left).toBeGreaterThan(1);
    // The end of the run, in which nothing is sent, is the last.
    if (at < run.steps - 1) expect(height).toBeGreaterThan(3);
    else expect(height).toBe(0);
    expect(right).toBeLessThanOrEqual(columns.x + columns.width + 0.5);
  });
  await page.evaluate(() => (location.hash = "#step=1&panel=processor"));
  await expect.poll(() => page.locator(".allheld").count()).toBe(1);
  const strips = await boxes(".allheld section >> nth=0 >> .minibars i");
  expect(strips.length).toBeGreaterThan(16 * 30);
  for (const { left, right } of strips) expect(right - left).toBeGreaterThan(0.5);
  expect(complaints).toEqual([]);
  await page.context().close();
});
