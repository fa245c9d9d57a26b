// The code beside the run at a window of 1366 x 768 pixels: each line stands in one row, in letters that can
// be read, and the network beside it keeps enough room; on a telephone nothing is cut. LOCKSTEP names the tool.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seriousIn } from "../page/axe";
import { launch, openFile } from "../page/browser";
import { fileOf, folder, names, runIn, tool } from "./pages";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

interface Shown {
  lines: number;
  letters: number; // the height of the smallest, in pixels
  bad: string[]; // lines that wrap or are cut
}

function codeIn(page: Page, { mayWrap = false } = {}): Promise<Shown> {
  return page.evaluate((wraps) => {
    const box = document.querySelector<HTMLElement>(".code")!;
    const right = box.getBoundingClientRect().left + box.clientLeft + box.clientWidth;
    const lines = [...box.querySelectorAll<HTMLElement>(".line")];
    const lettersOf = (line: HTMLElement) =>
      parseFloat(getComputedStyle(line.querySelector("code")!).fontSize);
    // Where its words end; the blanks before them may stand beyond the border.
    const ends = (line: HTMLElement) => {
      const range = document.createRange();
      const texts = document.createTreeWalker(line.querySelector("code")!, NodeFilter.SHOW_TEXT);
      let most = 0;
      for (let text = texts.nextNode(); text; text = texts.nextNode())
        for (const { index, 0: word } of text.textContent!.matchAll(/\S+/g)) {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          most = Math.max(most, ...[...range.getClientRects()].map((part) => part.right));
        }
      return most;
    };
    const rowsOf = (line: HTMLElement) =>
      new Set([...line.querySelectorAll("code span")].flatMap((part) =>
        [...part.getClientRects()].map((rect) => Math.round(rect.top)),
      )).size;
    const bad = lines.filter(
      (line) => (!wraps && rowsOf(line) > 1) || ends(line) > right || box.scrollWidth > box.clientWidth,
    );
    return {
      lines: lines.length,
      letters: Math.min(...lines.map(lettersOf)),
      bad: bad.map((line) => line.textContent!),
    };
  }, mayWrap);
}

test.each(names)("%s: no line of the code wraps or is cut at 1366 x 768", async (name) => {
  const { steps } = runIn(fileOf(name));
  const options = { viewport: { width: 1366, height: 768 } };
  const { page, complaints } = await openFile(browser, fileOf(name), "#step=0&panel=code", options);
  for (let step = 0; step <= steps; ++step) {
    const { lines, letters, bad } = await codeIn(page);
    expect(bad).toEqual([]);
    expect(lines).toBeGreaterThan(2);
    expect(letters).toBeGreaterThanOrEqual(11);
    const drawing = (await page.locator(".canvases").first().boundingBox())!;
    expect(drawing.width).toBeGreaterThanOrEqual(400);
    expect(drawing.height).toBeGreaterThanOrEqual(200);
    await page.keyboard.press("ArrowRight");
  }
  expect(complaints).toEqual([]);
  await page.context().close();
});

test.each([
  ["cannon", 1366, "light"],
  ["summa", 1366, "dark"],
  ["cannon", 360, "dark"],
  ["pipelined-prefix", 360, "light"],
] as const)("%s, %i pixels wide, %s: axe finds nothing, and no line is cut", async (name, width, theme) => {
  const { page } = await openFile(browser, fileOf(name), "#step=3&panel=code", {
    viewport: { width, height: 768 },
    colorScheme: theme,
  });
  const { letters, bad } = await codeIn(page, { mayWrap: width < 1366 });
  expect(bad).toEqual([]);
  expect(letters).toBeGreaterThanOrEqual(11);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  expect(await seriousIn(page)).toEqual([]);
  await page.context().close();
});

test("beside two runs their networks keep room, and lines of 80 columns fit", async () => {
  const file = join(folder, "two-reduces.html");
  const reduce = ["reduce", "--on", "crossbar:8", "--textbook", "--words", "8"];
  const beside = [...reduce, "--scheme", "binomial"].join(" ");
  execFileSync(tool, ["view", ...reduce, "--beside", beside, "--output", file]);
  for (const [width, height] of [
    [1366, 768],
    [360, 740],
  ]) {
    const options = { viewport: { width, height } };
    const { page, complaints } = await openFile(browser, file, "#step=2&panel=code", options);
    const { letters, bad } = await codeIn(page, { mayWrap: width < 1366 });
    expect(bad).toEqual([]);
    expect(letters).toBeGreaterThanOrEqual(11);
    for (const drawing of await page.locator(".canvases").all())
      expect((await drawing.boundingBox())!.width).toBeGreaterThanOrEqual(250);
    expect(complaints).toEqual([]);
    await page.context().close();
  }
});
