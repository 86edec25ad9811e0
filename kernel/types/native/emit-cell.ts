/** Emits a cell that was checked elsewhere: a program of its text and the declarations before it alone, without any library. */
import type ts from "typescript-6";
import type { CellFacts } from "../cells/cell-names.ts";
import { rewriteCell } from "../cells/rewrite-cell.ts";

const CELL = "/__tslab__.ts";
const BEFORE = "/__prev__.d.ts";

/** The emitted cell. */
export interface EmittedModule extends CellFacts {
  /** An ES module with its source map inline, behind one line. */
  readonly module: string;
}

/** As in the converter, whose options it shares: what stands in a cell is found by its name, types or not. */
export function emitModule(
  compiler: typeof ts,
  { text, earlier, options }: { text: string; earlier: string; options: ts.CompilerOptions },
): EmittedModule {
  const target = compiler.ScriptTarget.Latest;
  const parse = (name: string, written: string) =>
    compiler.createSourceFile(name, `export {};\n${written}`, target);
  const cell = parse(CELL, text);
  const before = parse(BEFORE, earlier);
  const files = new Map([cell, before].map((file) => [file.fileName, file]));
  const host: ts.CompilerHost = {
    getSourceFile: (name) => files.get(name),
    getDefaultLibFileName: () => "/lib.d.ts",
    writeFile: () => undefined,
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    fileExists: (name) => files.has(name),
    readFile: () => undefined,
  };
  const program = compiler.createProgram([CELL, BEFORE], { ...options, ...ALONE }, host);
  const facts: CellFacts = { imports: [] };
  let module = "";
  const checker = program.getTypeChecker();
  // The names of earlier cells are those around this one: the checker looks for a name in the parents of a node.
  Object.assign(cell, { parent: before });
  const write = (_name: string, written: string) => {
    module = written;
  };
  program.emit(cell, write, undefined, false, {
    after: [rewriteCell({ compiler, checker, earlier: before, facts })],
  });
  return { ...facts, module };
}

const ALONE: ts.CompilerOptions = {
  noLib: true,
  noResolve: true,
  types: [],
  typeRoots: [],
  paths: {},
};
