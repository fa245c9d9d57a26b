import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import type { RunJson } from "../../src/data/format";
import { page as pageOf } from "../samples/page";

/// Chromium without a screen, a GPU or a network.
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/// A page that is open, and what its console and errors said.
export interface Opened {
  page: Page;
  complaints: string[];
}

const folder = mkdtempSync(join(tmpdir(), "viewer-pages-"));

/// Writes the runs as a page into a file, and opens it.
export async function open(
  browser: Browser,
  name: string,
  runs: RunJson[],
  hash = "",
  options: BrowserContextOptions = {},
  shows = ".stage",
): Promise<Opened> {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, pageOf(runs));
  return openFile(browser, file, hash, options, shows);
}

/// Opens a page that is there.
export async function openFile(
  browser: Browser,
  file: string,
  hash = "",
  options: BrowserContextOptions = {},
  shows = ".stage", // what it is to show
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    // The tests themselves read canvases back.
    if (message.text().startsWith("Canvas2D: Multiple readback")) return;
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (/^https?:/.test(request.url())) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href + hash);
  await page.waitForSelector(shows);
  return { page, complaints };
}
