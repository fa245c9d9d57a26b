import type { RunJson, ShownValue } from "../../src/data/format";
import * as machines from "./machines";
import { Recorder } from "./recorder";

const program = `// Sends to the right, and takes in from the left.
void ring(lockstep::processor& me) {
  int const right = (me.rank() + 1) % me.size();
  me.send(right, me.rank());  // never waits
  auto const token = me.receive_value<int>("from the left");
}
`;

function withSource(run: Recorder): Recorder {
  run.sources = [{ name: "ring.hpp", text: program }];
  run.places = [
    { file: 0, line: 4, function: "ring" },
    { file: 0, line: 5, function: "ring" },
  ];
  return run;
}

/// A complete exchange on a torus of two dimensions: a ring in each row, then one in each column.
/// In each step blocks that have farther to go move on by one.
export function exchange(rows: number, columns: number): RunJson {
  const { machine, route } = machines.grid("torus", [rows, columns]);
  const run = withSource(new Recorder(`all-to-all on torus:${rows}x${columns}`, machine, route));
  const p = rows * columns;
  let held: [number, number][][] = Array.from({ length: p }, (_, rank) =>
    Array.from({ length: p }, (_, to) => [rank, to] as [number, number]),
  );
  const showAll = () =>
    held.forEach((blocks, rank) => run.show(rank, "data array", { blocks: blocks.flat() }));
  const ring = (
    name: string,
    size: number,
    next: (rank: number) => number,
    there: (at: number, to: number) => boolean,
  ) => {
    run.phase(name);
    for (let round = 1; round < size; ++round) {
      run.next();
      const stay = held.map((blocks, rank) => blocks.filter(([, to]) => there(rank, to)));
      const go = held.map((blocks, rank) => blocks.filter(([, to]) => !there(rank, to)));
      held = stay;
      for (let rank = 0; rank < p; ++rank) {
        run.send(rank, next(rank), go[rank].length);
        held[next(rank)] = [...held[next(rank)], ...go[rank]];
      }
      showAll();
    }
    run.rearrange();
  };
  showAll();
  const column = (rank: number) => rank % columns;
  const row = (rank: number) => Math.floor(rank / columns);
  ring(
    "rows",
    columns,
    (rank) => row(rank) * columns + ((column(rank) + 1) % columns),
    (at, to) => column(at) === column(to),
  );
  ring(
    "columns",
    rows,
    (rank) => (rank + columns) % p,
    (at, to) => at === to,
  );
  run.bounds.push({
    figure: "steps",
    value: Math.floor(rows / 2) + Math.floor(columns / 2),
    formula: "R/2 + C/2",
    source: "the diameter of the torus",
    tight: false,
    drawing: {
      kind: "path",
      ranks: route(0, Math.floor(rows / 2) * columns + Math.floor(columns / 2)),
    },
  });
  run.claims.push({
    figure: "steps",
    formula: "R + C - 2",
    value: rows + columns - 2,
    relation: "=",
    holds: true,
    source: "two rings",
  });
  run.explanation = [
    "Each processor has a block for every other one.",
    "In the first phase blocks travel along their rows until they are in the column of their destination.",
    "In the second phase they travel along the columns.",
    "In each step every processor passes on what has farther to go, as one message.",
    "So all links of a dimension are busy in each step, and none carries two messages.",
  ];
  return run.json();
}

/// A prefix on a hypercube: in step i partners across dimension i add up what they have.
export function prefix(dimension: number): RunJson {
  const { machine, route } = machines.hypercube(dimension);
  const run = withSource(new Recorder(`prefix on hypercube:${dimension}`, machine, route));
  const p = machine.processors;
  const show = (size: number) => {
    for (let rank = 0; rank < p; ++rank) {
      const first = rank - (rank % size);
      run.show(rank, "prefix", { intervals: [first, rank] });
      run.show(rank, "total", { intervals: [first, first + size - 1] });
    }
  };
  show(1);
  for (let bit = 0; bit < dimension; ++bit) {
    run.next();
    for (let rank = 0; rank < p; ++rank) run.send(rank, rank ^ (1 << bit), 1);
    show(2 << bit);
  }
  run.claims.push({
    figure: "steps",
    formula: "log p",
    value: dimension,
    relation: "=",
    holds: true,
    source: "Mayr and Plaxton 1989, 2.2",
  });
  run.bounds.push({
    figure: "steps",
    value: dimension,
    formula: "log p",
    source: "the diameter of the hypercube",
    tight: true,
    drawing: {
      kind: "path",
      ranks: Array.from({ length: dimension + 1 }, (_, bits) => 2 ** bits - 1),
    },
  });
  run.bounds.push({
    figure: "words",
    value: 1,
    formula: "p/2 words over p/2 links",
    source: "the bisection",
    tight: false,
    drawing: { kind: "cut", side: Array.from({ length: p / 2 }, (_, rank) => rank) },
  });
  return run.json();
}

/// A sum on a tree, up to the root and down again, pipelined for three values.
export function treeSum(levels: number): RunJson {
  const { machine, route } = machines.tree(levels);
  const run = withSource(new Recorder(`sum on tree:${levels}`, machine, route));
  const low = (rank: number) => (rank + 1) & -(rank + 1);
  const subtree = (rank: number) => ({ intervals: [rank - low(rank) + 1, rank + low(rank) - 1] });
  for (let rank = 0; rank < machine.processors; ++rank)
    run.show(rank, "sum of", { intervals: [rank, rank] });
  run.phase("up");
  for (let level = 0; level + 1 < levels; ++level)
    for (const side of [0, 1]) {
      run.next();
      for (let rank = 0; rank < machine.processors; ++rank) {
        if (Math.log2(low(rank)) !== level + 1) continue;
        const child = rank + (side === 0 ? -1 : 1) * (low(rank) / 2);
        run.send(child, rank, 1, Math.max(1, run.step - side));
        if (side === 1) run.show(rank, "sum of", subtree(rank));
      }
    }
  run.phase("down");
  for (let level = levels - 2; level >= 0; --level) {
    run.next(1);
    for (let rank = 0; rank < machine.processors; ++rank) {
      if (Math.log2(low(rank)) !== level + 1) continue;
      run.send(rank, rank - low(rank) / 2, 1);
      run.send(rank, rank + low(rank) / 2, level === 0 ? 0 : 1);
    }
  }
  return run.json();
}

/// A broadcast from rank 0 on a shuffle-exchange network; those without the value send nothing.
export function shuffleBroadcast(bits: number): RunJson {
  const { machine, route } = machines.shuffleExchange(bits);
  const run = new Recorder(`broadcast on shuffle-exchange:${bits}`, machine, route);
  const p = machine.processors;
  let has = new Set([0]);
  const shuffled = (rank: number) => ((rank << 1) & (p - 1)) | (rank >> (bits - 1));
  const showAll = () => {
    for (let rank = 0; rank < p; ++rank)
      run.show(rank, "value", { text: has.has(rank) ? "x" : "·" });
  };
  showAll();
  for (let round = 0; round < bits; ++round) {
    for (const name of ["exchange", "shuffle"]) {
      run.phase(name);
      run.next();
      for (let rank = 0; rank < p; ++rank)
        run.send(rank, name === "exchange" ? rank ^ 1 : shuffled(rank), has.has(rank) ? 2 : 0);
      if (name === "exchange") has = new Set([...has].flatMap((rank) => [rank, rank ^ 1]));
      else has = new Set([...has].map(shuffled));
      showAll();
    }
  }
  return run.json();
}

/// A complete exchange without a network: a shift in each step.
export function crossbarExchange(p: number): RunJson {
  const { machine, route } = machines.crossbar(p);
  const run = new Recorder(`all-to-all on crossbar:${p}`, machine, route);
  const held = Array.from({ length: p }, (_, rank) =>
    Array.from({ length: p }, (_, to) => [rank, to]),
  );
  held.forEach((blocks, rank) => run.show(rank, "blocks", { blocks: blocks.flat() }));
  for (let shift = 1; shift < p; ++shift) {
    run.next();
    for (let rank = 0; rank < p; ++rank) {
      run.send(rank, (rank + shift) % p, 1);
      held[(rank + shift) % p][rank] = [rank, (rank + shift) % p];
    }
    for (let rank = 0; rank < p; ++rank) run.show(rank, "blocks", { blocks: held[rank].flat() });
  }
  run.bounds.push({
    figure: "steps",
    value: p - 1,
    formula: "p - 1",
    source: "one message in a step through an in-port",
    tight: true,
    drawing: { kind: "port", rank: 0 },
  });
  return run.json();
}

/// A transposition on a mesh: routes share links.
export function transposition(side: number): RunJson {
  const { machine, route } = machines.grid("mesh", [side, side]);
  machine.strict = false;
  const run = withSource(new Recorder(`transpose on mesh:${side}x${side}`, machine, route));
  for (let rank = 0; rank < side * side; ++rank) run.show(rank, "value", { number: rank });
  run.next();
  for (let rank = 0; rank < side * side; ++rank) {
    const to = (rank % side) * side + Math.floor(rank / side);
    if (to === rank) continue;
    run.send(rank, to, 4);
    run.show(to, "value", { number: rank });
  }
  return run.json();
}

/// Cannon's algorithm: blocks of two matrices go round rows and columns.
export function cannon(side: number): RunJson {
  const { machine, route } = machines.grid("torus", [side, side]);
  const run = new Recorder(`cannon on torus:${side}x${side}`, machine, route);
  const block = (a: number) => ({ matrix: { columns: 2, numbers: [a, a + 1, a + 2, a + 3] } });
  for (let round = 0; round < side; ++round) {
    for (let rank = 0; rank < side * side; ++rank) {
      const [row, column] = machine.coordinates[rank];
      run.show(rank, "A", block(10 * row + ((column + row + round) % side)));
      run.show(rank, "B", block(10 * ((row + column + round) % side) + column));
    }
    if (round + 1 === side) break;
    for (const axis of [1, 0]) {
      run.next();
      for (let rank = 0; rank < side * side; ++rank) {
        const at = [...machine.coordinates[rank]];
        at[axis] = (at[axis] + side - 1) % side;
        run.send(rank, at[0] * side + at[1], 4);
      }
    }
  }
  return run.json();
}

/// An odd-even sort on a row of processors, of two keys each.
export function sort(p: number): RunJson {
  const { machine, route } = machines.grid("mesh", [p]);
  const run = new Recorder(`odd-even sort on mesh:${p}`, machine, route);
  const keys = Array.from({ length: p }, (_, rank) => [(rank * 37) % 101, (rank * 53 + 7) % 101]);
  const showAll = () =>
    keys.forEach((mine, rank) => run.show(rank, "keys", { numbers: [...mine] }));
  showAll();
  for (let round = 0; round < p; ++round) {
    run.next();
    for (let rank = round % 2; rank + 1 < p; rank += 2) {
      run.send(rank, rank + 1, 2);
      run.send(rank + 1, rank, 2);
      const all = [...keys[rank], ...keys[rank + 1]].sort((a, b) => a - b);
      keys[rank] = all.slice(0, 2);
      keys[rank + 1] = all.slice(2);
    }
    showAll();
  }
  return run.json();
}

/// A shift along each axis of a grid of any dimension.
export function shifts(kind: "torus" | "mesh", sizes: number[]): RunJson {
  const { machine, route } = machines.grid(kind, sizes);
  const run = new Recorder(`shifts on ${machine.spec}`, machine, route);
  sizes.forEach((size, axis) => {
    run.phase(`dimension ${axis}`);
    run.next();
    machine.coordinates.forEach((at, rank) => {
      const to = at[axis] + 1;
      if (to >= size && kind === "mesh") return;
      const stride = sizes.slice(axis + 1).reduce((product, one) => product * one, 1);
      run.send(rank, rank + ((to % size) - at[axis]) * stride, 3);
    });
  });
  return run.json();
}

/// A flood from rank 0 over the links of any machine: in each step one message a processor.
export function flood(title: string, sample: machines.Sample): RunJson {
  const run = new Recorder(title, sample.machine, sample.route);
  const neighbours = new Map<number, number[]>();
  const { links } = sample.machine;
  for (let at = 0; at < links.length; at += 2)
    neighbours.set(links[at], [...(neighbours.get(links[at]) ?? []), links[at + 1]]);
  const has = new Set([0]);
  while (has.size < sample.machine.processors) {
    run.next();
    for (const rank of [...has]) {
      const to = neighbours.get(rank)?.find((other) => !has.has(other));
      if (to === undefined) continue;
      has.add(to);
      run.send(rank, to, 1);
    }
  }
  return run.json();
}

/// A ring in which each waits for its left neighbour before it sends.
export function deadlock(): RunJson {
  const { machine, route } = machines.grid("torus", [6]);
  const run = withSource(new Recorder("a ring that waits", machine, route, ""));
  run.next();
  for (const rank of [0, 2, 4]) run.send(rank, rank + 1, 1);
  run.failure = {
    kind: "deadlock",
    message: "nobody can go on, every message that is waited for was never sent",
    rank: 0,
    step: 2,
    phase: "",
    place: 1,
    waits: Array.from({ length: 6 }, (_, rank) => ({
      rank,
      for: (rank + 5) % 6,
      since: 2,
      place: 1,
    })),
    cycle: [0, 5, 4, 3, 2, 1],
    messages: [],
  };
  run.next();
  for (let rank = 0; rank < 6; ++rank) run.call(rank, 1, 2, 0, (rank + 5) % 6, 1);
  return run.json();
}

/// A deadlock before any message came in.
export function deadlockAtOnce(): RunJson {
  const { machine, route } = machines.crossbar(3);
  const run = withSource(new Recorder("all wait at once", machine, route, ""));
  run.failure = {
    kind: "deadlock",
    message: "nobody can go on",
    rank: 0,
    step: 1,
    phase: "",
    place: 1,
    waits: [0, 1, 2].map((rank) => ({ rank, for: (rank + 1) % 3, since: 1, place: 1 })),
    cycle: [0, 1, 2],
    messages: [],
  };
  return run.json();
}

/// A program that throws an exception of its own, and shows numbers that are not whole.
export function exception(): RunJson {
  const { machine, route } = machines.crossbar(3);
  const run = new Recorder("an exception", machine, route, "");
  for (let rank = 0; rank < 3; ++rank)
    run.show(rank, "shares", { numbers: [rank / 3, null, "9007199254740993"] });
  run.next();
  run.send(0, 1, 1);
  run.failure = {
    kind: "exception",
    message: "no file of that name",
    rank: -1,
    step: 1,
    phase: "",
    place: -1,
    waits: [],
    cycle: [],
    messages: [],
  };
  return run.json();
}

/// Two messages on one link of a strict machine.
export function contentionFailure(): RunJson {
  const { machine, route } = machines.grid("mesh", [3, 4]);
  const run = withSource(new Recorder("two messages on one link", machine, route, ""));
  run.next();
  run.send(4, 5, 1);
  run.next();
  run.failure = {
    kind: "link_contention",
    message:
      "messages 0 -> 3 and 1 -> 7 share the link from 1 to 2 in step 2; a strict machine has one message a link",
    rank: 1,
    step: 2,
    phase: "",
    place: 0,
    waits: [],
    cycle: [],
    messages: [
      { from: 0, to: 3, words: 2, step: 2, route: [0, 1, 2, 3] },
      { from: 1, to: 7, words: 2, step: 2, route: [1, 2, 3, 7] },
    ],
  };
  return run.json();
}

/// A message that its receiver never asks for.
export function leftover(): RunJson {
  const { machine, route } = machines.crossbar(4);
  const run = withSource(new Recorder("a message left over", machine, route, ""));
  run.next();
  run.send(0, 1, 1);
  run.failure = {
    kind: "unreceived_message",
    message: "processor 2 ended, and a message from 3 was never received",
    rank: 2,
    step: 1,
    phase: "",
    place: 0,
    waits: [],
    cycle: [],
    messages: [{ from: 3, to: 2, words: 5, step: 1, route: [3, 2] }],
  };
  return run.json();
}

/// Texts of a user that look like HTML, which have to stay texts.
export function hostile(): RunJson {
  const { machine, route } = machines.crossbar(3);
  const bad = "<img src=x onerror=alert(1)></script><b>bold</b>";
  const run = new Recorder(bad, machine, route, "");
  run.sources = [{ name: bad, text: `// ${bad}\nint main() {}` }];
  run.places = [{ file: 0, line: 2, function: bad }];
  run.explanation = [bad];
  run.phase(bad);
  run.next();
  run.send(0, 1, 1);
  for (let rank = 0; rank < 3; ++rank) run.show(rank, bad, { text: bad } as ShownValue);
  return run.json();
}

/// A prefix on a hypercube of 4 whose last processor works before it sends, by a clock.
export function clocked(): RunJson {
  const run = prefix(2);
  const kinds = ["send", "receive", "work", "waiting", "held", "barrier", "idle"];
  const each: [rank: number, what: number, begin: number, end: number][] = [
    [0, 0, 0, 1],
    [0, 3, 1, 6],
    [0, 1, 6, 7],
    [1, 0, 0, 1],
    [1, 3, 1, 6],
    [1, 1, 6, 7],
    [2, 3, 0, 10],
    [2, 1, 10, 11.5],
    [3, 2, 0, 4],
    [3, 0, 4, 5],
  ];
  const column = (at: 0 | 1 | 2 | 3) => each.map((stretch) => stretch[at]);
  run.clock = {
    model: "loggp-clock",
    unit: "us",
    makespan: 12,
    utilisation: 11.5 / 48,
    kinds,
    stretches: { rank: column(0), what: column(1), begin: column(2), end: column(3) },
    steps: { step: [1, 2], begin: [0, 4], end: [7, 11.5] },
    path: [
      { rank: 3, what: "work", begin: 0, end: 2, other: -1 },
      { rank: 3, what: "work", begin: 2, end: 4, other: -1 },
      { rank: 3, what: "send", begin: 4, end: 5, other: 2 },
      { rank: 2, what: "receive", begin: 5, end: 11.5, other: 3 },
    ],
  };
  run.steps.work = [4, 0];
  run.steps.totals.work = [4, 4];
  run.steps.totals.operations = [4, 4];
  run.counts.work = run.counts.operations = 4;
  run.span = 4;
  run.makespan = 3;
  run.labels = [
    { name: "sums", steps: 2, words: 2, volume: 8, messages: 8, operations: 4 },
    { name: "first", inside: 0, steps: 1, words: 1, volume: 4, messages: 4, operations: 4 },
  ];
  return run;
}

/// All samples, by the name of their page.
export const samples: Record<string, () => RunJson[]> = {
  "exchange-4x4": () => [exchange(4, 4)],
  "exchange-12x12": () => [exchange(12, 12)],
  "prefix-3": () => [prefix(3)],
  "prefix-5": () => [prefix(5)],
  "prefix-6": () => [prefix(6)],
  "prefix-10": () => [prefix(10)],
  "prefix-12": () => [prefix(12)],
  "tree-4": () => [treeSum(4)],
  "shuffle-4": () => [shuffleBroadcast(4)],
  "crossbar-8": () => [crossbarExchange(8)],
  "mesh-transpose": () => [transposition(5)],
  "cannon-4": () => [cannon(4)],
  "sort-12": () => [sort(12)],
  "ring-8": () => [shifts("torus", [8])],
  "torus-3x4x4": () => [shifts("torus", [3, 4, 4])],
  "mesh-2x3x3x3": () => [shifts("mesh", [2, 3, 3, 3])],
  "torus-48x48": () => [shifts("torus", [48, 48])],
  "torus-32x32": () => [shifts("torus", [32, 32])],
  "butterfly-3": () => [flood("flood on butterfly:3", machines.butterfly(3))],
  "ccc-3": () => [flood("flood on cube-connected-cycles:3", machines.cubeConnectedCycles(3))],
  petersen: () => [flood("flood on the Petersen graph", machines.petersen())],
  deadlock: () => [deadlock()],
  "deadlock-at-once": () => [deadlockAtOnce()],
  exception: () => [exception()],
  contention: () => [contentionFailure()],
  leftover: () => [leftover()],
  hostile: () => [hostile()],
  clocked: () => [clocked()],
  two: () => [treeSum(3), prefix(3)],
};
