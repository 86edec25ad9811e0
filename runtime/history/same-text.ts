/** Compares the program of a resumed run with the one that its log has. */
import type { Ir } from "../../dsl/index.ts";
import type { LogRecord } from "../records/records.ts";

/** The program that a log was last resumed with, where that was another than before. */
export function lastProgram(records: readonly LogRecord[]): Ir | undefined {
  return records.reduce<Ir | undefined>(
    (last, record) =>
      record.kind === "control" && record.verb === "resume" ? (record.ir ?? last) : last,
    undefined,
  );
}

/** Also the places in the text are the same: failures name them. */
export function isSameText(before: Ir, after: Ir): boolean {
  return before.hash === after.hash && before.source?.text === after.source?.text;
}
