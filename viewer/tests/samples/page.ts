import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import type { RunJson } from "../../src/data/format";

const dist = new URL("../../dist/", import.meta.url);

/// A page as lockstep writes it: the viewer's bundle, and the runs deflated in base64.
export function page(runs: RunJson[]): string {
  const json = JSON.stringify({ format: 1, runs });
  const data = deflateRawSync(Buffer.from(json), { level: 9 }).toString("base64");
  const style = readFileSync(new URL("viewer.css", dist), "utf8");
  const code = readFileSync(new URL("viewer.js", dist), "utf8");
  const title = runs[0].title.replace(/[<>&]/g, "");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${style}</style></head>
<body><div id="lockstep-view"></div>
<script type="application/json" id="lockstep-run" data-encoding="deflate-base64">${data}</script>
<script>${code}</script></body></html>
`;
}
