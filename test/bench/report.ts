/** The rows of a benchmark as a table for people. */
import { type TextColumn, textTable } from "../../kernel/display/text-table.ts";
import type { Machine } from "./machine.ts";
import type { Row } from "./row.ts";

export interface Report {
  readonly bench: string;
  readonly machine: Machine;
  readonly rows: readonly Row[];
}

/** The machine in one line, a line for each row, and how many goals are met. */
export function reportText({ bench, machine, rows }: Report): string {
  const { cpu, cores, node, load } = machine;
  const met = rows.filter(({ ok }) => ok).length;
  return [
    `${bench}: ${cpu}, ${cores} cores, Node ${node}, load ${load} when it began`,
    "",
    textTable(columns, rows),
    "",
    `${met} of ${rows.length} goals met`,
  ].join("\n");
}

const columns: readonly TextColumn<Row>[] = [
  { title: "row", cell: ({ name, store }) => (store === undefined ? name : `${name} (${store})`) },
  { title: "unit", cell: ({ unit }) => unit },
  { title: "ours", isNumber: true, cell: ({ ours }) => `${ours}` },
  { title: "base", isNumber: true, cell: ({ base }) => (base === undefined ? "" : `${base}`) },
  { title: "of", cell: ({ base_name = "" }) => base_name },
  { title: "ratio", isNumber: true, cell: ({ ratio }) => (ratio === undefined ? "" : `${ratio}`) },
  { title: "floor", isNumber: true, cell: ({ floor }) => (floor === undefined ? "" : `${floor}`) },
  { title: "goal", cell: goalText },
  { title: "ok", cell: ({ ok }) => (ok ? "yes" : "NO") },
  { title: "runs", isNumber: true, cell: ({ runs }) => `${runs}` },
  { title: "spread", isNumber: true, cell: (row) => `${Math.round(row.spread * 100)} %` },
];

/** One row in one line, to be told as soon as it is measured. */
export function rowText(row: Row): string {
  const cells = columns.map(({ title, cell }) => ({ title, text: cell(row) }));
  const [named, ...figures] = cells.filter(({ text }) => text !== "");
  return `${named?.text}: ${figures.map(({ title, text }) => `${title} ${text}`).join(", ")}`;
}

function goalText({ goal, goal_on }: Row): string {
  return goal_on === "ours" ? `ours ≤ ${goal}` : `ratio ≥ ${goal}`;
}
