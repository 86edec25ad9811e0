/** Finds which requirement rows the tests of a run prove: a test proves the rows whose ids its title begins with. */
import type { TestResult } from "../tally.ts";

/** One row and one test that is named after it. */
export interface ProvedRow {
  readonly row: string;
  readonly test: string;
  /** Kinds of the proof kit, or the test's file where the title names none. */
  readonly proof: string;
  readonly file: string;
  readonly status: TestResult["status"];
}

/** Returns them in the order of the rows. One test may prove several: `W24 W26 [VT] …`. */
export function provedRows(results: readonly TestResult[]): readonly ProvedRow[] {
  return results
    .flatMap(rowsOf)
    .sort((a, b) => a.row.localeCompare(b.row, "en", { numeric: true }));
}

function rowsOf({ title, file, status }: TestResult): readonly ProvedRow[] {
  const [, ids = "", kinds, test = title] =
    /^((?:[A-Z]\d+ )+)(?:\[([A-Z, ]+)\] )?(.*)$/s.exec(title) ?? [];
  return (
    ids
      .trim()
      .split(" ")
      // Four digits are an error code's.
      .filter((row) => /^[WMASE]\d{2,3}$/.test(row))
      .map((row) => ({ row, test, proof: kinds ?? file, file, status }))
  );
}
