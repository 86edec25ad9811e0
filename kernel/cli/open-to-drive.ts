/** Opens a stored run so that this process can continue it with its program and TypeScript of today. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Ir, parse } from "../../dsl/index.ts";
import {
  continueThereHint,
  type DrivenRun,
  type OpenOptions,
  type Scope,
  type Session,
  scopes,
  type storedRuns,
} from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { checkSource } from "../programs/check-source.ts";
import { loadScope } from "../programs/load-scope.ts";
import type { PlacedSource } from "../programs/programs-beside.ts";
import { readSource } from "../programs/read-source.ts";
import { isError, tellFrames } from "./frames.ts";
import { tell } from "./output.ts";

export interface OpenedRun {
  readonly run: DrivenRun;
  readonly ir: Ir;
}

export async function openToDrive(
  session: Session,
  id: string,
  change: Pick<OpenOptions, "renamed" | "dropped" | "isForced"> = {},
): Promise<OpenedRun> {
  session.spans.assertHasLog(id);
  const { runId } = session.store.find(id);
  const meta = session.store.meta(runId);
  const scope = await scopeOf(session, meta);
  const ir = await programNow(meta, scope);
  return { run: session.open(runId, { scope, ir, ...change }), ir };
}

/** The program that a stored run began with: its text is stored with it, and stands where that was compiled. */
export function storedProgram({ ir, file, folder }: storedRuns.RunMeta): PlacedSource {
  const source = ir.source ?? { file: file ?? "cell", text: "" };
  // A run that came from another machine may name a folder that is not here.
  const base = folder !== undefined && existsSync(folder) ? folder : process.cwd();
  return { source, path: file ?? join(base, "cell.madrigal"), folder: base };
}

/** The scope of a stored run: its TypeScript is loaded again. */
async function scopeOf({ workspace }: Session, meta: storedRuns.RunMeta): Promise<Scope> {
  const { scopeFile } = meta;
  const program = storedProgram(meta);
  assertThere(program.source, meta);
  try {
    return await loadScope({ ...program, scopeFile, workspace });
  } catch (thrown) {
    throw meta.file === undefined ? textNotHere(thrown, meta, program) : thrown;
  }
}

/** Returns the error about a program without a file: only the notebook or TypeScript that gave its text has its imports. */
function textNotHere(
  thrown: unknown,
  { runId }: storedRuns.RunMeta,
  { path }: PlacedSource,
): unknown {
  if (!(thrown instanceof CommandError)) return thrown;
  const { code, message, place, exitCode } = thrown;
  return new CommandError(code, message, {
    hint:
      `the run's program was given as text, and imports from ${dirname(path)}; ` +
      `\`compile(text, { file })\` names its file; ${continueThereHint(runId)}`,
    place,
    exitCode,
    cause: thrown,
  });
}

/** The run's graph as its file has it now; as it was stored when the file or the graph is gone. */
async function programNow(meta: storedRuns.RunMeta, scope: Scope): Promise<Ir> {
  const { ir, file, graph } = meta;
  if (file === undefined || !existsSync(file)) return ir;
  const source = { ...readSource(file), file: ir.source?.file ?? file };
  const { diagnostics, graphs } = await checkSource({
    ...storedProgram(meta),
    source,
    options: scopes.offeredBy(scope),
    types: "named",
  });
  const now = graphs.find(({ name }) => name === graph);
  if (now !== undefined) return now;
  tellFrames(diagnostics.filter(isError), source);
  tell(`warning[M5002]: \`${graph}\` can't be taken from ${source.file} as it is now
  hint: the run goes on with the program it began with`);
  return ir;
}

function assertThere(
  source: NonNullable<Ir["source"]>,
  { file, scopeFile }: Pick<storedRuns.RunMeta, "file" | "scopeFile">,
): void {
  const imports = parse(source).ast.items.some(({ kind }) => kind === "import");
  const missing = [...(imports ? [file] : []), scopeFile].find(
    (path) => path !== undefined && !existsSync(path),
  );
  if (missing === undefined) return;
  throw new CommandError("M7201", `\`${missing}\` is gone, and the run needs its TypeScript`, {
    hint: "restore the file, then resume the run",
    place: { file: missing },
    exitCode: EXIT.wrong,
  });
}
