/** What could stand at a place of a query: tables behind FROM, columns of the tables that it names, words of SQL. */
import type { TypeScriptNames } from "../graphs/complete-graph.ts";
import { wordAt } from "../graphs/word-at.ts";
import type { CompletionItem, Completions, Inspection, Place } from "../service.ts";
import { TRACE_MACROS, TRACE_TABLES } from "./trace-tables.ts";

export function completeSql({ code, offset }: Place, typescript: TypeScriptNames): Completions {
  const hole = holeBefore(code, offset);
  if (hole !== undefined) return inHole(hole, offset, typescript);
  const { start, end } = wordAt(code, offset);
  const written = code.slice(start, offset).toLowerCase();
  const known = new Set<string>();
  const items = offeredAt(code.slice(0, start), code).filter(({ text }) => {
    const fits = text.toLowerCase().startsWith(written) && !known.has(text);
    known.add(text);
    return fits;
  });
  return { items, start, end };
}

/** Of a table its columns, of a column its type and its tables. */
export function inspectSql({ code, offset }: Place): Inspection | undefined {
  const { text: name } = wordAt(code, offset);
  const columns = tableColumns(name);
  if (columns !== undefined) {
    const lines = Object.entries(columns).map(
      ([column, type]) => `${column} ${type.toLowerCase()}`,
    );
    return told(`${name} (\n  ${lines.join(",\n  ")}\n)`);
  }
  const parameters = Object.hasOwn(TRACE_MACROS, name) ? TRACE_MACROS[name] : undefined;
  if (parameters !== undefined) return told(`${name}(${parameters})`);
  const named = tablesIn(code);
  const tables = (named.length > 0 ? named : Object.keys(TRACE_TABLES)).filter(
    (table) => tableColumns(table)?.[name] !== undefined,
  );
  const [first] = tables;
  if (first === undefined) return undefined;
  return told(`${name} ${tableColumns(first)?.[name]?.toLowerCase()}\n-- of ${tables.join(", ")}`);
}

function told(text: string): Inspection {
  return { plain: text, markdown: `\`\`\`sql\n${text}\n\`\`\`` };
}

/** What stands in the hole that is open at a place. */
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

function offeredAt(before: string, code: string): readonly CompletionItem[] {
  const table = /([\p{L}_][\p{L}\p{N}_]*)\.$/u.exec(before)?.[1];
  if (table !== undefined) return columnItems([aliased(table, code)]);
  if (/\b(?:FROM|JOIN)\s+$/i.test(before)) return [...tableItems(), ...macroItems()];
  const named = tablesIn(code);
  const columns = columnItems(named.length > 0 ? named : MAIN_TABLES);
  return [...columns, ...WORDS, ...tableItems(), ...macroItems()];
}

const MAIN_TABLES: readonly string[] = ["runs", "node_runs", "llm_calls", "tool_calls", "events"];

function tableItems(): readonly CompletionItem[] {
  return Object.entries(TRACE_TABLES).map(([text, columns]) => ({
    text,
    type: "table",
    signature: Object.keys(columns).join(", "),
  }));
}

function macroItems(): readonly CompletionItem[] {
  return Object.entries(TRACE_MACROS).map(([text, parameters]) => ({
    text,
    type: "function",
    signature: `(${parameters})`,
  }));
}

function columnItems(tables: readonly string[]): readonly CompletionItem[] {
  return tables.flatMap((table) =>
    Object.entries(tableColumns(table) ?? {}).map(([text, type]) => ({
      text,
      type: "column",
      signature: `${table}.${text} ${type.toLowerCase()}`,
    })),
  );
}

function tableColumns(name: string): Readonly<Record<string, string>> | undefined {
  return Object.hasOwn(TRACE_TABLES, name) ? TRACE_TABLES[name] : undefined;
}

const TABLE_OF_QUERY =
  /\b(?:FROM|JOIN|,)\s+([\p{L}_][\p{L}\p{N}_]*)(?:\s+(?:AS\s+)?([\p{L}_][\p{L}\p{N}_]*))?/giu;

function tablesIn(code: string): readonly string[] {
  const named = [...code.matchAll(TABLE_OF_QUERY)].map(([, name = ""]) => name.toLowerCase());
  return [...new Set(named)].filter((name) => tableColumns(name) !== undefined);
}

/** `n` of `FROM node_runs n`. */
function aliased(name: string, code: string): string {
  const found = [...code.matchAll(TABLE_OF_QUERY)].find(([, , alias]) => alias === name);
  return (found?.[1] ?? name).toLowerCase();
}

const WORDS: readonly CompletionItem[] = [
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
