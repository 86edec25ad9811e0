/** Takes over the trace files of dead processes: writes their runs as Parquet for all, then deletes the file. */
import { randomUUID } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { claimFile, SCHEMA_VERSION, walOf } from "../database/database.ts";
import { listFolder } from "../database/list-folder.ts";
import { schemaVersion } from "../schema/schema.ts";
import { quoted, quotedName } from "./parquet-sql.ts";

/** The means to take over a file. */
export interface Heir {
  /** A connection to the own file, with nothing under way; `catalog` is the name of that one. */
  readonly connection: DuckDBConnection;
  readonly catalog: string;
  /** Writes the runs that the connection has before it. */
  readonly exportLeft: () => Promise<void>;
}

/** The files of others in a folder, and whether one was taken over: not while its owner lives, nor one of another version. */
export async function takeOverAll(tracesDir: string, own: string, heir: Heir): Promise<number> {
  let count = 0;
  for (const name of listFolder(tracesDir)) {
    const file = join(tracesDir, name);
    if (!/^live-.*\.duckdb$/.test(name) || file === own) continue;
    const release = claimFile(file);
    if (release === undefined) continue;
    try {
      if (await takeOver(file, heir)) count += 1;
    } finally {
      release();
    }
  }
  return count;
}

async function takeOver(file: string, heir: Heir): Promise<boolean> {
  const { connection, catalog } = heir;
  try {
    await connection.run(`ATTACH ${quoted(file)} AS dead`);
  } catch {
    // Its owner lives, or it is damaged: who opens it by its name next sets it aside.
    return false;
  }
  try {
    await connection.run("USE dead");
    if (!(await isOurs(connection))) return false;
    await heir.exportLeft();
    await connection.run("CHECKPOINT dead");
    remove(file);
    return true;
  } finally {
    await connection.run(`USE ${quotedName(catalog)}`);
    await connection.run("DETACH dead");
  }
}

async function isOurs(connection: DuckDBConnection): Promise<boolean> {
  try {
    const [[version] = []] = (await connection.runAndReadAll(SCHEMA_VERSION)).getRowsJS();
    return version === schemaVersion;
  } catch {
    return false;
  }
}

/** While it is still locked: who makes a file of its name from now on has one of its own. */
function remove(file: string): void {
  rmSync(walOf(file), { force: true });
  const aside = join(dirname(file), `.tmp-${process.pid}-${randomUUID()}`);
  renameSync(file, aside);
  rmSync(aside, { force: true });
}
