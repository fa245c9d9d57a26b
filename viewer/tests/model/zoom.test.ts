import { expect, test } from "vitest";
import { moved, most_zoom, unzoomed, zoomedAt } from "../../src/drawing/camera";

const size = { width: 400, height: 200 };

test("a zoom keeps the point that it is about", () => {
  const zoom = zoomedAt(unzoomed, 2, 100, 50, size);
  expect(zoom).toEqual({ k: 2, x: -100, y: -50 });
  const again = zoomedAt(zoom, 3, 100, 50, size);
  expect(again).toEqual({ k: 6, x: -500, y: -250 });
});

test("zooming out ends where all is shown", () => {
  const far = moved(zoomedAt(unzoomed, 4, 0, 0, size), -700, -300, size);
  expect(far).toEqual({ k: 4, x: -700, y: -300 });
  expect(zoomedAt(far, 1 / 8, 400, 200, size)).toEqual(unzoomed);
  expect(zoomedAt(far, 1e9, 0, 0, size).k).toBe(most_zoom);
});

test("no edge of the drawing comes in", () => {
  const zoom = zoomedAt(unzoomed, 2, 200, 100, size);
  expect(moved(zoom, 1e6, 1e6, size)).toEqual({ k: 2, x: 0, y: 0 });
  expect(moved(zoom, -1e6, -1e6, size)).toEqual({ k: 2, x: -400, y: -200 });
});
