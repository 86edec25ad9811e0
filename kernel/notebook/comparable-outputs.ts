/** Replaces in an executed notebook what differs from one execution to the next, and nothing else. */

import { shortRunId } from "../../runtime/index.ts";
import { HTML, PLAIN, RUN_JSON, SVG, VEGA_LITE } from "../display/bundle.ts";
import { renderSvg } from "../display/chart/render.ts";
import { isCode, type NotebookCell, type NotebookFile, type Output } from "./notebook.ts";

const DURATION_SOURCE = String.raw`\b\d[\d,]*(?:\.\d+)? (?:ns|µs|ms|s|min|h)\b(?: \d+ s\b)?`;

export interface ComparableCell {
  readonly id: string;
  readonly source: string;
  readonly executionCount?: number | null;
  readonly outputs?: readonly unknown[];
}

export interface ComparableOptions {
  /** Times and durations are replaced only in what the kernel itself writes: drawings and charts of runs, bars, times of cells. */
  readonly keepsUserValues?: boolean;
}

/** Run ids, whole or short, become `RUN 1`, `RUN 2` in their order; times, durations and `folder` become words. */
export async function comparable(
  { cells }: NotebookFile,
  folder: string,
  { keepsUserValues = false }: ComparableOptions = {},
): Promise<readonly ComparableCell[]> {
  const replaceIds = replacer(folder, runIdsIn(cells));
  const all: Replacing = {
    text: (text) => withoutTimes(replaceIds(text)),
    isReplaced: isTimed,
  };
  const ids: Replacing = { text: replaceIds, isReplaced: () => false };
  const replacingOf = (output: Output) => (!keepsUserValues || isOfKernel(output) ? all : ids);
  const compared: ComparableCell[] = [];
  for (const cell of cells) compared.push(await comparableCell(cell, replacingOf));
  return compared;
}

interface Replacing {
  readonly text: (text: string) => string;
  /** Returns true for a key whose value is replaced whole. */
  readonly isReplaced: (key: string, value: unknown) => boolean;
}

async function comparableCell(
  cell: NotebookCell,
  replacingOf: (output: Output) => Replacing,
): Promise<ComparableCell> {
  const { id, source } = cell;
  if (!isCode(cell)) return { id, source };
  const outputs: unknown[] = [];
  for (const output of cell.outputs) {
    if (isProgress(output)) continue;
    outputs.push(replaceIn(await withoutDrawn(output), replacingOf(output)));
  }
  return { id, source, executionCount: cell.execution_count, outputs };
}

/** Returns whether the times in an output are those of runs and cells as the kernel tells them, and no values of the user. */
function isOfKernel(output: Output): boolean {
  if (!("data" in output)) return false;
  const { data } = output;
  const plain = String(data[PLAIN] ?? "");
  if (RUN_JSON in data) return true;
  if (VEGA_LITE in data) return isChartOfRuns(data[VEGA_LITE]);
  if (HTML in data) return KERNEL_HTML.test(String(data[HTML])) || /^(?:A {2})?run /.test(plain);
  if (SVG in data) return String(data[SVG]).includes('class="madrigal-drawing"');
  return SPENT.test(plain);
}

/** A loop's bar, and the page of a run that was made again. */
const KERNEL_HTML = /^<div class="madrigal-progress|^<div><b>[^<]*<\/b> again, from run /;
/** The times that `%%time` and `%timeit` show. */
const SPENT = new RegExp(
  `^${DURATION_SOURCE}(?: · [\\d.]+[kM]? tokens)?(?: · \\$[\\d.]+)?$|^\\S+ \\S+ ± \\S+ \\S+ each \\(`,
);

/** The line below its title names the runs, and what answered in them. */
function isChartOfRuns(spec: unknown): boolean {
  const { title } = spec as { readonly title?: { readonly subtitle?: unknown } };
  const [first] = [title?.subtitle].flat();
  return /^(?:A: )?(?:run [0-9a-f]{8} of .* · |\d[\d,]* runs?(?: of .*)? · )/.test(String(first));
}

/** A query shows how far it is only where it takes its time, as on a busy machine. */
function isProgress(output: Output): boolean {
  return "data" in output && String(output.data["text/plain"]).startsWith("query done in ");
}

/** A chart's picture has durations as lengths. It must be what its specification gives, which is compared. */
async function withoutDrawn(output: Output): Promise<unknown> {
  if (!("data" in output) || !(VEGA_LITE in output.data) || !(SVG in output.data)) return output;
  const spec = output.data[VEGA_LITE] as { readonly title?: string | { readonly text: string } };
  const title = typeof spec.title === "object" ? spec.title.text : (spec.title ?? "Chart");
  const plain = String(output.data["text/plain"]);
  // A bundle of the user's own may hold a specification that can't be drawn.
  const drawn = await renderSvg(spec, { title, description: plain }).catch(() => undefined);
  const picture =
    output.data[SVG] === drawn ? "the picture of its specification" : output.data[SVG];
  return { ...output, data: { ...output.data, [SVG]: picture } };
}

const DURATION_KEYS = new Set(["seconds", "duration_ms", "begin_s", "end_s"]);

function replaceIn(part: unknown, replace: Replacing): unknown {
  if (typeof part === "string") return replace.text(part);
  if (Array.isArray(part)) return part.map((one) => replaceIn(one, replace));
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      replace.isReplaced(key, value) ? "DURATION" : replaceIn(value, replace),
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
const DURATION = new RegExp(String.raw` *(?:title="\d+">)?${DURATION_SOURCE}`, "g");
/** The rate of a loop, behind its count. */
const RATE =
  / · (?:[\d.]+[kM]?\/s| DURATION each|DURATION each)(?: · (?:took DURATION| ?DURATION left))?/g;
/** The range of times in the text of a chart. */
const RANGE = /((?:begin_s|end_s)[^\n]*, )[\d.]+ to [\d.]+/g;

/** A drawn text that does not fit; where it is cut depends on the letters of an id. Its title has all of it. */
const CUT_TEXT = /(<title>[^<]*<\/title>)[^<]*…(?=<\/text>)/g;

const SHORT_ID = /\b[0-9a-f]{8}\b/g;

/** The short forms of the ids that stand in the outputs: whole ones do beside most of them, `run` before the others. */
function runIdsIn(cells: NotebookFile["cells"]): ReadonlySet<string> {
  const text = JSON.stringify(cells.filter(isCode).map(({ outputs }) => outputs));
  const named = [...text.matchAll(/\brun ([0-9a-f]{8})\b/g)].map(([, id = ""]) => id);
  return new Set([...(text.match(RUN_ID) ?? []).map(shortRunId), ...named]);
}

function replacer(folder: string, shortIds: ReadonlySet<string>): (text: string) => string {
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
      .replaceAll(CUT_TEXT, "$1…");
}

function withoutTimes(text: string): string {
  return (
    text
      .replaceAll(TIME, "TIME")
      .replaceAll(RANGE, "$1DURATION")
      .replaceAll(DURATION, " DURATION")
      // A loop tells its rate only where it takes its time.
      .replaceAll(RATE, "")
      // `%timeit` repeats what is quick more often.
      .replaceAll(/ each \(5 × [\d,]+ times?\)$/g, " each")
      // What took longer than what differs too.
      .replaceAll(/[+-] DURATION/g, " DURATION")
      .replaceAll(/ +critical$/gm, "")
      // How wide a column of durations is differs with them.
      .replaceAll(/ {2,}/g, "  ")
  );
}
