/** Writes the table of a run's nodes: how often, how long, which calls, the cost, the model. */
import { type Session, traceQueries } from "../../../runtime/index.ts";
import { type TextColumn, textTable } from "../../display/text-table.ts";
import { costText, secondsText } from "../numbers.ts";

const columns: readonly TextColumn<traceQueries.NodeSummary>[] = [
  { title: "node", cell: ({ node }) => node },
  { title: "runs", cell: ({ runs }) => `${runs}`, isNumber: true },
  {
    title: "time",
    cell: ({ dur_us }) => (dur_us === null ? "-" : secondsText(dur_us / 1000)),
    isNumber: true,
  },
  { title: "model calls", cell: ({ model_calls }) => `${model_calls}`, isNumber: true },
  { title: "tool calls", cell: ({ tool_calls }) => `${tool_calls}`, isNumber: true },
  { title: "tokens in", cell: ({ input_tokens }) => `${input_tokens}`, isNumber: true },
  { title: "tokens out", cell: ({ output_tokens }) => `${output_tokens}`, isNumber: true },
  { title: "cost", cell: ({ cost_usd }) => costText(cost_usd), isNumber: true },
  { title: "model", cell: ({ model }) => model ?? "-" },
  { title: "model source", cell: ({ model_source }) => model_source ?? "-" },
];

export function nodeTableText(nodes: readonly traceQueries.NodeSummary[]): string {
  return textTable(columns, nodes);
}

/** The traced usage of a run, and the error of tracing if there was one, which fails no command. */
export interface TracedUse {
  readonly nodes: readonly traceQueries.NodeSummary[];
  /** Absent when there is no trace. */
  readonly file?: string;
  readonly warnings: readonly string[];
}

export async function traced(session: Session, runId: string): Promise<TracedUse> {
  try {
    const traces = await session.traces();
    const nodes = await traceQueries.nodeTable(traces, runId);
    const warnings = traces.warnings.map(
      ({ code, message, hint }) => `warning[${code}]: ${message}\n  hint: ${hint}`,
    );
    return { nodes, file: traces.file, warnings };
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    const [reason] = why.split("\n", 1);
    const hint = "the run is not touched by it; `madrigal trace rebuild` tries again";
    return { nodes: [], warnings: [`warning[M6005]: no trace: ${reason}\n  hint: ${hint}`] };
  }
}
