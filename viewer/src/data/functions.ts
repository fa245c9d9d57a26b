import type { RunJson } from "./format";

/// A function in the text of a program, or a whole file of which no function is known: lines from 1.
export interface CodeFunction {
  file: number;
  name: string;
  first: number;
  last: number;
}

const lexemes = /\/\/.*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'|[{}();]/g;
const encloses =
  /^(template\s*<[^]*>\s*)?(inline\s+)?(namespace|class|struct|union|extern|enum)\b/; // functions, if any
const enough_lines = 3; // with calls, in a function that is to show what an algorithm does
const enough_senders = 2; // of these, from which messages go or come; one chooses what runs
const kinds_of_messages = [0, 1, 8]; // of calls: send, receive, one-sided
const no_start = /^\s*($|\/[/*]|\*|#|(public|private|protected):)/;

/// Compares two lists of numbers by the first that differ: negative where that of the first list is less.
function inOrder(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at < 0 ? 0 : one[at]! - other[at]!;
}

/// Finds the functions in a text of C++, those of classes, too.
export function functionsOf(file: number, text: string): CodeFunction[] {
  const found: CodeFunction[] = [];
  const lineAt = (index: number) => text.slice(0, index).split("\n").length;
  let since = 0; // the end of what stands before
  let depth = 0; // inside a function
  let parentheses = 0;
  let first = 0;
  let name = "";
  for (const { 0: sign, index } of text.matchAll(lexemes)) {
    if (sign.length > 1) continue;
    if (depth > 0) {
      depth += sign === "{" ? 1 : sign === "}" ? -1 : 0;
      if (depth > 0) continue;
      found.push({ file, name, first, last: lineAt(index) });
    } else if (sign === "(" || sign === ")") {
      parentheses += sign === "(" ? 1 : -1;
      continue;
    } else if (parentheses > 0) continue;
    else if (sign === "{") {
      const lines = text.slice(since, index).split("\n");
      const skipped = lines.findIndex((line) => !no_start.test(line));
      const header = lines.slice(Math.max(0, skipped)).join("\n").trim();
      if (!encloses.test(header)) {
        depth = 1;
        first = lineAt(since) + Math.max(0, skipped);
        const names = [...header.matchAll(/([\w~]+)\s*\(/g)].map((match) => match[1]);
        name = names.find((one) => one !== "requires" && one !== "decltype") ?? "";
      }
    }
    since = index + 1;
  }
  return found;
}

/// The same of Python.
function functionsOfPython(file: number, text: string): CodeFunction[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const [, indent, name] = /^(\s*)(?:async )?def (\w+)/.exec(line) ?? [];
    if (name === undefined) return [];
    const inside = (later: string) => later.trim() === "" || /^\s*/.exec(later)![0].length > indent.length;
    let last = at + 1;
    while (last < lines.length && inside(lines[last])) ++last;
    return { file, name, first: at + 1, last };
  });
}

/// The functions of a run in which its processors stand, and how they came there.
export class Functions {
  private readonly m_of_file = new Map<number, CodeFunction[]>();
  private readonly m_of_place = new Map<number, CodeFunction>();
  private m_known: Map<CodeFunction, { calls: Set<number>; senders: Set<number> }> | undefined;

  constructor(private readonly m_json: RunJson) {}

  /// The places of a call and of the calls of functions around it, innermost first.
  chain(place: number): number[] {
    const places: number[] = [];
    for (let at = place; at >= 0 && this.m_json.places[at]; at = this.m_json.places[at]!.from ?? -1)
      places.push(at);
    return places;
  }

  /// The chain without what is not the algorithm's: in a run of one of the library's, what called it.
  ownChain(place: number): number[] {
    const places = this.chain(place);
    return this.m_json.header !== "" && places.length > 1 ? places.slice(0, -1) : places;
  }

  /// The function that a place is in.
  at(index: number): CodeFunction {
    let found = this.m_of_place.get(index);
    if (!found) {
      const { file, line } = this.m_json.places[index]!;
      const around = this.inFile(file).filter((one) => one.first <= line && line <= one.last);
      found = around[0] ?? this.whole(file);
      this.m_of_place.set(index, found);
    }
    return found;
  }

  whole(file: number): CodeFunction {
    const all = this.inFile(file);
    return all[all.length - 1];
  }

  /// The functions that calls of the run are in, those first at whose lines most calls stand.
  get known(): CodeFunction[] {
    return [...this.lines.keys()].sort((left, right) => this.score(right) - this.score(left));
  }

  /// At how many lines of a function calls of the run stand.
  score(of: CodeFunction): number {
    return this.lines.get(of)?.calls.size ?? 0;
  }

  /// Whether it has several lines with calls, and does more than choose another function.
  private hasSeveral(of: CodeFunction): boolean {
    const senders = this.lines.get(of)?.senders.size ?? 0;
    return this.score(of) >= enough_lines && senders >= enough_senders;
  }

  /// The function that shows best what those do that stand at these places: one that all are in; of
  /// such the program's own function or, in the library, the one that the run is of, if several of its
  /// lines have calls, else the outermost of which several have and that does not only choose another one,
  /// else that with the most lines of calls.
  best(places: readonly number[]): CodeFunction | undefined {
    const own = this.m_json.header === "";
    const found = new Map<CodeFunction, { count: number; inside: number }>();
    for (const place of places) {
      const chain = this.ownChain(place);
      const functions = new Set((own ? chain.slice(-1) : chain).map((at) => this.at(at)));
      [...functions].forEach((one, inside) => {
        const known = found.get(one);
        found.set(one, { count: (known?.count ?? 0) + 1, inside });
      });
    }
    const named = /(\w+)\s*(<[^(]*>)?\(/.exec(this.m_json.call)?.[1];
    const isNamed = (one: CodeFunction) => one.name === named && this.score(one) >= enough_lines;
    // What counts first stands first.
    const rank = ([one, { count, inside }]: [CodeFunction, { count: number; inside: number }]) => {
      const hasSeveral = this.hasSeveral(one);
      const within = hasSeveral ? [inside] : [this.score(one), -inside];
      return [count, Number(isNamed(one)), Number(hasSeveral), ...within];
    };
    return [...found].sort((left, right) => inOrder(rank(right), rank(left)))[0]?.[0];
  }

  /// At which lines of a function calls stand, and at which of them such that send or receive.
  private get lines(): Map<CodeFunction, { calls: Set<number>; senders: Set<number> }> {
    if (this.m_known) return this.m_known;
    const { calls, messages } = this.m_json;
    const senders = new Set([...new Set(messages.sendPlace), ...new Set(messages.receivePlace)]);
    calls?.place.forEach((place, at) => {
      if (kinds_of_messages.includes(calls.kind[at])) senders.add(place);
    });
    this.m_known = new Map();
    for (const place of new Set([...senders, ...new Set(calls?.place)]))
      for (const at of this.ownChain(place)) {
        const one = this.at(at);
        const known = this.m_known.get(one) ?? { calls: new Set(), senders: new Set() };
        this.m_known.set(one, known);
        const { line } = this.m_json.places[at]!;
        known.calls.add(line);
        if (senders.has(place)) known.senders.add(line);
      }
    return this.m_known;
  }

  /// The functions of a file, and last the whole file.
  private inFile(file: number): CodeFunction[] {
    let found = this.m_of_file.get(file);
    if (!found) {
      const { name, text } = this.m_json.sources[file] ?? { name: "?", text: null };
      const read = name.endsWith(".py") ? functionsOfPython : functionsOf;
      found = text === null ? [] : read(file, text);
      found.push({ file, name, first: 1, last: text?.split("\n").length ?? 0 });
      this.m_of_file.set(file, found);
    }
    return found;
  }
}
