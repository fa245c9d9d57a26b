import { changesOf, type Change } from "../data/changes";
import { exchangeOf, placeOf } from "../data/follow";
import type { ShownNumber, ShownValue } from "../data/format";
import { columnsOfBlocks, type Shown } from "../data/shows";
import { blocksSay, blockText, shownText } from "../data/words";
import { leastDistance, nodeRadius, projected } from "./camera";
import { mixed, rankColour, readableOn } from "./colours";
import type { Scene } from "./scene";
import type { Surface } from "./surface";

const most_drawn = 128; // processors
const least_scale = 42; // pixels of a unit
const least_scale_of_texts = 32; // where there are short texts alone
const least_letters = 8; // pixels
const letter = 0.6; // widths to heights
const least_cell = 2; // pixels
const most_arrays = 3; // side by side
const gap = 4; // pixels between them
const between_rows = 2; // pixels, one above the other

/// A place below a processor.
interface Room {
  x: number; // of its middle
  y: number; // of its top
  width: number;
  height: number;
}

/// A table of numbers or blocks, as it is drawn: what is written in a cell, where there is room, its colour, and
/// what became of it in this step.
interface Table {
  columns: number;
  texts: string[];
  colours: string[]; // none: only texts
  changes: Change[];
}

/// What is drawn under one name: of each processor that has it its value, and what all these values have in common.
interface Row {
  name: string;
  isData: boolean; // what was shown first, which the run is about
  held: (Shown | undefined)[]; // by rank
  scales: Scales;
}

/// Draws below each processor what it holds: numbers, texts, intervals, and as far as there is room arrays, as
/// numbers or else as bars, matrices and blocks; several side by side or one above the other, where all can be
/// read. What was shown first stays, and of the rest what changed last. What they are stands above the drawing.
/// What arrived in the step is framed.
export function paintHeld(surface: Surface, scene: Scene): void {
  if (scene.drawing.grouping || scene.camera.scale < least_scale_of_texts || scene.run.processors > most_drawn) return;
  const arrangement = readableRows(scene);
  if (scene.camera.scale < least_scale && !isOfShortTexts(scene, arrangement)) return;
  const { rows, stacked, named, letters } = arrangement;
  if (rows.length === 0) return;
  let came = false;
  for (const [at, row] of rows.entries())
    row.held.forEach((one, rank) => {
      if (!one) return;
      const room = placeOfRow(scene, rank, arrangement, at);
      if (named) paintName(surface, scene, room, row.name);
      const changes = one.step === scene.step && scene.step > 0 ? changesOf(scene.run, one.entry) : [];
      came ||= changes.some(({ what }) => what === "came") && shortText(one.value) === "";
      const left = below(room, scene, arrangement);
      paintValue(surface, scene, left, { ...one, changes }, row.scales, letters);
    });
  const blocks = rows.some(({ held }) => held.some((one) => one && "blocks" in one.value));
  const order = stacked ? ", from above" : ", from the left";
  paintKey(
    surface,
    scene,
    `${rows.length > 1 && !named ? order : ""}: ` +
      rows.map((row) => row.name).join(", ") +
      (blocks ? ` (${blocksSay(scene.run.processors)})` : "") +
      (came ? "; framed: came in" : ""),
  );
}

/// Writes above the drawing what is below its processors, in fewer words where there is no room.
function paintKey(surface: Surface, scene: Scene, what: string): void {
  const { layout } = scene.drawing;
  const high = Math.min(...layout.y) - 0.5;
  const [left] = projected(scene.camera, [Math.min(...layout.x) - 0.6, high]);
  const [right, top] = projected(scene.camera, [Math.max(...layout.x) + 0.6, high]);
  const size = sizeOfLetters(scene);
  const long = `below each processor${what}`;
  const text = 0.52 * size * long.length <= left + right ? long : `below${what}`;
  surface.text(Math.max(right, 0.52 * size * text.length), top, text, {
    size,
    fill: scene.colours.quiet,
    halo: scene.colours.paper,
    anchor: "end",
  });
}

/// What is drawn below each processor, side by side or one above the other, whether each has its name above it, and
/// how large its letters are.
interface Arrangement {
  rows: Row[];
  stacked: boolean;
  named: boolean;
  letters: number;
  heights: number[]; // of the rows, their names included, where they are one above the other
}

function arranged(scene: Scene, rows: Row[], stacked: boolean, named: boolean, letters: number): Arrangement {
  const room = roomBelow(scene, 0);
  const heights = stacked ? rows.map((row) => heightOf(scene, row, room, letters) + (named ? heightOfName(scene) : 0)) : [];
  return { rows, stacked, named, letters, heights };
}

/// What is drawn of the processors after this step: as many arrays and short values as can be read side by side, or
/// one above the other.
function readableRows(scene: Scene): Arrangement {
  const all = Array.from({ length: scene.drawing.layout.x.length }, (_, rank) =>
    scene.run.shows.after(rank, scene.step),
  );
  const rows = newestRows(all);
  for (; rows.length > 1; rows.splice(oldestOf(rows), 1)) {
    const found = arrangementOf(scene, rows);
    if (found) return found;
  }
  const [row] = rows;
  const found = row && arrangementOf(scene, rows);
  if (found) return found;
  const least = leastLetters(scene);
  if (!row || row.isData) return arranged(scene, rows, false, false, least);
  const isShort = (one: Shown) => shortText(one.value) !== "";
  const held = all.map((shown) => shown.find(isShort) ?? shown.find((one) => isArray(one.value)));
  const names = [...new Set(held.flatMap((one) => (one ? [one.name] : [])))];
  const mixed = { name: names.join(", "), isData: false, held, scales: scalesOf(held) };
  return arranged(scene, [mixed], false, false, least);
}

/// Whether there is nothing but short texts, which can be read.
function isOfShortTexts(scene: Scene, arrangement: Arrangement): boolean {
  const isShort = (one: Shown | undefined) => !one || shortText(one.value) !== "";
  return arrangement.rows.every(({ held }) => held.every(isShort)) && hasRoom(scene, arrangement);
}

/// The first arrangement of these rows in which all can be read: with names, in the largest letters, side by side.
function arrangementOf(scene: Scene, rows: Row[]): Arrangement | undefined {
  const least = leastLetters(scene);
  const sizes = [1.25, 1.125, 1].map((times) => times * least); // none larger than the smallest in large type
  for (const named of rows.length > 1 ? [true, false] : [false])
    for (const letters of sizes)
      for (const stacked of rows.length > 1 ? [false, true] : [false]) {
        const found = arranged(scene, rows, stacked, named, letters);
        if (hasRoom(scene, found)) return found;
      }
  return undefined;
}

/// Whether all values of an arrangement can be read, and the names have room.
function hasRoom(scene: Scene, arrangement: Arrangement): boolean {
  const { rows, stacked, named, letters, heights } = arrangement;
  const height = heights.reduce((sum, one) => sum + one + between_rows, -between_rows);
  if (height > roomBelow(scene, 0).height + 0.5) return false;
  return rows.every((row, at) => {
    const place = placeOfRow(scene, 0, arrangement, at); // as large as at the others
    if (named && widthOf(row.name, leastLetters(scene)) > place.width - (stacked ? 0 : gap)) return false;
    const room = below(place, scene, arrangement);
    return row.held.every((one) => !one || canBeRead(scene, one, row, room, letters));
  });
}

/// What was shown first, and the other names under which most has changed last, in the order in which programs
/// show them.
function newestRows(all: Shown[][]): Row[] {
  const names = new Set(all.flatMap((shown) => shown.map((one) => one.name)));
  const [data] = names;
  const rows = [...names].flatMap((name) => {
    const held = all.map((shown) => shown.find((one) => one.name === name && isDrawn(one.value)));
    return held.some((one) => one) ? { name, isData: name === data, held, scales: scalesOf(held) } : [];
  });
  while (rows.length > most_arrays) rows.splice(oldestOf(rows), 1);
  return rows;
}

/// The row that has changed before the others, but not that of what the run is about; of several the last.
function oldestOf(rows: Row[]): number {
  const steps = rows.map(({ held, isData }) =>
    isData ? Infinity : Math.max(...held.map((one) => one?.step ?? -1)),
  );
  return steps.lastIndexOf(Math.min(...steps));
}

/// Whether a value can be read in a place or, where it could not be read in the whole of the room, be seen.
function canBeRead(scene: Scene, one: Shown, { scales }: Row, room: Room, letters: number): boolean {
  const text = shortText(one.value);
  if (text !== "") return widthOf(text, sizeOfLetters(scene)) <= room.width;
  if ("numbers" in one.value) return columnsInLines(room, scales, letters) > 0;
  const columns = columnsOf(one.value);
  const whole = { ...room, width: roomBelow(scene, 0).width, height: roomBelow(scene, 0).height };
  const isWritten = sizeInTable(scene, whole, columns, scales) > 0;
  return isWritten ? sizeInTable(scene, room, columns, scales) > 0 : room.width / columns > 3;
}

function columnsOf(value: ShownValue): number {
  if ("matrix" in value) return value.matrix.columns;
  return "blocks" in value ? columnsOfBlocks(value.blocks.length / 2) : Infinity;
}

function widthOf(text: string, size: number): number {
  return (text.length + 0.5) * letter * size;
}

/// One of several parts of a place, side by side.
function partOf(room: Room, at: number, parts: number): Room {
  const width = room.width / parts;
  return { ...room, x: room.x + (at - (parts - 1) / 2) * width, width: parts > 1 ? width - gap : width };
}

/// The place of a row of an arrangement below a processor.
function placeOfRow(scene: Scene, rank: number, { rows, stacked, heights }: Arrangement, at: number): Room {
  const room = roomBelow(scene, rank);
  if (!stacked) return partOf(room, at, rows.length);
  const before = heights.slice(0, at).reduce((sum, height) => sum + height + between_rows, 0);
  return { ...room, y: room.y + before, height: heights[at] };
}

/// How much height a row takes where it has the whole width.
function heightOf(scene: Scene, { held, scales }: Row, room: Room, letters: number): number {
  const heights = held.map((one) => {
    if (!one) return 0;
    if (shortText(one.value) !== "") return 1.2 * sizeOfLetters(scene);
    const columns = "numbers" in one.value ? inALine(room, scales, letters) : columnsOf(one.value);
    return 1.1 * letters * Math.ceil(scales.cells / Math.max(1, Math.min(columns, scales.cells)));
  });
  return Math.max(...heights);
}

function heightOfName(scene: Scene): number {
  return 1.2 * leastLetters(scene);
}

/// The room that its name leaves.
function below(room: Room, scene: Scene, { named }: Arrangement): Room {
  const name = named ? heightOfName(scene) : 0;
  return { ...room, y: room.y + name, height: room.height - name };
}

/// The size of the smallest letters that can be read.
function leastLetters(scene: Scene): number {
  return least_letters * scene.camera.type;
}

function paintName(surface: Surface, scene: Scene, room: Room, name: string): void {
  const size = leastLetters(scene);
  surface.text(room.x, room.y + size / 2, name, {
    size,
    fill: scene.colours.quiet,
    halo: scene.colours.paper,
  });
}

function isDrawn(value: ShownValue): boolean {
  return isArray(value) || shortText(value) !== "";
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

function scalesOf(held: readonly (Shown | undefined)[]): Scales {
  const scales = { least: Infinity, most: -Infinity, largest: 0, cells: 1, letters: 1 };
  for (const one of held) {
    if (!one) continue;
    const texts = textsOf(one.value, held.length);
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
function textsOf(value: ShownValue, processors: number): string[] {
  if (!("blocks" in value)) return numbersOf(value).map(shownText);
  const { blocks } = value;
  return Array.from({ length: blocks.length / 2 }, (_, at) =>
    blocks[2 * at] < 0 ? "" : blockText(blocks[2 * at], blocks[2 * at + 1], processors),
  );
}

function numbersOf(value: ShownValue): ShownNumber[] {
  if ("numbers" in value) return value.numbers;
  if ("matrix" in value) return value.matrix.numbers;
  return "sample" in value ? value.sample.numbers : [];
}

function paintValue(
  surface: Surface,
  scene: Scene,
  room: Room,
  held: Shown & { changes: Change[] },
  scales: Scales,
  letters: number,
): void {
  const { value, changes } = held;
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
    const texts = textsOf(value, scene.run.processors);
    const share = (number: ShownNumber) =>
      scales.most > scales.least ? (Number(number) - scales.least) / (scales.most - scales.least) : 0.3;
    const colours = numbers.map((one) => mixed("#f2f6f9", "#0b5c8e", share(one)));
    paintTable(surface, scene, room, { columns, texts, colours, changes }, scales);
  } else if ("blocks" in value) {
    const columns = columnsOfBlocks(value.blocks.length / 2);
    const colours = coloursOfBlocks(value.blocks, held.name, scene);
    paintTable(surface, scene, room, { columns, texts: textsOf(value, scene.run.processors), colours, changes }, scales);
  } else {
    const columns = "numbers" in value ? columnsInLines(room, scales, letters) : 0;
    if (columns > 0)
      paintTable(surface, scene, room, { columns, texts: textsOf(value, scene.run.processors), colours: [], changes }, scales);
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
function columnsInLines(room: Room, { cells, letters }: Scales, size: number): number {
  const columns = inALine(room, { letters }, size);
  const rows = Math.ceil(cells / columns);
  if (columns < 1 || rows * 1.1 * size > room.height + 0.01) return 0;
  return Math.ceil(cells / rows);
}

/// How many numbers have room in a line, in letters of that size.
function inALine(room: Room, { letters }: Pick<Scales, "letters">, size: number): number {
  return Math.floor(room.width / ((letters + 0.8) * letter * size));
}

/// The size of letters in a table; 0 where they cannot be read.
function sizeInTable(scene: Scene, room: Room, columns: number, { cells, letters }: Scales): number {
  const across = Math.min(columns, cells);
  const size = Math.min(
    sizeOfLetters(scene),
    room.width / across / ((letters + 0.8) * letter),
    room.height / Math.ceil(cells / across) / 1.1,
  );
  return size >= 0.99 * leastLetters(scene) ? size : 0;
}

/// Draws a table, with its texts where letters fit, and nothing where its cells would be too small.
function paintTable(
  surface: Surface,
  scene: Scene,
  room: Room,
  { columns, texts, colours, changes }: Table,
  scales: Scales,
): void {
  const rows = Math.ceil(texts.length / columns);
  const cells = colours.length > 0 ? texts.length : scales.cells; // numbers are as large at all processors
  const size = sizeInTable(scene, room, columns, { ...scales, cells });
  const written = size > 0;
  const width = written
    ? Math.min(room.width / columns, (scales.letters + 1.4) * letter * size)
    : Math.min(room.width / columns, room.height / rows, 8);
  const height = written ? 1.1 * size : width;
  if (width < least_cell) return;
  const left = room.x - (width * columns) / 2;
  const allCame = changes.length > 0 && changes.every(({ what }) => what === "came");
  const framed = { stroke: colours.length > 0 ? scene.colours.ink : scene.colours.message, width: 1.4 };
  if (allCame) {
    const frame = corners(left - 1.5, room.y - 1.5, width * columns + 2, height * rows + 2, true);
    surface.polyline(frame, framed);
  }
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
    if (!allCame && changes[at]?.what === "came" && width > 5)
      surface.polyline(corners(x, y, width - 0.8, height - 0.8, true), framed);
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

function corners(x: number, y: number, width: number, height: number, closed = false): number[] {
  const around = [x, y, x + width, y, x + width, y + height, x, y + height];
  return closed ? [...around, x, y] : around;
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
