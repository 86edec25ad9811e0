/** Checks a cell of graphs against what cells have declared so far. */
import { join } from "node:path";
import {
  check,
  type Diagnostic,
  type Framed,
  type Ir,
  positionAt,
  type Source,
  type TestIr,
} from "../../../dsl/index.ts";
import { Graph, type Scope, scopes } from "../../../runtime/index.ts";
import { CommandError } from "../../command-error.ts";
import { builtInScope, loadImports } from "../../programs/load-scope.ts";
import type { FindSignatures } from "../../programs/program-tools.ts";
import { programsBeside } from "../../programs/programs-beside.ts";
import { toolsInText } from "../../types/named/asked-tools.ts";
import { apiTypes } from "../../types/named/offered-types.ts";
import { type ProgramNames, readNames } from "../../types/named/program-names.ts";
import type { CellText, ResolvedType } from "../../types/service.ts";
import { magicOf } from "../magics/magic-table.ts";
import { readMagic } from "../magics/read-magic.ts";
import { type AtWork, WrongText } from "../notebook.ts";
import { framesOutput } from "../output/frame-output.ts";
import { classify, graphText } from "./classify.ts";
import { learnSignatures } from "./notebook-tools.ts";

/**
 * Returns the code and the message of the error that a cell of graphs which has run would fail with
 * now; undefined if it would not fail.
 */
export async function graphFault(
  { name, code }: CellText,
  at: AtWork,
): Promise<string | undefined> {
  try {
    await checkGraphCell({ file: name, text: withoutMagic(name, code) }, at);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof WrongText)) throw thrown;
    return `${thrown.output.ename} ${thrown.output.evalue}`;
  }
}

/**
 * Returns the text with spaces in place of the magic line, so that each offset stays that of the
 * cell.
 */
export function withoutMagic(file: string, code: string): string {
  const { options } = classify(code);
  const magic = magicOf("%%graph");
  if (options !== "" && magic !== undefined)
    readMagic({ file, text: code }, magic, code.indexOf("%%graph"));
  return graphText(code);
}

/** The graphs, tests and scope of a cell without an error. */
export interface CheckedCell {
  readonly graphs: readonly Ir[];
  readonly tests: readonly TestIr[];
  readonly names: ProgramNames;
  /** The types of TypeScript that the text names. */
  readonly types: readonly ResolvedType[];
  /** The types of the APIs that it declares. */
  readonly apis: Readonly<Record<string, string>>;
  readonly scope: Scope;
  /** The values of the scope that the text imports. */
  readonly imported: Scope;
  readonly warnings: readonly Diagnostic[];
}

/** The codes of findings that TypeScript can refute: an unknown tool, an unknown function. */
const NEED_SCOPE: readonly string[] = ["M2106", "M2107"];

/** Throws a frame at the first error; warnings are told by the caller. */
export async function checkGraphCell(
  source: Source,
  { cell, notebook }: AtWork,
): Promise<CheckedCell> {
  const { signal } = cell;
  const names = readNames(source);
  const types = await cell.orCancelled(notebook.parts.types().typesOf(names, { signal }));
  const graphs = earlierGraphs(notebook);
  const { open: programs, apis, skills } = programsBeside({ source, path: cellPath() });
  const first = check(source, { programs, apis, skills, types, graphs }).diagnostics;
  refuseErrors(
    source,
    first.filter(({ code }) => !NEED_SCOPE.includes(code)),
  );
  const { scope, imported } = await cell.orCancelled(scopeOf(source, notebook));
  const offered = scopes.offeredBy(scope);
  const options = { programs, apis, skills, ...offered, types, graphs };
  const checked = check(source, options);
  refuseErrors(source, checked.diagnostics);
  const warnings = checked.diagnostics.map((one) => ({
    ...one,
    severity: AS_WARNING[one.severity],
  }));
  const typed = { types, apis: apiTypes(checked.graphs, apis) };
  return {
    graphs: checked.graphs,
    tests: checked.tests,
    names,
    ...typed,
    scope,
    imported,
    warnings,
  };
}

const AS_WARNING = { error: "warning", warning: "warning", info: "info" } as const;

/** Returns the graphs of earlier cells, which tests of this cell may run. */
function earlierGraphs({ names }: AtWork["notebook"]): readonly Ir[] {
  return Object.values(names).flatMap((value) => (value instanceof Graph ? [value.ir] : []));
}

/**
 * Returns the scope of a text: its own imports go before what cells declared, and that before
 * built-in names.
 */
async function scopeOf(
  source: Source,
  notebook: AtWork["notebook"],
): Promise<Pick<CheckedCell, "scope" | "imported">> {
  const { names, parts } = notebook;
  const { workspace } = parts.session();
  const signatures: FindSignatures = async (_, asked) => await parts.types().signaturesOf(asked);
  const request = { source, path: cellPath(), workspace, signatures };
  const imported = await refuseWrongImports(source, loadImports(request));
  const declared = toolsInText(source).filter(([head = ""]) => Object.hasOwn(names, head));
  const asked = declared.map((path) => ({ name: path.join("."), path }));
  learnSignatures(notebook, asked.length === 0 ? [] : await parts.types().signaturesOf(asked));
  const own = scopes.layeredScope(names, imported);
  return { scope: scopes.scopeOverBuiltIn(builtInScope(request), own), imported };
}

/** Awaits what a text imports; throws the frame of an import that is wrong. */
export async function refuseWrongImports<T>(source: Source, imported: Promise<T>): Promise<T> {
  try {
    return await imported;
  } catch (thrown) {
    throw thrown instanceof CommandError ? wrongImport(thrown, source) : thrown;
  }
}

/** A cell stands in the working folder. */
export function cellPath(): string {
  return join(process.cwd(), "cell.madrigal");
}

function wrongImport(error: CommandError, source: Source): WrongText {
  const { code, message, hint, place } = error;
  const { line = 1, column = 1 } = place ?? {};
  const lines = source.text.split("\n");
  const end = positionAt(source, lines.slice(0, line).join("\n").length);
  const framed: Framed = {
    code,
    severity: "error",
    message,
    file: source.file,
    line,
    column,
    endLine: line,
    endColumn: end.column,
    ...(hint === undefined ? {} : { hint }),
  };
  return new WrongText(framesOutput([framed], source));
}

/** Throws the frames of all errors, if there are some. */
export function refuseErrors(source: Source, diagnostics: readonly Diagnostic[]): void {
  const [first, ...others] = diagnostics.filter(({ severity }) => severity === "error");
  if (first !== undefined) throw new WrongText(framesOutput([first, ...others], source));
}
