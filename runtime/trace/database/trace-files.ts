/** Opens the trace file of a process, replaces a damaged or outdated one with the tables that people write, and falls back to memory. */
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Code } from "../../../dsl/index.ts";
import { messageOf } from "../../failure.ts";
import { writableTables } from "../schema/tables.ts";
import {
  claimFile,
  IN_MEMORY,
  type NotOpened,
  openDatabase,
  type TraceDatabase,
  walOf,
} from "./database.ts";

/** Something about the traces that a person should know; never a reason for a run to fail. */
export interface TraceWarning {
  readonly code: Code;
  readonly message: string;
  readonly hint: string;
}

const FILES_MAX = 100;

/** The first file of the owner that can be had and is not lost, or memory. */
export async function openSome(
  tracesDir: string,
  owner: string,
  {
    warnings,
    lostFiles,
  }: { readonly warnings: TraceWarning[]; readonly lostFiles: readonly string[] },
): Promise<TraceDatabase> {
  // Neither is it taken over while this process lives.
  for (const file of lostFiles) claimFile(file);
  const name = `live-${owner.replaceAll(/[^\w.-]/g, "_")}`;
  let problem = badName(tracesDir) ?? madeFolder(tracesDir);
  for (let number = 1; problem === undefined && number <= FILES_MAX; number += 1) {
    const file = join(tracesDir, `${name}${number === 1 ? "" : `-${number}`}.duckdb`);
    if (lostFiles.includes(file)) continue;
    const opened = await openOrReplace(file, warnings);
    if (!("kind" in opened)) return opened;
    if (opened.kind === "locked") warnings.push(lockedWarning(file, opened));
    else problem = opened.message;
  }
  warnings.push(memoryWarning(tracesDir, problem ?? "all its files are in use"));
  const opened = await openDatabase(IN_MEMORY);
  if ("kind" in opened) throw new Error(`DuckDB does not start: ${opened.message}`);
  return opened;
}

/** DuckDB takes a `?` for the beginning of a URL's query, and looks for its write-ahead log in another folder. */
function badName(folder: string): string | undefined {
  return folder.includes("?") ? "DuckDB keeps no file in a folder whose path has a `?`" : undefined;
}

function madeFolder(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Opens a file; one that can't be used as it is makes room for a new one. */
async function openOrReplace(
  file: string,
  warnings: TraceWarning[],
): Promise<TraceDatabase | NotOpened> {
  const opened = await openDatabase(file);
  if (!("kind" in opened)) return opened;
  if (opened.kind !== "damaged" && opened.kind !== "outdated") return opened;
  let aside: string;
  try {
    aside = moveAside(file, opened.kind === "damaged" ? "corrupt" : "outdated");
  } catch (error) {
    return { kind: "unwritable", message: messageOf(error) };
  }
  const fresh = await openDatabase(file);
  const isCarried =
    opened.kind === "outdated" && !("kind" in fresh) && (await carryOver(fresh, aside));
  warnings.push(replacedWarning(file, { aside, opened, isCarried }));
  return fresh;
}

/** Renames a file and its write-ahead log to the first free name, as a pair that DuckDB can still be shown. */
function moveAside(file: string, why: "corrupt" | "outdated"): string {
  let number = 1;
  while (existsSync(`${file}.${why}-${number}`)) number += 1;
  const aside = `${file}.${why}-${number}`;
  if (existsSync(file)) renameSync(file, aside);
  if (existsSync(walOf(file))) renameSync(walOf(file), walOf(aside));
  return aside;
}

function lockedWarning(file: string, { message }: NotOpened): TraceWarning {
  const holder = /held in (.+?\(PID \d+\))/.exec(message)?.[1] ?? "this process";
  return {
    code: "M6002",
    message: `${file} is open in ${holder}; another file is used`,
    hint: "nothing is lost: each file has all runs of the workspace",
  };
}

function replacedWarning(
  file: string,
  of: { readonly aside: string; readonly opened: NotOpened; readonly isCarried: boolean },
): TraceWarning {
  const { aside, opened, isCarried } = of;
  const kept = isCarried ? "; scores and prices of it are in the new one" : "";
  return {
    code: opened.kind === "damaged" ? "M6003" : "M6004",
    message: `${file} can't be used: ${firstLine(opened.message)}; a new one is made from the logs`,
    hint: `the old file is ${aside}; delete it when you do not need it${kept}`,
  };
}

function memoryWarning(folder: string, message: string): TraceWarning {
  return {
    code: "M6001",
    message: `traces can't be written to ${folder}: ${firstLine(message)}`,
    hint: "make the folder writable, or set MADRIGAL_HOME to another",
  };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

export const OLD_COLUMNS = `
SELECT table_name, column_name
FROM duckdb_columns()
WHERE database_name = 'outdated' AND schema_name = 'main'`;

/** Copies the tables that only people fill, as far as both files have their columns; false where it can't. */
async function carryOver(
  { writer }: Pick<TraceDatabase, "writer">,
  oldFile: string,
): Promise<boolean> {
  try {
    await writer.run(`ATTACH '${oldFile.replaceAll("'", "''")}' AS outdated`);
  } catch {
    // Someone else's file, or one that can no longer be read: it lies aside, whole.
    return false;
  }
  try {
    await copyAll(writer);
    return true;
  } catch {
    return false;
  } finally {
    await writer.run("DETACH outdated");
  }
}

async function copyAll(writer: DuckDBConnection): Promise<void> {
  const rows = (await writer.runAndReadAll(OLD_COLUMNS)).getRowsJS();
  for (const { name, columns } of writableTables) {
    const old = new Set(rows.filter(([table]) => table === name).map(([, column]) => column));
    const both = Object.keys(columns).filter((column) => old.has(column));
    if (both.length > 0) await writer.run(copyTable(name, both));
  }
}

/** The statement that takes a table's rows over. */
function copyTable(name: string, columns: readonly string[]): string {
  const list = columns.join(", ");
  return `INSERT INTO ${name} (${list}) SELECT ${list} FROM outdated.${name}`;
}
