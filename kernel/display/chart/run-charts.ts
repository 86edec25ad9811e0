/** The charts of a run that everybody asks for: each is a question to the traces, and one mark for each of its rows. */
import {
  type GraphRun,
  nodeRunTimes,
  type Row,
  RunError,
  runFacts,
  stateSizes,
  type TraceStore,
  tokensByNode,
} from "../../../runtime/index.ts";
import { currentSession } from "../../session.ts";
import { LOOKS } from "../graph/node-look.ts";
import { sourceText } from "../run/model-source.ts";
import { Chart, checkedChart } from "./chart.ts";
import { PALETTE } from "./config.ts";
import type { ChartSpec, Encoding } from "./spec.ts";

/** A run, or its id. */
export type OfRun = string | Pick<GraphRun, "id">;

/** When each node run was under way. */
export function waterfall(run: OfRun): Chart {
  return runChart(run, { ask: nodeRunTimes, spec: waterfallSpec });
}

/** What the calls of each node read and wrote. */
export function tokensByAgent(run: OfRun): Chart {
  return runChart(run, { ask: tokensByNode, spec: tokensSpec });
}

/** How large the state was after each step, by field. */
export function stateSize(run: OfRun): Chart {
  return runChart(run, { ask: stateSizes, spec: sizeSpec });
}

interface RunChart {
  readonly ask: (traces: TraceStore, runId: string) => Promise<readonly object[]>;
  readonly spec: (subtitle: string, rows: readonly Row[]) => ChartSpec;
}

function runChart(run: OfRun, { ask, spec }: RunChart): Chart {
  const id = typeof run === "string" ? run : run.id;
  return new Chart(async () => {
    const traces = await currentSession().traces();
    const facts = await runFacts(traces, id);
    if (facts === undefined) {
      throw new RunError("M7606", `nothing of run \`${id}\` is traced`, {
        hint: "`runs.list()` has the runs of this workspace",
        runId: id,
      });
    }
    const sources = facts.model_source?.split(", ") ?? [];
    const subtitle = `run ${id} of ${facts.graph} · ${facts.status} · ${sourceText(sources)}`;
    const rows = (await ask(traces, id)) as unknown as readonly Row[];
    return checkedChart({ spec: spec(subtitle, rows), rows });
  });
}

const STATUSES = [
  "succeeded",
  "failed",
  "skipped",
  "aborted",
  "running",
  "ready",
  "stale",
] as const;

function waterfallSpec(subtitle: string, rows: readonly Row[]): ChartSpec {
  const there = STATUSES.filter((status) => rows.some((row) => row.status === status));
  const range = there.map((status) => LOOKS[status].stroke);
  const colour = {
    field: "status",
    type: "nominal",
    title: "status",
    scale: { domain: there, range },
  };
  return {
    title: { text: "When each node ran", subtitle },
    mark: { type: "bar", height: { band: 0.62 } },
    height: { step: 26 },
    width: 620,
    encoding: {
      y: { field: "label", type: "nominal", sort: null, title: null },
      x: { field: "begin_s", type: "quantitative", title: "seconds since the run began" },
      x2: { field: "end_s" },
      color: colour,
      // A node run of no time is a line.
      stroke: colour,
      tooltip: tooltip(
        "label",
        "status",
        "attempts",
        "begin_s",
        "end_s",
        "input_tokens",
        "output_tokens",
        "model_source",
      ),
    },
  };
}

function tokensSpec(subtitle: string): ChartSpec {
  return {
    title: { text: "Tokens by agent", subtitle },
    mark: { type: "bar" },
    height: { step: 30 },
    width: 560,
    encoding: {
      y: { field: "node", type: "nominal", sort: null, title: null },
      x: { field: "tokens", type: "quantitative", title: "tokens" },
      color: {
        field: "direction",
        type: "nominal",
        title: "direction",
        scale: { domain: ["input", "output"], range: [PALETTE[0], PALETTE[1]] },
      },
      order: { field: "direction", type: "nominal" },
      tooltip: tooltip("node", "direction", "tokens", "model_source"),
    },
  };
}

function sizeSpec(subtitle: string): ChartSpec {
  return {
    title: { text: "Size of the state after each step", subtitle },
    mark: { type: "bar" },
    width: 560,
    height: 240,
    encoding: {
      x: {
        field: "step",
        type: "ordinal",
        title: "step",
        axis: { labelAngle: 0, labelOverlap: true },
      },
      y: { field: "bytes", type: "quantitative", title: "bytes of JSON" },
      color: { field: "field", type: "nominal", title: "field" },
      tooltip: tooltip("step", "node", "field", "bytes"),
    },
  };
}

function tooltip(...fields: readonly string[]): readonly Encoding[] {
  return fields.map((field) => ({ field }));
}
