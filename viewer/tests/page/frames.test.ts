import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { samples } from "../samples/runs";
import { launch, open } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

// Times are printed, and do not decide: another program on the machine changes them. What decides
// is that frames are drawn at all while 1,024 messages move.
test.each(["torus-32x32", "prefix-10"])("%s: frames while 1,024 processors send", async (name) => {
  const { page } = await open(browser, name, samples[name](), "#step=0");
  const frames = page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const gaps: number[] = [];
        let last = performance.now();
        const tick = (now: number) => {
          gaps.push(now - last);
          last = now;
          if (gaps.length < 60) requestAnimationFrame(tick);
          else resolve(gaps.slice(2));
        };
        requestAnimationFrame(tick);
      }),
  );
  await page.keyboard.press(" ");
  const gaps = (await frames).sort((a, b) => a - b);
  const median = gaps[gaps.length >> 1];
  const slow = gaps[Math.floor(gaps.length * 0.95)];
  console.log(
    `${name}: ${median.toFixed(1)} ms a frame (median), ${slow.toFixed(1)} ms (95 of 100), ` +
      `${(1000 / median).toFixed(0)} frames a second`,
  );
  expect(gaps).toHaveLength(58);
  await page.context().close();
});
