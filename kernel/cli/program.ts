/** From a file to a graph that can run: text, TypeScript, checks, the graph that was meant. */
import { resolve } from "node:path";
import {
  type Diagnostic,
  type Ir,
  nearest,
  type Position,
  parse,
  positionAt,
  type Source,
  type Span,
} from "../../dsl/index.ts";
import {
  type Graph,
  offeredNames,
  type Scope,
  type Session,
  toolEffects,
  type Workspace,
} from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { checkSource } from "../programs/check-source.ts";
import { folderWithoutDocuments } from "../programs/documents.ts";
import { loadScope } from "../programs/load-scope.ts";
import { readSource } from "../programs/read-source.ts";
import { isError, tellFrames } from "./frames.ts";
import { tell } from "./output.ts";

/** A file that checked without an error, with the TypeScript around it. */
export interface Program {
  readonly source: Source;
  readonly path: string;
  readonly scope: Scope;
  readonly scopeFile?: string;
  readonly graphs: readonly Ir[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What only the scope can tell: an unknown tool, an unknown function. */
const NEED_SCOPE: readonly string[] = ["M2106", "M2107"];

/** Reads and checks a file, telling its errors with their frames; throws M5002 when it has some. */
export async function openProgram(
  file: string,
  of: { readonly workspace: Workspace; readonly scopeFile?: string | undefined },
): Promise<Program> {
  const source = readSource(file);
  const path = resolve(file);
  const toCheck = { source, path, types: "asked" } as const;
  const syntax = await checkSource(toCheck);
  const wrong = syntax.diagnostics.filter(({ code }) => !NEED_SCOPE.includes(code));
  if (wrong.some(isError)) throw refused(source, wrong);
  const scope = await loadScope({ source, path, ...of });
  const options = { scope: offeredNames(scope), effects: toolEffects(scope) };
  const { diagnostics, graphs } = await checkSource({ ...toCheck, options });
  if (diagnostics.some(isError)) throw refused(source, diagnostics);
  const scopeFile = of.scopeFile === undefined ? {} : { scopeFile: resolve(of.scopeFile) };
  return { source, path, scope, graphs, diagnostics, ...scopeFile };
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

/** The graph of this name; the only one without a name. */
export function chooseGraph(
  { source, graphs }: Pick<Program, "source" | "graphs">,
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
  if (name === undefined && graphs.length > 1) {
    throw new CommandError("M5003", `\`${source.file}\` has ${graphs.length} graphs`, {
      hint: `say which one: ${names.join(", ")}`,
    });
  }
  const found = name === undefined ? only : graphs.find((ir) => ir.name === name);
  if (found !== undefined) return found;
  const meant = nearest(name ?? "", names);
  throw new CommandError("M5003", `\`${source.file}\` has no graph \`${name}\``, {
    hint: meant === undefined ? `it has ${names.join(", ")}` : `did you mean \`${meant}\`?`,
  });
}

/** Tells what is doubtful in a graph that is to run, or around all graphs of its file. */
export function tellWarnings(program: Program, ir: Ir): void {
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

function isIn(source: Source, { start, end }: Span, place: Position): boolean {
  return !isBefore(place, positionAt(source, start)) && isBefore(place, positionAt(source, end));
}

function isBefore(a: Position, b: Position): boolean {
  return a.line === b.line ? a.column < b.column : a.line < b.line;
}

/** The graph as the session runs it; where it comes from is stored with its runs. */
export function linkGraph(session: Session, program: Program, ir: Ir): Graph {
  const { scope, path, scopeFile } = program;
  return session.graph(ir, {
    scope,
    file: path,
    ...(scopeFile === undefined ? {} : { scopeFile }),
  });
}
