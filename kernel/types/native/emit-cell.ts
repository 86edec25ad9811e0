/** Emits a cell that was checked elsewhere: a program of its text and the declarations before it alone, without any library. */
import type ts from "typescript-6";
import type { CellFacts } from "../cells/cell-names.ts";
import { rewriteCell } from "../cells/rewrite-cell.ts";
import { createAloneProgram } from "./alone-program.ts";

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
  const { program, file, around } = createAloneProgram(compiler, {
    text,
    around: earlier,
    options,
  });
  const facts: CellFacts = { imports: [] };
  let module = "";
  const write = (_name: string, written: string) => {
    module = written;
  };
  const checker = program.getTypeChecker();
  program.emit(file, write, undefined, false, {
    after: [rewriteCell({ compiler, checker, earlier: around, facts })],
  });
  return { ...facts, module };
}
