/** Keeps the compiler's program for files of graphs; the TypeScript made of a file is checked beside it. */
import type ts from "typescript-6";
import { compilerOptions, modulesOfFiles } from "../compiler/compiler-options.ts";
import { withoutComments } from "../compiler/documentation.ts";
import { errorsOf, type TextDiagnostic, toTextDiagnostic } from "../compiler/errors-of.ts";
import { loadCompiler } from "../compiler/tslab-converter.ts";
import { type TextBeside, VIRTUAL, virtualName } from "./text-beside.ts";

export interface FileProgram {
  readonly compiler: typeof ts;
  /** The files that the last text needed, without the compiler's own libraries. */
  readonly filesRead: readonly string[];
  analyze(of: TextBeside): readonly TextDiagnostic[];
  look<T>(of: TextBeside, look: (program: ts.Program, file: ts.SourceFile) => T): T | undefined;
}

/** The compiler is loaded here; its libraries are read at the first text, and kept. */
export function createFileProgram(): FileProgram {
  const compiler = loadCompiler();
  const kept = new Map<string, ts.SourceFile>();
  let last: ts.Program | undefined;
  const look: FileProgram["look"] = (of, look) => {
    const virtual = { name: virtualName(of.path), text: `export {};\n${of.text}` };
    const options = optionsFor(compiler, of);
    const host = hostWith(compiler, { options, virtual, kept });
    const program = compiler.createProgram({
      rootNames: [virtual.name],
      options,
      host,
      ...(last === undefined ? {} : { oldProgram: last }),
    });
    last = program;
    const file = program.getSourceFile(virtual.name);
    return file && look(program, file);
  };
  const analyze: FileProgram["analyze"] = (of) =>
    look(of, (program, file) =>
      errorsOf(compiler, program, file).map((one) => inText(toTextDiagnostic(compiler, one))),
    ) ?? [];
  return {
    compiler,
    analyze,
    look,
    get filesRead() {
      return (last?.getSourceFiles() ?? [])
        .filter((file) => last?.isSourceFileDefaultLibrary(file) === false)
        .map(({ fileName }) => fileName)
        .filter((name) => !name.endsWith(VIRTUAL));
    },
  };
}

const PREFIX_LENGTH = "export {};\n".length;

function inText(diagnostic: TextDiagnostic): TextDiagnostic {
  return { ...diagnostic, start: Math.max(0, diagnostic.start - PREFIX_LENGTH) };
}

/**
 * Returns the compiler options of files: those of cells without the imports that load many files;
 * of our package only `tool` is known.
 */
function optionsFor(compiler: typeof ts, { withNode }: TextBeside): ts.CompilerOptions {
  const { inlineSourceMap: _, ...options } = compilerOptions(compiler);
  return {
    ...options,
    noEmit: true,
    types: withNode ? ["node"] : [],
    paths: modulesOfFiles(),
  };
}

interface HostParts {
  readonly options: ts.CompilerOptions;
  readonly virtual: { readonly name: string; readonly text: string };
  /** Files that do not change while we run: the compiler's own libraries, installed packages. */
  readonly kept: Map<string, ts.SourceFile>;
}

function hostWith(compiler: typeof ts, { options, virtual, kept }: HostParts): ts.CompilerHost {
  const base = compiler.createCompilerHost(options);
  const isVirtual = (name: string) => name === virtual.name;
  const read = (name: string, target: ts.ScriptTarget | ts.CreateSourceFileOptions) => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const file = base.getSourceFile(name, target);
    if (file !== undefined && name.includes("/node_modules/")) kept.set(name, file);
    return file;
  };
  return {
    ...base,
    jsDocParsingMode: withoutComments(compiler),
    fileExists: (name) => isVirtual(name) || base.fileExists(name),
    readFile: (name) => (isVirtual(name) ? virtual.text : base.readFile(name)),
    getSourceFile: (name, target) =>
      isVirtual(name) ? compiler.createSourceFile(name, virtual.text, target) : read(name, target),
  };
}
