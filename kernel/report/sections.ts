/** Writes the sections of the page about a run that are made of words. */
import { shortRunId, type traceQueries } from "../../runtime/index.ts";
import { escapeMarkup } from "../display/escape.ts";
import { type StateChange, stateFolder } from "../display/index.ts";
import { durationText } from "../display/numbers.ts";
import { sourceText } from "../display/run/model-source.ts";
import { counted } from "../display/visible.ts";
import { cellHtml, htmlTable, valueHtml, valueText } from "./html.ts";

/** Returns the facts about the run and its status as HTML, in two columns. */
export function headHtml(run: traceQueries.ReportedRun): string {
  const { status, reason, model_source, dur_us, ts } = run;
  const why = reason === null || reason === "done" ? "" : ` (${reason})`;
  const facts: readonly (readonly [string, string])[] = [
    ["graph", run.graph],
    ["status", `${status}${why}`],
    ["models", sourceText(model_source?.split(", ") ?? [])],
    ["began", ts === null ? "not yet" : `${ts.replace("T", " ").replace(/\.\d+Z$/, "")} UTC`],
    ["took", dur_us === null ? "is under way" : durationText(dur_us / 1_000)],
    ["steps", counted(run.steps)],
    ["calls", `${counted(run.model_calls)} of models, ${counted(run.tool_calls)} of tools`],
    ["tokens", `${counted(run.input_tokens)} in, ${counted(run.output_tokens)} out`],
    ["cost", costText(run.cost_usd)],
  ];
  const error =
    run.error_code === null
      ? ""
      : `<p class="error"><strong>${escapeMarkup(run.error_code)}</strong>${run.error_node === null ? "" : ` at <code>${escapeMarkup(run.error_node)}</code>`}: ${cellHtml(run.error_message ?? "", 1_000)}</p>`;
  const list = facts.map(([name, text]) => `<dt>${name}</dt><dd>${escapeMarkup(text)}</dd>`);
  const id = `<dt>run</dt><dd title="${escapeMarkup(run.run_id)}">${escapeMarkup(shortRunId(run.run_id))}</dd>`;
  return `<dl>${id}${list.join("")}</dl>${error}`;
}

function costText(usd: number | null): string {
  return usd === null ? "not known: a call has no known price" : `$${Number(usd.toPrecision(4))}`;
}

/** Each node with what it took, and whose answers it had. */
export function nodesHtml(nodes: readonly traceQueries.NodeSummary[]): string {
  if (nodes.length === 0) return "";
  const number = (title: string, cell: (node: traceQueries.NodeSummary) => string) =>
    ({ title, cell, isNumber: true }) as const;
  return htmlTable(
    [
      { title: "node", cell: ({ node }) => cellHtml(node) },
      number("runs", ({ runs }) => counted(runs)),
      number("attempts", ({ attempts }) => counted(attempts)),
      number("failed", ({ failed }) => counted(failed)),
      number("time", ({ dur_us }) => (dur_us === null ? "-" : durationText(dur_us / 1_000))),
      number("tokens in", ({ input_tokens }) => counted(input_tokens)),
      number("tokens out", ({ output_tokens }) => counted(output_tokens)),
      number("cost", ({ cost_usd }) =>
        cost_usd === null ? "not known" : `$${Number(cost_usd.toPrecision(4))}`,
      ),
      { title: "model", cell: ({ model }) => cellHtml(model ?? "-") },
      { title: "model source", cell: ({ model_source }) => cellHtml(model_source ?? "-") },
    ],
    nodes,
  );
}

/** Each field as the run left it, or as it is now. */
export function stateHtml(state: Readonly<Record<string, unknown>>, runId: string): string {
  const fields = Object.keys(state);
  if (fields.length === 0) return "";
  const parts = fields.map((field) => {
    const all = `FROM state_at('${runId}', 4294967295)`;
    return `<h3><code>${escapeMarkup(field)}</code></h3>${valueHtml(state[field], all)}`;
  });
  return parts.join("\n");
}

/** More steps make a page that no browser likes. */
const STEPS_MAX = 400;

/** Each step to be opened: what its node said and what that changed. */
export function stepsHtml(
  steps: readonly traceQueries.ReportedStep[],
  { start, runId }: { readonly start: string; readonly runId: string },
): string {
  // A called graph has a state of its own; what it began with is not told.
  const folders = new Map([["", stateFolder()]]);
  folders.get("")?.take({ node: null, patches: start });
  const parts = steps.map((step) => {
    const path = step.graph_path ?? "";
    const folder = folders.get(path) ?? stateFolder();
    folders.set(path, folder);
    return stepHtml(step, folder.take({ node: step.node, patches: step.patches ?? "[]" }), runId);
  });
  const more =
    parts.length > STEPS_MAX
      ? `<p class="quiet">the first ${STEPS_MAX} of ${counted(parts.length, "step")}; the view <code>steps</code> has all of them</p>`
      : "";
  return parts.slice(0, STEPS_MAX).join("\n") + more;
}

function stepHtml(
  step: traceQueries.ReportedStep,
  changes: readonly StateChange[],
  runId: string,
): string {
  const where = step.graph_path === null ? "" : ` in ${step.graph_path}`;
  const again = step.attempt > 1 ? `, attempt ${step.attempt}` : "";
  const took = step.dur_us === null ? "" : ` · ${durationText(step.dur_us / 1_000)}`;
  const count = counted(changes.length, "change");
  const head = `step ${step.step}${where}: ${step.label}${again}${took} · ${count}`;
  const all = `SELECT output, patches FROM steps WHERE run_id = '${runId}' AND seq = ${step.seq}`;
  const outputHtml = step.output === null ? "" : valueHtml(step.output, all);
  return `<details><summary>${escapeMarkup(head)}</summary>${outputHtml}${changesHtml(changes)}</details>`;
}

function changesHtml(changes: readonly StateChange[]): string {
  if (changes.length === 0) return `<p class="quiet">the state did not change</p>`;
  return htmlTable(
    [
      { title: "path", cell: ({ path }) => `<code>${cellHtml(path)}</code>` },
      { title: "change", cell: ({ op }) => op },
      { title: "before", cell: beforeHtml },
      { title: "after", cell: ({ after }) => cellHtml(after ?? "") },
    ],
    changes,
  );
}

function beforeHtml({ op, before }: StateChange): string {
  if (before !== null) return cellHtml(before);
  return op === "add" ? "" : `<span class="quiet">not known</span>`;
}

const TITLES = {
  failure: { node: "node run", kind: "code", status: "then", content: "message" },
  interrupt: { node: "node", kind: "kind", status: "status", content: "question and answer" },
  message: { node: "from → to", kind: "kind", status: "status", content: "content" },
  artifact: { node: "node", kind: "kind", status: "type", content: "file" },
} as const;

/** Messages, artifacts, interrupts or failures, a line each. */
export function factsHtml(
  facts: readonly traceQueries.ReportedFact[],
  what: traceQueries.ReportedFact["what"],
): string {
  const rows = facts.filter((fact) => fact.what === what);
  if (rows.length === 0) return "";
  const titles = TITLES[what];
  return htmlTable(
    [
      { title: "at", cell: ({ ts }) => cellHtml(ts.slice(11, 23)) },
      { title: titles.node, cell: ({ node }) => cellHtml(node ?? "the run") },
      { title: titles.kind, cell: ({ kind }) => cellHtml(kind ?? "-") },
      { title: titles.status, cell: ({ status }) => cellHtml(status ?? "-") },
      { title: titles.content, cell: ({ content }) => cellHtml(valueText(content), 600) },
    ],
    rows,
  );
}
