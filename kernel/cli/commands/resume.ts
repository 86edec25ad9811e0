/** `madrigal resume RUN`: goes on with a stored run, with the TypeScript it began with. */
import { existsSync } from "node:fs";
import { type Ir, parse } from "../../../dsl/index.ts";
import type { RunMeta, Scope, Session } from "../../../runtime/index.ts";
import type { Command } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { loadScope } from "../load-scope.ts";
import { driveRun } from "../run-graph.ts";
import { noRunJson } from "../run-json.ts";
import { openStoredRuns } from "../stored-runs.ts";

export const command: Command = {
  options: { json: "flag" },
  arguments: ["RUN"],
  async run(call) {
    const session = openStoredRuns();
    const { runId } = session.store.find(call.arguments[0] ?? "");
    const meta = session.store.meta(runId);
    const run = session.open(runId, { scope: await scopeOf(session, meta) });
    const mode = call.flag("json") ? "json" : "text";
    return await driveRun(session, { run, ir: meta.ir, mode, start: () => run.resume() });
  },
  failed: noRunJson,
};

/** The scope of a stored run: its program's text is stored with it, its TypeScript is loaded again. */
async function scopeOf({ workspace }: Session, meta: RunMeta): Promise<Scope> {
  const { ir, file, scopeFile } = meta;
  const source = ir.source ?? { file: file ?? "cell", text: "" };
  assertThere(source, meta);
  return await loadScope({ source, path: file ?? process.cwd(), scopeFile, workspace });
}

function assertThere(
  source: NonNullable<Ir["source"]>,
  { file, scopeFile }: Pick<RunMeta, "file" | "scopeFile">,
): void {
  const imports = parse(source).ast.items.some(({ kind }) => kind === "import");
  const missing = [...(imports ? [file] : []), scopeFile].find(
    (path) => path !== undefined && !existsSync(path),
  );
  if (missing === undefined) return;
  throw new CommandError("M7201", `\`${missing}\` is gone, and the run needs its TypeScript`, {
    hint: "put the file back, then resume the run",
    place: { file: missing },
    exitCode: EXIT.wrong,
  });
}
