/** Finds the trace files that many workspaces have published in one folder, by the day and the graph of their runs. */
import { join } from "node:path";
import { RunError } from "../../failure.ts";
import { listFolder } from "../database/list-folder.ts";
import { type FoundFile, filesIn } from "../shared/found-files.ts";

/** Published traces to be read: a folder, and the runs in it that are wanted. */
export interface PublishedTraces {
  readonly folder: string;
  /** Runs that began on this day (UTC, `2026-11-28`) or later. */
  readonly since?: string;
  /** Runs that began on this day or before. */
  readonly until?: string;
  /** Runs of these graphs; without it, of all. */
  readonly graphs?: readonly string[];
}

/** A folder of one day and graph below that of all published traces. */
export interface Partition {
  readonly day: string;
  readonly graph: string;
}

/** The day of runs that say no beginning. */
export const UNDATED = "undated";

/** Returns the folder of a partition, in the form `name=value` that other tools read as columns too. */
export function partitionFolder(folder: string, { day, graph }: Partition): string {
  return join(folder, `day=${day}`, `graph=${encodeURIComponent(graph)}`);
}

/** Returns the files of the days and graphs that are wanted; no other folder is looked into. */
export function publishedFiles(wanted: PublishedTraces): readonly FoundFile[] {
  return daysIn(wanted).flatMap((day) =>
    valuesIn(join(wanted.folder, `day=${day}`), "graph")
      .filter((graph) => wanted.graphs?.includes(graph) !== false)
      .flatMap((graph) => filesIn(partitionFolder(wanted.folder, { day, graph }))),
  );
}

/** Throws M5417 for a folder that has no published traces. */
export function checkPublished({ folder }: PublishedTraces): void {
  if (valuesIn(folder, "day").length > 0) return;
  throw new RunError("M5417", `there are no published traces in ${folder}`, {
    hint: "`madrigal trace publish FOLDER` writes those of a workspace there",
  });
}

/** Days are compared as texts. Runs without a beginning belong to no period. */
function daysIn({ folder, since, until }: PublishedTraces): readonly string[] {
  const isBounded = since !== undefined || until !== undefined;
  return valuesIn(folder, "day").filter((day) => {
    if (day === UNDATED) return !isBounded;
    return (since === undefined || day >= since) && (until === undefined || day <= until);
  });
}

/** Returns the values of the folders `NAME=VALUE` in a folder. */
function valuesIn(folder: string, name: string): readonly string[] {
  return listFolder(folder).flatMap((entry) => {
    const [key, value] = entry.split("=");
    return key === name && value !== undefined ? [decoded(value)] : [];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
