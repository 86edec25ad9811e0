/** The state around any record of a path, worked out when it is asked for. */
import type { LogRecord } from "../records.ts";
import type { Patch } from "../state/patch.ts";
import { patchedAll } from "./patch-way.ts";

/** A state is kept in front of every so many records: to keep each would be as many long lists as a list has had elements. */
const RECORDS_BETWEEN = 256;

export interface Around {
  readonly before: unknown;
  readonly behind: unknown;
}

export class PathStates {
  readonly #records: readonly LogRecord[];
  readonly #between: number;
  /** In front of the first record, and of each that is so many further, as far as somebody has asked. */
  readonly #kept: unknown[] = [{}];

  /** Of the records on the path to where a run stands. */
  constructor(records: readonly LogRecord[], between = RECORDS_BETWEEN) {
    this.#records = records;
    this.#between = between;
  }

  /** The states before and behind the record at a place of the path. */
  around(index: number): Around {
    const before = this.#before(index);
    return { before, behind: behind(before, this.#records.slice(index, index + 1)) };
  }

  #before(index: number): unknown {
    const [records, between] = [this.#records, this.#between];
    const nearest = Math.floor(index / between);
    while (this.#kept.length <= nearest) {
      const from = (this.#kept.length - 1) * between;
      this.#kept.push(behind(this.#kept.at(-1), records.slice(from, from + between)));
    }
    return behind(this.#kept[nearest], records.slice(nearest * between, index));
  }
}

export function patchesOf(record: LogRecord): readonly Patch[] {
  return "patches" in record ? (record.patches ?? []) : [];
}

function behind(state: unknown, records: readonly LogRecord[]): unknown {
  const begun = records.findLastIndex(({ kind }) => kind === "run");
  const run = records[begun];
  const first = run?.kind === "run" ? run.state : state;
  return patchedAll(first, records.slice(Math.max(0, begun)).flatMap(patchesOf));
}
