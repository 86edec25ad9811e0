/** Lists the names that may stand at a place, without knowing their types. */
import { type Symbol as NativeSymbol, SymbolFlags } from "typescript/unstable/sync";
import type ts from "typescript-6";
import type { Compiler } from "../../compiler/compiler-internals.ts";
import type { OfferedEntry } from "../../compiler/offered.ts";
import { createAloneProgram, PREFIX } from "../alone-program.ts";
import type { OpenCell } from "../native-compiler.ts";

export interface PlaceInCell {
  readonly code: string;
  readonly offset: number;
  readonly earlier: string;
}

export interface NameInScope extends OfferedEntry {
  readonly isName: true;
}

export type NamesInScope = (cell: OpenCell, at: PlaceInCell) => readonly NameInScope[];

/** TypeScript 6 finds the names, with words of the language, in the cell, the declarations before it, and a list of globals. */
export function openNamesInScope(compiler: Compiler, options: ts.CompilerOptions): NamesInScope {
  let globals: ts.SourceFile | undefined;
  return (cell, { code, offset, earlier }) => {
    globals ??= globalsOf(compiler, cell);
    const texts = { text: code, around: earlier, options, globals };
    const { program, file } = createAloneProgram(compiler, texts);
    const info = compiler.Completions.getCompletionsAtPosition(
      HOST,
      program,
      () => undefined,
      file,
      PREFIX.length + offset,
      {},
      undefined,
      undefined,
      NEVER_CANCELLED,
    );
    return (info?.entries ?? []).map(({ name, kind, sortText }) => ({
      name,
      kind,
      sortText,
      isName: true,
    }));
  };
}

const HOST = {
  getCurrentDirectory: () => "/",
  getCompilationSettings: () => ({}),
  fileExists: () => false,
};

const NEVER_CANCELLED = {
  isCancellationRequested: () => false,
  throwIfCancellationRequested: () => undefined,
};

/** The names that are there without any import, as declarations of their kinds. */
function globalsOf(compiler: typeof ts, { checker, name }: OpenCell): ts.SourceFile {
  const location = { document: name, position: 0 };
  const all = checker.resolveName("globalThis", SymbolFlags.Value, location)?.getExports();
  const names = [...(all?.values() ?? [])].filter((one) => /^[\w$]+$/.test(one.name));
  const text = names.map(declared).join("\n");
  return compiler.createSourceFile("/globals.d.ts", text, compiler.ScriptTarget.Latest);
}

/** A declaration that only has the name and its kind, for a list of names: TypeScript 7 tells the types. */
function declared({ name, flags }: NativeSymbol): string {
  if (name === "undefined" || name === "globalThis") return "";
  const isValue = (flags & SymbolFlags.Value) !== 0;
  if (flags & SymbolFlags.Function) return `declare function ${name}(): void;`;
  if (flags & SymbolFlags.Class) return `declare class ${name} {}`;
  if (flags & SymbolFlags.Module)
    return `declare namespace ${name} { ${isValue ? "const _: any" : "type _ = any"}; }`;
  if (flags & SymbolFlags.TypeAlias) return `type ${name} = any;`;
  const type = flags & SymbolFlags.Type ? `interface ${name} {}` : "";
  return flags & SymbolFlags.Variable ? `declare var ${name}: any; ${type}` : type;
}
