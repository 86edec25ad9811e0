/** Shows the steps of a run, and the runs of a workspace, as tables. */
import { type RunStep, type RunSummary, shortRunIds } from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import type { TableCellText } from "../table/cell-text.ts";
import type { Column } from "../table/column.ts";
import { PAGE_ROWS } from "../table/rows.ts";
import { tableBundle, tableOf } from "../table/table.ts";
import { counted } from "../visible.ts";

const lists = new WeakSet<object>();

/** Marks what `runs.list()` gives, so that it shows itself as a table; it is an array like any other. */
export function rememberRunList(list: readonly RunSummary[]): readonly RunSummary[] {
  lists.add(list);
  return list;
}

export function isRunList(value: unknown): value is readonly RunSummary[] {
  return Array.isArray(value) && lists.has(value);
}

export function runListBundle(list: readonly RunSummary[]): Bundle {
  const shown = list.slice(0, PAGE_ROWS);
  const shortIds = shortRunIds(shown.map(({ runId }) => runId));
  const rows = shown.map((run) => ({
    run: shortIds.get(run.runId),
    graph: run.graph,
    status: statusText(run),
    reason: run.reason,
    started: new Date(run.createdAt).toISOString(),
    steps: run.steps,
    tokens: run.usage.inputTokens + run.usage.outputTokens,
    error: run.error === undefined ? undefined : `${run.error.code} ${run.error.message}`,
  }));
  const table = tableOf(list.length === 0 ? [] : RUN_COLUMNS, rows);
  return tableBundle({
    ...table,
    rows: table.rows.map(([id, ...cells], index) => [withExact(id, shown[index]?.runId), ...cells]),
    caption: captionOf(list.length, "run"),
  });
}

/** The whole id where a pointer rests on the short one. */
function withExact(cell: TableCellText | undefined, runId: string | undefined): TableCellText {
  const { text = "", kind = "text" } = cell ?? {};
  return runId === undefined || runId === text ? { text, kind } : { text, kind, exact: runId };
}

/** A run that is under way and that no living process drives. */
function statusText({ status, owner }: RunSummary): string {
  const isLost = (status === "running" || status === "created") && owner === undefined;
  return isLost ? `${status} (lost: resume it)` : status;
}

const RUN_COLUMNS: readonly Column[] = [
  { name: "run", type: "VARCHAR", isUnbroken: true },
  { name: "graph", type: "VARCHAR" },
  { name: "status", type: "VARCHAR" },
  { name: "reason", type: "VARCHAR" },
  { name: "started", type: "TIMESTAMP" },
  { name: "steps", type: "BIGINT" },
  { name: "tokens", type: "BIGINT" },
  { name: "error", type: "VARCHAR" },
];

export function stepsBundle(steps: readonly RunStep[]): Bundle {
  const rows = steps.slice(0, PAGE_ROWS).map(({ step, node, attempt, patches }) => ({
    step,
    node,
    attempt,
    changed: [...new Set(patches.map(({ path }) => String(path[0])))].join(", "),
  }));
  return tableBundle({
    ...tableOf(STEP_COLUMNS, rows),
    caption: captionOf(steps.length, "step"),
  });
}

const STEP_COLUMNS: readonly Column[] = [
  { name: "step", type: "BIGINT" },
  { name: "node", type: "VARCHAR", isUnbroken: true },
  { name: "attempt", type: "BIGINT" },
  { name: "changed", type: "VARCHAR" },
];

function captionOf(count: number, what: string): string {
  if (count === 0) return `no ${what}s`;
  const all = counted(count, what);
  return count <= PAGE_ROWS ? all : `the first ${PAGE_ROWS} of ${all}`;
}
