/** Lists frequent mistakes by the message that DuckDB has for them, each with the hint that helps. */
import type { Code } from "../../../dsl/index.ts";

/** What is said instead of, or beside, what DuckDB says. */
export interface Mistake {
  readonly code?: Code;
  readonly message?: string;
  readonly hint: string;
}

/** `place` is where in `sql` DuckDB sees it, if it knows. */
export function mistakeIn(
  message: string,
  { sql, place }: { readonly sql: string; readonly place: number | undefined },
): Mistake | undefined {
  if (/^Can only (?:delete|update|merge)\b|^\S+ is not an table$/.test(message)) return DERIVED;
  if (/^table (?:scores|model_\w+) has \d+ columns but /.test(message)) return SOME_COLUMNS;
  const [, table, tables] =
    /^Referenced table "([^"]+)" not found!(?:\nCandidate tables: (.*))?/.exec(message) ?? [];
  if (table !== undefined) return noTable(table, { tables, sql, place });
  const isQuoted = place !== undefined && sql[place] === '"';
  const [, column] = /^Referenced column "([^"]+)" not found/.exec(message) ?? [];
  if (column === undefined || !isQuoted) return undefined;
  return { hint: `a text stands in single quotes: '${column}'; double ones are for names` };
}

const DERIVED: Mistake = {
  code: "M7630",
  message: "what is traced is made from the logs of the runs, and no query writes it",
  hint: "`scores`, `model_prices` and `model_contexts` are yours to write; CREATE TEMP TABLE … keeps rows for this session",
};

const SOME_COLUMNS: Mistake = {
  hint: "name the columns that you fill: INSERT INTO scores (run_id, name, value) VALUES (…)",
};

/** Who leaves `${…}` out of `${run.id}` names a table that there is not. */
function noTable(
  table: string,
  of: {
    readonly tables: string | undefined;
    readonly sql: string;
    readonly place: number | undefined;
  },
): Mistake {
  const { tables, sql, place = 0 } = of;
  const member = [...sql.slice(place).matchAll(/\w+\.\w+/g)].find(([found]) =>
    found.startsWith(`${table}.`),
  )?.[0];
  const there = tables === undefined ? "" : `; there is ${tables.replaceAll('"', "`")}`;
  return {
    message: `no table of this query is called ${table}${there}`,
    hint: `a value of TypeScript is written \`\${${member ?? table}}\`; another name of a table stands behind it: \`FROM runs ${table}\``,
  };
}
