import { strFromU8, unzipSync } from "fflate";
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeQuestions } from "../../src/data/quiz";
import type { MachineJson } from "../../src/data/format";
import { Run } from "../../src/data/run";
import { projected, unzoomed } from "../../src/drawing/camera";
import { chooseDrawing } from "../../src/drawing/layouts/choose";
import { cameraOf } from "../../src/drawing/scene";
import { hostile, samples } from "../samples/runs";
import { launch, open } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/// The figures that the page shows after its step.
function shownTotals(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>("tr[data-figure]")].map((row) => [
        row.dataset.figure!,
        row.querySelector(".now")!.textContent!.replace(/\u2009/g, ""),
      ]),
    ),
  );
}

function shownStep(page: Page): Promise<string> {
  return page.locator(".caption .where b").first().innerText();
}

/// The address, once it is written: fast changes are written together.
async function hash(page: Page): Promise<string> {
  await page.waitForTimeout(450);
  return page.evaluate(() => location.hash);
}

/// A count of pixels that are painted on the canvas that stands still.
function painted(page: Page): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>("canvas.still")!;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 3; at < data.length; at += 4) if (data[at] > 0) ++count;
    return count;
  });
}

/// Whether anything is painted on the canvas on which messages move.
function hasMovingMessages(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>("canvas.moving")!;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    return data.some((value) => value > 0);
  });
}

/// Where on the page the drawing of a machine has a processor.
async function placeOf(page: Page, machine: MachineJson, rank: number, side = 0) {
  const box = (await page.locator(".canvases").nth(side).boundingBox())!;
  const drawing = chooseDrawing(machine);
  const camera = cameraOf(drawing, box.width, box.height, unzoomed);
  const [x, y] = projected(camera, [drawing.layout.x[rank], drawing.layout.y[rank]]);
  return { x: box.x + x, y: box.y + y };
}

/// Clicks a processor where the drawing of its machine has it.
async function clickProcessor(
  page: Page,
  machine: MachineJson,
  rank: number,
  side = 0,
): Promise<void> {
  const { x, y } = await placeOf(page, machine, rank, side);
  await page.mouse.click(x, y);
}

describe.each(Object.keys(samples))("%s", (name) => {
  test("loads and steps through without a complaint", async () => {
    const runs = samples[name]();
    const { page, complaints } = await open(browser, name, runs, "#step=0");
    const steps = Math.max(...runs.map((run) => run.steps.messages.length));
    expect(await shownStep(page)).toBe("Step 0");
    for (let step = 0; step < Math.min(steps, 6); ++step) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("End");
    expect(await painted(page)).toBeGreaterThan(500);
    for (const tab of await page.locator("[role=tab]").all()) await tab.click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      1360,
    );
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

test.each(["exchange-4x4", "tree-4", "prefix-10", "mesh-transpose"])(
  "%s: forward and back, the figures at each step are those of the data",
  async (name) => {
    const runs = samples[name]();
    const { page } = await open(browser, name, runs, "#step=0&panel=counts");
    const run = new Run(runs[0]);
    const expected = (step: number) =>
      Object.fromEntries(run.figureNames.map((figure) => [figure, run.total(figure, step)]));
    for (let step = 1; step <= run.steps; ++step) {
      await page.keyboard.press("ArrowRight");
      expect(await shownTotals(page)).toEqual(expected(step));
    }
    for (let step = run.steps - 1; step >= 0; --step) {
      await page.keyboard.press("ArrowLeft");
      expect(await shownTotals(page)).toEqual(expected(step));
    }
    await page.context().close();
  },
);

test("keys: home, end, space, processors, theme, type", async () => {
  const { page } = await open(browser, "keys", samples["exchange-4x4"](), "#step=2");
  await page.keyboard.press("End");
  expect(await shownStep(page)).toBe("Step 6");
  await page.keyboard.press("Home");
  expect(await shownStep(page)).toBe("Step 0");
  await page.keyboard.press("]");
  expect(await hash(page)).toContain("processor=0");
  await page.keyboard.press("[");
  expect(await hash(page)).toContain("processor=15");
  await page.keyboard.press("Escape");
  expect(await hash(page)).not.toContain("processor");
  await page.keyboard.press("t");
  expect(await page.getAttribute("html", "data-theme")).toBe("dark");
  await page.keyboard.press("l");
  expect(await page.getAttribute("html", "class")).toContain("large");
  await page.keyboard.press("?");
  expect(await page.locator(".help").isVisible()).toBe(true);
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await page.keyboard.press(" ");
  await page.waitForFunction(() => location.hash.includes("step=6"), undefined, { timeout: 8000 });
  await page.getByRole("button", { name: "Play" }).waitFor();
  await page.context().close();
});

test("messages move while a step is under way", async () => {
  const { page } = await open(browser, "moves", samples["exchange-4x4"](), "#step=1");
  await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(250);
  expect(await hasMovingMessages(page)).toBe(true);
  await page.context().close();
});

test("a click on a processor shows what it holds, and stands in the address", async () => {
  const runs = samples["exchange-4x4"]();
  const { page } = await open(browser, "click", runs, "#step=1");
  await clickProcessor(page, runs[0].machine, 6);
  expect(await hash(page)).toContain("processor=6");
  const panel = page.locator("#panel");
  expect(await panel.innerText()).toContain("Processor 6 (1,2)");
  expect(await panel.locator(".block").count()).toBe(16);
  await page.context().close();
});

test("a block is followed from a click on it, and by the address", async () => {
  const { page } = await open(browser, "follow", samples["exchange-4x4"](), "#step=0&processor=5");
  await page.getByRole("button", { name: "F2, 5→2: follow this block", exact: true }).click();
  expect(await hash(page)).toContain("follow=5-2");
  const way = page.locator(".way li");
  expect(await way.allInnerTexts()).toEqual([
    "at the beginning at 5 (1,1)",
    "step 1 at 6 (1,2)",
    "step 4 at 10 (2,2)",
    "step 5 at 14 (3,2)",
    "step 6 at 2 (0,2)",
  ]);
  await way.nth(3).getByRole("button").click();
  expect(await shownStep(page)).toBe("Step 5");
  await page.context().close();
});

test("a block is typed by ranks or coordinates, and what cannot be read is told", async () => {
  const { page } = await open(browser, "typed", samples["exchange-4x4"](), "#step=0&panel=processor");
  const block = page.getByLabel("Source-destination");
  const type = async (field: typeof block, text: string) => {
    await field.fill(text);
    await page.keyboard.press("Enter");
  };
  await type(block, "(1,1)→(0,2)");
  expect(await block.inputValue()).toBe("5-2");
  expect(await hash(page)).toContain("follow=5-2");
  await type(block, "5 to 2");
  expect(await block.inputValue()).toBe("5 to 2");
  expect(await page.locator(".follow").innerText()).toContain("Write 0-15 or (0,0)-(3,3).");
  const rank = page.getByRole("spinbutton", { name: "Processor" });
  for (const text of ["99", "1.5"]) {
    await type(rank, text);
    expect(await page.locator("#panel").innerText()).toContain("There are processors 0 to 15.");
  }
  await type(rank, "3");
  expect(await page.locator("#panel").innerText()).not.toContain("There are processors");
  expect(await page.locator("#panel h3").first().innerText()).toContain("Processor 3 (0,3)");
  await page.context().close();
});

test("the words of a pipelined run are said to stand in its first step", async () => {
  const { page } = await open(browser, "pipelined", samples["tree-4"](), "#step=7&panel=counts");
  expect(await page.locator("#panel").innerText()).toContain(
    "The words of a pipelined run are counted in its first step.",
  );
  expect(await page.locator(".stepbars figure b").first().innerText()).toBe("1");
  await page.context().close();
});

test("the address alone brings back the state", async () => {
  const { page } = await open(
    browser,
    "address",
    samples["exchange-4x4"](),
    "#step=5&processor=3&follow=7-2",
  );
  expect(await shownStep(page)).toBe("Step 5");
  expect(await page.locator("#panel").innerText()).toContain("Processor 3 (0,3)");
  expect(await page.getByLabel("Source-destination").inputValue()).toBe("7-2");
  await page.evaluate(() => (location.hash = "#step=2&panel=messages"));
  await page.waitForFunction(() => document.querySelector(".where b")?.textContent === "Step 2");
  expect(await page.locator("#panel tbody tr").count()).toBe(16);
  await page.context().close();
});

test("the quiz hides what comes, tells right from wrong, and counts", async () => {
  const runs = samples["prefix-3"]();
  const settings = { asks: ["where" as const, "words" as const], questions: 3, seed: 5 };
  const { page, complaints } = await open(
    browser,
    "quiz",
    runs,
    "#quiz=where,words&questions=3&seed=5",
  );
  const questions = makeQuestions(new Run(runs[0]), settings);
  expect(await page.locator(".timeline").count()).toBe(0);
  expect(await page.locator(".gantt").count()).toBe(0);
  for (const [at, question] of questions.entries()) {
    expect(await shownStep(page)).toBe(`Step ${question.step - 1}`);
    await page.keyboard.press("ArrowRight");
    expect(await shownStep(page)).toBe(`Step ${question.step - 1}`);
    if (question.asks === "where") await clickProcessor(page, runs[0].machine, question.right[0]);
    else {
      await page.getByLabel("Your answer").fill(at === 1 ? "0" : (question.right as string));
      await page.getByRole("button", { name: "Answer" }).click();
    }
    const verdict = await page.locator(".verdict").innerText();
    expect(verdict).toContain(question.asks === "words" && at === 1 ? "Not 0" : "Right");
    expect(await shownStep(page)).toBe(`Step ${question.step}`);
    await page.locator(".verdict button").click();
  }
  const wrong = questions[1].asks === "words" ? 1 : 0;
  expect(await page.locator(".score").innerText()).toBe(`${3 - wrong} of 3 right`);
  await page.getByRole("button", { name: "See the run" }).click();
  expect(await page.locator(".timeline").count()).toBe(1);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("a quiz on one of two runs says which, and takes its processors alone as answers", async () => {
  const runs = samples.two();
  const address = "#run=2&quiz=where&questions=2&seed=1";
  const { page } = await open(browser, "quiz-two", runs, address);
  const questions = makeQuestions(new Run(runs[1]), { asks: ["where"], questions: 2, seed: 1 });
  const question = page.locator(".question");
  expect(await question.innerText()).toMatch(/^On hypercube:3: Step 1 comes next\./);
  await clickProcessor(page, runs[0].machine, 2);
  await page.locator(".stage h2 button").first().click();
  expect(await page.locator(".verdict").count()).toBe(0);
  expect(await hash(page)).toContain("&run=2&quiz=where");
  for (const { right } of questions) {
    await clickProcessor(page, runs[1].machine, (right as number[])[0], 1);
    expect(await page.locator(".verdict").innerText()).toContain("Right");
    await page.locator(".verdict button").click();
  }
  await clickProcessor(page, runs[0].machine, 2);
  await page.getByRole("button", { name: "Again" }).click();
  expect(await question.innerText()).toContain("On hypercube:3");
  expect(await hash(page)).toContain("&run=2&quiz=where");
  await page.getByRole("button", { name: "End the quiz" }).click();
  expect(await page.getByLabel("A link for homework").inputValue()).toContain("#run=2&quiz=");
  await page.context().close();
});

test("a quiz that has nothing to ask says so", async () => {
  const [run] = samples["prefix-3"]();
  run.steps.pipelined = run.steps.pipelined.map(() => 1);
  const { page } = await open(browser, "quiz-none", [run], "#quiz=words&questions=3&seed=1");
  expect(await page.locator(".score").innerText()).toBe("There is nothing to ask of this run.");
  await page.context().close();
});

test("two runs go side by side, with one slider", async () => {
  const { page } = await open(browser, "two", samples.two(), "#step=5");
  expect(await page.locator(".stage").count()).toBe(2);
  const steps = await page.locator(".where").allInnerTexts();
  expect(steps[0]).toContain("Step 5 of 6");
  expect(steps[1]).toContain("Step 3 of 3");
  expect(steps[1]).toContain("it has ended");
  await page.locator(".slider").fill("2");
  expect((await page.locator(".where b").allInnerTexts()).join()).toBe("Step 2,Step 2");
  await page.locator(".stage h2 button").nth(1).click();
  expect(await hash(page)).toContain("run=2");
  await page.context().close();
});

test("brushing the matrix marks processors and steps", async () => {
  const { page } = await open(
    browser,
    "brush",
    samples["exchange-4x4"](),
    "#step=2&panel=messages",
  );
  await page
    .locator(".gantt .chart")
    .evaluate((chart) => chart.scrollIntoView({ block: "center" }));
  const box = (await page.locator(".gantt .chart").boundingBox())!;
  await page.mouse.move(box.x + 50, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 40, { steps: 4 });
  await page.mouse.up();
  expect(await page.locator("#panel").innerText()).toContain("Only those of marked processors.");
  expect(await page.locator(".gantt").innerText()).toContain(
    "Marked: processors 0-2 in steps 1 to 2.",
  );
  expect(await hash(page)).toBe("#step=2&panel=messages&mark=0-2&steps=1-2");
  await page.getByRole("button", { name: "Its link loads" }).click();
  expect(await page.locator(".heatkey").innerText()).toMatch(
    /Words of processors 0-2 in steps 1 to 2: 0\s+20 words/,
  );
  await page.getByRole("button", { name: "Its link loads" }).click();
  expect(await page.locator("#panel tbody tr").count()).toBeLessThan(16);
  await page.getByRole("button", { name: "Clear the mark" }).click();
  expect(await page.locator("#panel tbody tr").count()).toBe(16);
  await page.getByLabel("Mark processors").fill("4-5");
  await page.keyboard.press("Enter");
  expect(await page.locator("#panel tbody tr").count()).toBe(3); // 7 -> 4, 4 -> 5, 5 -> 6
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  expect(await page.locator("#panel tbody tr").count()).toBe(16);
  await page.context().close();
});

test("a rectangle dragged in the drawing marks the processors in it, also in the matrix", async () => {
  const runs = samples["exchange-4x4"]();
  const { page, complaints } = await open(browser, "drag", runs, "#step=1");
  const matrix = page.locator(".gantt canvas");
  const picture = () => matrix.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  const before = await picture();
  const from = await placeOf(page, runs[0].machine, 5);
  const to = await placeOf(page, runs[0].machine, 10);
  await page.mouse.move(Math.min(from.x, to.x) - 25, Math.min(from.y, to.y) - 25);
  await page.mouse.down();
  await page.mouse.move(Math.max(from.x, to.x) + 25, Math.max(from.y, to.y) + 25, { steps: 4 });
  await page.mouse.up();
  expect(await hash(page)).toBe("#step=1&mark=5-6,9-10");
  expect(await page.locator(".gantt").innerText()).toContain("Marked: processors 5-6,9-10 in");
  expect(await picture()).not.toBe(before);
  expect(await page.locator(".dragged").count()).toBe(0);
  await clickProcessor(page, runs[0].machine, 3);
  expect(await hash(page)).toBe("#step=1&processor=3&panel=processor&mark=5-6,9-10");
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("the processor under the pointer stands out in the matrix and in the drawing", async () => {
  const runs = samples["exchange-4x4"]();
  const { page } = await open(browser, "hover", runs, "#step=1");
  const picture = (canvas: string) =>
    page.locator(canvas).evaluate((it: HTMLCanvasElement) => it.toDataURL());
  const [matrix, moving] = [await picture(".gantt canvas"), await picture("canvas.moving")];
  const at = await placeOf(page, runs[0].machine, 6);
  await page.mouse.move(at.x, at.y);
  expect(await picture(".gantt canvas")).not.toBe(matrix);
  expect(await picture("canvas.moving")).not.toBe(moving);
  await page.mouse.move(5, 5);
  expect(await picture(".gantt canvas")).toBe(matrix);
  expect(await picture("canvas.moving")).toBe(moving);
  await page.locator(".gantt .chart").hover({ position: { x: 60, y: 40 } });
  expect(await picture("canvas.moving")).not.toBe(moving);
  await page.context().close();
});

test("an address marks processors and steps, and these steps are printed", async () => {
  const runs = samples["exchange-4x4"]();
  const { page } = await open(browser, "mark", runs, "#step=1&mark=0-3,9&steps=2-4");
  expect(await page.locator(".gantt").innerText()).toContain(
    "Marked: processors 0-3,9 in steps 2 to 4.",
  );
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(3);
  await page.context().close();
});

test("a failed run begins at its failure, with the lines of the source", async () => {
  const { page } = await open(browser, "deadlock", samples.deadlock());
  expect(await shownStep(page)).toBe("Step 2");
  expect(await page.locator(".failure").innerText()).toContain("0 → 5 → 4 → 3 → 2 → 1 → 0");
  expect(await page.locator("#panel").innerText()).toContain("ring.hpp:5");
  expect(await page.locator(".sourceline").first().innerText()).toContain("me.receive_value");
  expect(await page.locator(".message").innerText()).toMatch(/^Nobody can go on/);
  await page.context().close();
});

test("without a chosen processor all data arrays stand one below another", async () => {
  const runs = samples["sort-12"]();
  const { page } = await open(browser, "all", runs, "#step=12&panel=processor");
  const lines = await page.locator(".allheld .mini").allInnerTexts();
  const keys = lines.join(" ").trim().split(/\s+/).map(Number);
  expect(keys).toHaveLength(24);
  expect(keys).toEqual([...keys].sort((a, b) => a - b));
  await page.locator(".allheld button").nth(3).click();
  expect(await page.locator("#panel h3").first().innerText()).toContain("Processor 3");
  expect(await page.locator(".follow").count()).toBe(0); // keys have no origin to follow
  await page.context().close();
});

test("the messages of a step stand in a matrix of sources and destinations", async () => {
  const runs = samples["crossbar-8"]();
  const { page } = await open(browser, "pairs", runs, "#step=3&panel=messages");
  const cells = await page
    .locator(".pairs svg rect:not(.ground)")
    .evaluateAll((rects) =>
      rects.map((rect) => [rect.getAttribute("y"), rect.getAttribute("x")].map(Number)),
    );
  expect(cells.length).toBe(8);
  for (const [from, to] of cells) expect(to).toBe((from + 3) % 8);
  await page.context().close();
});

test("the code shows where processors stand", async () => {
  const { page } = await open(browser, "code", samples["exchange-4x4"](), "#step=2&panel=code");
  expect(await page.locator(".line.stands").count()).toBeGreaterThan(0);
  expect(await page.locator(".line.stands .ranks").first().innerText()).toBe("16×");
  await page.context().close();
});

test("the code is what runs, 80 columns wide; others are chosen by a list, or by the chain of calls", async () => {
  const [run] = samples["exchange-4x4"]();
  const wide = `  // ${"80 columns ".repeat(7)}`; // of 82
  run.header = "ring.hpp";
  run.sources = [
    { name: "ring.hpp", text: `void around(processor& me) {\n${wide}\n  shift(me);\n  me.barrier();\n}\n` },
    { name: "shift.hpp", text: "void shift(processor& me) {\n  me.send(1, 2);\n  me.receive(1);\n}\n" },
    { name: "main.cpp", text: "int main() {\n  around(me);\n}\n" },
  ];
  const place = (file: number, line: number, from?: number) => ({ file, line, function: "", from });
  run.places = [place(1, 2, 2), place(1, 3, 2), place(0, 3, 3), place(2, 2)];
  run.calls!.place = run.calls!.place.map((at) => Math.min(at, 1));
  run.calls!.place[0] = run.places.push(place(0, 4, 3)) - 1;
  const { page } = await open(browser, "code-of", [run], "#step=2&panel=code&processor=3", {
    viewport: { width: 1366, height: 768 },
  });
  const code = page.getByRole("region", { name: "Source of" });
  const chosen = () => page.locator(".line.chosen").innerText();
  expect(await code.getAttribute("aria-label")).toBe("Source of shift"); // the inner one of two with two lines each
  expect(await chosen()).toContain("me.receive(1);");
  await page.locator(".code-of select").selectOption({ label: "around in ring.hpp" });
  expect(await chosen()).toContain("shift(me);");
  const heights = await code.locator(".line").evaluateAll((all) => all.map((one) => one.clientHeight));
  expect(new Set(heights).size).toBe(1); // none is wrapped
  await page.locator(".chain summary").click();
  const chain = page.locator(".chain li");
  expect(await chain.allInnerTexts()).toEqual([
    "shift.hpp:3 in shift",
    "ring.hpp:3 in around",
    "main.cpp:2 in main",
  ]);
  await chain.getByRole("button", { name: "main.cpp:2" }).click();
  expect(await code.getAttribute("aria-label")).toBe("Source of main");
  expect(await chosen()).toContain("around(me);");
  await page.locator(".code-of select").selectOption({ label: "all of shift.hpp" });
  expect(await code.locator(".line").count()).toBe(5);
  await page.context().close();
});

test("a program of one's own has its own function", async () => {
  const [run] = samples["exchange-4x4"]();
  run.header = "";
  const { page } = await open(browser, "own", [run], "#step=2&panel=code");
  const { first, last } = new Run(run).functions.best([0])!;
  const numbers = await page.locator(".line > .number").allInnerTexts();
  expect([numbers[0], numbers.at(-1)].map(Number)).toEqual([first, last]);
  await page.context().close();
});

test("what came in is said and framed in the panel of a processor", async () => {
  const { page } = await open(browser, "came", samples["exchange-4x4"](), "#step=1&processor=5");
  expect(await page.locator(".held").innerText()).toMatch(/\d+ framed came from [\d, ()]+;? /);
  expect(await page.locator(".block.came").count()).toBeGreaterThan(0);
  expect(await page.locator(".block.came").first().getAttribute("title")).toMatch(/as processor \d+ had it/);
  await page.context().close();
});

test("the lower bound is drawn", async () => {
  const { page } = await open(browser, "bound", samples["crossbar-8"](), "#step=0&panel=bound");
  const before = await painted(page);
  await page.getByRole("button", { name: "Show it in the drawing" }).click();
  expect(await painted(page)).toBeGreaterThan(before);
  await page.context().close();
});

test("a bound that is not drawn has no button, and an array without blocks is empty", async () => {
  const [run] = samples["crossbar-8"]();
  run.bounds[0].drawing = { kind: "doubling" };
  run.bounds[0].sentence = "Each step doubles at most what is known.";
  run.shows!.value = run.shows!.value.map(() => ({ blocks: [[], []] }));
  const { page } = await open(browser, "doubling", [run], "#step=0&panel=bound");
  expect(await page.locator("#panel").innerText()).toContain("Each step doubles at most");
  expect(await page.locator("#panel button").count()).toBe(0);
  await page.evaluate(() => (location.hash = "#step=0&processor=2"));
  await page.locator(".held").waitFor();
  expect(await page.locator(".held").innerText()).toMatch(/blocks\s+empty$/);
  await page.context().close();
});

test("texts of a user stay texts", async () => {
  const { page, complaints } = await open(browser, "hostile", [hostile()], "#step=1&processor=0");
  for (const tab of await page.locator("[role=tab]").all()) {
    await tab.click();
    expect(await page.locator("#lockstep-view img, #lockstep-view b:text-is('bold')").count()).toBe(
      0,
    );
  }
  expect(await page.locator("h1").innerText()).toContain("<img src=x");
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("printing gives a picture for each step", async () => {
  const { page } = await open(browser, "print", samples["exchange-4x4"]());
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(8); // the last with counts, claims and bounds
  expect(await page.locator(".printed").count()).toBe(0);
  await page.context().close();
});

test.each([
  ["2 steps on each page", 5],
  ["4 steps on each page", 3],
  ["6 steps on each page", 3],
  ["slides of 16:9", 8],
])("a print of %s", async (layout, sheets) => {
  const { page } = await open(browser, "print-layout", samples["exchange-4x4"]());
  await page.locator(".menu summary").click();
  await page.locator(".menu select").selectOption({ label: layout });
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(sheets);
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf)!.map(Number);
  if (layout.startsWith("slides")) expect(width / height).toBeCloseTo(16 / 9, 2);
  else expect(width).toBeLessThan(height);
  await page.context().close();
});

test("what is printed ends with counts, claims and bounds, and not while a quiz asks", async () => {
  const { page } = await open(browser, "print-end", samples["exchange-4x4"](), "#step=0");
  const end = () =>
    page.evaluate(() => {
      dispatchEvent(new Event("beforeprint"));
      return document.querySelector(".printed .sums")?.textContent ?? "";
    });
  const text = await end();
  for (const part of ["Lower bound: steps \u2265 4", "Claim: ", "steps 6"]) expect(text).toContain(part);
  await page.evaluate(() => (location.hash = "#quiz=where"));
  expect(await end()).toBe("");
  await page.context().close();
});

test("printing two runs gives a page a step, with a picture of each", async () => {
  const { page } = await open(browser, "print-two", samples.two(), "#step=0");
  const pictures = await page.evaluate(() => {
    dispatchEvent(new Event("beforeprint"));
    return [...document.querySelectorAll(".printed figure")].map(
      (figure) => figure.querySelectorAll("img").length,
    );
  });
  const [tree, cube] = samples.two().map((run) => run.steps.messages.length);
  expect(tree).toBeGreaterThan(cube);
  expect(pictures).toEqual(Array.from({ length: tree + 1 }, (_, step) => (step > cube ? 1 : 2)));
  await page.context().close();
});

test("a print of very many messages ends early, and says so", async () => {
  const runs = [samples["prefix-10"]()[0], samples["prefix-10"]()[0]]; // 2,048 messages a step
  const { page } = await open(browser, "print-many", runs, "#step=0");
  const printed = await page.evaluate(() => {
    dispatchEvent(new Event("beforeprint"));
    return document.querySelector(".printed > p")?.textContent;
  });
  expect(printed).toBe("Steps after 5 are not printed; mark steps in the matrix to print them.");
  await page.context().close();
});

test("keys step and play after the slider, a button and the speed were used", async () => {
  const { page } = await open(browser, "focus", samples["exchange-4x4"](), "#step=0");
  await page.locator(".slider").click({ position: { x: 3, y: 5 } });
  await page.keyboard.press(" ");
  expect(await page.getByRole("button", { name: "Pause" }).count()).toBe(1);
  await page.keyboard.press(" ");
  await page.getByRole("button", { name: "First step" }).click();
  await page.getByRole("button", { name: "Forward" }).click();
  await page.keyboard.press(" ");
  expect(await page.getByRole("button", { name: "Pause" }).count()).toBe(1);
  await page.keyboard.press("Home");
  await page.getByLabel("Speed").selectOption("4");
  await page.keyboard.press("ArrowRight");
  expect(await shownStep(page)).toBe("Step 1");
  expect(await page.getByLabel("Speed").inputValue()).toBe("4");
  await page.context().close();
});

test.each([
  [1360, 850, false],
  [1024, 768, true],
])("machine, time line and controls fit a window of %i x %i", async (width, height, large) => {
  const options = { viewport: { width, height } };
  const { page } = await open(browser, "fits", samples["exchange-4x4"](), "#step=2", options);
  if (large) await page.keyboard.press("l");
  const bottom = async (of: string) => {
    const box = (await page.locator(of).first().boundingBox())!;
    return box.y + box.height;
  };
  expect(await bottom(".columns")).toBeLessThanOrEqual(height);
  expect(await bottom(".network .canvases")).toBeLessThan(await bottom(".columns"));
  const controls = (await page.locator(".controls").boundingBox())!;
  expect(controls.y + controls.height).toBeLessThanOrEqual(height);
  expect(controls.y).toBeGreaterThanOrEqual((await bottom(".columns")) - 1);
  await page.locator(".gantt").scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 5000);
  await page.waitForTimeout(200);
  const panels = (await page.locator(".panels").boundingBox())!;
  const matrix = (await page.locator(".gantt").boundingBox())!;
  expect(panels.y + panels.height).toBeLessThanOrEqual(matrix.y + 1);
  await page.context().close();
});

test("the link loads of two runs have one scale", async () => {
  const { page } = await open(browser, "scale", samples.two(), "#step=0&load=run");
  const keys = await page.locator(".heatkey").allInnerTexts();
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  await page.context().close();
});

test("a step is saved as SVG and as PNG", async () => {
  const { page } = await open(browser, "save", samples["exchange-4x4"](), "#step=3");
  const saved = async (name: string) => {
    await page.locator(".menu summary").click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name }).click(),
    ]);
    return { name: download.suggestedFilename(), data: readFileSync(await download.path()) };
  };
  const svg = await saved("This step as SVG");
  expect(svg.name).toBe("all-to-all-on-torus-4x4-step-3.svg");
  expect(svg.data.toString()).toContain("step 3 of 6, rows");
  expect(svg.data.toString().match(/<circle/g)!.length).toBeGreaterThanOrEqual(32);
  const all = await saved("All steps as SVG");
  expect(all.name).toBe("all-to-all-on-torus-4x4-steps.zip");
  const files = unzipSync(all.data);
  expect(Object.keys(files)).toEqual([0, 1, 2, 3, 4, 5, 6].map((step) => `step-00${step}.svg`));
  expect(strFromU8(files["step-003.svg"])).toBe(svg.data.toString());
  const png = await saved("This step as PNG");
  expect(png.data.subarray(1, 4).toString()).toBe("PNG");
  await page.context().close();
});

test.each(["exchange-12x12", "two", "deadlock", "prefix-3"])("%s fits 360 pixels", async (name) => {
  const { page, complaints } = await open(browser, `${name}-narrow`, samples[name](), "#step=2", {
    viewport: { width: 360, height: 740 },
  });
  for (const tab of await page.locator("[role=tab]").all()) {
    await tab.click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  }
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("a dark system gets a dark page", async () => {
  const { page } = await open(browser, "dark", samples["prefix-3"](), "", { colorScheme: "dark" });
  expect(await page.getAttribute("html", "data-theme")).toBe("dark");
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(paper).toBe("rgb(15, 17, 21)");
  await page.context().close();
});

test("a reader who wants less movement gets none", async () => {
  const { page } = await open(browser, "calm", samples["prefix-3"](), "#step=0", {
    reducedMotion: "reduce",
  });
  await page.keyboard.press("ArrowRight");
  expect(await hasMovingMessages(page)).toBe(false);
  await page.context().close();
});

test("data that cannot be read is told", async () => {
  const runs = samples["prefix-3"]();
  const { page } = await open(browser, "readable", runs);
  const told = await page.evaluate(() => {
    document.getElementById("lockstep-run")!.textContent = '{"format": 9}';
    document.getElementById("lockstep-run")!.dataset.encoding = "json";
    const script = document.createElement("script");
    script.textContent = document.querySelectorAll("script")[1].textContent;
    document.getElementById("lockstep-view")!.replaceChildren();
    document.body.append(script);
    return document.getElementById("lockstep-view")!.textContent;
  });
  expect(told).toContain("data of format 9");
  await page.context().close();
});

test("the clocks of processors are drawn, said, and lead to a processor", async () => {
  const { page, complaints } = await open(browser, "clocked", samples.clocked(), "#step=1");
  const clock = page.locator(".clock");
  expect(await clock.locator("p").first().innerText()).not.toContain("NaN");
  expect(await clock.innerText()).toContain("By loggp-clock: 12 us, in which processors are busy for 24 %");
  expect(await clock.locator("svg g rect").count()).toBe(10);
  expect(await clock.locator(".axis span").allInnerTexts()).toEqual(["0", "2", "4", "6", "8", "10", "12 us"]);
  expect(await clock.locator(".tipline").innerText()).toBe(
    "The line is the critical path: who waits for whom. " +
      "The messages of step 1 are sent and taken in from 0 to 7 us.",
  );
  expect(await clock.locator("svg rect.step").getAttribute("width")).toMatch(/^583\./);
  await clock.locator("svg").scrollIntoViewIfNeeded();
  const box = (await clock.locator("svg").boundingBox())!;
  // Processor 2 waits at a third of the time.
  await page.mouse.move(box.x + box.width / 3, box.y + (2.5 / 4) * box.height);
  const slowly = { timeout: 8000 }; // a page takes its time on a busy computer
  await expect
    .poll(() => clock.locator(".tipline").innerText(), slowly)
    .toBe("Processor 2 (10) waits for a message, 0 to 10 us.");
  await page.mouse.click(box.x + box.width / 3, box.y + (2.5 / 4) * box.height);
  await expect.poll(() => page.evaluate(() => location.hash), slowly).toContain("processor=2");
  await clock.locator("summary").click();
  expect(await clock.locator(".pathlist li").allInnerTexts()).toEqual([
    "0 to 4 us: processor 3 works",
    "4 to 5 us: processor 3 sends to 2",
    "5 to 11.5 us: processor 2 waits for and receives a message from 3",
  ]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("counts have the span, the makespan and those of labels, and work how much of it is idle", async () => {
  const { page, complaints } = await open(browser, "worked", samples.clocked(), "#step=1&panel=counts");
  const figure = (name: string) => page.locator(`tr[data-figure="${name}"] td`).allInnerTexts();
  expect(await figure("span")).toEqual(["operations", "4", ""]);
  expect(await figure("makespan")).toEqual(["steps", "3", ""]);
  expect(await page.locator("table.labels tbody tr").allInnerTexts()).toEqual([
    "sums\t2\t2\t8\t8\t4",
    "first\t1\t1\t4\t4\t4",
  ]);
  const work = page.locator(".stepbars > div");
  expect(await work.innerText()).toContain("4 mean 1, 75 % idle");
  expect(await work.innerText()).toContain("75 % idle until step 2");
  expect(await work.locator("rect.mean").count()).toBe(2);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("a run without a clock has no drawing of one", async () => {
  const { page } = await open(browser, "unclocked", samples["prefix-3"](), "#step=1");
  expect(await page.locator(".clock").count()).toBe(0);
  await page.context().close();
});
