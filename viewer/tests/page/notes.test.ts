import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decode } from "../../src/data/decode";
import type { RunJson } from "../../src/data/format";
import { samples } from "../samples/runs";
import { launch, open } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const members = ["claims", "bounds", "explanation", "clock", "call", "header", "parameters", "figures"];
const texts = ["call", "header"];
const objects = ["parameters", "figures"];

const bound = { figure: "steps", value: 1, formula: "1", source: "", tight: true };

// Values that are wrong for the members, each with the name of what is wrong with them.
const wrong: [string, unknown, string[]][] = [
  ["null", null, members],
  ["a number", 1, members],
  ["a truth", true, members],
  ["a text", "steps", members.filter((name) => !texts.includes(name))],
  ["an object", { steps: 1 }, members.filter((name) => !objects.includes(name))],
  ["a list of null", [null], members],
  ["a list of numbers", [1, 2], members],
  ["a list of lists", [[]], members],
  ["a claim without a value", [{ figure: "steps", formula: "4", relation: "=", holds: true }], members],
  ["a bound of a rank beyond", [{ ...bound, drawing: { kind: "port", rank: 99 } }], members.filter((name) => name !== "claims")],
  ["a bound of no kind", [{ ...bound, drawing: {} }], ["bounds"]],
  ["a path of texts", [{ ...bound, drawing: { kind: "path", ranks: ["a"] } }], ["bounds"]],
  ["a cut without a side", [{ ...bound, drawing: { kind: "cut" } }], ["bounds"]],
];

function withNotes(value: unknown, names: readonly string[]): RunJson {
  const run = samples["prefix-3"]()[0] as unknown as Record<string, unknown>;
  for (const name of names) run[name] = value;
  return run as unknown as RunJson;
}

test.each(wrong)("%s in place of a note: the page says so, and shows the run", async (_, value, names) => {
  const { page, complaints } = await open(browser, "notes", [withNotes(value, names)], "#step=2");
  const said = await page.locator(".wrong").allInnerTexts();
  expect(said).toHaveLength(names.length);
  names.forEach((name) => {
    const its = said.filter((sentence) => sentence.includes(`“${name}”, where the page reads `));
    expect(its).toHaveLength(1);
    expect(its[0]).toContain(JSON.stringify(value).slice(0, 60));
  });
  for (const tab of await page.locator("[role=tab]").all()) await tab.click();
  await page.keyboard.press("ArrowRight");
  expect(await page.locator(".caption .where b").innerText()).toBe("Step 3");
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("right notes are taken as they are", () => {
  const [run] = samples["prefix-3"]();
  const { runs } = decode(JSON.stringify({ format: 1, runs: [run] }), "json");
  expect(runs[0].wrong).toEqual([]);
  expect(runs[0].claims).toEqual(run.claims);
  expect(runs[0].bounds).toEqual(run.bounds);
});

test("data that cannot be drawn are told in words", async () => {
  const run = samples["prefix-3"]()[0] as unknown as Record<string, unknown>;
  run.phases = 7;
  run.steps = { ...(run.steps as object), contention: null };
  const { page } = await open(browser, "undrawable", [run as unknown as RunJson], "#step=2", {}, "p");
  expect(await page.locator("#lockstep-view").innerText()).toContain("This page cannot be shown.");
  await page.context().close();
});
