/** The words of SQL that cells complete and explain: written by `--update`, out of the code and DuckDB. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Session } from "../../../../runtime/index.ts";
import { projectRoot, temporaryFolder } from "../../../support/child.ts";

const COLUMNS = `SELECT table_name, column_name, data_type FROM information_schema.columns
WHERE table_schema = 'main' AND table_catalog = current_database() ORDER BY table_name, ordinal_position`;
const MACROS = `SELECT function_name, parameters FROM duckdb_functions()
WHERE schema_name = 'main' AND NOT internal AND function_type LIKE '%macro' ORDER BY 1`;
/** A name may have several forms: one stands for them. Only those that DuckDB itself explains are for people. */
const FUNCTIONS = `SELECT function_name AS name, any_value(parameters) AS parameters
FROM duckdb_functions()
WHERE internal AND function_type <> 'pragma' AND regexp_matches(function_name, '^[a-z]\\w+$')
  AND (description IS NOT NULL OR function_type IN ('table', 'table_macro') OR function_name IN ('row_number', 'rank',
    'dense_rank', 'lag', 'lead', 'first_value', 'last_value', 'nth_value', 'ntile', 'percent_rank', 'cume_dist'))
  AND NOT regexp_matches(function_name, '^(duckdb_|pragma_|icu_|test_|seq_scan|index_scan|__)')
GROUP BY 1 ORDER BY 1`;
const KEYWORDS = `SELECT string_agg(upper(keyword_name), ' ' ORDER BY keyword_category DESC, keyword_name) AS words
FROM duckdb_keywords() WHERE keyword_category IN ('reserved', 'type_function', 'column_name')`;

const trace = join(projectRoot, "runtime/trace");
const code = ["macros", "schema", "views"]
  .flatMap((room) => readdirSync(join(trace, room)).map((name) => join(trace, room, name)))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

/** What the code says before the statement that makes a view or a macro. */
const notes = new Map(
  [
    ...code.matchAll(
      /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const \w+ = `\s*CREATE OR REPLACE (?:VIEW|MACRO) (\w+)/g,
    ),
  ].map(([, doc = "", name = ""]) => [name, sentence(doc)]),
);

function sentence(doc: string): string {
  const text = doc.replaceAll(/^\s*\* ?/gm, " ").replaceAll("\\`", "`");
  return text.replaceAll(/\s+/g, " ").trim();
}

/** What the code says above a column. */
const columnNotes = new Map(
  [...code.matchAll(/((?:^ {4}\/\/ .*\n)+) {4}(\w+): "/gm)].map(([, lines = "", name = ""]) => [
    name,
    lines
      .replaceAll(/^ *\/\/ /gm, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  ]),
);

function noted(note: string | undefined): object {
  return note === undefined || note === "" ? {} : { note };
}

async function written(name: string, value: unknown): Promise<void> {
  const text = `${JSON.stringify(value, undefined, 2)}\n`;
  await expect(text).toMatchFileSnapshot(`../../../../kernel/types/sql/${name}`);
}

test("completion knows the tables, columns and macros that the traces have, and what the code says of them", async () => {
  const session = new Session({ cwd: temporaryFolder(), env: {} });
  const traces = await session.traces();
  const rows = await traces.query(COLUMNS, []);
  const found = await traces.query(MACROS, []);
  await session.close();
  const tables: Record<string, { columns: Record<string, string> }> = {};
  for (const { table_name, column_name, data_type } of rows) {
    const [table, column] = [String(table_name), String(column_name)];
    tables[table] ??= { ...noted(notes.get(table)), columns: {} };
    tables[table].columns[column] = String(data_type);
  }
  const macros = Object.fromEntries(
    found.map(({ function_name, parameters }) => {
      const signature = `(${(parameters as string[]).join(", ")})`;
      return [function_name, { signature, ...noted(notes.get(String(function_name))) }];
    }),
  );
  await written("trace-words.json", { tables, macros, columns: Object.fromEntries(columnNotes) });
  expect(tables.node_runs?.columns.dur_us).toBe("BIGINT");
  expect(macros.conversation).toMatchObject({ signature: "(run, node_run_label)" });
});

test("completion knows DuckDB's functions and words", async () => {
  const session = new Session({ cwd: temporaryFolder(), env: {} });
  const traces = await session.traces();
  const found = await traces.query(FUNCTIONS, []);
  const [words] = await traces.query(KEYWORDS, []);
  await session.close();
  const functions = Object.fromEntries(
    found.map(({ name, parameters }) => [name, `(${(parameters as string[]).join(", ")})`]),
  );
  await written("duckdb-words.json", { functions, keywords: words?.words });
  expect(functions.quantile_cont).toBeDefined();
});
