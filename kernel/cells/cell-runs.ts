/** Keeps the runs that each cell started or awaited; cancelling the cell pauses them. */
import { type DrivenRun, messageOf } from "../../runtime/index.ts";
import { currentHost } from "../host.ts";
import type { Cell } from "./cell.ts";
import { cellHere } from "./current-cell.ts";
import { isFolded } from "./folded-runs.ts";
import { rememberDrawn } from "./output/drawn-nodes.ts";
import type { CellDisplay } from "./parts.ts";
import { answeredOutput } from "./questions/ask-person.ts";
import { showQuestions } from "./questions/run-questions.ts";

interface FollowParts extends Pick<CellDisplay, "followRun"> {
  /** Returns whether runs are drawn in cells now. */
  readonly isDrawn?: () => boolean;
}

/** Returns the listener that draws each started run in the cell that started it. */
export function followInCell({
  followRun,
  isDrawn = () => true,
}: FollowParts): (run: DrivenRun) => void {
  return (run) => {
    noteRun(run);
    const cell = cellHere();
    if (cell === undefined || !isDrawn()) return;
    if (isFolded(run, cell)) askInCell(run, cell);
    else drawInCell(run, cell, followRun);
  };
}

/** Draws a run and what it asks in a cell, from now on. */
export function drawInCell(run: DrivenRun, cell: Cell, followRun: FollowParts["followRun"]): void {
  rememberDrawn(run);
  followRun(run, cell.draw);
  cell.drawn.add(run);
  askInCell(run, cell);
}

function askInCell(run: DrivenRun, cell: Cell): void {
  const widgets = currentHost()?.widgets;
  if (widgets !== undefined) showQuestions(run, widgets, cell.draw);
}

/** Notes a run with the cell that starts it, and with each cell that waits for it later. */
export function noteRun(run: DrivenRun): void {
  const cell = cellHere();
  cell?.runs.add(run);
  cell?.started.add(run);
  for (const name of WAITS) if (name in run) watch(run, name);
}

/** The methods of a run whose callers wait for the run. */
const WAITS = ["output", "settled", "resume", "step", "continue", "back", "rewind"] as const;

function watch(run: DrivenRun, name: string): void {
  Object.defineProperty(run, name, {
    configurable: true,
    get: () => {
      const cell = cellHere();
      cell?.runs.add(run);
      if (name === "output" && cell !== undefined) return outputIn(cell, run);
      const value: unknown = Reflect.get(Object.getPrototypeOf(run), name, run);
      return typeof value === "function" ? value.bind(run) : value;
    },
  });
}

/** While the cell waits for it, the person at the notebook is asked what the run waits for. */
function outputIn(cell: Cell, run: DrivenRun): Promise<Record<string, unknown>> {
  const outputNow = (): Promise<Record<string, unknown>> =>
    Reflect.get(Object.getPrototypeOf(run), "output", run);
  const ask = currentHost()?.askLater?.();
  if (ask === undefined) return outputNow();
  const output = answeredOutput(run, outputNow, { cell, ask });
  // A caller that does not await it must not get an unhandled rejection.
  output.catch(() => {});
  return output;
}

export interface Pausing {
  /** The paused runs, for the message; empty when none is paused. */
  readonly runs: readonly DrivenRun[];
  /** Resolves when all of them stand still. */
  readonly done: Promise<void>;
}

/** Pauses what the cell started or waits for, as far as it is under way. */
export function pauseRuns({ runs }: Cell): Pausing {
  const underWay = [...runs].filter((run) => run.isUnderWay);
  const pauses = underWay.map((run) => run.pause({ now: true, reason: "the cell was cancelled" }));
  return { runs: underWay, done: Promise.all(pauses.map(tolerated)).then(() => {}) };
}

async function tolerated(pause: Promise<void>): Promise<void> {
  try {
    await pause;
  } catch (thrown) {
    // It ended at that moment, or its log can't be written: the run itself reports that.
    process.stderr.write(`${messageOf(thrown)}\n`);
  }
}
