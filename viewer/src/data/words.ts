import type { ShownNumber } from "./format";

/// "1 word", "2 words".
export function counted(count: number | string, noun: string): string {
  return `${grouped(count)} ${noun}${String(count) === "1" ? "" : "s"}`;
}

/// A whole number with its thousands set apart.
export function grouped(count: number | string): string {
  const text = String(count);
  return /^\d{5,}$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, "\u2009") : text;
}

/// A shown number, short enough to read: three digits of a floating one, all before its point if it has more.
export function shownText(value: ShownNumber): string {
  if (value === null) return "not finite";
  if (typeof value === "string" || Number.isInteger(value)) return String(value);
  const rounded = Number(value.toPrecision(3));
  return String(Math.abs(rounded) < 1000 ? rounded : Math.round(value));
}

const letters = 26;

/// Names a block by its source and its destination: "C5" from 2 to 5, of more processors than letters "2→5".
export function blockText(source: number, destination: number, processors: number): string {
  if (processors > letters) return `${source}\u2192${destination}`;
  return String.fromCharCode(65 + source) + destination;
}

/// Says how to read that.
export function blocksSay(processors: number): string {
  return processors > letters ? "source\u2192destination" : "A1 is from 0 for 1";
}

/// "16th", "2nd": which of several.
export function ordinal(number: number): string {
  const ending = ["th", "st", "nd", "rd"][number % 10] ?? "th";
  return number + (number % 100 > 10 && number % 100 < 14 ? "th" : ending);
}
