import type { MachineJson } from "../../src/data/format";

export interface Sample {
  machine: MachineJson;
  route: (from: number, to: number) => number[];
}

const plain = {
  ports: "one",
  switching: "neighbour",
  strict: true,
  packet: 1,
  axes: [],
  layout: [],
  coordinates: [],
};

/// A torus or mesh of these sizes; messages go dimension by dimension, the first one first.
export function grid(kind: "torus" | "mesh", sizes: number[]): Sample {
  const processors = sizes.reduce((product, size) => product * size, 1);
  const coordinates = Array.from({ length: processors }, (_, rank) => {
    const at: number[] = [];
    for (let axis = sizes.length - 1; axis >= 0; --axis) {
      at.unshift(rank % sizes[axis]);
      rank = Math.floor(rank / sizes[axis]);
    }
    return at;
  });
  const rankAt = (at: readonly number[]) =>
    at.reduce((rank, value, axis) => rank * sizes[axis] + value, 0);
  const links: number[] = [];
  coordinates.forEach((at, rank) =>
    sizes.forEach((size, axis) => {
      for (const by of [1, -1]) {
        const to = at[axis] + by;
        const wraps = to < 0 || to >= size;
        if (wraps && (kind === "mesh" || size <= 2)) continue;
        links.push(rank, rankAt(at.map((value, d) => (d === axis ? (to + size) % size : value))));
      }
    }),
  );
  const machine = {
    ...plain,
    switching: "cut-through",
    spec: `${kind}:${sizes.join("x")}`,
    kind,
    processors,
    axes: sizes.map((size) => ({ size, ring: kind === "torus" })),
    coordinates,
    links,
  };
  const route = (from: number, to: number) => {
    const at = [...coordinates[from]];
    const way = [from];
    sizes.forEach((size, axis) => {
      const forward = (coordinates[to][axis] - at[axis] + size) % size;
      const by =
        kind === "mesh"
          ? Math.sign(coordinates[to][axis] - at[axis])
          : 2 * forward <= size
            ? 1
            : -1;
      while (at[axis] !== coordinates[to][axis]) {
        at[axis] = (at[axis] + by + size) % size;
        way.push(rankAt(at));
      }
    });
    return way;
  };
  return { machine, route };
}

export function hypercube(dimension: number): Sample {
  const processors = 2 ** dimension;
  const links: number[] = [];
  for (let rank = 0; rank < processors; ++rank)
    for (let bit = 0; bit < dimension; ++bit) links.push(rank, rank ^ (1 << bit));
  const layout = Array.from({ length: processors }, (_, rank) => cubePlace(rank)).flat();
  const machine = {
    ...plain,
    spec: `hypercube:${dimension}`,
    kind: "hypercube",
    processors,
    layout,
    links,
  };
  return { machine, route: directly };
}

function cubePlace(rank: number): number[] {
  const bit = (at: number) => (rank >> at) & 1;
  return [
    bit(0) + 0.42 * bit(2) + 2.2 * bit(3) + 4.8 * bit(5),
    bit(1) + 0.36 * bit(2) + 2.2 * bit(4),
  ];
}

function directly(from: number, to: number): number[] {
  return [from, to];
}

export function tree(levels: number): Sample {
  const processors = 2 ** levels - 1;
  const links: number[] = [];
  const layout: number[] = [];
  for (let rank = 0; rank < processors; ++rank) {
    const low = (rank + 1) & -(rank + 1);
    layout.push(0.6 * rank, 1.2 * Math.log2(low));
    if (low > 1)
      for (const child of [rank - low / 2, rank + low / 2]) links.push(rank, child, child, rank);
  }
  const machine = {
    ...plain,
    strict: false,
    spec: `tree:${levels}`,
    kind: "tree",
    processors,
    layout,
    links,
  };
  return { machine, route: directly };
}

export function shuffleExchange(bits: number): Sample {
  const processors = 2 ** bits;
  const links: number[] = [];
  for (let rank = 0; rank < processors; ++rank) {
    links.push(rank, rank ^ 1);
    const to = ((rank << 1) & (processors - 1)) | (rank >> (bits - 1));
    if (to !== rank) links.push(rank, to);
  }
  const machine = {
    ...plain,
    spec: `shuffle-exchange:${bits}`,
    kind: "shuffle-exchange",
    processors,
    links,
  };
  return { machine, route: directly };
}

export function crossbar(processors: number): Sample {
  const machine = {
    ...plain,
    spec: `crossbar:${processors}`,
    kind: "crossbar",
    processors,
    links: [],
  };
  return { machine, route: directly };
}

export function butterfly(dimension: number): Sample {
  const rows = 2 ** dimension;
  const links: number[] = [];
  const layout: number[] = [];
  for (let level = 0; level <= dimension; ++level)
    for (let row = 0; row < rows; ++row) {
      layout.push(row, -1.5 * level);
      if (level === dimension) continue;
      const rank = level * rows + row;
      for (const to of [rank + rows, (level + 1) * rows + (row ^ (1 << level))])
        links.push(rank, to, to, rank);
    }
  const machine = {
    ...plain,
    spec: `butterfly:${dimension}`,
    kind: "butterfly",
    processors: rows * (dimension + 1),
    layout,
    links,
  };
  return { machine, route: directly };
}

export function cubeConnectedCycles(dimension: number): Sample {
  const corners = 2 ** dimension;
  const links: number[] = [];
  const layout: number[] = [];
  for (let corner = 0; corner < corners; ++corner)
    for (let at = 0; at < dimension; ++at) {
      const rank = corner * dimension + at;
      const [x, y] = cubePlace(corner);
      const angle = (2 * Math.PI * at) / dimension;
      layout.push(3 * x + 0.5 * Math.sin(angle), 3 * y + 0.5 * Math.cos(angle));
      links.push(rank, corner * dimension + ((at + 1) % dimension));
      links.push(rank, (corner ^ (1 << at)) * dimension + at);
    }
  const spec = `cube-connected-cycles:${dimension}`;
  const processors = corners * dimension;
  const machine = { ...plain, spec, kind: "cube-connected-cycles", processors, layout, links };
  return { machine, route: directly };
}

/// The Petersen graph, placed on a circle as a machine without places of its own is.
export function petersen(): Sample {
  const links: number[] = [];
  for (let at = 0; at < 5; ++at)
    for (const [a, b] of [
      [at, (at + 1) % 5],
      [at, at + 5],
      [at + 5, ((at + 2) % 5) + 5],
    ])
      links.push(a, b, b, a);
  const layout = Array.from({ length: 10 }, (_, at) => [
    Math.sin((Math.PI * at) / 5),
    Math.cos((Math.PI * at) / 5),
  ]).flat();
  const machine = {
    ...plain,
    spec: "graph:petersen",
    kind: "graph",
    processors: 10,
    layout,
    links,
  };
  return { machine, route: directly };
}
