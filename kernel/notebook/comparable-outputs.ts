/** Replaces in an executed notebook what differs from one execution to the next, and nothing else. */

import { shortRunId } from "../../runtime/index.ts";
import { renderSvg } from "../display/chart/render.ts";
import { isCode, type NotebookCell, type NotebookFile, type Output } from "./notebook.ts";

const VEGA_LITE = "application/vnd.vegalite.v5+json";
const SVG = "image/svg+xml";

export interface ComparableCell {
  readonly id: string;
  readonly source: string;
  readonly executionCount?: number | null;
  readonly outputs?: readonly unknown[];
}

/** Run ids, whole or short, become `RUN 1`, `RUN 2` in their order; times, durations and `folder` become words. */
export async function comparable(
  { cells }: NotebookFile,
  folder: string,
): Promise<readonly ComparableCell[]> {
  const replace = replacer(folder, runIdsIn(cells));
  const compared: ComparableCell[] = [];
  for (const cell of cells) compared.push(await comparableCell(cell, replace));
  return compared;
}

type Replace = (text: string) => string;

async function comparableCell(cell: NotebookCell, replace: Replace): Promise<ComparableCell> {
  const { id, source } = cell;
  if (!isCode(cell)) return { id, source };
  const outputs: unknown[] = [];
  for (const output of cell.outputs) {
    if (isProgress(output)) continue;
    outputs.push(replaceIn(await withoutDrawn(output), replace));
  }
  return { id, source, executionCount: cell.execution_count, outputs };
}

/** A query shows how far it is only where it takes its time, as on a busy machine. */
function isProgress(output: Output): boolean {
  return "data" in output && String(output.data["text/plain"]).startsWith("query done in ");
}

/** A chart's picture has durations as lengths. It must be what its specification gives, which is compared. */
async function withoutDrawn(output: Output): Promise<unknown> {
  if (!("data" in output) || !(VEGA_LITE in output.data)) return output;
  const spec = output.data[VEGA_LITE] as { readonly title?: string | { readonly text: string } };
  const title = typeof spec.title === "object" ? spec.title.text : (spec.title ?? "Chart");
  const plain = String(output.data["text/plain"]);
  const drawn = await renderSvg(spec, { title, description: plain });
  const picture =
    output.data[SVG] === drawn ? "the picture of its specification" : output.data[SVG];
  return { ...output, data: { ...output.data, [SVG]: picture } };
}

const DURATION_KEYS = new Set(["seconds", "duration_ms", "begin_s", "end_s"]);

function replaceIn(part: unknown, replace: Replace): unknown {
  if (typeof part === "string") return replace(part);
  if (Array.isArray(part)) return part.map((one) => replaceIn(one, replace));
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      isTimed(key, value) ? "DURATION" : replaceIn(value, replace),
    ]),
  );
}

/** The last of those that ran side by side, which is on the critical path, differs too. */
function isTimed(key: string, value: unknown): boolean {
  if (key === "critical") return typeof value === "boolean";
  return DURATION_KEYS.has(key) && typeof value === "number";
}

const RUN_ID = /\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g;
const TIME = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?/g;
/** With the number of its tooltip in a table, and the spaces that align it in a text. */
const DURATION = / *(?:title="\d+">)?\b\d[\d,]*(?:\.\d+)? (?:µs|ms|s|min|h)\b(?: \d+ s\b)?/g;
/** The rate of a loop, behind its count. */
const RATE =
  / · (?:[\d.]+[kM]?\/s| DURATION each|DURATION each)(?: · (?:took DURATION| ?DURATION left))?/g;
/** The range of times in the text of a chart. */
const RANGE = /((?:begin_s|end_s)[^\n]*, )[\d.]+ to [\d.]+/g;

const SHORT_ID = /\b[0-9a-f]{8}\b/g;

/** The short forms of the ids that stand in the outputs: whole ones do beside most of them, `run` before the others. */
function runIdsIn(cells: NotebookFile["cells"]): ReadonlySet<string> {
  const text = JSON.stringify(cells.filter(isCode).map(({ outputs }) => outputs));
  const named = [...text.matchAll(/\brun ([0-9a-f]{8})\b/g)].map(([, id = ""]) => id);
  return new Set([...(text.match(RUN_ID) ?? []).map(shortRunId), ...named]);
}

function replacer(folder: string, shortIds: ReadonlySet<string>): Replace {
  const runs = new Map<string, string>();
  const runName = (id: string) => {
    const short = shortRunId(id);
    const name = runs.get(short) ?? `RUN ${runs.size + 1}`;
    runs.set(short, name);
    return name;
  };
  return (text) =>
    text
      .replaceAll(folder, "FOLDER")
      .replaceAll(RUN_ID, runName)
      .replaceAll(SHORT_ID, (word) => (shortIds.has(word) ? runName(word) : word))
      .replaceAll(TIME, "TIME")
      .replaceAll(RANGE, "$1DURATION")
      .replaceAll(DURATION, " DURATION")
      // A loop tells its rate only where it takes its time.
      .replaceAll(RATE, "")
      // What took longer than what differs too.
      .replaceAll(/[+-] DURATION/g, " DURATION")
      .replaceAll(/ +critical$/gm, "")
      // How wide a column of durations is differs with them.
      .replaceAll(/ {2,}/g, "  ");
}
