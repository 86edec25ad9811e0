/** Completes at a place of a query: tables, columns of the tables that it names, words of SQL. */
import type { Ir } from "../../../dsl/index.ts";
import type { TypeScriptNames } from "../graphs/editor/complete-graph.ts";
import { wordAt } from "../graphs/editor/word-at.ts";
import type { CellCursor, CompletionItem, Completions } from "../service.ts";
import { completeLiteral } from "./complete-literal.ts";
import { valueColumns, valueTables } from "./complete-values.ts";
import { aliased, duckDbWords, tablesIn, tableWords, traceWords } from "./sql-words.ts";

/** The names of the notebook that the cell can request. */
export interface NotebookNames extends TypeScriptNames {
  /** The graphs that cells have declared. */
  readonly irs: readonly Ir[];
}

export function completeSql({ code, offset }: CellCursor, notebook: NotebookNames): Completions {
  const hole = holeBefore(code, offset);
  if (hole !== undefined) return inHole(hole, offset, notebook);
  const literal = completeLiteral({ code, offset }, notebook.irs);
  if (literal !== undefined) return literal;
  const { start, end } = wordAt(code, offset);
  const written = code.slice(start, offset).toLowerCase();
  const known = new Set<string>();
  const items = offeredAt(code.slice(0, start), code, notebook).filter(({ text }) => {
    const fits = text.toLowerCase().startsWith(written) && !known.has(text);
    known.add(text);
    return fits;
  });
  return { items, start, end };
}

/** Returns the text of the hole that is open at a place; undefined outside of holes. */
function holeBefore(code: string, offset: number): string | undefined {
  return /\$\{([^{}]*)$/.exec(code.slice(0, offset))?.[1];
}

function inHole(text: string, offset: number, { complete, names }: TypeScriptNames): Completions {
  // A hole holds a name of a cell and its members, no expression.
  const isName = !text.includes(".");
  const asked = { text, offset: text.length, ...(isName ? { only: names } : {}) };
  const { items, start, end } = complete(asked);
  const by = offset - text.length;
  return { items, start: start + by, end: end + by };
}

function offeredAt(
  before: string,
  code: string,
  notebook: NotebookNames,
): readonly CompletionItem[] {
  const table = /([\p{L}_][\p{L}\p{N}_]*)\.$/u.exec(before)?.[1];
  if (table !== undefined) {
    const named = aliased(table, code);
    return tableWords(named) === undefined ? valueColumns(named, notebook) : columnItems([named]);
  }
  if (/\b(?:FROM|JOIN|DESCRIBE|SUMMARIZE)\s+$/i.test(before))
    return [...valueTables(notebook), ...tableItems(), ...macroItems()];
  const named = tablesIn(code);
  const columns = columnItems(named.length > 0 ? named : MAIN_TABLES);
  return [
    ...columns,
    ...USUAL,
    ...keywordItems(),
    ...tableItems(),
    ...macroItems(),
    ...functionItems(),
  ];
}

const MAIN_TABLES: readonly string[] = ["runs", "node_runs", "llm_calls", "tool_calls", "events"];

function tableItems(): readonly CompletionItem[] {
  return Object.entries(traceWords().tables).map(([text, { columns }]) => ({
    text,
    type: "table",
    signature: Object.keys(columns).join(", "),
  }));
}

function macroItems(): readonly CompletionItem[] {
  return Object.entries(traceWords().macros).map(([text, { signature }]) => ({
    text,
    type: "function",
    signature,
  }));
}

function functionItems(): readonly CompletionItem[] {
  return Object.entries(duckDbWords().functions).map(([text, signature]) => ({
    text,
    type: "function",
    signature,
  }));
}

function keywordItems(): readonly CompletionItem[] {
  return duckDbWords()
    .keywords.split(" ")
    .map((text) => ({ text, type: "keyword" }));
}

function columnItems(tables: readonly string[]): readonly CompletionItem[] {
  return tables.flatMap((table) =>
    Object.entries(tableWords(table)?.columns ?? {}).map(([text, type]) => ({
      text,
      type: "column",
      signature: `${table}.${text} ${type.toLowerCase()}`,
    })),
  );
}

/** The SQL words that most queries need, listed before the rest of DuckDB's. */
const USUAL: readonly CompletionItem[] = [
  ...(
    "SELECT FROM WHERE GROUP BY ORDER HAVING LIMIT OFFSET JOIN LEFT ON USING WITH AS DISTINCT AND OR NOT IN IS NULL LIKE BETWEEN CASE WHEN THEN ELSE END UNION ALL DESC ASC FILTER OVER PARTITION QUALIFY EXISTS CAST TRY_CAST VALUES PIVOT DESCRIBE".split(
      " ",
    ) as readonly string[]
  ).map((text) => ({ text, type: "keyword" })),
  ...(
    "count sum avg min max median quantile_cont any_value string_agg list round coalesce left length lower upper date_trunc epoch_ms strftime regexp_matches unnest row_number lag lead json_extract".split(
      " ",
    ) as readonly string[]
  ).map((text) => ({ text, type: "function" })),
];
