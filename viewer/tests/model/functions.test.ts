import { expect, test } from "vitest";
import type { RunJson } from "../../src/data/format";
import { functionsOf } from "../../src/data/functions";
import { Run } from "../../src/data/run";
import { linesIn, placesFrom, standingAfter } from "../../src/data/standing";
import { exchange } from "../samples/runs";

const text = `// A file { with a brace
#include <x>

namespace library {

/// Moves (a block).
template <class T, class Less = std::less<>>
[[nodiscard]] int move(processor& me,
                       options how = {}) {
  return me.exchange(1 ^ '{', "}");
}

constexpr int sizes[] = {1, 2};

class mover {
 public:
  /// Moves it.
  void go(int n) {
    if (n > 0) { move(n); }
  }
  int n = 0;
};

int sort(processor& me) {
  me.note("why");
  auto const by = [&](int one) { return me.exchange(one); };
  for (int i = 0; i < 3; ++i)
    move(me);
  return by(2);
}

}  // namespace library
`;
const lines = text.split("\n");
const lineOf = (part: string) => lines.findIndex((line) => line.includes(part)) + 1;

test("functions are found in the text of a program", () => {
  const found = functionsOf(0, text).filter((one) => one.name !== "");
  expect(found.map((one) => one.name)).toEqual(["move", "go", "sort"]);
  expect(found[0]).toMatchObject({ first: lineOf("template"), last: lineOf("me.exchange(1") + 1 });
  expect(found[1]).toMatchObject({ first: lineOf("void go"), last: lineOf("if (n") + 1 });
  expect(found[2]).toMatchObject({ first: lineOf("int sort"), last: lineOf("return by(2)") + 1 });
});

test("a program that ends within a function, or has none, is read all the same", () => {
  expect(functionsOf(0, "int main() {\n")).toEqual([]);
  expect(functionsOf(0, "")).toEqual([]);
});

/// A run in which processor 0 stands in `move`, which `sort` called, which line 1 of main.cpp called, and
/// the others at the call in `sort`.
function inLibrary(header: string): Run {
  const json = exchange(2, 2) as RunJson;
  const place = (file: number, line: number, from?: number) => ({ file, line, function: "", from });
  json.sources = [
    { name: "library.hpp", text },
    { name: "main.cpp", text: "int main() {\n  sort(me);\n}\n" },
  ];
  json.places = [
    place(1, 2),
    place(0, lineOf("move(me)"), 0),
    place(0, lineOf("me.exchange(1"), 1),
    place(0, lineOf("me.exchange(one)"), 0),
    place(0, lineOf("me.note"), 0),
  ];
  json.calls = {
    rank: [0, 0, 1, 1, 1],
    kind: [12, 0, 0, 0, 0],
    begin: [1, 1, 1, 1, 1],
    end: [1, 1, 1, 1, 1],
    other: [0, 1, 0, 0, 0],
    place: [4, 2, 3, 3, 3],
  };
  json.messages = { ...json.messages, sendPlace: [], receivePlace: [] };
  json.texts = ["why"];
  json.header = header;
  return new Run(json);
}

test("the algorithm's own function is the one with the most lines of calls, and helpers stand at its call", () => {
  const run = inLibrary("library.hpp");
  const standing = standingAfter(run, 1);
  const best = run.functions.best(standing.map(({ place }) => place))!;
  expect(best.name).toBe("sort");
  expect(run.functions.known.map((one) => one.name)).toEqual(["sort", "move"]);
  const stands = linesIn(run, best, standing);
  expect(stands.get(lineOf("move(me)"))).toEqual([0]);
  expect(stands.get(lineOf("me.exchange(one)"))).toEqual([1, 2, 3]);
  expect(run.functions.chain(2).map((at) => run.placeName(at))).toEqual([
    `library.hpp:${lineOf("me.exchange(1")}`,
    `library.hpp:${lineOf("move(me)")}`,
    "main.cpp:2",
  ]);
});

test("of functions with several lines of calls the one that the run is of is shown, or the outermost", () => {
  const run = inLibrary("library.hpp");
  const first = lineOf("template");
  for (const line of [first, first + 1, first + 2]) {
    run.json.places.push({ ...run.json.places[2], line });
    run.json.calls!.place.push(run.json.places.length - 1);
  }
  run.json.calls!.place[1] = 2;
  run.json.calls!.place[2] = 5;
  const best = () => run.functions.best([2, 5])!.name;
  expect(run.functions.known.map((one) => one.name)).toEqual(["move", "sort"]);
  expect(best()).toBe("sort");
  run.json.call = "library::sort<int>(me, less(1))";
  expect(best()).toBe("sort");
  run.json.call = "library::move(me)";
  expect(best()).toBe("move");
  run.json.call = "library::other(me)";
  expect(best()).toBe("sort");
});

test("a function that only chooses another one, at one line, is not shown instead of that", () => {
  const run = inLibrary("library.hpp");
  const first = lineOf("template");
  const inSort = lineOf("int sort");
  const places: RunJson["places"] = [
    { file: 1, line: 2, function: "" },
    { file: 0, line: lineOf("move(me)"), function: "", from: 0 },
    ...[0, 1, 2].map((more) => ({ file: 0, line: first + more, function: "", from: 1 })),
    ...[0, 1].map((more) => ({ file: 0, line: inSort + more, function: "", from: 0 })),
  ];
  run.json.places.splice(0, run.json.places.length, ...places);
  // Processor 1 takes part in a barrier and shows something in `sort`.
  Object.assign(run.json.calls!, { kind: [0, 1, 0, 2, 9], place: [2, 3, 4, 5, 6] });
  expect(run.functions.best([2, 3, 4])!.name).toBe("move");
  run.json.calls!.kind[3] = 0; // it sends there
  const again = new Run(run.json);
  expect(again.functions.best([2, 3, 4])!.name).toBe("sort");
});

test("of one processor the function that it is in is shown", () => {
  const run = inLibrary("library.hpp");
  const inMove = run.functions.at(2);
  expect(linesIn(run, inMove, standingAfter(run, 1))).toEqual(
    new Map([[lineOf("me.exchange(1"), [0]]]),
  );
});

test("before the first calls the function is shown in which processors come to stand", () => {
  const run = inLibrary("library.hpp");
  run.json.calls!.begin.fill(2);
  const later = new Run(run.json);
  expect(standingAfter(later, 0)).toEqual([]);
  expect(placesFrom(later, 0)).toEqual(standingAfter(later, 2).map(({ place }) => place));
  expect(placesFrom(later, 0)).not.toEqual([]);
});

test("a user's own program has its own function", () => {
  const run = inLibrary("");
  const standing = standingAfter(run, 1);
  const best = run.functions.best(standing.map(({ place }) => place))!;
  expect(best).toMatchObject({ name: "main", first: 1, last: 3 });
  expect(linesIn(run, best, standing).get(2)).toEqual([0, 1, 2, 3]);
});

test("functions of Python end where what is indented ends", () => {
  const run = inLibrary("");
  run.json.sources[1] = {
    name: "ring.py",
    text: "import lockstep\n\nasync def ring(me):\n    x = 1\n\n    return await me.exchange(1, x)\n\nrun(ring)\n",
  };
  run.json.places[0].line = 6;
  expect(run.functions.at(0)).toMatchObject({ name: "ring", first: 3, last: 7 });
});
