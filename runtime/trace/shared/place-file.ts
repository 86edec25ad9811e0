/** Writes files that are there whole or not at all. */

import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { machineLiveness } from "../../store/lease.ts";
import { listFolder } from "../database/list-folder.ts";

const UNFINISHED = /^\.tmp-(\d+)-/;

export interface FilePlace {
  readonly folder: string;
  readonly name: string;
  /** Others may read it as far as the umask of the process says; without it, its owner alone. */
  readonly isForOthers?: boolean;
}

/** Has a file written under a name that nobody reads, then gives it its own. */
export async function placeFile(
  path: FilePlace,
  write: (path: string) => Promise<unknown>,
): Promise<void> {
  const isPrivate = path.isForOthers !== true;
  mkdirSync(path.folder, isPrivate ? { recursive: true, mode: 0o700 } : { recursive: true });
  const unfinished = join(path.folder, `.tmp-${process.pid}-${randomUUID()}`);
  try {
    await write(unfinished);
    if (isPrivate) chmodSync(unfinished, 0o600);
    renameSync(unfinished, join(path.folder, path.name));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Takes away what processes that are no more have left unfinished. */
export function removeUnfinished(folder: string): void {
  for (const name of listFolder(folder)) {
    const [, pid] = UNFINISHED.exec(name) ?? [];
    if (pid !== undefined && !machineLiveness.isAlive(Number(pid)))
      rmSync(join(folder, name), { force: true });
  }
}
