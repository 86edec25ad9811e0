/** Lists the TypeScript imports of the files that the graphs of a text come from. */
import { lowerImport } from "../lower/lower-declarations.ts";
import type { FileSymbols, LinkedProgram } from "../names/symbol-tables.ts";
import { isProgram } from "../vocabulary/library-programs.ts";
import { ofKind } from "./declaration.ts";

export interface ProgramImports {
  /** As `CheckOptions.programs` called it. */
  readonly file: string;
  readonly imports: readonly ScriptImport[];
}

export interface ScriptImport {
  readonly name: string;
  /** The name inside the graphs. */
  readonly as: string;
  readonly from: string;
  /** The file that `from` is meant from: another one where a declaration of that one is used here. */
  readonly file: string;
}

/** Returns the names that TypeScript is to bring for the graphs of one file. */
export function scriptImports(symbols: FileSymbols, file: string): readonly ScriptImport[] {
  const brought = ofKind(symbols.linked.declarations, "import");
  const own = symbols.own.imports.map(lowerImport);
  return [
    ...brought.map(({ item, written }) => ({ name: item.name, as: item.as, ...written })),
    ...own.map(({ name, as, from }) => ({ name, as, file, from })),
  ].filter(({ from }) => !isProgram(from));
}

/** Every other file that is read for this one, each once. */
export function programsOf(symbols: FileSymbols): readonly ProgramImports[] {
  const found = new Map<string, LinkedProgram>();
  const pending = [...symbols.linked.programs];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next.source.file)) continue;
    found.set(next.source.file, next);
    pending.push(...next.symbols.linked.programs);
  }
  return [...found.values()].map((program) => ({
    file: program.source.file,
    imports: scriptImports(program.symbols, program.source.file),
  }));
}
