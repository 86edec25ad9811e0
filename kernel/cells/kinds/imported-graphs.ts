/** Gives a TypeScript cell the graphs that it imports from programs: `import { Ask } from "./ask.madrigal"`. */
import { relative, resolve } from "node:path";
import { check, type Ir, parse, type Source, type Span, toDiagnostic } from "../../../dsl/index.ts";
import { type Graph, type Scope, scopes } from "../../../runtime/index.ts";
import { builtInScope, loadImports } from "../../programs/load-scope.ts";
import type { FindSignatures } from "../../programs/program-tools.ts";
import { type Programs, programsBeside } from "../../programs/programs-beside.ts";
import { type ProgramNames, readNames } from "../../types/named/program-names.ts";
import type { CellText, ResolvedType } from "../../types/service.ts";
import type { Cell } from "../cell.ts";
import { keepFresh } from "../modules/keep-fresh.ts";
import { type AtWork, WrongText } from "../notebook.ts";
import { cellPath, refuseErrors, refuseWrongImports } from "./check-graph-cell.ts";

type GraphsByName = Readonly<Record<string, Graph>>;

/**
 * Compiles the programs that a text of imports names, and declares their graphs by types. Returns the graphs under the names
 * that the cell gives them.
 */
export async function importGraphs({ name, code }: CellText, at: AtWork): Promise<GraphsByName> {
  const texts = new Map<string, string>();
  const graphs = await compileImports({ name, code }, texts, at);
  at.notebook.programs.set(keyOf(at.cell), { cell: at.cell, code, texts });
  return graphs;
}

/** Forgets the programs of a cell that imports none any more. */
export function forgetPrograms({ cell, notebook }: AtWork): void {
  notebook.programs.delete(keyOf(cell));
}

/** Compiles again the programs whose files have changed. Returns the names that stand for another graph now, with their files. */
export async function refreshPrograms(at: AtWork): Promise<Map<string, string>> {
  const { notebook, cell } = at;
  const changed = new Map<string, string>();
  for (const [key, { cell: importer, code, texts }] of [...notebook.programs]) {
    const file = changedFile(texts);
    if (file === undefined) continue;
    const now = new Map<string, string>();
    try {
      const graphs = await compileImports({ name: importer.name, code }, now, at);
      for (const [name, graph] of Object.entries(graphs)) {
        if (notebook.dependents.ownerOf(name) !== importer) continue;
        notebook.names[name] = graph;
        changed.set(name, file);
      }
    } catch (thrown) {
      if (!(thrown instanceof WrongText)) throw thrown;
      const why = `${thrown.output.ename} ${thrown.output.evalue}`;
      cell.warn(
        `\`${file}\` has changed and can't be compiled: ${why}; its earlier version stays in use`,
      );
    }
    notebook.programs.set(key, { cell: importer, code, texts: now });
  }
  return changed;
}

function keyOf({ request }: Cell): string {
  return request.cellId ?? request.id;
}

function changedFile(texts: ReadonlyMap<string, string>): string | undefined {
  const found = [...texts].find(([path, text]) => readText(path) !== text);
  return found && relative(process.cwd(), found[0]);
}

function readText(path: string): string | undefined {
  return programsBeside({ source: NO_SOURCE, path: cellPath() }).open(path, NO_SOURCE.file)?.text;
}

const NO_SOURCE: Source = { file: "cell.madrigal", text: "" };

/** A graph that a cell imports, under the name that the cell gives it. */
interface GraphOfImport {
  readonly name: string;
  readonly ir: Ir;
  readonly types: readonly ResolvedType[];
  readonly graph: Graph;
}

/** Adds to `texts` what it reads, also where a program is wrong. */
async function compileImports(
  { name: file, code }: CellText,
  texts: Map<string, string>,
  at: AtWork,
): Promise<GraphsByName> {
  const { cell, notebook } = at;
  const source = { file, text: code };
  const beside = remembering(programsBeside({ source, path: cellPath() }), texts);
  refuseErrors(source, check(source, { programs: beside.open }).diagnostics);
  const found: GraphOfImport[] = [];
  for (const decl of parse(source).ast.items.filter((item) => item.kind === "import")) {
    const program = beside.open(decl.from.value, file);
    if (program === undefined) continue;
    const wanted = decl.names.map(({ name, as = name }) => [name.text, as.text] as const);
    const path = beside.pathOf(program.file);
    const graphs = await graphsOf(program, { path, wanted, texts }, at);
    found.push(...graphs);
    const absent = decl.names.filter(({ name, as = name }) =>
      graphs.every((one) => one.name !== as.text),
    );
    refuseErrors(
      source,
      absent.map(({ name }) => noGraph(name, source)),
    );
  }
  const graphs = found.map(({ name, ir, types }) => ({ graph: { ...ir, name }, types }));
  await cell.orCancelled(notebook.parts.types().declareImported(graphs));
  return Object.fromEntries(found.map(({ name, graph }) => [name, graph]));
}

function noGraph({ text, span }: { readonly text: string; readonly span: Span }, source: Source) {
  const message = `\`${text}\` is no graph, and TypeScript imports nothing else from a program`;
  const hint = "import it in a cell of graphs";
  return toDiagnostic(source, { code: "M2402", message, span, hint });
}

function remembering(beside: Programs, texts: Map<string, string>): Programs {
  const open: Programs["open"] = (from, importer) => {
    const found = beside.open(from, importer);
    if (found !== undefined) texts.set(beside.pathOf(found.file), found.text);
    return found;
  };
  return { ...beside, open };
}

interface WantedGraphs {
  readonly path: string;
  /** The names of the file, each with the one that the cell gives it. */
  readonly wanted: readonly (readonly [string, string])[];
  readonly texts: Map<string, string>;
}

/** Compiles a program in its own scope: what it imports, and the built-in tools, but no name of the notebook. */
async function graphsOf(
  source: Source,
  { path, wanted, texts }: WantedGraphs,
  at: AtWork,
): Promise<readonly GraphOfImport[]> {
  const { parts } = at.notebook;
  const { scope, imported } = await scopeOf(source, path, at);
  const names = withAbsolutePaths(readNames(source), path);
  const types = await at.cell.orCancelled(parts.types().typesOf(names, { signal: at.cell.signal }));
  const { open: programs, apis, skills } = remembering(programsBeside({ source, path }), texts);
  const options = { programs, apis, skills, types, ...scopes.offeredBy(scope) };
  const { diagnostics, graphs } = check(source, options);
  refuseErrors(source, diagnostics);
  const found = wanted.flatMap(([name, as]) => {
    const ir = graphs.find((one) => one.name === name);
    if (ir === undefined) return [];
    const graph = parts.session().graph(ir, { scope, file: source.file });
    return [{ name: as, ir, types, graph }];
  });
  const given = found.map(({ name }) => name);
  keepFresh(imported, given, at);
  return found;
}

async function scopeOf(
  source: Source,
  path: string,
  { cell, notebook: { parts } }: AtWork,
): Promise<{ readonly scope: Scope; readonly imported: Scope }> {
  const { workspace } = parts.session();
  const signatures: FindSignatures = async (_, asked) => await parts.types().signaturesOf(asked);
  const request = { source, path, workspace, signatures };
  const imported = await refuseWrongImports(source, cell.orCancelled(loadImports(request)));
  return { scope: scopes.scopeOverBuiltIn(builtInScope(request), imported), imported };
}

/** Types are looked for from the folder of the notebook, and a program names them from its own. */
function withAbsolutePaths(names: ProgramNames, path: string): ProgramNames {
  const absolute = (from: string) => (from.startsWith(".") ? resolve(path, "..", from) : from);
  const imports = names.imports.map((one) => ({ ...one, from: absolute(one.from) }));
  return { ...names, imports };
}
