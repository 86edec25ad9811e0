/** Lists the messages of a test's run, for `expect b was told Attack { … }`. */
import { isRecord } from "../../dsl/index.ts";
import type { RecordBody } from "../records/records.ts";
import type { Program } from "../scheduler/program/program.ts";
import { isJsonEqual } from "../state/json.ts";

/** A message that a node was sent. */
export interface SentMessage {
  readonly to: string;
  readonly sender: string;
  readonly kind: string;
  readonly payload: unknown;
}

/** Returns the messages of a run, one for each node that they were sent to. */
export function sentIn(records: readonly RecordBody[], { nodes }: Program): readonly SentMessage[] {
  return records.flatMap((record) =>
    record.kind === "commit"
      ? (record.messages ?? []).flatMap(({ to, sender, kind, payload }) =>
          [...new Set(to.map(({ node }) => nodes[node]?.ir.name ?? ""))].map((node) => ({
            to: node,
            sender,
            kind,
            payload,
          })),
        )
      : [],
  );
}

/** Returns whether a value has all members of the object that is wanted, or is equal to what is no object. */
export function isPartOf(wanted: unknown, given: unknown): boolean {
  if (wanted === undefined) return true;
  if (!isRecord(wanted) || !isRecord(given)) return isJsonEqual(wanted, given);
  return Object.entries(wanted).every(([name, value]) => isJsonEqual(value, given[name]));
}
