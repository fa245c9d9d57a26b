import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const src = join(dirname(fileURLToPath(import.meta.url)), "../../src");

/// The files of the viewer, each with those that it imports, types included.
function importsOfAll(): Map<string, string[]> {
  const files = (readdirSync(src, { recursive: true }) as string[]).filter((name) =>
    /(?<!\.d)\.tsx?$/.test(name),
  );
  const known = new Map(files.map((name) => [name.replace(/\.tsx?$/, ""), name]));
  return new Map(
    files.map((name) => {
      const text = readFileSync(join(src, name), "utf8");
      const named = [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, path]) =>
        known.get(normalize(join(dirname(name), path))),
      );
      return [name, named.filter((found) => found !== undefined)];
    }),
  );
}

/// Finds files that import each other, one after another; none where there is no circle.
function circleIn(imports: Map<string, string[]>): string[] {
  const over = new Set<string>();
  const walk = (name: string, way: string[]): string[] => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (over.has(name)) return [];
    for (const other of imports.get(name) ?? []) {
      const found = walk(other, [...way, name]);
      if (found.length > 0) return found;
    }
    over.add(name);
    return [];
  };
  for (const name of imports.keys()) {
    const found = walk(name, []);
    if (found.length > 0) return found;
  }
  return [];
}

test("a circle of imports is found", () => {
  const imports = new Map([
    ["a", ["b"]],
    ["b", ["c"]],
    ["c", ["b"]],
  ]);
  expect(circleIn(imports)).toEqual(["b", "c", "b"]);
});

test("files import each other in no circle", () => {
  const imports = importsOfAll();
  expect(imports.get("data/sentences.ts")).toContain("data/words.ts");
  expect(circleIn(imports)).toEqual([]);
});

test("data draw nothing: they import data alone", () => {
  for (const [name, others] of importsOfAll())
    if (name.startsWith("data/"))
      expect(others.filter((other) => !other.startsWith("data/"))).toEqual([]);
});
