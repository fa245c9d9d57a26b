import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { samples } from "../samples/runs";
import { seriousIn } from "./axe";
import { launch, open } from "./browser";

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
    expect(await seriousIn(page)).toEqual([]);
    await page.context().close();
  },
);
