/** The states that patches led through, worked out when they are asked for. */
import type { LogRecord } from "../records/records.ts";
import type { Patch } from "../state/patch.ts";
import { patchedAll } from "./patch-way.ts";

/** A state is kept in front of every so many changes: to keep each would be as many long lists as a list has had elements. */
const CHANGES_BETWEEN = 256;

export class RebuiltStates {
  readonly #changes: readonly (readonly Patch[])[];
  readonly #between: number;
  /** In front of the first change, and of each that is so many further, as far as somebody has asked. */
  readonly #kept: unknown[];

  /** From a first state on; more changes may come. */
  constructor(
    first: unknown,
    changes: readonly (readonly Patch[])[],
    between: number = CHANGES_BETWEEN,
  ) {
    this.#changes = changes;
    this.#between = between;
    this.#kept = [first];
  }

  /** In front of the change at a place, or behind the last one. */
  before(index: number): unknown {
    const [changes, between] = [this.#changes, this.#between];
    const nearest = Math.floor(index / between);
    while (this.#kept.length <= nearest) {
      const from = (this.#kept.length - 1) * between;
      const passed = changes.slice(from, from + between);
      this.#kept.push(patchedAll(this.#kept.at(-1), passed.flat()));
    }
    return patchedAll(this.#kept[nearest], changes.slice(nearest * between, index).flat());
  }
}

/** The state around each record of a path. */
export class PathStates {
  readonly #records: readonly LogRecord[];
  readonly #states: RebuiltStates;

  /** Of the records on the path to where a run stands. */
  constructor(records: readonly LogRecord[], between?: number) {
    this.#records = records;
    this.#states = new RebuiltStates({}, records.map(changeOf), between);
  }

  /** The states before and behind the record at a place of the path. */
  around(index: number): { readonly before: unknown; readonly behind: unknown } {
    const record = this.#records[index];
    const before = this.#states.before(index);
    const behind = record === undefined ? before : patchedAll(before, changeOf(record));
    return { before, behind };
  }
}

export function patchesOf(record: LogRecord): readonly Patch[] {
  return "patches" in record ? (record.patches ?? []) : [];
}

/** The first record gives the whole state. */
function changeOf(record: LogRecord): readonly Patch[] {
  const patches = patchesOf(record);
  if (record.kind !== "run") return patches;
  return [{ op: "replace", path: [], value: record.state }, ...patches];
}
