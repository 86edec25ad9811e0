/** Shortens the ids of runs for people, and finds the run that a typed prefix names. */
import { RunError } from "./failure.ts";

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** The last digits of an id are random; the first ones are a time, which runs of one minute share. */
const DIGITS = 8;
/** Fewer last digits would name a run by accident. */
const DIGITS_MIN = 4;

/** `a9c8f35d`: the last eight digits of an id. It depends on the id alone, so a run reads the same everywhere and later. */
export function shortRunId(runId: string): string {
  return UUID.test(runId) ? runId.slice(-DIGITS) : runId;
}

/** The short forms of several runs, longer where two of them would read the same; by id. */
export function shortRunIds(runIds: readonly string[]): ReadonlyMap<string, string> {
  const alike = Map.groupBy(new Set(runIds), shortRunId);
  return new Map(
    [...alike].flatMap(([short, ids]) =>
      ids.length === 1 ? ids.map((id) => [id, short] as const) : ids.map((id) => [id, id] as const),
    ),
  );
}

/** Returns whether a word is a run's id, the beginning of it, or at least four of its last digits. */
export function namesRun(word: string, runId: string): boolean {
  if (runId.startsWith(word)) return true;
  return word.length >= DIGITS_MIN && UUID.test(runId) && runId.endsWith(word);
}

/** The one of these ids that a word names, undefined where it names none; M5108 where it names several. */
export function namedRunId(word: string, runIds: Iterable<string>): string | undefined {
  const named = [...new Set(runIds)].filter((runId) => namesRun(word, runId));
  if (named.length < 2 || named.includes(word)) return named.includes(word) ? word : named[0];
  throw ambiguousRun(word, named);
}

const SHOWN_MAX = 5;

function ambiguousRun(word: string, runIds: readonly string[]): RunError {
  const shown = [...shortRunIds(runIds).values()].slice(0, SHOWN_MAX).map((id) => `\`${id}\``);
  const more = runIds.length > shown.length ? ` and ${runIds.length - shown.length} more` : "";
  return new RunError("M5108", `\`${word}\` names ${runIds.length} runs`, {
    hint: `write one of these: ${shown.join(", ")}${more}`,
  });
}
