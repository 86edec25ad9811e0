import { RunError } from "../failure.ts";
import type { RunRow, Tables } from "./tables.ts";

/** The run that a person means by an id, the beginning of one, or `last`. */
export function findRun(tables: Tables<unknown>, name: string): RunRow {
  if (name === "last") return lastRun(tables);
  const exact = tables.run(name);
  if (exact !== undefined) return exact;
  const [only, ...others] = tables.runIdsFrom(name);
  if (only === undefined) throw unknownRun(tables, name);
  if (others.length > 0) throw ambiguousRun(name, [only, ...others]);
  return runWithId(tables, only);
}

/** The run with exactly this id. */
export function runWithId(tables: Tables<unknown>, runId: string): RunRow {
  const run = tables.run(runId);
  if (run === undefined) throw unknownRun(tables, runId);
  return run;
}

function lastRun(tables: Tables<unknown>): RunRow {
  const [run] = tables.runs({ limit: 1 });
  if (run !== undefined) return run;
  throw new RunError("M5107", "there is no run yet", {
    hint: "start one with `madrigal run FILE`; runs are looked for in this workspace only",
  });
}

function unknownRun(tables: Tables<unknown>, name: string): RunError {
  const near = mostAlike(name, tables.runIdsFrom(""));
  const hint = near === undefined ? "`madrigal runs` lists them" : `did you mean \`${near}\`?`;
  return new RunError("M5107", `no run is called \`${name}\``, { hint });
}

function ambiguousRun(name: string, runIds: readonly string[]): RunError {
  const shown = runIds.slice(0, 5).map((runId) => `\`${runId}\``);
  const more = runIds.length > shown.length ? ` and ${runIds.length - shown.length} more` : "";
  return new RunError("M5108", `${runIds.length} runs begin with \`${name}\``, {
    hint: `write more of it: ${shown.join(", ")}${more}`,
  });
}

/** Ids have no meaning to guess by, so the one that begins alike for longest, if that is half of what was typed. */
function mostAlike(name: string, runIds: readonly string[]): string | undefined {
  let [best, bestLength] = [undefined as string | undefined, Math.max(1, name.length / 2)];
  for (const runId of runIds) {
    const length = commonLength(name, runId);
    if (length > bestLength) [best, bestLength] = [runId, length];
  }
  return best;
}

function commonLength(a: string, b: string): number {
  const differs = [...a].findIndex((unit, index) => unit !== b[index]);
  return differs === -1 ? a.length : differs;
}
