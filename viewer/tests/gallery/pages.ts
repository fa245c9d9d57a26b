import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decode } from "../../src/data/decode";
import { Run } from "../../src/data/run";

const named = process.env.LOCKSTEP;
if (!named)
  throw new Error("LOCKSTEP has to name the command line: LOCKSTEP=build/release/cli/lockstep");

/// The built tool, and the gallery that it writes.
export const tool: string = named;
export const folder = mkdtempSync(join(tmpdir(), "viewer-gallery-"));
execFileSync(tool, ["view", "--gallery", folder]);
export const names = readdirSync(folder)
  .filter((file) => file !== "index.html")
  .map((file) => file.replace(/\.html$/, ""));

export function fileOf(name: string): string {
  return join(folder, `${name}.html`);
}

/// The first run of a page.
export function runIn(file: string): Run {
  const html = readFileSync(file, "utf8");
  const data = /id="lockstep-run" data-encoding="([^"]*)">([^<]*)</.exec(html)!;
  return new Run(decode(data[2], data[1]).runs[0]);
}
