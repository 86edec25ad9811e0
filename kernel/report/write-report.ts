/** Writes the page about a run to a file. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { messageOf, RunError } from "../../runtime/index.ts";
import { type ChartOfRun, idOf } from "../display/index.ts";
import { currentSession } from "../session.ts";
import { reportPage } from "./report-page.ts";

/** `.madrigal/out/report-ID.html` unless `file` says where; the path. Throws M7615 when it can't be written. */
export async function writeReport(run: ChartOfRun, file?: string): Promise<string> {
  const id = await idOf(run);
  const page = await reportPage(id);
  const path = resolve(
    file ?? join(currentSession().workspace.dataDir, "out", `report-${id}.html`),
  );
  try {
    mkdirSync(dirname(path), { recursive: true });
    // A report has the inputs of a run, so only its owner may read the file.
    writeFileSync(path, page, { mode: 0o600 });
  } catch (cause) {
    throw notWritten(path, cause);
  }
  return path;
}

function notWritten(path: string, cause: unknown): RunError {
  return new RunError("M7615", `the report can't be written to ${path}: ${messageOf(cause)}`, {
    hint: "name another file: `--out FILE`, or `report(run, file)` in a cell",
    cause,
  });
}
