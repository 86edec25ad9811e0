/** Runs a `%%python` cell: the tables of the notebook that it names are tables there, and `--save` brings one back. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { queryRows, Rows } from "../../display/index.ts";
import { tableNames, tablesNamedIn } from "../../display/table/value-table.ts";
import { makeTemporaryFolder } from "../../temporary-folder.ts";
import { readSaveOption } from "../magics/sql-options.ts";
import { watched } from "../modules/mark-stale.ts";
import { type AtWork, WrongText } from "../notebook.ts";
import { type PythonRequest, runInPython } from "../python/python-process.ts";
import { sharedColumns } from "../python/shared-columns.ts";
import { classify } from "./classify.ts";
import { saveRows } from "./declare-rows.ts";

/** Python has them in memory already. */
const SAVED_ROWS_MAX = 1_000_000;

export async function runPython(code: string, at: AtWork): Promise<void> {
  const { cell } = at;
  const save = readSaveOption("%%python", { file: cell.name, text: code });
  const { start } = classify(code);
  // Lines count as in the cell.
  const text = code.slice(0, start).replace(/[^\n]/g, "") + code.slice(start);
  const names = tableNames().filter((name) => wordIn(text, name));
  const folder = makeTemporaryFolder("python");
  try {
    const tables = await writeTables(names, folder, at);
    const asked = { cell: cell.name, code: text, tables, folder };
    const request: PythonRequest = save === undefined ? asked : { ...asked, save };
    const parts = [{ declares: save === undefined ? [] : [save], uses: names }];
    await watched(parts, at, async () => {
      const { data, saved, error } = await runInPython(request, cell);
      if (error !== undefined) {
        const traceback = error.text.trimEnd().split("\n");
        throw new WrongText({ kind: "error", ename: error.name, evalue: error.message, traceback });
      }
      if (saved !== undefined && save !== undefined) await takeRows(save, saved, at);
      if (data !== undefined && data !== null)
        cell.show({ kind: "result", bundle: { data, metadata: {} } });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function wordIn(text: string, name: string): boolean {
  return new RegExp(
    `(?<![\\p{L}\\p{N}_.$])${name.replaceAll("$", "\\$")}(?![\\p{L}\\p{N}_$])`,
    "u",
  ).test(text);
}

async function writeTables(
  names: readonly string[],
  folder: string,
  { cell, notebook }: AtWork,
): Promise<PythonRequest["tables"]> {
  const entries: (readonly [string, { readonly parquet: string; readonly json: string }])[] = [];
  for (const [index, name] of names.entries()) {
    const traces = await cell.orCancelled(notebook.parts.session().traces());
    const table = `"${name.replaceAll('"', '""')}"`;
    const tables = tablesNamedIn(table);
    // The files have all rows, however few are read here.
    const options = { signal: cell.signal, rowsMax: 1, more: "cut" } as const;
    const ask = async (sql: string) =>
      await cell.orCancelled(queryRows(traces, { sql, params: [], tables }, options));
    const rows = await ask(`FROM ${table}`);
    const path = (ending: string) => join(folder, `${index}.${ending}`);
    const columns = await sharedColumns(rows.columns, async (sums) => {
      const [row] = await ask(`SELECT ${sums} FROM ${table}`);
      return row ?? {};
    });
    const typed = columns === "*" ? rows : await ask(`SELECT ${columns} FROM ${table}`);
    await cell.orCancelled(typed.parquet(path("parquet")));
    await cell.orCancelled(rows.json(path("json")));
    entries.push([name, { parquet: path("parquet"), json: path("json") }]);
  }
  return Object.fromEntries(entries);
}

async function takeRows(name: string, file: string, at: AtWork): Promise<void> {
  const { cell, notebook } = at;
  const traces = await cell.orCancelled(notebook.parts.session().traces());
  const asked = { sql: `FROM '${file.replaceAll("'", "''")}'`, params: [] };
  const rows = await cell.orCancelled(
    queryRows(traces, asked, { signal: cell.signal, rowsMax: SAVED_ROWS_MAX }),
  );
  // The file is gone at the end of the cell: they are rows of no query.
  await saveRows(name, new Rows(Array.from(rows), rows.columns), at);
}
