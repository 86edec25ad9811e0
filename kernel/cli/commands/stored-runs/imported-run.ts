/** Shows a run that was imported as spans, which has a trace and no log. */
import { type Session, shortRunId, type storedRuns } from "../../../../runtime/index.ts";
import { costText, secondsText, timeText } from "../../numbers.ts";
import { print, printJson, tell } from "../../output.ts";
import { nodeTableText, traced } from "../../run/node-table.ts";
import { runLine } from "../../run/report-run.ts";

/** Returns the cells of its line in the list, after its id. */
export function importedCells(run: storedRuns.ImportedRun): readonly string[] {
  const { graph, status, started_at, steps } = run;
  const tokens = `${run.input_tokens + run.output_tokens}`;
  const face = [graph, status, started_at === null ? "-" : timeText(started_at)];
  const why = `imported from ${run.origin}`;
  return [...face, `${steps}`, tokens, costText(run.cost_usd), why];
}

/** The same as `--json` has it. */
export function importedJson(run: storedRuns.ImportedRun): Record<string, unknown> {
  const { error_code, error_message } = run;
  return {
    run_id: run.run_id,
    thread_id: run.thread_id,
    graph: run.graph,
    status: run.status,
    reason: run.reason,
    created_at: dateText(run.started_at),
    updated_at: dateText(run.last_at),
    steps: run.steps,
    tokens: { input: run.input_tokens, output: run.output_tokens },
    cost_usd: run.cost_usd,
    origin: run.origin,
    ...(error_message === null ? {} : { error: { code: error_code, message: error_message } }),
  };
}

function dateText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** All that is known of it. */
export async function showImported(session: Session, runId: string, json: boolean): Promise<void> {
  const { nodes, warnings } = await traced(session, runId);
  for (const warning of warnings) tell(warning);
  const [run] = await session.spans.list({ run: runId });
  if (run === undefined) return;
  const { input, output, dur_us, model_source } = run;
  if (json) {
    printJson({ ...importedJson(run), duration_us: dur_us, model_source, input, output, nodes });
    return;
  }
  const shown = [
    ...headLines(run),
    `input: ${JSON.stringify(input ?? {})}`,
    ...(output === null ? [] : [`output: ${JSON.stringify(output)}`]),
    ...(nodes.length === 0 ? [] : ["", nodeTableText(nodes)]),
    ...(run.error_message === null ? [] : ["", `error: ${errorText(run)}`]),
    "",
    `it has no log: \`madrigal chart waterfall ${shortRunId(run.run_id)}\` and SQL ask its trace`,
  ];
  print(shown.join("\n"));
}

function headLines(run: storedRuns.ImportedRun): string[] {
  const { reason, started_at, dur_us, model_source } = run;
  const ran = dur_us === null ? "" : `, ran ${secondsText(dur_us / 1000)}`;
  return [
    runLine(run.run_id),
    `graph: ${run.graph}`,
    `imported from: ${run.origin}`,
    `status: ${run.status}${reason === null ? "" : ` (${reason})`}`,
    ...(started_at === null ? [] : [`started: ${timeText(started_at)} UTC${ran}`]),
    `tokens: ${run.input_tokens} in, ${run.output_tokens} out, cost ${costText(run.cost_usd)}`,
    `models: ${run.model ?? "none"}`,
    ...(model_source === null ? [] : [`models answered by: ${model_source}`]),
  ];
}

function errorText({ error_code, error_message, error_node }: storedRuns.ImportedRun): string {
  const at = error_node === null ? "" : ` (at ${error_node})`;
  return `${error_code === null ? "" : `${error_code} `}${error_message}${at}`;
}
