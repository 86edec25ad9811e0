/** Finds a stored run by its id, its short form, a unique beginning of the id, or `last`; M5107 where there is none. */
import { RunError } from "../failure.ts";
import { namedRunId, shortRunId } from "../run-names.ts";
import type { StoredRunRow, Tables } from "./database/tables.ts";

/** The run that a person means by an id, its short form, the beginning of one, or `last`. */
export function findRun(tables: Tables<unknown>, name: string): StoredRunRow {
  if (name === "last") return lastRun(tables);
  const exact = tables.run(name);
  if (exact !== undefined) return exact;
  const named = namedRunId(name, tables.runIdsLike(name));
  if (named === undefined) throw unknownRun(tables, name);
  return runWithId(tables, named);
}

/** The run with exactly this id. */
export function runWithId(tables: Tables<unknown>, runId: string): StoredRunRow {
  const run = tables.run(runId);
  if (run === undefined) throw unknownRun(tables, runId);
  return run;
}

function lastRun(tables: Tables<unknown>): StoredRunRow {
  const [run] = tables.runs({ limit: 1 });
  if (run !== undefined) return run;
  throw new RunError("M5107", "there is no run yet", {
    hint: "start one with `madrigal run FILE`; runs are looked for in this workspace only",
  });
}

function unknownRun(tables: Tables<unknown>, name: string): RunError {
  const near = mostAlike(name, tables.runIdsLike(""));
  const hint =
    near === undefined
      ? "`madrigal runs` lists them; a run in memory is known to its own process alone"
      : `did you mean \`${shortRunId(near)}\`?`;
  return new RunError("M5107", `no run is called \`${name}\``, { hint });
}

/** Ids have no meaning to guess by, so the one that begins alike for longest, if that is half of what was typed. */
function mostAlike(name: string, runIds: readonly string[]): string | undefined {
  let [best, bestLength] = [undefined as string | undefined, Math.max(1, name.length / 2)];
  for (const runId of runIds) {
    const length = Math.max(commonLength(name, runId), commonLength(name, shortRunId(runId)));
    if (length > bestLength) [best, bestLength] = [runId, length];
  }
  return best;
}

function commonLength(a: string, b: string): number {
  const differs = [...a].findIndex((unit, index) => unit !== b[index]);
  return differs === -1 ? a.length : differs;
}
