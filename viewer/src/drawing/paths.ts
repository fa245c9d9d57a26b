import type { Layout, Piece } from "./layouts/layout";

const beside = 0.1; // how far from a link's middle its messages travel, each direction on its right

/// The way of a message in a layout, in pieces; between two pieces it wraps around.
export interface Path {
  pieces: Piece[];
  length: number;
}

/// The way along a route of nodes of the layout.
export function pathOf(layout: Layout, route: readonly number[], by = beside): Path {
  const pieces: Piece[] = [];
  for (let hop = 0; hop + 1 < route.length; ++hop) {
    if (route[hop] === route[hop + 1]) continue;
    layout.hop(route[hop], route[hop + 1]).forEach((piece, part) => {
      const shifted = piece.length === 4 ? moved(piece, by) : piece;
      if (part === 0 && pieces.length > 0) pieces[pieces.length - 1].push(...shifted);
      else pieces.push([...shifted]);
    });
  }
  return { pieces, length: pieces.reduce((sum, piece) => sum + lengthOf(piece), 0) };
}

/// A straight piece, moved to the right of its direction.
export function moved(piece: Piece, by = beside): Piece {
  const [x0, y0, x1, y1] = piece;
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const dx = (-(y1 - y0) / length) * by;
  const dy = ((x1 - x0) / length) * by;
  return [x0 + dx, y0 + dy, x1 + dx, y1 + dy];
}

export function lengthOf(piece: Piece): number {
  let length = 0;
  for (let at = 2; at + 1 < piece.length; at += 2)
    length += Math.hypot(piece[at] - piece[at - 2], piece[at + 1] - piece[at - 1]);
  return length;
}

export interface Point {
  x: number;
  y: number;
}

/// The place on a path after a share of its length.
export function pointAt(path: Path, share: number): Point {
  let left = share * path.length;
  for (const piece of path.pieces)
    for (let at = 2; at + 1 < piece.length; at += 2) {
      const part = Math.hypot(piece[at] - piece[at - 2], piece[at + 1] - piece[at - 1]);
      if (left <= part && part > 0) return between(piece, at, left / part);
      left -= part;
    }
  const last = path.pieces[path.pieces.length - 1];
  return last ? { x: last[last.length - 2], y: last[last.length - 1] } : { x: NaN, y: NaN };
}

function between(piece: Piece, at: number, share: number): Point {
  return {
    x: piece[at - 2] + (piece[at] - piece[at - 2]) * share,
    y: piece[at - 1] + (piece[at + 1] - piece[at - 1]) * share,
  };
}

/// A path without its ends, which lie in the two processors.
export function trimmed(path: Path, start: number, end: number): Path {
  const pieces = path.pieces.map((piece) => [...piece]);
  if (path.length <= start + end || pieces.length === 0) return path;
  pieces[0] = cutStart(pieces[0], start);
  const last = pieces.length - 1;
  pieces[last] = reversed(cutStart(reversed(pieces[last]), end));
  return { pieces, length: pieces.reduce((sum, piece) => sum + lengthOf(piece), 0) };
}

function cutStart(piece: Piece, by: number): Piece {
  let left = by;
  for (let at = 2; at + 1 < piece.length; at += 2) {
    const part = Math.hypot(piece[at] - piece[at - 2], piece[at + 1] - piece[at - 1]);
    if (left < part) {
      const begins = between(piece, at, left / part);
      return [begins.x, begins.y, ...piece.slice(at)];
    }
    left -= part;
  }
  return piece.slice(-4);
}

function reversed(piece: Piece): Piece {
  const turned: Piece = [];
  for (let at = piece.length - 2; at >= 0; at -= 2) turned.push(piece[at], piece[at + 1]);
  return turned;
}
