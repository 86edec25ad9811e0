/** A run as it shows itself: its drawing, what the headless client reads, and its node runs in words. */
import type { Ir } from "../../../dsl/index.ts";
import { answerCall, type GraphRun } from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { bundleOf, PLAIN, RUN_JSON, SVG } from "../bundle.ts";
import { drawGraph } from "../graph/draw.ts";
import { type Layout, layoutGraph } from "../graph/layout.ts";
import { durationText } from "../numbers.ts";
import { textTable } from "../text-table.ts";
import { cut, visibleLine } from "../visible.ts";
import { sourceText } from "./model-source.ts";
import { count, type NodeRunTally, newTally, nodeStates, type Tally } from "./tally.ts";

/** What is shown of a run. */
export type ShownRun = Pick<
  GraphRun,
  "id" | "graph" | "status" | "reason" | "failure" | "events$" | "ir" | "output" | "interrupts"
>;

/** As it stands now. */
export async function runBundle(run: ShownRun): Promise<Bundle> {
  const layout = await layoutGraph(run.ir).catch(() => undefined);
  return pictureBundle(run, { tally: tallyOf(run), layout });
}

/** Everything that happened so far, also before this process. */
export function tallyOf(run: Pick<ShownRun, "events$">): Tally {
  const tally = newTally();
  // The run replays its past while we subscribe.
  run.events$.subscribe((event) => count(tally, event)).unsubscribe();
  return tally;
}

/** Without a layout, the picture is missing and the words are there. */
export function pictureBundle(
  run: ShownRun,
  { tally, layout }: { readonly tally: Tally; readonly layout: Layout | undefined },
): Bundle {
  const caption = runCaption(run, tally);
  const fault = faultText(run) ?? waitsText(run);
  // What went wrong comes first: a caption is as wide as its drawing.
  const below = fault === undefined ? caption : `${fault} · ${caption}`;
  const nodes = nodeStates(tally, eachesOf(run.ir));
  return bundleOf({
    ...(layout === undefined ? {} : { [SVG]: drawGraph(layout, { nodes, caption: below }) }),
    [RUN_JSON]: runJson(run, tally),
    [PLAIN]: [caption, nodeRunTable(tally), fault ?? ""].filter((text) => text !== "").join("\n"),
  });
}

/** Nobody may wait for the output of a run that failed: its drawing says why. */
function faultText({ status, failure }: ShownRun): string | undefined {
  if (status !== "failed" || failure === undefined) return undefined;
  return cut(visibleLine(`failed: ${failure.code} ${failure.message}`), FAULT_CHARACTERS);
}

const FAULT_CHARACTERS = 200;

/** What it waits for, and what to write in a cell for it to go on. */
function waitsText({ status, interrupts }: ShownRun): string | undefined {
  const [first] = interrupts;
  if (status !== "waiting" || first === undefined) return undefined;
  const more = interrupts.length === 1 ? "" : ` (and ${interrupts.length - 1} more)`;
  const text = `\`${first.node}\` asks${more}: ${first.question} · await run.${answerCall(first)}`;
  return cut(visibleLine(text), FAULT_CHARACTERS);
}

/** `run 01KB… of DeepSearch · succeeded · answers by rules, not a model`. */
export function runCaption(
  { id, graph, status, reason }: Pick<ShownRun, "id" | "graph" | "status" | "reason">,
  { modelSources }: Pick<Tally, "modelSources">,
): string {
  const why = reason === undefined || reason === "done" ? "" : ` (${reason})`;
  return visibleLine(`run ${id} of ${graph} · ${status}${why} · ${sourceText(modelSources)}`);
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

function runJson({ id, graph, status, reason }: ShownRun, tally: Tally): RunJson {
  return {
    run_id: id,
    graph,
    status,
    reason: reason ?? null,
    model_sources: [...tally.modelSources].sort(),
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

function nodeRunTable({ nodeRuns }: Tally): string {
  if (nodeRuns.size === 0) return "";
  const all = [...nodeRuns.values()];
  const more = all.length > NODE_RUNS_SHOWN ? `\n… and ${all.length - NODE_RUNS_SHOWN} more` : "";
  return `${textTable(columns, all.slice(0, NODE_RUNS_SHOWN))}${more}`;
}
