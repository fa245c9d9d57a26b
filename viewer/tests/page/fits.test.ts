import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projected, unzoomed } from "../../src/drawing/camera";
import { chooseDrawing } from "../../src/drawing/layouts/choose";
import { cameraOf } from "../../src/drawing/scene";
import { samples } from "../samples/runs";
import { launch, open } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const pages = [
  "exchange-4x4",
  "prefix-5",
  "tree-4",
  "cannon-4",
  "sort-12",
  "contention",
  "deadlock",
  "leftover",
  "two",
];

describe.each(pages)("%s at 1024 x 768", (name) => {
  const runs = samples[name]();
  const last = Math.max(...runs.map((run) => run.steps.messages.length));

  test.each([false, true])("the bar covers nothing, in large type: %s", async (large) => {
    const options = { viewport: { width: 1024, height: 768 } };
    const { page } = await open(browser, `bar-${name}`, runs, "#step=0", options);
    if (large) await page.keyboard.press("l");
    for (let step = 0; step <= last; ++step) {
      const [bar, below] = await page.evaluate(() => {
        const of = (what: string) => document.querySelector(what)!.getBoundingClientRect();
        const lowest = [...document.querySelectorAll(".timeline")].map(
          (line) => line.getBoundingClientRect().bottom,
        );
        return [of(".controls"), Math.max(...lowest, of(".network").bottom)] as const;
      });
      expect(bar.top).toBeGreaterThanOrEqual(below);
      if (runs.length === 1) expect(bar.bottom).toBeLessThanOrEqual(768);
      await page.keyboard.press("ArrowRight");
    }
    await page.context().close();
  });
});

/// The sizes of the letters on the page's canvases, by text, while the page is painted anew.
function lettering(page: Page): Promise<Record<string, number>> {
  return page.evaluate(async () => {
    const sizes: Record<string, number> = {};
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      sizes[text] = Number(/([\d.]+)px/.exec(this.font)![1]);
      fillText.call(this, text, ...rest);
    };
    for (const key of ["t", "t"]) dispatchEvent(new KeyboardEvent("keydown", { key }));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    CanvasRenderingContext2D.prototype.fillText = fillText;
    return sizes;
  });
}

test.each(["exchange-4x4", "prefix-3", "prefix-5", "tree-4", "ring-8", "butterfly-3", "contention"])(
  "%s: large type makes the letters of the drawing and of the matrix larger",
  async (name) => {
    const { page } = await open(browser, `letters-${name}`, samples[name](), "#step=1");
    const normal = await lettering(page);
    await page.keyboard.press("l");
    const large = await lettering(page);
    const common = Object.keys(normal).filter((text) => text in large);
    expect(common.length).toBeGreaterThanOrEqual(samples[name]()[0].machine.processors);
    for (const text of common) expect([text, large[text] / normal[text] > 1.15]).toEqual([text, true]);
    await page.context().close();
  },
);

test("the drawing keeps its place and size where a step's sentence takes two lines", async () => {
  const { page } = await open(browser, "stays", samples["mesh-transpose"](), "#step=0");
  const box = () => page.locator(".canvases").boundingBox();
  const before = await box();
  await page.keyboard.press("ArrowRight");
  await page.locator(".sentence", { hasText: "20 messages" }).waitFor();
  expect(await box()).toEqual(before);
  await page.context().close();
});

test.each(["exchange-4x4", "mesh-transpose", "crossbar-8"])(
  "%s: no message on its way hides a rank",
  async (name) => {
    const runs = samples[name]();
    const { page } = await open(browser, `ranks-${name}`, runs, "#step=1");
    await page.getByLabel("Speed").selectOption("0.5");
    const box = (await page.locator(".canvases").boundingBox())!;
    const drawing = chooseDrawing(runs[0].machine);
    const camera = cameraOf(drawing, box.width, box.height, unzoomed);
    const half = 0.13 * camera.scale; // a square round the rank, within the processor's circle
    const clips = Array.from({ length: runs[0].machine.processors }, (_, rank) => {
      const [x, y] = projected(camera, [drawing.layout.x[rank], drawing.layout.y[rank]]);
      return { x: box.x + x - half, y: box.y + y - half, width: 2 * half, height: 2 * half };
    });
    const ranks = async () => {
      const picture = (await page.screenshot()).toString("base64");
      return page.evaluate(
        async ([url, squares]) => {
          const image = new Image();
          image.src = url;
          await image.decode();
          const context = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
          context.drawImage(image, 0, 0);
          return squares.map(({ x, y, width, height }) =>
            context.getImageData(x, y, width, height).data.join(),
          );
        },
        [`data:image/png;base64,${picture}`, clips] as const,
      );
    };
    const still = await ranks();
    expect(new Set(still).size).toBe(still.length); // each square has its own rank
    for (const key of ["ArrowLeft", "ArrowRight"]) await page.keyboard.press(key);
    for (let times = 0; times < 5; ++times) {
      const moving = await ranks();
      moving.forEach((square, rank) => expect([rank, square === still[rank]]).toEqual([rank, true]));
    }
    await page.context().close();
  },
);
