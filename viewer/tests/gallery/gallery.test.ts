// The pages that the built tool writes, one of each algorithm. LOCKSTEP names the tool.
import { execFileSync } from "node:child_process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exchangeOf,
  follow,
  followedText,
  parseFollowed,
  stations,
  type Followed,
} from "../../src/data/follow";
import type { Run } from "../../src/data/run";
import { launch, openFile } from "../page/browser";
import { fileOf, folder, names, runIn, tool } from "./pages";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

function runOf(name: string): Run {
  return runIn(fileOf(name));
}

/// The figures that the page shows after its step.
function shownTotals(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>("tr[data-figure]:has(.now)")].map((row) => [
        row.dataset.figure!,
        row.querySelector(".now")!.textContent!.replace(/\u2009/g, ""),
      ]),
    ),
  );
}

test("there is a page of every algorithm, and the index leads to each", async () => {
  const listed = JSON.parse(execFileSync(tool, ["list", "--json"], { encoding: "utf8" })) as {
    algorithms: { name: string }[];
  };
  expect(names.sort()).toEqual(listed.algorithms.map(({ name }) => name).sort());
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`file://${folder}/index.html`);
  const links = await page.locator("a").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
  expect(links.sort()).toEqual(names.map((name) => `${name}.html`).sort());
  await context.close();
});

/// Everything that a run shows and that can be followed.
function followable(run: Run): Followed[] {
  const found = new Map<string, Followed>();
  for (let at = 0; at < run.shows.count; ++at) {
    const value = run.shows.value(at);
    const exchange = exchangeOf(run.shows.name(at));
    const add = (text: string) =>
      found.set(`${text} ${exchange}`, { ...parseFollowed(text)!, exchange });
    if ("blocks" in value)
      for (let block = 0; block < value.blocks.length; block += 2)
        if (value.blocks[block] >= 0) add(`${value.blocks[block]}-${value.blocks[block + 1]}`);
    if ("intervals" in value) for (let rank = 0; rank < run.processors; ++rank) add(`${rank}`);
  }
  return [...found.values()];
}

/// The stations after the first ones to which no message brought the block.
function unexplained(run: Run, followed: Followed): string[] {
  const { holdings, carried } = follow(run, followed);
  const way = stations(holdings).filter(({ rank }) => rank >= 0);
  const found = way.filter(({ step, rank }) => {
    const holds = (at: number) => holdings[at].some((holding) => holding.rank === rank);
    let since = step; // since when it does not hold it
    while (since > 0 && !holds(since - 1)) --since;
    const brought = carried.slice(since, step + 1).flat();
    return step > way[0].step && !brought.some(({ to }) => to === rank);
  });
  return found.map(({ step, rank }) => `${followedText(followed)} at ${rank} in step ${step}`);
}

test.each(names)("%s: each block that is followed was brought by a message", (name) => {
  const run = runOf(name);
  const found = followable(run).flatMap((followed) => unexplained(run, followed));
  expect(found).toEqual([]);
});

test.each(names)("%s: its figures, forward and back, and no complaint", async (name) => {
  const run = runOf(name);
  // The same run, of the same values, once more, without a page.
  const words = ["run", ...run.json.command.split(" ").slice(2), "--values", "small"];
  const { counts } = JSON.parse(execFileSync(tool, [...words, "--json"], { encoding: "utf8" })) as {
    counts: Record<string, number>;
  };
  const { page, complaints } = await openFile(
    browser,
    fileOf(name),
    "#step=0&panel=counts",
  );
  const expected = (step: number) =>
    Object.fromEntries(run.figureNames.map((figure) => [figure, run.total(figure, step)]));
  for (let step = 1; step <= run.steps; ++step) {
    await page.keyboard.press("ArrowRight");
    expect(await shownTotals(page)).toEqual(expected(step));
  }
  const last = await shownTotals(page);
  for (const figure of run.figureNames) expect([figure, last[figure]]).toEqual([figure, String(counts[figure])]);
  for (let step = run.steps - 1; step >= 0; --step) {
    await page.keyboard.press("ArrowLeft");
    expect(await shownTotals(page)).toEqual(expected(step));
  }
  for (const tab of await page.locator("[role=tab]").all()) await tab.click();
  expect(complaints).toEqual([]);
  await page.context().close();
});
