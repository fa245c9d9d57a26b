/// A part of a line of C++, by what it is.
export interface Token {
  text: string;
  kind: "plain" | "keyword" | "comment" | "string" | "number";
}

const keywords = new Set(
  (
    "auto bool break case catch char class const constexpr continue default do double else enum " +
    "explicit false float for if inline int long namespace new noexcept nullptr operator override " +
    "private public requires return short signed sizeof static struct switch template this throw " +
    "true try typename unsigned using virtual void while"
  ).split(" "),
);
const parts =
  /(\/\/.*$)|("(?:[^"\\]|\\.)*")|('(?:[^'\\]|\\.)*')|([A-Za-z_]\w*)|(\d[\w.']*)|(\s+|.)/g;

/// Splits a line into tokens, good enough to colour it.
export function tokens(line: string): Token[] {
  const found: Token[] = [];
  for (const match of line.matchAll(parts)) {
    const [text, comment, quoted, letter, word, number] = match;
    const kind = comment
      ? "comment"
      : quoted || letter
        ? "string"
        : number
          ? "number"
          : word && keywords.has(word)
            ? "keyword"
            : "plain";
    const last = found[found.length - 1];
    if (last && last.kind === kind) last.text += text;
    else found.push({ text, kind });
  }
  return found;
}
