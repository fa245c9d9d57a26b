/// Points one after another: x0, y0, x1, y1, ... in units of a short link's length, y downwards.
export type Piece = number[];

/// How a link is drawn: straight, as an arc past others, as a wrap-around that leaves the drawing
/// at one side and comes back at the other, or slanting, as it leads to another layer.
export type LinkShape = "straight" | "arc" | "wrap" | "layer";

export interface DrawnLink {
  from: number;
  to: number;
  shape: LinkShape;
}

/// Where the processors of a machine, or groups of them, are drawn, and how links run between them.
export interface Layout {
  name: string; // what is drawn: "grid", "circle", ...
  x: Float64Array;
  y: Float64Array;
  links: DrawnLink[]; // once for both directions
  margin?: number; // how far links leave the rectangle of the processors, where it is far
  /// Where a processor has its label if there is no room for all: -1 to the left, 1 to the right,
  /// 0 nowhere.
  labelSide?(node: number): number;
  note: string; // what a reader has to know of the drawing; mostly empty
  /// The way of one hop: one piece, or two where it wraps around.
  hop(from: number, to: number): Piece[];
}

/// Where a machine is drawn by groups: which group a processor belongs to.
export interface Grouping {
  nodes: number;
  node: Int32Array; // by rank
  label(node: number): string;
  note: string;
}

export function straight(layout: Pick<Layout, "x" | "y">, from: number, to: number): Piece {
  return [layout.x[from], layout.y[from], layout.x[to], layout.y[to]];
}

/// An arc that bends to the right of its way by a share of its length, in `parts` straight parts.
export function arc(
  layout: Pick<Layout, "x" | "y">,
  from: number,
  to: number,
  bend: number,
  parts = 10,
): Piece {
  const [x0, y0, x1, y1] = straight(layout, from, to);
  const controlX = (x0 + x1) / 2 - (y1 - y0) * bend;
  const controlY = (y0 + y1) / 2 + (x1 - x0) * bend;
  const piece: Piece = [];
  for (let part = 0; part <= parts; ++part) {
    const t = part / parts;
    const s = 1 - t;
    piece.push(s * s * x0 + 2 * s * t * controlX + t * t * x1);
    piece.push(s * s * y0 + 2 * s * t * controlY + t * t * y1);
  }
  return piece;
}

/// The links of a machine once for both directions, from its list of directed links.
export function undirected(links: readonly number[]): { from: number; to: number }[] {
  const seen = new Set<string>();
  const found: { from: number; to: number }[] = [];
  for (let at = 0; at + 1 < links.length; at += 2) {
    const from = Math.min(links[at], links[at + 1]);
    const to = Math.max(links[at], links[at + 1]);
    const key = `${from} ${to}`;
    if (from === to || seen.has(key)) continue;
    seen.add(key);
    found.push({ from, to });
  }
  return found;
}
