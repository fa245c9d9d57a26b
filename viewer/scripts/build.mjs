// Bundles the viewer into dist/viewer.js and dist/viewer.css: node scripts/build.mjs [FOLDER]
// The same sources give the same bytes: names and order depend on nothing of the machine.
import { build } from "esbuild";
import { minify } from "terser";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const banner =
  "/* The step viewer of lockstep, MIT. With Preact (MIT, (c) Jason Miller; signals (c) Preact Team), " +
  "fflate (MIT, (c) Arjun Barrett), D3 (ISC, (c) 2010-2026 Mike Bostock): viewer/LICENSES */";
const limit = 66_000; // bytes of code, gzipped
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = process.argv[2] ?? join(root, "dist");

rmSync(folder, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { viewer: "src/main.tsx" },
  outdir: folder,
  bundle: true,
  minify: true,
  charset: "ascii", // the page's encoding does not matter to it
  format: "iife",
  target: ["es2021", "chrome100", "firefox100", "safari15"],
  jsx: "automatic",
  jsxImportSource: "preact",
  mangleProps: /^m_/, // private members
  legalComments: "none",
  logLevel: "warning",
});

// What esbuild leaves, terser makes smaller by 2 kB.
const script = join(folder, "viewer.js");
const options = {
  compress: { passes: 3 },
  mangle: true,
  format: { ascii_only: true, preamble: banner },
  ecma: 2020,
};
writeFileSync(script, (await minify(readFileSync(script, "utf8"), options)).code + "\n");

// A script element ends at its end tag, wherever in the text that stands.
const code = readFileSync(script, "utf8");
if (/<\/script|<!--/i.test(code)) {
  console.error("viewer.js has a text that would end the script element it is embedded in.");
  process.exit(1);
}
const size = gzipSync(code, { level: 9 }).length;
const style = gzipSync(readFileSync(join(folder, "viewer.css")), { level: 9 }).length;
console.log(`viewer.js ${size} bytes gzipped (limit ${limit}), viewer.css ${style}`);
if (size > limit) {
  console.error(`viewer.js is larger than ${limit} bytes gzipped.`);
  process.exit(1);
}
