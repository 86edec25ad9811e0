/** Makes a chart of runs: asks its rows when it is shown, and names the runs and models below its title. */

import {
  type DrivenRun,
  type Row,
  RunError,
  shortRunId,
  type TraceStore,
  traceQueries,
} from "../../../../runtime/index.ts";
import { currentSession } from "../../../session.ts";
import { sourceText } from "../../run/model-source.ts";
import type { TextColumn } from "../../text-table.ts";
import { counted } from "../../visible.ts";
import { checkedChart, type DrawnChart, lazyChart } from "../chart.ts";
import type { Chart, ChartSpec, Encoding } from "../spec.ts";

/** A run, or what people call it: its short id, its whole one, `last`. */
export type ChartOfRun = string | Pick<DrivenRun, "id">;

/** One run, several, or all that are traced. */
export type OfRuns = ChartOfRun | readonly ChartOfRun[] | undefined;

/** A chart drawn of its rows; `rows` where the marks are fewer or others than what was asked. */
export interface ChartRows<R extends object> {
  readonly spec: ChartSpec;
  readonly rows?: readonly R[];
  /** The columns of the text beside the picture. */
  readonly figures?: readonly TextColumn<R>[];
}

/** A chart of one run. */
export function chartOfRun<A extends object, R extends object = A>(
  run: ChartOfRun,
  of: {
    readonly ask: (traces: TraceStore, id: string) => Promise<readonly A[]>;
    readonly draw: (rows: readonly A[], subtitle: string) => ChartRows<R>;
  },
): Chart {
  return lazyChart(async () => {
    const id = await idOf(run);
    const traces = await currentSession().traces();
    const subtitle = await runSubtitle(traces, id);
    const asked = await of.ask(traces, id);
    return drawnOf(asked, of.draw(asked, subtitle));
  });
}

/** A chart of any number of runs. */
export function chartOfRuns<A extends object, R extends object = A>(
  runs: OfRuns,
  of: {
    readonly ask: (traces: TraceStore, ids: readonly string[]) => Promise<readonly A[]>;
    readonly draw: (rows: readonly A[], subtitle: string) => ChartRows<R>;
  },
): Chart {
  assertSome(runs);
  return lazyChart(async () => {
    const ids = await idsOf(runs);
    const traces = await currentSession().traces();
    const subtitle = await runsSubtitle(traces, ids);
    const asked = await of.ask(traces, ids);
    return drawnOf(asked, of.draw(asked, subtitle));
  });
}

/** A chart of run A beside run B. */
export function chartOfTwo<A extends object, R extends object = A>(
  [a, b]: readonly [ChartOfRun, ChartOfRun],
  of: {
    readonly ask: (traces: TraceStore, ids: readonly [string, string]) => Promise<readonly A[]>;
    readonly draw: (rows: readonly A[], subtitle: string) => ChartRows<R>;
  },
): Chart {
  return lazyChart(async () => {
    const ids = [await idOf(a), await idOf(b)] as const;
    const traces = await currentSession().traces();
    const [first, second] = [await runSubtitle(traces, ids[0]), await runSubtitle(traces, ids[1])];
    const asked = await of.ask(traces, ids);
    return drawnOf(asked, of.draw(asked, `A: ${first}\nB: ${second}`));
  });
}

function drawnOf<A extends object, R extends object>(
  asked: readonly A[],
  { spec, rows, figures }: ChartRows<R>,
): DrawnChart {
  const drawn = checkedChart({ spec, rows: (rows ?? asked) as unknown as readonly Row[] });
  return figures === undefined
    ? drawn
    : { ...drawn, figures: figures as unknown as readonly TextColumn<Row>[] };
}

/** The whole id of a run that was given as one, or by what people call it. */
export async function idOf(run: ChartOfRun): Promise<string> {
  return typeof run === "string" ? await currentSession().findRunId(run) : run.id;
}

/** Without one, all. */
async function idsOf(runs: OfRuns): Promise<readonly string[]> {
  if (runs === undefined) return [];
  if (typeof runs === "string" || !Array.isArray(runs)) return [await idOf(runs as ChartOfRun)];
  const ids: string[] = [];
  for (const run of runs as readonly ChartOfRun[]) ids.push(await idOf(run));
  return ids;
}

/** An empty list would be all runs too, which nobody means who has filtered. */
function assertSome(runs: OfRuns): void {
  if (!Array.isArray(runs) || runs.length > 0) return;
  throw new RunError("M7612", "a chart of no runs", {
    hint: "leave the runs out to draw all runs",
  });
}

/** `run a9c8f35d of DeepSearch · succeeded · answers by rules, not a model`. */
async function runSubtitle(traces: TraceStore, id: string): Promise<string> {
  const facts = await traceQueries.runFacts(traces, id);
  if (facts === undefined) throw notTraced(id);
  const sources = facts.model_source?.split(", ") ?? [];
  return `run ${shortRunId(id)} of ${facts.graph} · ${facts.status} · ${sourceText(sources)}`;
}

async function runsSubtitle(traces: TraceStore, ids: readonly string[]): Promise<string> {
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) return await runSubtitle(traces, only);
  const { runs, graphs, sources } = await traceQueries.runsFacts(traces, ids);
  const lost = ids.length - runs;
  if (lost > 0) for (const id of ids) await runSubtitle(traces, id);
  const named = graphs.length > 3 ? `${graphs.length} graphs` : graphs.join(", ");
  const of = graphs.length === 0 ? "" : ` of ${named}`;
  return `${counted(runs, "run")}${of} · ${sourceText(sources)}`;
}

function notTraced(id: string): RunError {
  return new RunError("M7606", `nothing of run \`${shortRunId(id)}\` is traced`, {
    hint: "`runs.list()` has the runs of this workspace",
    runId: id,
  });
}

export function tooltip(...fields: readonly string[]): readonly Encoding[] {
  return fields.map((field) => ({ field }));
}

/**
 * Returns the height of a bar in pixels; bars of many rows are low, and not all of them are named.
 */
export function barStep(rows: number): number {
  return rows <= 40 ? 26 : Math.max(4, Math.min(26, Math.floor(1_200 / rows)));
}
