/** Makes a program of TypeScript 6 that reads no library: a text and the declarations around it, whose names it knows without their types. */
import type ts from "typescript-6";

const TEXT = "/__tslab__.ts";
const AROUND = "/__prev__.d.ts";

export interface AloneProgram {
  readonly program: ts.Program;
  /** The text behind `PREFIX`. */
  readonly file: ts.SourceFile;
  readonly around: ts.SourceFile;
}

/** Stands before the text, which is a module. */
export const PREFIX = "export {};\n";

export interface AloneTexts {
  readonly text: string;
  /** Declarations whose names stand around the text, as those of earlier cells do. */
  readonly around: string;
  readonly options: ts.CompilerOptions;
  /** Declares what is known everywhere. */
  readonly globals?: ts.SourceFile;
}

export function createAloneProgram(
  compiler: typeof ts,
  { text, around: declared, options, globals }: AloneTexts,
): AloneProgram {
  const parse = (name: string, written: string) =>
    compiler.createSourceFile(name, `${PREFIX}${written}`, compiler.ScriptTarget.Latest);
  const file = parse(TEXT, text);
  const around = parse(AROUND, declared);
  const all = [file, around, ...(globals === undefined ? [] : [globals])];
  const files = new Map(all.map((one) => [one.fileName, one]));
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
  const program = compiler.createProgram([...files.keys()], { ...options, ...ALONE }, host);
  program.getTypeChecker();
  // The checker looks for a name in the parents of a node.
  Object.assign(file, { parent: around });
  return { program, file, around };
}

const ALONE: ts.CompilerOptions = {
  noLib: true,
  noResolve: true,
  types: [],
  typeRoots: [],
  paths: {},
};
