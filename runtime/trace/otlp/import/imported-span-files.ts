/**
 * Stores imported spans, one file a run, which is the truth of a run without a log. A line is one span; a run's rows are
 * made of all its lines, so spans may come in any order, in many requests, and twice.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import type { ImportedSpan } from "../span.ts";
import { runIdOf } from "../trace-id.ts";

/** A run that was imported, and how many bytes it has. */
export interface TakenFile {
  readonly runId: string;
  readonly bytes: number;
}

const ENDING = ".spans";

/** Files of the folder `imported` in that of the traces. */
export class ImportedSpanFiles {
  readonly #folder: string;

  constructor(tracesDir: string) {
    this.#folder = join(tracesDir, "imported");
  }

  list(): TakenFile[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder).flatMap((name) => {
      if (!name.endsWith(ENDING)) return [];
      const bytes = statSync(join(this.#folder, name), { throwIfNoEntry: false })?.size;
      return bytes === undefined ? [] : [{ runId: name.slice(0, -ENDING.length), bytes }];
    });
  }

  /** Keeps spans behind those that are there; the ids of their runs. */
  add(spans: readonly ImportedSpan[]): string[] {
    if (spans.length === 0) return [];
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const runs = Map.groupBy(spans, runOf);
    for (const [runId, group] of runs) {
      // One write: of two processes that add to one file, neither gets into the other's line.
      const lines = group.map((span) => `${JSON.stringify(span)}\n`).join("");
      appendFileSync(this.#pathOf(runId), lines, { mode: 0o600 });
    }
    return [...runs.keys()];
  }

  /** The spans of a run; a line that was cut off is left out. */
  read(runId: string): ImportedSpan[] {
    const lines = readFileSync(this.#pathOf(runId), "utf8").split("\n");
    return lines.flatMap((line) => {
      try {
        return line === "" ? [] : [JSON.parse(line) as ImportedSpan];
      } catch {
        return [];
      }
    });
  }

  /** Its rows go from every process's trace with the next look at the folder. */
  remove(runId: string): void {
    rmSync(this.#pathOf(runId), { force: true });
  }

  #pathOf(runId: string): string {
    return join(this.#folder, runId + ENDING);
  }
}

/** The run that a span belongs to: its trace, or what we said when we exported it, where that can be a file's name. */
export function runOf({ traceId, resource }: ImportedSpan): string {
  const exportedRunId = resource["madrigal.run_id"];
  return typeof exportedRunId === "string" && /^\w[\w.-]{0,99}$/.test(exportedRunId)
    ? exportedRunId
    : runIdOf(traceId);
}
