// Checks that dist/ is what the sources give: node scripts/check_current.mjs
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = mkdtempSync(join(tmpdir(), "viewer-"));
execFileSync(process.execPath, [join(root, "scripts/build.mjs"), built], { stdio: "inherit" });
const stale = ["viewer.js", "viewer.css"].filter(
  (name) => !readFileSync(join(built, name)).equals(readFileSync(join(root, "dist", name))),
);
rmSync(built, { recursive: true });
if (stale.length > 0) {
  console.error(
    `viewer/dist/${stale.join(" and ")} is not what viewer/src gives: run make viewer.`,
  );
  process.exit(1);
}
console.log("viewer/dist is current.");
