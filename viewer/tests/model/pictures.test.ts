import { expect, test } from "vitest";
import { follow } from "../../src/data/follow";
import { Run } from "../../src/data/run";
import { unzoomed } from "../../src/drawing/camera";
import { light } from "../../src/drawing/colours";
import { chooseDrawing } from "../../src/drawing/layouts/choose";
import { svgPicture } from "../../src/drawing/picture";
import { cameraOf, type Scene } from "../../src/drawing/scene";
import { samples } from "../samples/runs";

const size = { width: 900, height: 600 };

function picture(name: string, step: number, more: Partial<Scene> = {}): string {
  const run = new Run(samples[name]()[0]);
  const drawing = chooseDrawing(run.machine);
  const scene: Scene = {
    run,
    drawing,
    camera: cameraOf(drawing, size.width, size.height, unzoomed),
    colours: light,
    step,
    chosen: -1,
    mark: undefined,
    followed: undefined,
    journey: undefined,
    heat: false,
    most: 0,
    bound: undefined,
    hideMessages: false,
    asked: -1,
    ...more,
  };
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
    return [...svg.matchAll(/<polygon points="([^"]*)"/g)].map((found) => found[1]);
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
