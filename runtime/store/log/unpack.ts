/**
 * Restores the records of a segment from the text that `pack.ts` made of them. What stands in several places is one frozen
 * object again, so that redaction and the size of its JSON are worked out once.
 */
import type { LogRecord } from "../../records/records.ts";
import { freezeJson } from "../../state/json.ts";
import { LEVELS_MAX } from "./pack.ts";

/**
 * Segments written before the fifth layout stay as they are when a file is brought up, so that files of every later one may
 * have them: the records alone, with references to artifacts in fewer levels and to nothing else.
 */
const oldLevelsMax = 5;

/** `load` gives the JSON text behind a hash. */
export function unpackRecords(text: string, load: (hash: string) => string): readonly LogRecord[] {
  const content: readonly LogRecord[] | { readonly records: readonly LogRecord[] } =
    JSON.parse(text);
  const isOld = !("records" in content);
  const records = isOld ? content : content.records;
  const hasArtifacts = text.includes('"$artifact"');
  if (!hasArtifacts && (isOld || !text.includes('"$same"'))) return records;
  const levels = isOld ? oldLevelsMax : LEVELS_MAX;
  for (const record of records) putBack(record, 0, { levels, load, records });
  return records;
}

interface Unpacking {
  readonly levels: number;
  readonly load: (hash: string) => string;
  /** Those in front of the place that is put back have everything in them already. */
  readonly records: readonly LogRecord[];
}

/** Puts back the parts of a value in their order, in place. */
function putBack(value: unknown, level: number, of: Unpacking): void {
  if (level === of.levels || typeof value !== "object" || value === null) return;
  const parts = value as Record<string, unknown>;
  for (const [key, part] of Object.entries(parts)) {
    const whole = referredTo(part, of);
    if (whole === undefined) putBack(part, level + 1, of);
    // Not by an assignment: `__proto__` is a name like any other.
    else Object.defineProperty(parts, key, { ...asWritten, value: whole.value });
  }
}

const asWritten = { configurable: true, enumerable: true, writable: true };

function referredTo(part: unknown, of: Unpacking): { readonly value: unknown } | undefined {
  if (typeof part !== "object" || part === null) return undefined;
  if ("$artifact" in part && typeof part.$artifact === "string")
    return { value: JSON.parse(of.load(part.$artifact)) };
  if (of.levels === LEVELS_MAX && "$same" in part && Array.isArray(part.$same))
    return { value: freezeJson(valueAt(of.records, part.$same)) };
  return undefined;
}

/** Undefined where an artifact on the way is gone. */
function valueAt(records: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? (value as Record<string | number, unknown>)[key]
        : undefined,
    records,
  );
}
