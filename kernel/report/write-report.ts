/** Writes the page about a run, or about the session of one of its agents, to a file. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { AgentSession, messageOf, RunError } from "../../runtime/index.ts";
import { type ChartOfRun, idOf, sessionPage } from "../display/index.ts";
import { currentSession } from "../session.ts";
import { reportPage } from "./report-page.ts";

/** `.madrigal/out/report-ID.html` unless `file` says where; the path. Throws M7615 when it can't be written. */
export async function writeReport(of: ChartOfRun | AgentSession, file?: string): Promise<string> {
  const isSession = of instanceof AgentSession;
  const id = isSession ? of.run.id : await idOf(of);
  const page = isSession ? sessionPage(of) : await reportPage(id);
  const name = isSession ? `session-${id}-${of.agent.replace(/[^\w-]+/g, "-")}` : `report-${id}`;
  const path = resolve(file ?? join(currentSession().workspace.dataDir, "out", `${name}.html`));
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
