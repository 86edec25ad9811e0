/** Turns a file into a graph that can run: reads it, loads its TypeScript, checks it, finds the graph meant. */
import { basename, resolve } from "node:path";
import {
  type Diagnostic,
  type Ir,
  type LinePosition,
  nearest,
  parse,
  positionAt,
  type Source,
  type Span,
} from "../../dsl/index.ts";
import {
  type Graph,
  type Scope,
  type Session,
  scopes,
  type Workspace,
} from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { checkSource, type SourceToCheck, withoutScope } from "../programs/check-source.ts";
import { folderWithoutDocuments } from "../programs/documents.ts";
import { loadScope } from "../programs/load-scope.ts";
import type { PlacedSource } from "../programs/programs-beside.ts";
import { readProgram } from "../programs/read-program.ts";
import { isError, tellFrames } from "./frames.ts";
import { tell } from "./output.ts";

/** A file that checked without an error, with the TypeScript around it. */
export interface OpenedProgram {
  readonly source: Source;
  readonly path: string;
  /** Of a program that was given as text: what it stands in. */
  readonly folder?: string;
  readonly scope: Scope;
  readonly scopeFile?: string;
  readonly graphs: readonly Ir[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The codes of findings that a scope can refute: an unknown tool, function, value or reducer. */
const NEED_SCOPE: readonly string[] = ["M2103", "M2106", "M2107", "M3303"];

interface ProgramAround {
  readonly workspace: Workspace;
  readonly scopeFile?: string | undefined;
  /** Leaves out what only TypeScript finds in expressions. */
  readonly isUntyped?: boolean;
}

/** Reads and checks a file, telling its errors with their frames; throws M5002 when it has some. */
export async function openProgram(file: string, around: ProgramAround): Promise<OpenedProgram> {
  return await openText(readProgram(file), around);
}

/** The same for a program whose text is at hand. */
export async function openText(placed: PlacedSource, of: ProgramAround): Promise<OpenedProgram> {
  const { source, path, folder } = placed;
  const toCheck: SourceToCheck = of.isUntyped
    ? { ...placed, types: "named" }
    : { ...placed, types: "checked", scopeFile: of.scopeFile };
  const first = await checkSource(
    toCheck.scopeFile === undefined ? { ...toCheck, options: withoutScope() } : toCheck,
  );
  const wrong = first.diagnostics.filter(({ code }) => !NEED_SCOPE.includes(code));
  if (wrong.some(isError)) throw refused(source, wrong);
  const scope = await loadScope({ ...placed, ...of });
  const options = scopes.offeredBy(scope);
  const { graphs, diagnostics: found } = await checkSource({ ...toCheck, options });
  const diagnostics =
    of.scopeFile === undefined ? found.map((one) => inWordsOf(first.diagnostics, one)) : found;
  if (diagnostics.some(isError)) throw refused(source, diagnostics);
  const scopeFile = of.scopeFile === undefined ? {} : { scopeFile: resolve(of.scopeFile) };
  const text = folder === undefined ? {} : { folder };
  return { source, path, scope, graphs, diagnostics, ...scopeFile, ...text };
}

/**
 * Returns the warning that `check` gives without a scope file in the place of the finding, with the
 * finding's severity.
 */
function inWordsOf(warned: readonly Diagnostic[], found: Diagnostic): Diagnostic {
  const { code, line, column, severity } = found;
  if (!NEED_SCOPE.includes(code)) return found;
  const same = warned.find(
    (one) => one.code === code && one.line === line && one.column === column,
  );
  return { ...(same ?? found), severity };
}

function refused(source: Source, diagnostics: readonly Diagnostic[]): CommandError {
  tellFrames(diagnostics, source);
  const [first] = diagnostics.filter(isError);
  const { file } = source;
  return new CommandError("M5002", `\`${file}\` can't run: ${first?.code} ${first?.message}`, {
    hint: `\`madrigal check ${file}\` shows all that is wrong with it`,
    ...(first === undefined ? {} : { place: { file, line: first.line, column: first.column } }),
    exitCode: EXIT.wrong,
    isTold: true,
  });
}

/** The graph of this name; without a name the only one, or the one that the file is called after. */
export function chooseGraph(
  { source, graphs }: Pick<OpenedProgram, "source" | "graphs">,
  name: string | undefined,
): Ir {
  const [only] = graphs;
  if (only === undefined) {
    throw new CommandError("M7203", `there is no graph in \`${source.file}\``, {
      hint: "a program has at least one `graph NAME { … }`",
      place: { file: source.file },
      exitCode: EXIT.wrong,
    });
  }
  const names = graphs.map((ir) => ir.name);
  const namesake = graphs.find((ir) => plainName(ir.name) === plainName(fileName(source.file)));
  if (name === undefined && namesake !== undefined) return namesake;
  if (name === undefined && graphs.length > 1) {
    throw new CommandError("M5003", `\`${source.file}\` has ${graphs.length} graphs`, {
      hint: `name one of them behind the file, as in \`${source.file} ${names[0]}\`: ${names.join(", ")}`,
    });
  }
  const found = name === undefined ? only : graphs.find((ir) => ir.name === name);
  if (found !== undefined) return found;
  const meant = nearest(name ?? "", names);
  throw new CommandError("M5003", `\`${source.file}\` has no graph \`${name}\``, {
    hint: meant === undefined ? `it has ${names.join(", ")}` : `did you mean \`${meant}\`?`,
  });
}

function fileName(path: string): string {
  return basename(path).replace(/\.madrigal$/, "");
}

/** `map-reduce` and `MapReduce` are one name. */
function plainName(name: string): string {
  return name.replaceAll(/[-_ ]/g, "").toLowerCase();
}

/** Tells what is doubtful in a graph that is to run, or around all graphs of its file. */
export function tellWarnings(program: OpenedProgram, ir: Ir): void {
  const { source, diagnostics } = program;
  const others = parse(source)
    .ast.items.filter((item) => item.kind === "graph")
    .filter(({ name }) => name.text !== ir.name);
  const isElsewhere = (place: Diagnostic) => others.some(({ span }) => isIn(source, span, place));
  tellFrames(
    diagnostics.filter((diagnostic) => !isElsewhere(diagnostic)),
    source,
  );
  const folder = folderWithoutDocuments(program.scope, ir);
  if (folder === undefined) return;
  tell(`warning[M7209]: there are no documents in ${folder}
  hint: MADRIGAL_DOCS names the folder to read, one like node_modules with a README per package`);
}

function isIn(source: Source, { start, end }: Span, place: LinePosition): boolean {
  return !isBefore(place, positionAt(source, start)) && isBefore(place, positionAt(source, end));
}

function isBefore(a: LinePosition, b: LinePosition): boolean {
  return a.line === b.line ? a.column < b.column : a.line < b.line;
}

/** The graph as the session runs it; where it comes from is stored with its runs. */
export function linkGraph(session: Session, program: OpenedProgram, ir: Ir): Graph {
  const { scope, path, folder, scopeFile } = program;
  return session.graph(ir, {
    scope,
    ...(folder === undefined ? { file: path } : { folder }),
    ...(scopeFile === undefined ? {} : { scopeFile }),
  });
}
