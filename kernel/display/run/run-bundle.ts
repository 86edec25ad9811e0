/** Makes the bundle of a run: its drawing, its JSON for headless clients, and its node runs in words. */

import type { Ir } from "../../../dsl/index.ts";
import type { DrivenRun } from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { bundleOf, PLAIN, RUN_JSON, SVG } from "../bundle.ts";
import { drawGraph, type Statuses } from "../graph/draw.ts";
import { layoutGraph } from "../graph/layout.ts";
import type { GraphLayout } from "../graph/placed.ts";
import { durationText } from "../numbers.ts";
import { textTable } from "../text-table.ts";
import { calledIrOf, PlansOfRun } from "../values/plans-of-run.ts";
import {
  countersLine,
  hasFormBelow,
  progressLines,
  runCaption,
  type ShownRun,
  troubleLines,
} from "./run-lines.ts";
import { count, type NodeRunTally, newTally, nodeStates, type StatusTally } from "./tally.ts";

/** Makes the bundle of a run in its present state; a node may be marked. */
export async function runBundle(
  run: ShownRun & Pick<DrivenRun, "child">,
  marks: Marks = {},
): Promise<Bundle> {
  const layout = await layoutGraph(run.ir).catch(() => undefined);
  const layouts: Promise<unknown>[] = [];
  const plans = new PlansOfRun({
    run,
    calledIr: calledIrOf(run),
    layOut: (ir, take) => layouts.push(layoutGraph(ir).then(take, () => {})),
  });
  run.events$.subscribe((event) => plans.take(event)).unsubscribe();
  await Promise.all(layouts);
  return pictureBundle(run, { tally: tallyOf(run), layout, plans, marks });
}

/** Counts all events of a run so far, also those before this process. */
export function tallyOf(run: Pick<ShownRun, "events$">): StatusTally {
  const tally = newTally();
  // The run replays its past while we subscribe.
  run.events$.subscribe((event) => count(tally, event)).unsubscribe();
  return tally;
}

type Marks = Pick<Statuses, "marked">;

interface Pictured {
  readonly tally: StatusTally;
  readonly layout: GraphLayout | undefined;
  readonly plans?: PlansOfRun;
  readonly marks?: Marks;
}

/** Without a layout, the picture is missing and the words are there. */
export function pictureBundle(
  run: ShownRun,
  { tally, layout, plans, marks = {} }: Pictured,
): Bundle {
  const caption = runCaption(run, tally);
  const counters = countersLine(run, tally);
  const trouble = troubleLines(run);
  const progress = progressLines(run, tally);
  const open = openIn(run);
  const own = nodeStates(tally, { eachOf: eachesOf(run.ir), open });
  const nodes = { ...own, ...plans?.states(open) };
  // The reason why it does not continue comes first, since people look for it.
  const drawn = troubleLines(run, (interrupt) => !hasFormBelow(run, interrupt));
  const lines = [...drawn, caption, counters, ...progress].filter((text) => text !== "");
  return bundleOf({
    ...(layout === undefined
      ? {}
      : {
          [SVG]: drawGraph(plans?.below(layout) ?? layout, {
            ...{ nodes, lines, runId: run.id },
            ...marks,
          }),
        }),
    [RUN_JSON]: runJson(run, tally),
    [PLAIN]: [caption, counters, nodeRunTable(tally), ...progress, ...trouble]
      .filter((text) => text !== "")
      .join("\n"),
  });
}

function openIn({ interrupts }: ShownRun): ReadonlySet<string> {
  return new Set(interrupts.map(({ id }) => id));
}

function eachesOf(ir: Ir): ReadonlyMap<string, string> {
  return new Map(ir.nodes.flatMap(({ name, each }) => (each === undefined ? [] : [[name, each]])));
}

/** `application/vnd.madrigal.run+json`. */
export interface RunJson {
  readonly run_id: string;
  readonly graph: string;
  readonly status: string;
  readonly reason: string | null;
  readonly model_sources: readonly string[];
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost_usd: number | null;
  };
  /** The open questions. */
  readonly questions: readonly {
    readonly id: string;
    readonly node: string;
    readonly kind: string;
    readonly question: string;
  }[];
  /** The node runs, in the order in which they first began. */
  readonly nodes: readonly {
    readonly node: string;
    /** The n-th run of its node. */
    readonly ordinal: number;
    readonly status: string;
    readonly duration_ms: number;
    readonly tokens: { readonly input: number; readonly output: number };
  }[];
}

function runJson(run: ShownRun, tally: StatusTally): RunJson {
  const { id, graph, status, reason, usage, interrupts } = run;
  return {
    run_id: id,
    graph,
    status,
    reason: reason ?? null,
    model_sources: [...tally.modelSources].sort(),
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cost_usd: usage.costUsd,
    },
    questions: interrupts.map((one) => ({
      id: one.id,
      node: one.node,
      kind: one.kind,
      question: one.question,
    })),
    nodes: [...tally.nodeRuns.values()].map((nodeRun) => ({
      node: nodeRun.node,
      ordinal: ordinalOf(nodeRun),
      status: nodeRun.status,
      duration_ms: nodeRun.durationMs,
      tokens: { input: nodeRun.inputTokens, output: nodeRun.outputTokens },
    })),
  };
}

function ordinalOf({ node, label }: NodeRunTally): number {
  return Number(/^#(\d+)/.exec(label.slice(node.length))?.[1] ?? 1);
}

const columns = [
  { title: "node run", cell: ({ label }: NodeRunTally) => label },
  { title: "status", cell: ({ status }: NodeRunTally) => status },
  {
    title: "time",
    cell: ({ durationMs }: NodeRunTally) => durationText(durationMs),
    isNumber: true,
  },
  { title: "tokens in", cell: (nodeRun: NodeRunTally) => `${nodeRun.inputTokens}`, isNumber: true },
  {
    title: "tokens out",
    cell: (nodeRun: NodeRunTally) => `${nodeRun.outputTokens}`,
    isNumber: true,
  },
] as const;

/** More would not be read. */
const NODE_RUNS_SHOWN = 50;

function nodeRunTable({ nodeRuns }: StatusTally): string {
  if (nodeRuns.size === 0) return "";
  const all = [...nodeRuns.values()];
  const more = all.length > NODE_RUNS_SHOWN ? `\n… and ${all.length - NODE_RUNS_SHOWN} more` : "";
  return `${textTable(columns, all.slice(0, NODE_RUNS_SHOWN))}${more}`;
}
