/**
 * `npm run rows [-- --json]`: which requirement rows the last test run proved. A test proves a row when its title
 * begins with the row's id; `[SM, DB]` behind it says by which kinds of proof.
 */
import { readFileSync } from "node:fs";
import { lastRun, type TestResult } from "./tally.ts";

interface Row {
  readonly row: string;
  readonly test: string;
  /** Kinds of the proof kit, or the test's file where the title names none. */
  readonly proof: string;
  readonly status: TestResult["status"];
}

const results: readonly TestResult[] = JSON.parse(readFileSync(lastRun, "utf8"));
const rows = results
  .flatMap(toRows)
  .sort((a, b) => a.row.localeCompare(b.row, "en", { numeric: true }));
const print = process.argv.includes("--json") ? JSON.stringify(rows, null, 2) : table(rows);
console.log(print);

/** One test may prove several rows: `W24 W26 [VT] …`. */
function toRows({ title, file, status }: TestResult): readonly Row[] {
  const [, ids = "", kinds, test = title] =
    /^((?:[A-Z]\d+ )+)(?:\[([A-Z, ]+)\] )?(.*)$/s.exec(title) ?? [];
  return (
    ids
      .trim()
      .split(" ")
      // Four digits are an error code's.
      .filter((row) => /^[WMASE]\d{2,3}$/.test(row))
      .map((row) => ({ row, test, proof: kinds ?? file, status }))
  );
}

function table(all: readonly Row[]): string {
  const proved = new Set(all.filter(({ status }) => status === "passed").map(({ row }) => row));
  const lines = all.map(
    ({ row, status, proof, test }) =>
      `${row.padEnd(5)} ${status.padEnd(8)} ${proof.padEnd(8)} ${test}`,
  );
  return [...lines, `${proved.size} rows proved`].join("\n");
}
