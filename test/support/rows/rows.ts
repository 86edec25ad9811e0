/**
 * `npm run rows [-- --json | --system NAME]`: which requirement rows the last test run proved. A test proves a row when its
 * title begins with the row's id; `[SM, DB]` behind it says by which kinds of proof. With `--system` it writes the tables of
 * that system in `notebooks/systems`.
 */
import { existsSync, readFileSync } from "node:fs";
import { lastRun, type TestResult } from "../tally.ts";
import { type ProvedRow, provedRows } from "./proved-rows.ts";
import { SYSTEMS, writeSystemRows } from "./system-rows.ts";

if (!existsSync(lastRun)) {
  console.error("run the tests first: `npm test`");
  process.exit(2);
}
const results: readonly TestResult[] = JSON.parse(readFileSync(lastRun, "utf8"));
const rows = provedRows(results);
const [option, name = ""] = process.argv.slice(2);

if (option === "--system") {
  if (!Object.hasOwn(SYSTEMS, name)) {
    console.error(`npm run rows -- --system ${Object.keys(SYSTEMS).join(" | ")}`);
    process.exit(2);
  }
  for (const line of writeSystemRows(name, rows)) console.log(line);
} else {
  console.log(option === "--json" ? JSON.stringify(rows, null, 2) : table(rows));
}

function table(all: readonly ProvedRow[]): string {
  const proved = new Set(all.filter(({ status }) => status === "passed").map(({ row }) => row));
  const lines = all.map(
    ({ row, status, proof, test }) =>
      `${row.padEnd(5)} ${status.padEnd(8)} ${proof.padEnd(8)} ${test}`,
  );
  return [...lines, `${proved.size} rows proved`].join("\n");
}
