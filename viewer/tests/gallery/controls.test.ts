// Every control and key of the pages that the built tool writes: of all, or, where GALLERY_PAGES says a
// number, of that many, as far apart as they can be: on six of them by the mouse, for which a control that
// something covers is dead. LOCKSTEP names the tool.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, openFile } from "../page/browser";
import { deadKeys, keyStatesOf, statesOf, walkControls } from "../page/walk";
import { fileOf, names, runIn } from "./pages";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/// So many of these, as far apart as they can be.
function farApart(of: readonly string[], many: number): string[] {
  const part = (at: number) => Math.floor((at * many) / of.length);
  return of.filter((_, at) => part(at) !== part(at - 1));
}

const walked = farApart(names, Number(process.env.GALLERY_PAGES ?? names.length));
const byMouse = new Set(farApart(walked, Math.min(6, walked.length)));

test.each(walked)("%s: every control and key acts, without a complaint", { timeout: 300_000 }, async (name) => {
  const { steps } = runIn(fileOf(name));
  const opened = await openFile(browser, fileOf(name), "#step=1");
  const { acted, dead } = await walkControls(opened, statesOf(steps), {
    mostOfAList: 3,
    byMouse: byMouse.has(name),
  });
  expect(dead).toEqual([]);
  expect(await deadKeys(opened, keyStatesOf(steps))).toEqual([]);
  expect(opened.complaints).toEqual([]);
  expect(acted.length).toBeGreaterThan(30);
  await opened.page.context().close();
});
