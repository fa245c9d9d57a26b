import { exchangeOf, placeOf } from "../data/follow";
import type { ShownNumber, ShownValue } from "../data/format";
import { columnsOfBlocks, type Shown } from "../data/shows";
import { shownText } from "../data/words";
import { leastDistance, nodeRadius, projected } from "./camera";
import { mixed, rankColour, readableOn } from "./colours";
import type { Scene } from "./scene";
import type { Surface } from "./surface";

const most_drawn = 128; // processors
const least_scale = 42; // pixels of a unit
const least_letters = 8; // pixels
const letter = 0.6; // widths to heights
const least_cell = 2; // pixels

/// The place below a processor.
interface Room {
  x: number; // of its middle
  y: number; // of its top
  width: number;
  height: number;
}

/// A table of numbers or blocks, as it is drawn: what is written in a cell, where there is room, and its colour.
interface Table {
  columns: number;
  texts: string[];
  colours: string[]; // none: only texts
}

/// Draws below each processor what it holds: a number, a text, an interval, and as far as there is room
/// arrays, as numbers or else as bars, matrices and blocks. What that is stands above the drawing.
export function paintHeld(surface: Surface, scene: Scene): void {
  const { layout, grouping } = scene.drawing;
  if (grouping || scene.camera.scale < least_scale || scene.run.processors > most_drawn) return;
  const held = layout.x.length === 0 ? [] : heldAtAll(scene);
  const names = new Set<string>();
  const scales = scalesOf(held);
  for (let rank = 0; rank < held.length; ++rank) {
    const one = held[rank];
    if (!one) continue;
    names.add(one.name);
    paintValue(surface, scene, roomBelow(scene, rank), one, scales);
  }
  if (names.size === 0) return;
  const corner = [Math.max(...layout.x) + 0.6, Math.min(...layout.y) - 0.5];
  const [right, top] = projected(scene.camera, corner);
  surface.text(right, top, `below each processor: ${[...names].join(", ")}`, {
    size: sizeOfLetters(scene),
    fill: scene.colours.quiet,
    halo: scene.colours.paper,
    anchor: "end",
  });
}

/// What is drawn of each processor after this step: the first that can be, a short one if there is one.
function heldAtAll(scene: Scene): (Shown | undefined)[] {
  return Array.from({ length: scene.drawing.layout.x.length }, (_, rank) => {
    const shown = scene.run.shows.after(rank, scene.step);
    return (
      shown.find((one) => shortText(one.value) !== "") ?? shown.find((one) => isArray(one.value))
    );
  });
}

function isArray(value: ShownValue): boolean {
  if ("numbers" in value) return value.numbers.length > 0;
  if ("matrix" in value) return value.matrix.numbers.length > 0;
  if ("blocks" in value) return value.blocks.length > 0;
  return "sample" in value;
}

function sizeOfLetters(scene: Scene): number {
  return Math.max(9, Math.min(12, 0.2 * scene.camera.scale)) * scene.camera.type;
}

/// Finds the place below a processor that no other one is in.
function roomBelow(scene: Scene, rank: number): Room {
  const { layout } = scene.drawing;
  const [x, y] = projected(scene.camera, [layout.x[rank], layout.y[rank]]);
  const radius = nodeRadius(scene.camera);
  const distance = leastDistance(layout);
  const apart = scene.camera.scale * (Number.isFinite(distance) ? distance : 1);
  return { x, y: y + radius + 3, width: 0.92 * apart, height: apart - 2 * radius - 5 };
}

/// What is the same at all processors: from which to which value colours go, which value the highest bar is, and
/// for how many texts of how many letters there has to be room.
interface Scales {
  least: number;
  most: number;
  largest: number;
  cells: number;
  letters: number;
}

function scalesOf(held: (Shown | undefined)[]): Scales {
  const scales = { least: Infinity, most: -Infinity, largest: 0, cells: 1, letters: 1 };
  for (const one of held) {
    if (!one) continue;
    const texts = textsOf(one.value);
    scales.cells = Math.max(scales.cells, texts.length);
    for (const text of texts) scales.letters = Math.max(scales.letters, text.length);
    for (const number of numbersOf(one.value)) {
      const value = Number(number);
      if (!Number.isFinite(value)) continue;
      scales.least = Math.min(scales.least, value);
      scales.most = Math.max(scales.most, value);
      scales.largest = Math.max(scales.largest, Math.abs(value));
    }
  }
  return scales;
}

/// What is written in the cells of an array, where there is room.
function textsOf(value: ShownValue): string[] {
  if (!("blocks" in value)) return numbersOf(value).map(shownText);
  const { blocks } = value;
  return Array.from({ length: blocks.length / 2 }, (_, at) =>
    blocks[2 * at] < 0 ? "" : `${blocks[2 * at]}\u2192${blocks[2 * at + 1]}`,
  );
}

function numbersOf(value: ShownValue): ShownNumber[] {
  if ("numbers" in value) return value.numbers;
  if ("matrix" in value) return value.matrix.numbers;
  return "sample" in value ? value.sample.numbers : [];
}

function paintValue(surface: Surface, scene: Scene, room: Room, held: Shown, scales: Scales): void {
  const { value } = held;
  const short = shortText(value);
  if (short !== "") {
    const size = sizeOfLetters(scene);
    surface.text(room.x, room.y + 8 * scene.camera.type, short, {
      size,
      fill: scene.colours.ink,
      halo: scene.colours.paper,
    });
  } else if ("matrix" in value) {
    const { columns, numbers } = value.matrix;
    const texts = textsOf(value);
    const share = (number: ShownNumber) =>
      scales.most > scales.least ? (Number(number) - scales.least) / (scales.most - scales.least) : 0.3;
    const colours = numbers.map((one) => mixed("#f2f6f9", "#0b5c8e", share(one)));
    paintTable(surface, scene, room, { columns, texts, colours }, scales);
  } else if ("blocks" in value) {
    const columns = columnsOfBlocks(value.blocks.length / 2);
    const colours = coloursOfBlocks(value.blocks, held.name, scene);
    paintTable(surface, scene, room, { columns, texts: textsOf(value), colours }, scales);
  } else {
    const columns = "numbers" in value ? columnsInLines(room, scene, scales) : 0;
    if (columns > 0)
      paintTable(surface, scene, room, { columns, texts: textsOf(value), colours: [] }, scales);
    else paintBars(surface, scene, room, numbersOf(value).map(Number), scales.largest);
  }
}

/// The colours of blocks: of their destinations, and of the one that is followed.
function coloursOfBlocks(blocks: number[], name: string, scene: Scene): string[] {
  const followed = scene.followed;
  const here = followed && (followed.exchange ?? exchangeOf(name)) === exchangeOf(name);
  const place = here ? placeOf({ blocks }, followed) : -1;
  return Array.from({ length: blocks.length / 2 }, (_, at) => {
    if (at === place) return scene.colours.follow;
    return rankColour(blocks[2 * at] < 0 ? -1 : blocks[2 * at + 1], scene.run.processors);
  });
}

/// In how many columns numbers are written, in letters that can be read; 0 where there is no room.
function columnsInLines(room: Room, scene: Scene, { cells, letters }: Scales): number {
  const size = least_letters * scene.camera.type;
  const columns = Math.floor(room.width / ((letters + 0.8) * letter * size));
  const rows = Math.ceil(cells / columns);
  if (columns < 1 || rows * 1.1 * size > room.height) return 0;
  return Math.ceil(cells / rows);
}

/// Draws a table, with its texts where letters fit, and nothing where its cells would be too small.
function paintTable(
  surface: Surface,
  scene: Scene,
  room: Room,
  { columns, texts, colours }: Table,
  { letters }: Scales,
): void {
  const rows = Math.ceil(texts.length / columns);
  const size = Math.min(
    sizeOfLetters(scene),
    room.width / columns / ((letters + 0.8) * letter),
    room.height / rows / 1.1,
  );
  const written = size >= least_letters * scene.camera.type * 0.99;
  const width = written
    ? Math.min(room.width / columns, (letters + 1.4) * letter * size)
    : Math.min(room.width / columns, room.height / rows, 8);
  const height = written ? 1.1 * size : width;
  if (width < least_cell) return;
  const left = room.x - (width * columns) / 2;
  texts.forEach((text, at) => {
    const x = left + width * (at % columns);
    const y = room.y + height * Math.floor(at / columns);
    const colour = colours[at];
    if (colour && colour !== "transparent")
      surface.polygon(corners(x, y, width - (width > 4 ? 0.6 : 0), height - (height > 4 ? 0.6 : 0)), {
        fill: colour,
      });
    if (written && text)
      surface.text(x + width / 2, y + height / 2, text, {
        size,
        fill: colour ? readableOn(colour) : scene.colours.ink,
        ...(colour ? {} : { halo: scene.colours.paper }),
      });
  });
}

/// Draws numbers as bars, every n-th where there are more than fit; those below 0 are pale.
function paintBars(surface: Surface, scene: Scene, room: Room, values: number[], largest: number): void {
  const every = Math.ceil((values.length * least_cell) / room.width);
  const shown = values.filter((_, at) => at % every === 0);
  const width = Math.min(8, room.width / shown.length);
  const height = Math.min(room.height, 40);
  if (height < 8 || largest === 0) return;
  const left = room.x - (width * shown.length) / 2;
  shown.forEach((value, at) => {
    if (!Number.isFinite(value)) return;
    const tall = Math.max(1, (height * Math.abs(value)) / largest);
    surface.polygon(corners(left + width * at, room.y + height - tall, width - (width > 3 ? 1 : 0.3), tall), {
      fill: scene.colours.quiet,
      alpha: value < 0 ? 0.4 : 0.85,
    });
  });
}

function corners(x: number, y: number, width: number, height: number): number[] {
  return [x, y, x + width, y, x + width, y + height, x, y + height];
}

/// What is short enough to be written in a line; empty for all else.
function shortText(value: ShownValue): string {
  let text = "";
  if ("number" in value) text = shownText(value.number).slice(0, 8);
  if ("text" in value) text = value.text;
  if ("intervals" in value && value.intervals.length === 2)
    text = [...new Set(value.intervals)].join("\u2013");
  if ("numbers" in value && value.numbers.length <= 3) text = value.numbers.map(shownText).join(" ");
  return text.length <= 10 ? text : "";
}
