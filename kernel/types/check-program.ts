/** What TypeScript says about a file of graphs, outside of a notebook. */
import type { Diagnostic, Ir, Source, TestIr } from "../../dsl/index.ts";
import { createFileProgram } from "./file-program.ts";
import { checkGraphs } from "./graphs/check-graphs.ts";
import { askedTypes, importsTypeScript, namesInProgram } from "./named/asked-types.ts";
import { queryText, resolveTypes } from "./named/resolve-types.ts";
import type { ResolvedType } from "./service.ts";

/** A program's text, and where it stands. */
export interface ProgramFile {
  readonly source: Source;
  /** Absolute. */
  readonly path: string;
}

export interface CheckedTypes {
  readonly graphs: readonly Ir[];
  readonly tests: readonly TestIr[];
  /** What `typesOf` found. */
  readonly types: readonly ResolvedType[];
}

/** The types of programs; one compiler for all that a process asks. */
export interface ProgramTypes {
  /** The types that the text names and TypeScript declares, for `check` of the language. */
  typesOf(program: ProgramFile): readonly ResolvedType[];
  /** What is wrong with the expressions of checked graphs. */
  check(program: ProgramFile, checked: CheckedTypes): readonly Diagnostic[];
}

/** Loads the compiler. */
export function openProgramTypes(): ProgramTypes {
  const files = createFileProgram();
  return {
    typesOf: ({ source, path }) => {
      const asked = askedTypes(source);
      if (asked.length === 0) return [];
      const text = { path, text: queryText(asked), withNode: importsTypeScript(source) };
      const found = files.look(text, (program, file) =>
        resolveTypes(asked, files.compiler, { program, file, taken: namesInProgram(source) }),
      );
      return found ?? [];
    },
    check: ({ source, path }, { graphs, tests, types }) => {
      const withNode = importsTypeScript(source);
      return checkGraphs(
        { source, graphs, tests, types, isOpen: true },
        { analyze: (text) => files.analyze({ path, text, withNode }) },
      ).diagnostics;
    },
  };
}
