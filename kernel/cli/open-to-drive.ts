/** A stored run as this process can go on with it: with its program and its TypeScript as they are now. */
import { existsSync } from "node:fs";
import { type Ir, parse } from "../../dsl/index.ts";
import {
  type GraphRun,
  type OpenOptions,
  offeredNames,
  type RunMeta,
  type Scope,
  type Session,
  toolEffects,
} from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { checkSource } from "../programs/check-source.ts";
import { loadScope } from "../programs/load-scope.ts";
import { readSource } from "../programs/read-source.ts";
import { isError, tellFrames } from "./frames.ts";
import { tell } from "./output.ts";

export interface OpenedRun {
  readonly run: GraphRun;
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

/** The scope of a stored run: its program's text is stored with it, its TypeScript is loaded again. */
async function scopeOf({ workspace }: Session, meta: RunMeta): Promise<Scope> {
  const { ir, file, scopeFile } = meta;
  const source = ir.source ?? { file: file ?? "cell", text: "" };
  assertThere(source, meta);
  return await loadScope({ source, path: file ?? process.cwd(), scopeFile, workspace });
}

/** The run's graph as its file has it now; as it was stored when the file or the graph is gone. */
async function programNow({ ir, file, graph }: RunMeta, scope: Scope): Promise<Ir> {
  if (file === undefined || !existsSync(file)) return ir;
  const source = { ...readSource(file), file: ir.source?.file ?? file };
  const { diagnostics, graphs } = await checkSource({
    source,
    path: file,
    options: { scope: offeredNames(scope), effects: toolEffects(scope) },
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
