/** Makes the bundle of a thread's branch tree: a line for each run along its steps. */

import { debugging, type RunTree, shortRunId } from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { bundleOf, PLAIN, SVG } from "../bundle.ts";
import { escapeMarkup } from "../escape.ts";
import { FONT } from "../graph/drawing-colours.ts";
import { SMALL_SIZE } from "../graph/layout.ts";
import { LOOKS, type NodeStatus } from "../graph/node-look.ts";
import { fitted } from "../graph/text-width.ts";
import { counted, cut, visible, visibleLine } from "../visible.ts";

export function treeBundle(tree: RunTree): Bundle {
  return bundleOf({ [SVG]: treeSvg(tree), [PLAIN]: visible(String(tree)) });
}

const MARGIN = 18;
/** As much as a cell shows beside JupyterLab's file browser, also in a window of 1200 pixels. */
const WIDTH = 730;
const LANE = 58;
const HEAD = 30;
const STEP_WIDTH_MAX = 56;
/** More dots run into each other. */
const DOTS_MAX = 80;
const INK = "#1f2328";
const FAINT = "#57606a";
const LINE = "#6e7781";

interface Lane {
  readonly run: debugging.TreeRun;
  readonly y: number;
  /** The y coordinate of the run that it was forked from, in pixels. */
  readonly parentY?: number;
}

/** On a card of its own, which reads on light and dark pages alike. */
export function treeSvg(tree: RunTree): string {
  const lanes = lanesOf(tree);
  const height = HEAD + lanes.length * LANE + 8;
  const stepsMax = Math.max(1, ...lanes.map(({ run }) => run.steps));
  const width = Math.min(STEP_WIDTH_MAX, (WIDTH - 2 * MARGIN) / stepsMax);
  const x = (step: number) => fixed(MARGIN + step * width);
  const title = `${debugging.threadText(tree.thread)} · ${counted(lanes.length, "run")}`;
  const words = cut(visibleLine(String(tree)), 2_000);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="${escapeMarkup(FONT)}" font-size="${SMALL_SIZE}">`,
    `<title>${escapeMarkup(title)}</title><desc>${escapeMarkup(words)}</desc>`,
    `<rect x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="8" fill="#ffffff" stroke="#d0d7de"/>`,
    textAt({ x: MARGIN, y: 20, text: title, fill: FAINT }),
    ...lanes.map((lane) => drawBranching(lane, x)),
    ...lanes.map((lane) => drawLane(lane, x)),
    "</svg>",
  ].join("");
}

/**
 * Returns the lanes of a tree; the branches that left latest come first, so that no line to a
 * branch crosses another one's.
 */
function lanesOf({ roots }: RunTree): readonly Lane[] {
  const lanes: Lane[] = [];
  const add = (run: debugging.TreeRun, parentY: number | undefined) => {
    const y = HEAD + 14 + lanes.length * LANE;
    lanes.push({ run, y, ...(parentY === undefined ? {} : { parentY }) });
    for (const branch of run.branches) add(branch, y);
  };
  for (const root of roots) add(root, undefined);
  return lanes;
}

type Along = (step: number) => number;

function drawBranching({ run: { from }, y, parentY }: Lane, x: Along): string {
  if (parentY === undefined || from === undefined) return "";
  return `<path d="M${x(from.step)},${parentY}V${y}" fill="none" stroke="${LINE}" stroke-width="1.6"/>`;
}

function drawLane({ run, y }: Lane, x: Along): string {
  const { steps, from, runId, status, differs } = run;
  const begin = from?.step ?? 0;
  const look = LOOKS[LOOK_OF[status]];
  const count = Math.max(0, steps - begin);
  const dots =
    count > DOTS_MAX
      ? ""
      : Array.from(
          { length: count },
          (_, index) => `<circle cx="${x(begin + index + 1)}" cy="${y}" r="2.6" fill="${LINE}"/>`,
        ).join("");
  const end = x(Math.max(begin, steps));
  const sign =
    look.sign === undefined
      ? ""
      : `<path transform="translate(${fixed(end - 8)} ${y - 8})" d="${look.sign}" fill="none" stroke="#ffffff" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>`;
  const left = x(begin) + 10;
  const room = Math.max(200, WIDTH - MARGIN - left);
  const label = { x: Math.min(left, WIDTH - MARGIN - room), room, isOnLines: true };
  return [
    `<g data-run="${escapeMarkup(runId)}" data-status="${status}" data-from="${begin}" data-steps="${steps}">`,
    `<path d="M${x(begin)},${y}H${end}" stroke="${LINE}" stroke-width="2.4"/>${dots}`,
    ...run.rewinds.map((rewind) => drawRewind(rewind, { y, x })),
    `<circle cx="${end}" cy="${y}" r="8" fill="${look.stroke}"/>${sign}`,
    textAt({ ...label, y: y + 22, text: headOf(run), fill: INK }),
    differs === undefined
      ? ""
      : textAt({ ...label, y: y + 36, text: differs.message, fill: FAINT }),
    "</g>",
  ].join("");
}

const LOOK_OF: Readonly<Record<debugging.TreeRun["status"], NodeStatus>> = {
  created: "idle",
  running: "running",
  waiting: "waiting",
  paused: "paused",
  succeeded: "succeeded",
  failed: "failed",
  aborted: "aborted",
};

function headOf({
  runId,
  graph,
  status,
  reason,
  steps,
  from,
  follows,
  rewinds,
}: debugging.TreeRun): string {
  const why = reason === undefined || reason === "done" ? "" : ` (${reason})`;
  const after = follows === undefined ? "" : ` after ${shortRunId(follows)}`;
  const at = from === undefined ? after : ` from step ${from.step}`;
  const back = rewinds.length === 0 ? "" : ` · went back ${rewinds.length} ×`;
  return `${shortRunId(runId)} of ${graph}${at} · ${status}${why} · ${counted(steps, "step")}${back}`;
}

/** An arc above the line, from where it stood to where it went back. */
function drawRewind(
  { from, to }: debugging.TreeRun["rewinds"][number],
  { x, y }: { readonly x: Along; readonly y: number },
): string {
  const [right, left] = [x(from), x(to)];
  const top = y - 14;
  const words = `went back from step ${from} to step ${to}`;
  return `<g data-rewind="${from} → ${to}"><title>${words}</title><path d="M${right},${y - 5}C${right},${top} ${left},${top} ${left},${y - 5}" fill="none" stroke="${LOOKS.failed.stroke}" stroke-width="1.4" stroke-dasharray="4 3"/><path d="M${left},${y - 3}l-3.4,-6h6.8Z" fill="${LOOKS.failed.stroke}"/></g>`;
}

interface PlacedRun {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly fill: string;
  readonly room?: number;
  /** True if the line to a branch may pass behind the text. */
  readonly isOnLines?: boolean;
}

function textAt({ x, y, text, fill, room = WIDTH - 2 * MARGIN, isOnLines }: PlacedRun): string {
  const all = visibleLine(text);
  const shown = fitted(all, { room, size: SMALL_SIZE });
  const title = shown === all ? "" : `<title>${escapeMarkup(all)}</title>`;
  const halo =
    isOnLines === true
      ? ' paint-order="stroke" stroke="#ffffff" stroke-width="5" stroke-linejoin="round"'
      : "";
  return `<text x="${fixed(x)}" y="${y}" fill="${fill}"${halo}>${title}${escapeMarkup(shown)}</text>`;
}

function fixed(value: number): number {
  return Math.round(value * 10) / 10;
}
