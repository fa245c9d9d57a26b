// Every command that a page of the gallery quotes, as a reader types it: it ends with 0. LOCKSTEP names the tool.
import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, openFile } from "../page/browser";
import { fileOf, names, runIn, tool } from "./pages";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/// Pages whose run is not by the form of a paper or textbook, though there is one: on other networks alone, or
/// with elements that cannot be followed through all passes.
const byAnother = ["pipelined-prefix", "radix-sort"];

const listed = new Map<string, string[]>(); // the names of an algorithm's options
beforeAll(async () => {
  const { stdout } = await promisify(execFile)(tool, ["list", "--json"], { maxBuffer: 1 << 26 });
  const { algorithms } = JSON.parse(stdout) as {
    algorithms: { name: string; parameters: { name: string }[] }[];
  };
  for (const { name, parameters } of algorithms)
    listed.set(name, parameters.map((one) => one.name));
});

/// Splits a command into words; only double and single quotes are known.
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((one) => one[1] ?? one[2] ?? one[3]);
}

test.each(names)("%s: each command on the page is one that ends with 0", async (name) => {
  const { page } = await openFile(browser, fileOf(name), "#step=1");
  const quoted = new Set<string>();
  let texts = "";
  for (const tab of await page.locator("[role=tab]").all()) {
    await tab.click();
    const found = await page.evaluate(() => ({
      codes: [...document.querySelectorAll("code.command, .textbook code, dd, .panel p code")]
        .map((one) => one.textContent!.trim())
        .filter((text) => /^lockstep [a-z]/.test(text)),
      text: document.body.innerText,
    }));
    for (const command of found.codes) quoted.add(command);
    texts += found.text;
  }
  await page.context().close();
  const run = runIn(fileOf(name));
  expect([...quoted]).toContain(run.json.command);
  if (run.json.textbook) expect([...quoted]).toContain(run.json.textbook);
  // An option that is named outside a command could be refused.
  const longestFirst = [...quoted].sort((a, b) => b.length - a.length);
  const outside = longestFirst.reduce((text, command) => text.replaceAll(command, ""), texts);
  expect(outside).not.toContain("--textbook");
  const hasForm = listed.get(name)!.includes("textbook");
  expect(hasForm && run.json.parameters.textbook !== true).toBe(byAnother.includes(name));
  expect(run.json.textbook !== undefined).toBe(byAnother.includes(name));
  const cwd = mkdtempSync(join(tmpdir(), "viewer-commands-"));
  for (const command of quoted) {
    const [first, ...words] = wordsOf(command);
    expect(first).toBe("lockstep");
    await promisify(execFile)(tool, words, { cwd, maxBuffer: 1 << 26 }); // rejects another status than 0
  }
});
