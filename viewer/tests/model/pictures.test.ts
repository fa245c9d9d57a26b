import { expect, test } from "vitest";
import { follow } from "../../src/data/follow";
import { Run } from "../../src/data/run";
import { unzoomed } from "../../src/drawing/camera";
import { light } from "../../src/drawing/colours";
import { chooseDrawing } from "../../src/drawing/layouts/choose";
import { svgPicture } from "../../src/drawing/picture";
import { cameraOf, type Scene } from "../../src/drawing/scene";
import type { ShownValue } from "../../src/data/format";
import * as machines from "../samples/machines";
import { Recorder } from "../samples/recorder";
import { samples } from "../samples/runs";
import { sceneOf } from "../samples/scene";

const size = { width: 900, height: 600 };

function picture(name: string, step: number, more: Partial<Scene> = {}): string {
  return pictureOfRun(new Run(samples[name]()[0]), step, more);
}

function pictureOfRun(run: Run, step: number, more: Partial<Scene> = {}): string {
  const scene = { ...sceneOf(run, step, size), ...more };
  return svgPicture(scene, size.width, size.height, `${run.json.title}: step ${step}`);
}

// A picture for each kind of machine, which was looked at. `npx vitest run tests/model -u` keeps
// new ones; look at them before they go in.
test.each([
  ["exchange-4x4", 2],
  ["torus-3x4x4", 1],
  ["mesh-2x3x3x3", 3],
  ["ring-8", 1],
  ["prefix-3", 2],
  ["prefix-5", 4],
  ["shuffle-4", 3],
  ["tree-4", 2],
  ["crossbar-8", 3],
  ["butterfly-3", 4],
  ["ccc-3", 4],
  ["mesh-transpose", 1],
  ["torus-48x48", 1],
  ["deadlock", 2],
  ["contention", 2],
  ["leftover", 1],
])("%s, step %i, is drawn as in its reference", async (name, step) => {
  await expect(picture(name, step)).toMatchFileSnapshot(`../reference/${name}.svg`);
});

test("a followed block is drawn as in its reference", async () => {
  const followed = { source: 5, destination: 2 };
  const journey = follow(new Run(samples["exchange-4x4"]()[0]), followed);
  const svg = picture("exchange-4x4", 5, { followed, journey, chosen: 5 });
  await expect(svg).toMatchFileSnapshot("../reference/follow.svg");
});

test("link loads of the run are drawn as in their reference", async () => {
  const svg = picture("mesh-transpose", 1, { heat: true });
  await expect(svg).toMatchFileSnapshot("../reference/link-loads.svg");
});

test.each([
  ["prefix-3", { kind: "path", ranks: [0, 1, 3, 7] }],
  ["prefix-3", { kind: "cut", side: [0, 1, 2, 3] }],
  ["crossbar-8", { kind: "port", rank: 0 }],
] as const)("%s: a lower bound is drawn as in its reference", async (name, bound) => {
  const drawn = bound.kind === "path" ? { ...bound, ranks: [...bound.ranks] } : bound;
  const svg = picture(name, 0, { bound: drawn as Scene["bound"] });
  await expect(svg).toMatchFileSnapshot(`../reference/bound-${bound.kind}.svg`);
});

test("the arrows of an out-port point away from it", () => {
  const heads = (out: boolean) => {
    const svg = picture("crossbar-8", 0, { bound: { kind: "port", rank: 0, out } });
    const heads = [...svg.matchAll(/<polygon points="([^"]*)" fill="([^"]*)"/g)];
    return heads.filter((found) => found[2] === light.bound).map((found) => found[1]);
  };
  const middle = (points: string[]) => {
    const numbers = points.join(" ").split(/[ ,]+/).map(Number);
    const mean = (at: number) =>
      numbers.filter((_, index) => index % 2 === at).reduce((sum, one) => sum + one, 0) /
      (numbers.length / 2);
    return [mean(0), mean(1)];
  };
  const [x, y] = middle(heads(false));
  const far = (points: string) => {
    const [headX, headY] = points.split(/[ ,]+/).map(Number);
    return Math.hypot(headX - x, headY - y);
  };
  expect(heads(true)).toHaveLength(6);
  expect(Math.min(...heads(true).map(far))).toBeGreaterThan(Math.max(...heads(false).map(far)));
});

test("nothing is drawn for a bound by doubling", () => {
  const svg = picture("crossbar-8", 0, { bound: { kind: "doubling" } });
  expect(svg).toBe(picture("crossbar-8", 0));
});

/// A picture of processors, four unless told otherwise, after what a program shows of them.
function pictureOf(
  show: (run: Recorder) => void,
  { machine, route } = machines.crossbar(4),
  more: Partial<Scene> = {},
): string {
  const run = new Recorder("shown", machine, route);
  show(run);
  run.next();
  return pictureOfRun(new Run(run.json()), 0, more);
}

/// Shows a value at the first `count` processors.
function heldBy(count: number, value: ShownValue): (run: Recorder) => void {
  return (run) => {
    for (let rank = 0; rank < count; ++rank) run.show(rank, "held", value);
  };
}

/// How many polygons of a picture have each colour, and its small texts.
function below(svg: string): { cells: number; texts: string[] } {
  const texts = [...svg.matchAll(/<text [^>]*font-size="([\d.]+)"[^>]*>([^<]*)<\/text>/g)];
  return {
    cells: [...svg.matchAll(/<polygon /g)].length,
    texts: texts.filter((found) => Number(found[1]) < 13).map((found) => found[2]),
  };
}

test.each([
  [[12, 7, 55, 31, 48, 20], true],
  [Array.from({ length: 60 }, (_, at) => 1000 * (at - 30)), false],
])("arrays are drawn at the processors: %j", (numbers, written) => {
  const drawn = below(pictureOf(heldBy(4, { numbers })));
  if (written) expect(drawn.texts.slice(0, 6)).toEqual(numbers.map(String));
  expect(drawn.cells).toBe(written ? 0 : 4 * 60);
  expect(drawn.texts.at(-1)).toBe("below each processor: held");
});

test("matrices and blocks are drawn at the processors as tables", () => {
  const matrix = below(pictureOf(heldBy(4, { matrix: { columns: 2, numbers: [1, 2, 3, 4] } })));
  expect(matrix.cells).toBe(16);
  expect(matrix.texts.slice(0, 4)).toEqual(["1", "2", "3", "4"]);
  const blocks = below(pictureOf(heldBy(4, { blocks: [0, 3, -1, -1, 2, 1] })));
  expect(blocks.cells).toBe(8); // an empty place has no colour
  expect(blocks.texts.slice(0, 2)).toEqual(["A3", "C1"]);
});

test("arrays are written at all processors or at none", () => {
  const few = heldBy(3, { numbers: [1, 2, 3, 4] });
  const many = Array.from({ length: 60 }, (_, at) => 100_000 + at);
  const svg = pictureOf((run) => {
    few(run);
    run.show(2, "held", { numbers: many });
  });
  expect(below(svg)).toEqual({ cells: 4 + 4 + 60, texts: ["below each processor: held"] });
});

/// A run of two processors that show arrays, and swap them in step 1.
function swapped(show: (run: Recorder, rank: number, other: number) => void): Run {
  const { machine, route } = machines.crossbar(2);
  const run = new Recorder("swapped", machine, route);
  for (const rank of [0, 1]) show(run, rank, rank);
  run.next();
  for (const rank of [0, 1]) run.send(rank, 1 - rank, 1);
  for (const rank of [0, 1]) show(run, rank, 1 - rank);
  run.next();
  return new Run(run.json());
}

test("several arrays are drawn side by side, each below its name, while all can be read", () => {
  const both = below(
    pictureOf((run) => {
      heldBy(4, { numbers: [1, 2, 3, 4] })(run);
      for (let rank = 0; rank < 4; ++rank) run.show(rank, "Y", { numbers: [5, 6, 7, 8] });
    }),
  );
  expect(both.texts.slice(0, 5)).toEqual(["held", "1", "2", "3", "4"]);
  expect(both.texts.filter((one) => one === "Y")).toHaveLength(4);
  expect(both.texts.at(-1)).toBe("below each processor: held, Y");
  const wide = Array.from({ length: 36 }, (_, at) => 100_000 + at);
  const one = below(
    pictureOf((run) => {
      heldBy(4, { numbers: wide })(run);
      for (let rank = 0; rank < 4; ++rank) run.show(rank, "Y", { numbers: wide });
    }),
  );
  expect(one.texts).not.toContain("Y");
  expect(one.texts.at(-1)).toBe("below each processor: held");
});

/// Sixteen keys of two digits at each of four processors, and then what is shown besides.
function keysAnd(...others: [string, ShownValue][]): string {
  const numbers = Array.from({ length: 16 }, (_, at) => 99 - at);
  return pictureOf((run) => {
    for (const [name, value] of [["keys", { numbers }], ...others] as [string, ShownValue][])
      for (let rank = 0; rank < 4; ++rank) run.show(rank, name, value);
  });
}

test("what was shown first stays at the processors, with what is shown later below it", () => {
  const { texts } = below(keysAnd(["pivots", { numbers: [32, 55, 77] }]));
  for (const text of ["99", "84", "keys", "32 55 77", "pivots"])
    expect([text, texts.filter((one) => one === text).length]).toEqual([text, 4]);
  expect(texts.at(-1)).toBe("below each processor: keys, pivots");
});

test("what was shown first stays where there is no room for all", () => {
  const blocks = Array.from({ length: 256 }, (_, at) => at % 4);
  const { texts } = below(keysAnd(["pivots", { numbers: [32, 55, 77] }], ["elements", { blocks }]));
  expect(texts.filter((one) => one === "84")).toHaveLength(4);
  expect(texts.at(-1)).toBe("below each processor: keys, pivots");
});

test("where their names have no room below the processors, they stand above the drawing alone", () => {
  const torus = machines.grid("torus", [4, 4]);
  const camera = cameraOf(chooseDrawing(torus.machine), 480, 280, unzoomed);
  const svg = pictureOf(
    (run) => {
      for (const name of ["A", "B"])
        for (let rank = 0; rank < 16; ++rank)
          run.show(rank, name, { matrix: { columns: 2, numbers: [1, 2, 3, 4] } });
    },
    torus,
    { camera },
  );
  const { texts } = below(svg);
  expect(texts.filter((one) => one === "3")).toHaveLength(2 * 16);
  expect(texts).not.toContain("A");
  expect(texts.at(-1)).toBe("below each processor, from the left: A, B");
});

test("what stands below the processors is said in fewer words where the drawing is narrow", () => {
  const torus = machines.grid("torus", [4, 4]);
  const held = (run: Recorder) => {
    for (let rank = 0; rank < 16; ++rank) run.show(rank, "sums of all that lies before", { numbers: [1, 2, 3, 4] });
  };
  const said = (width: number) => {
    const camera = cameraOf(chooseDrawing(torus.machine), width, 280, unzoomed);
    return below(pictureOf(held, torus, { camera })).texts.at(-1);
  };
  expect(said(480)).toBe("below each processor: sums of all that lies before");
  expect(said(220)).toBe("below: sums of all that lies before");
});

test("what came in is framed in the step in which it did, an array that came whole as one", () => {
  const frames = (run: Run, step: number) =>
    [...pictureOfRun(run, step).matchAll(/<polyline [^>]*stroke-width="1.4"/g)].length;
  const part = swapped((run, rank, other) =>
    run.show(rank, "keys", { numbers: rank === other ? [rank, 7 + rank, 20 + rank, 30 + rank] : [rank, 8 - rank, 21 - rank, 30 + rank] }),
  );
  expect(frames(part, 0)).toBe(0);
  expect(frames(part, 1)).toBe(4);
  expect(frames(part, 2)).toBe(0);
  const whole = swapped((run, rank, other) =>
    run.show(rank, "A", { matrix: { columns: 2, numbers: [other, 2, 3, 4] } }),
  );
  expect(frames(whole, 1)).toBe(2);
});
