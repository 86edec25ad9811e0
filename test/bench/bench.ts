/** `npm run bench -- NAME [--row ROW]… [--json FILE]`: measures us beside our peers and says which goals are met. */

import { leave } from "../../kernel/cli/exit-process.ts";
import { guard } from "../../kernel/cli/guard.ts";
import { print, tell } from "../../kernel/cli/output.ts";
import { EXIT } from "../../kernel/exit-codes.ts";
import { readBenchCall } from "./call.ts";
import { machineFacts } from "./machine.ts";
import { ensurePeers } from "./peers.ts";
import { reportText, rowText } from "./report.ts";
import { type Row, toRow } from "./row.ts";
import type { Measured } from "./suite.ts";
import { findSuite } from "./suites.ts";
import { Wanted } from "./wanted.ts";
import { reserveFile, writeReport } from "./write-report.ts";

await leave(await guard(() => bench(process.argv.slice(2))));

/** A goal that is missed is told and is no failure: the exit code says whether all was measured. */
async function bench(words: readonly string[]): Promise<number> {
  const { name, jsonFile, rows: named } = readBenchCall(words);
  const wanted = new Wanted(named);
  const load = findSuite(name);
  if (jsonFile !== undefined) reserveFile(jsonFile);
  ensurePeers(tell);
  // Before the work: afterwards the load would be our own.
  const machine = machineFacts();
  const suite = await load();
  const rows: Row[] = [];
  const keep = (measured: Measured) => {
    if (!wanted.has(measured.name, measured.store)) return;
    const row = toRow(measured);
    rows.push(row);
    tell(`bench: ${rowText(row)}`);
  };
  try {
    await suite.measure(tell, keep, wanted);
    wanted.assertFound();
  } finally {
    const report = { bench: name, machine, rows };
    if (rows.length > 0) print(reportText(report));
    if (jsonFile !== undefined) writeReport(jsonFile, report);
  }
  return EXIT.done;
}
