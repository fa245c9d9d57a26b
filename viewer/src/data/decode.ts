import { inflateSync, strFromU8 } from "fflate";
import type { RunJson, ViewJson } from "./format";
import { withoutWrongNotes } from "./notes";

/// An error of the page's data, which the page shows in place of a run.
export class UnreadablePage extends Error {}

/// Reads the page's data: plain JSON, or raw deflate in base64.
export function decode(text: string, encoding: string): ViewJson {
  const json = encoding === "deflate-base64" ? inflated(text) : text;
  return checked(parsed(json));
}

function parsed(json: string): ViewJson {
  try {
    return JSON.parse(json) as ViewJson;
  } catch (error) {
    throw new UnreadablePage(
      `Its data are not JSON (${(error as Error).message}). Write it again with lockstep.`,
    );
  }
}

function inflated(base64: string): string {
  const binary = atob(base64.trim());
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; ++at) bytes[at] = binary.charCodeAt(at);
  return strFromU8(inflateSync(bytes));
}

function checked(view: ViewJson): ViewJson {
  if (view?.format !== 1)
    throw new UnreadablePage(
      `This page has data of format ${String(view?.format)}, and its viewer reads format 1. ` +
        "Write it again with one version of lockstep.",
    );
  if (!Array.isArray(view.runs) || view.runs.length === 0)
    throw new UnreadablePage("This page holds no run. Write it again with `lockstep view`.");
  return { format: view.format, runs: view.runs.map(withDefaults) };
}

const empty_machine = { axes: [], layout: [], coordinates: [], links: [] };
const empty_run = {
  algorithm: "",
  command: "",
  complete: true,
  incomplete_why: "",
  phases: [],
  places: [],
  sources: [],
  routes: [],
  showNames: [],
  failure: null,
  claims: [],
  bounds: [],
  explanation: [],
  call: "",
  header: "",
  parameters: {},
};

/// What may be left out of a run is there afterwards, and empty.
function withDefaults(json: RunJson): RunJson {
  const { run, wrong } = withoutWrongNotes(json);
  return { ...empty_run, ...run, wrong, machine: { ...empty_machine, ...run.machine } };
}
