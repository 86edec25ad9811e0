/** Shows two runs beside each other: where they part and why, then steps, states and costs. */
import { debugging, type RunDiff, shortRunId } from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { bundleOf, HTML, MARKDOWN, PLAIN } from "../bundle.ts";
import { escapeMarkdown, escapeMarkup } from "../escape.ts";
import { jsonText } from "../table/cell-text.ts";
import type { Column } from "../table/column.ts";
import { type RowsTable, tableHtml, tableMarkdown, tableOf } from "../table/table.ts";
import { counted, visible } from "../visible.ts";

/** `toJSON()` has all of them. */
const ROWS_SHOWN = 100;

export function diffBundle(diff: RunDiff): Bundle {
  const tables = [
    stepsTable(diff),
    valuesTable("state", diff.state),
    valuesTable("output", diff.output),
    totalsTable(diff),
  ];
  const shown = tables.filter(({ rows }) => rows.length > 0);
  const head = headLines(diff);
  const [part = "", ...runs] = head;
  return bundleOf({
    [HTML]: [
      `<div style="font-weight:600" class="mathjax_ignore">${escapeMarkup(part)}</div>`,
      ...runs.map((line) => `<div class="mathjax_ignore">${escapeMarkup(line)}</div>`),
      ...shown.map(tableHtml),
    ].join("\n"),
    [MARKDOWN]: [
      `**${escapeMarkdown(part)}**`,
      ...runs.map(escapeMarkdown),
      ...shown.map(tableMarkdown),
    ].join("\n\n"),
    [PLAIN]: visible(String(diff)),
  });
}

function headLines({ a, b, divergence }: RunDiff): readonly string[] {
  const part =
    divergence === undefined
      ? "the same steps, the same state"
      : `part behind step ${divergence.step} (${divergence.cause}): ${divergence.message}`;
  const runOf = ({ runId, graph, status }: typeof a) =>
    `run ${shortRunId(runId)} of ${graph}, ${status}`;
  return [part, `A: ${runOf(a)}`, `B: ${runOf(b)}`];
}

const STEP_COLUMNS: readonly Column[] = [
  { name: "A", type: "BIGINT" },
  { name: "B", type: "BIGINT" },
  { name: "step", type: "VARCHAR", isUnbroken: true },
  { name: "", type: "VARCHAR" },
];

function stepsTable({ steps, divergence }: RunDiff): RowsTable {
  if (divergence === undefined) return tableOf([], []);
  const rows = steps.slice(0, ROWS_SHOWN).map(({ a, b, title, kind, differs }) => ({
    A: a ?? "",
    B: b ?? "",
    step: title,
    "": differs === undefined ? kind : `${kind}: ${differs}`,
  }));
  return { ...tableOf(STEP_COLUMNS, rows), caption: captionOf("place", steps.length) };
}

const VALUE_COLUMNS: readonly Column[] = [
  { name: "path", type: "", isUnbroken: true },
  { name: "A", type: "" },
  { name: "B", type: "" },
];

function valuesTable(of: string, differences: RunDiff["state"]): RowsTable {
  const rows = differences.slice(0, ROWS_SHOWN).map(({ path, a, b }) => ({
    path,
    A: a === undefined ? "" : jsonText(a),
    B: b === undefined ? "" : jsonText(b),
  }));
  return {
    ...tableOf(VALUE_COLUMNS, rows),
    caption: captionOf(`${of} difference`, differences.length),
  };
}

const TOTAL_COLUMNS: readonly Column[] = ["measure", "A", "B", "B less A"].map((name) => {
  return { name, type: "", isUnbroken: true };
});

function totalsTable({ totals }: RunDiff): RowsTable {
  const rows = totals.filter(debugging.isTold).map((total) => {
    const { name, a, b, delta } = debugging.totalTexts(total);
    return { measure: name, A: a, B: b, "B less A": delta };
  });
  return tableOf(TOTAL_COLUMNS, rows);
}

function captionOf(what: string, count: number): string {
  const shown = count > ROWS_SHOWN ? `the first ${ROWS_SHOWN} of ` : "";
  return `${shown}${counted(count, what)}`;
}
