/** Writes rows to files: those that were read, or all rows of their query. */
import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf, RunError } from "../../../runtime/index.ts";
import { currentHost } from "../../host.ts";
import { currentSession } from "../../session.ts";
import type { ColumnQuestion, KnownRows, Parameter } from "./column.ts";
import { type CsvOptions, csvSelect, csvText } from "./csv.ts";
import { jsonRows, jsonText } from "./json-rows.ts";

/** The path of the file. */
export async function writeCsv(
  rows: KnownRows,
  file: string,
  options?: CsvOptions,
): Promise<string> {
  if (!rows.isCut) return writeText(file, csvText(rows, options));
  const { sql, ...asked } = repeatable(rows);
  const selected = `SELECT ${csvSelect(rows.columns, options)} FROM (\n${inner(sql)}\n) AS source`;
  return await copy({ sql: selected, ...asked }, file, "FORMAT csv, HEADER true");
}

export async function writeJson(rows: KnownRows, file: string): Promise<string> {
  if (!rows.isCut) return writeText(file, jsonRows(rows));
  return await copy(repeatable(rows), file, "FORMAT json, ARRAY true");
}

export async function writeParquet(rows: KnownRows, file: string): Promise<string> {
  const question = rows.isCut || (await isRepeatable(rows)) ? repeatable(rows) : heldQuestion(rows);
  return await copy(question, file, "FORMAT parquet, COMPRESSION zstd");
}

/** A question as a part of another one; a comment at its end ends with its line. */
export function inner(sql: string): string {
  return sql.replace(/[\s;]+$/, "");
}

function repeatable(rows: KnownRows): ColumnQuestion {
  if (rows.question !== undefined) return rows.question;
  throw new RunError("M7631", "these rows come from no query that can be run again", {
    hint: "make them by one SELECT, with `sql` or a `%%sql` cell",
  });
}

/** Returns whether the query is one SELECT, which can be repeated without an effect. */
async function isRepeatable({ question }: KnownRows): Promise<boolean> {
  if (question === undefined) return false;
  try {
    const traces = await currentSession().traces();
    const { sql, params, tables = [] } = question;
    await traces.ask(`DESCRIBE SELECT * FROM (\n${inner(sql)}\n)`, params, { tables });
    return true;
  } catch {
    return false;
  }
}

/** The rows themselves, as a question. */
function heldQuestion(rows: KnownRows): ColumnQuestion {
  const types = Object.fromEntries(
    rows.columns.map(({ name, type }) => [name, type === "NULL" ? "VARCHAR" : type]),
  );
  const text = jsonText(Array.from(rows));
  return {
    sql: "SELECT unnest(from_json($1, $2), max_depth := 2)",
    params: [text, JSON.stringify([types])],
  };
}

async function copy(
  { sql, params, tables = [] }: ColumnQuestion,
  file: string,
  form: string,
): Promise<string> {
  const path = checkedPath(file);
  const traces = await currentSession().traces();
  const signal = currentHost()?.signal();
  const statement = `COPY (\n${inner(sql)}\n) TO '${path.replaceAll("'", "''")}' (${form})`;
  try {
    const options = signal === undefined ? { tables } : { tables, signal };
    await traces.ask(statement, params as readonly Parameter[], options);
  } catch (cause) {
    signal?.throwIfAborted();
    throw notWritten(path, cause);
  }
  return path;
}

function writeText(file: string, text: string): string {
  const path = checkedPath(file);
  const unfinished = `${path}.${randomUUID()}`;
  try {
    writeFileSync(unfinished, text, { flag: "wx" });
    renameSync(unfinished, path);
    return path;
  } catch (cause) {
    // There may be no such folder, and then nothing to remove.
    if (existsSync(unfinished)) rmSync(unfinished);
    throw notWritten(path, cause);
  }
}

function checkedPath(file: unknown): string {
  if (typeof file === "string" && file !== "") return resolve(file);
  throw new RunError("M7631", "the rows can't be written: there is no name of a file", {
    hint: "as in .csv('rows.csv')",
  });
}

function notWritten(path: string, cause: unknown): RunError {
  return new RunError("M7631", `\`${path}\` can't be written: ${messageOf(cause)}`, {
    hint: "check that its folder exists and that you may write to it",
    cause,
  });
}
