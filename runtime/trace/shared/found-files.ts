/** Finds Parquet files, with stamps that change when a file does. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { listFolder } from "../database/list-folder.ts";

export interface FoundFile {
  readonly path: string;
  readonly stamp: string;
  readonly bytes: number;
}

/** Returns the finished Parquet files of a folder. */
export function filesIn(folder: string): readonly FoundFile[] {
  return listFolder(folder).flatMap((name) => {
    if (!name.endsWith(".parquet") || name.startsWith(".")) return [];
    const path = join(folder, name);
    const stamp = stampOf(path);
    return stamp === undefined ? [] : [{ path, stamp, bytes: Number(stamp.split(" ")[0]) }];
  });
}

/** Returns the stamp of a file as it is now; undefined where there is none. */
export function stampOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? `${found.size} ${found.mtimeMs} ${found.ino}` : undefined;
}
