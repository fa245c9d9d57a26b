import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { samples } from "../samples/runs";
import { launch, open } from "./browser";

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const pages = [
  ["exchange-4x4", "#step=2&processor=5&follow=5-2", "light"],
  ["exchange-4x4", "#step=2&processor=5&follow=5-2", "dark"],
  ["mesh-transpose", "#step=1&panel=messages", "light"],
  ["tree-4", "#step=3&panel=code", "light"],
  ["tree-4", "#step=3&panel=code", "dark"],
  ["prefix-3", "#step=3&panel=bound", "dark"],
  ["exchange-4x4", "#step=3&panel=about", "light"],
  ["exchange-4x4", "#step=0&panel=quiz", "light"],
  ["prefix-3", "#quiz=where&questions=2&seed=1", "light"],
  ["deadlock", "", "light"],
  ["deadlock", "", "dark"],
  ["two", "#step=2", "light"],
  ["clocked", "#step=1", "light"],
  ["clocked", "#step=1", "dark"],
  ["cannon-4", "#step=2&processor=3", "light"],
  ["sort-12", "#step=2&processor=3", "dark"],
  ["exchange-4x4", "#step=2&panel=processor", "light"],
] as const;

test.each(pages)(
  "%s %s %s: nothing serious for readers with other means",
  async (name, hash, theme) => {
    const { page } = await open(browser, `axe-${name}`, samples[name](), hash, {
      colorScheme: theme,
    });
    await page.evaluate(axe);
    const violations = await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
      return (await axe.run()).violations;
    });
    const serious = violations
      .filter((violation) => ["serious", "critical"].includes(violation.impact))
      .map(
        (violation) =>
          `${violation.id}: ${violation.nodes[0].html} ${violation.nodes[0].failureSummary}`,
      );
    expect(serious).toEqual([]);
    await page.context().close();
  },
);
