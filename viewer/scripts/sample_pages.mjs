// Writes the sample pages into a folder, to look at: node scripts/sample_pages.mjs FOLDER
import { build } from "esbuild";
import { mkdirSync, writeFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = process.argv[2] ?? join(root, "samples");
const bundle = join(root, "tests/samples/.bundle.mjs");
await build({
  stdin: {
    contents: 'export { samples } from "./runs"; export { page } from "./page";',
    resolveDir: join(root, "tests/samples"),
  },
  bundle: true,
  platform: "node",
  format: "esm",
  outfile: bundle,
});
const { samples, page } = await import(pathToFileURL(bundle).href);
mkdirSync(folder, { recursive: true });
for (const [name, runs] of Object.entries(samples)) {
  const text = page(runs());
  writeFileSync(join(folder, `${name}.html`), text);
  console.log(`${name}.html ${text.length} bytes`);
}
rmSync(bundle);
