/** Notes the runs whose traces were pruned, so that their logs are not traced again. */
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listFolder } from "../database/list-folder.ts";
import type { HeldRun } from "./file-metadata.ts";
import { placeFile } from "./place-file.ts";

type PrunedPosition = Pick<HeldRun, "runId" | "seq" | "logId">;

/** A run that went on since is another one: it is traced. */
export interface PrunedRuns {
  /** The files that say so. */
  readonly names: readonly string[];
  readonly size: number;
  has(position: PrunedPosition): boolean;
}

const NAME = /^pruned-[\w-]+\.json$/;

/** Reads the pruned runs of a folder; returns `known` itself if they have not changed. */
export function prunedIn(folder: string, known?: PrunedRuns): PrunedRuns {
  const names = listFolder(folder).filter((name) => NAME.test(name));
  if (known !== undefined && names.join() === known.names.join()) return known;
  const keys = new Set(names.flatMap((name) => keysIn(join(folder, name))));
  return { names, size: keys.size, has: (position) => keys.has(keyOf(position)) };
}

/** Adds to them. Each call writes a file of its own, so that two processes lose nothing of each other's. */
export async function notePruned(folder: string, runs: readonly PrunedPosition[]): Promise<void> {
  const text = JSON.stringify({ version: 1, runs: runs.map(keyOf) });
  await placeFile({ folder, name: `pruned-${randomUUID()}.json` }, async (path) => {
    writeFileSync(path, text, { mode: 0o600 });
  });
}

/** Forgets them: the next look at their logs traces them again. */
export function unprune(folder: string): void {
  for (const name of listFolder(folder)) {
    if (NAME.test(name)) rmSync(join(folder, name), { force: true });
  }
}

function keysIn(path: string): readonly string[] {
  try {
    return JSON.parse(readFileSync(path, "utf8")).runs;
  } catch {
    // It went meanwhile, or is no file of ours.
    return [];
  }
}

function keyOf({ runId, seq, logId }: PrunedPosition): string {
  return JSON.stringify([runId, seq, logId]);
}
