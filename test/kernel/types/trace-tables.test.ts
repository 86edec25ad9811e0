import { expect, test } from "vitest";
import { TRACE_MACROS, TRACE_TABLES } from "../../../kernel/types/sql/trace-tables.ts";
import { Session } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";

const COLUMNS = `SELECT table_name, column_name, data_type FROM information_schema.columns
WHERE table_schema = 'main' ORDER BY table_name, ordinal_position`;
const MACROS = `SELECT function_name, parameters FROM duckdb_functions()
WHERE schema_name = 'main' AND NOT internal AND function_type = 'table_macro' ORDER BY 1`;
const HEAD =
  "/** The tables of the traces with their columns, for those who complete SQL. `--update` of trace-tables.test.ts writes it anew. */\n";

test("completion knows the tables and columns that the traces have", async () => {
  const session = new Session({ cwd: temporaryFolder(), env: {} });
  const traces = await session.traces();
  const rows = await traces.query(COLUMNS, []);
  const macros = await traces.query(MACROS, []);
  await session.close();
  const tables: Record<string, Record<string, unknown>> = {};
  for (const { table_name, column_name, data_type } of rows) {
    const table = String(table_name);
    tables[table] = { ...tables[table], [String(column_name)]: data_type };
  }
  const lines = Object.entries(tables).map(
    ([table, columns]) =>
      `  ${table}: {\n${Object.entries(columns)
        .map(([name, type]) => member(name, quoted(String(type))))
        .join("\n")}\n  },`,
  );
  const text = `${HEAD}export const TRACE_TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {\n${lines.join("\n")}\n};

/** Macros that stand where a table does, with their parameters. */
export const TRACE_MACROS: Readonly<Record<string, string>> = {\n${macros
    .map(
      ({ function_name, parameters }) =>
        `  ${function_name}: ${JSON.stringify((parameters as string[]).join(", "))},`,
    )
    .join("\n")}\n};\n`;
  await expect(text).toMatchFileSnapshot("../../../kernel/types/sql/trace-tables.ts");
  expect(TRACE_TABLES.node_runs?.dur_us).toBe("BIGINT");
  expect(TRACE_MACROS.conversation).toBe("run, node_run_label");
});

/** As the formatter breaks it. */
function member(name: string, value: string): string {
  const line = `    ${name}: ${value},`;
  return line.length <= 100 ? line : `    ${name}:\n      ${value},`;
}

/** As the formatter quotes it. */
function quoted(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}
