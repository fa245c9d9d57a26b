import { expect, test } from "vitest";
import { chooseDrawing } from "../../src/drawing/layouts/choose";
import { pathOf, pointAt, trimmed } from "../../src/drawing/paths";
import { SvgSurface } from "../../src/drawing/surface";
import * as machines from "../samples/machines";

const all = {
  torus: machines.grid("torus", [4, 4]),
  layers: machines.grid("torus", [3, 4, 4]),
  grids: machines.grid("mesh", [2, 3, 3, 3]),
  ring: machines.grid("torus", [8]),
  row: machines.grid("mesh", [9]),
  cube: machines.hypercube(4),
  large: machines.hypercube(8),
  tree: machines.tree(4),
  shuffle: machines.shuffleExchange(4),
  crossbar: machines.crossbar(7),
  many: machines.crossbar(100),
  butterfly: machines.butterfly(3),
  cycles: machines.cubeConnectedCycles(3),
  graph: machines.petersen(),
};

test.each(Object.entries(all))("%s: no two processors are drawn on one place", (_, { machine }) => {
  const { layout, grouping } = chooseDrawing(machine);
  expect(grouping).toBeUndefined();
  expect(layout.x).toHaveLength(machine.processors);
  for (let a = 0; a < machine.processors; ++a)
    for (let b = 0; b < a; ++b)
      expect(Math.hypot(layout.x[a] - layout.x[b], layout.y[a] - layout.y[b])).toBeGreaterThan(0.4);
});

test.each(Object.entries(all))("%s: a hop begins and ends at its processors", (_, { machine }) => {
  const { layout } = chooseDrawing(machine);
  for (let at = 0; at + 1 < Math.min(machine.links.length, 200); at += 2) {
    const [from, to] = machine.links.slice(at, at + 2);
    const pieces = layout.hop(from, to);
    const last = pieces[pieces.length - 1];
    expect(pieces[0][0]).toBeCloseTo(layout.x[from], 9);
    expect(pieces[0][1]).toBeCloseTo(layout.y[from], 9);
    expect(last[last.length - 2]).toBeCloseTo(layout.x[to], 9);
    expect(last[last.length - 1]).toBeCloseTo(layout.y[to], 9);
  }
});

test("wrap-around links of a torus leave at one side and come back at the other", () => {
  const { layout } = chooseDrawing(all.torus.machine);
  expect(layout.links.filter((link) => link.shape === "wrap")).toHaveLength(8);
  expect(layout.links.filter((link) => link.shape === "straight")).toHaveLength(24);
  const [leaves, comes] = layout.hop(3, 0);
  expect(leaves[2]).toBeGreaterThan(layout.x[3]);
  expect(comes[0]).toBeLessThan(layout.x[0]);
});

test("a spring layout is the same each time", () => {
  const first = chooseDrawing(machines.petersen().machine).layout;
  const again = chooseDrawing(machines.petersen().machine).layout;
  expect([...first.x]).toEqual([...again.x]);
});

test("more than 1,024 processors are drawn by groups, and it is said", () => {
  const torus = chooseDrawing(machines.grid("torus", [48, 48]).machine);
  expect(torus.grouping?.nodes).toBe(48);
  expect(torus.grouping?.note).toContain("2,304 processors");
  expect(torus.grouping?.node[47]).toBe(0);
  expect(torus.grouping?.node[48]).toBe(1);
  const cube = chooseDrawing(machines.hypercube(12).machine);
  expect(cube.grouping?.nodes).toBe(256);
  const tree = chooseDrawing(machines.tree(11).machine);
  expect(tree.grouping?.nodes).toBe(11);
  expect(tree.layout.x).toHaveLength(11);
});

test("a message is at the start, on its way, and at the end of its path", () => {
  const { layout } = chooseDrawing(machines.grid("mesh", [3, 3]).machine);
  const path = pathOf(layout, [0, 1, 2, 5]);
  expect(path.length).toBeGreaterThan(2.9);
  expect(pointAt(path, 0).x).toBeCloseTo(layout.x[0], 9);
  expect(pointAt(path, 1).y).toBeCloseTo(layout.y[5], 9);
  expect(pointAt(path, 0.5).x).toBeGreaterThan(layout.x[1]);
  expect(trimmed(path, 0.3, 0.3).length).toBeCloseTo(path.length - 0.6, 1);
});

test("texts of a picture are escaped", () => {
  const surface = new SvgSurface();
  surface.text(0, 0, '<script>"&', { size: 10, fill: "#000" });
  const svg = surface.picture(10, 10, "#fff", "<b>");
  expect(svg).toContain("&lt;script&gt;&quot;&amp;");
  expect(svg).not.toContain("<script");
  expect(svg).not.toContain("<b>");
});
