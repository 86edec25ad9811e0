/** Checks a file of graphs with TypeScript, outside of a notebook. */
import type { Diagnostic, Ir, Source, TestIr } from "../../../dsl/index.ts";
import { checkGraphs } from "../graphs/check-graphs.ts";
import { askedTypes, importsTypeScript, namesInProgram } from "../named/asked-types.ts";
import { calledGroupTypes } from "../named/offered-types.ts";
import type { ProgramNames } from "../named/program-names.ts";
import {
  type AskedTool,
  type FoundSignature,
  readSignatures,
  toolQueryText,
} from "../named/read-signatures.ts";
import { queryText, resolveTypes } from "../named/resolve-types.ts";
import { readScopeNames, type ScopeModule, scopeQueryText } from "../named/scope-module.ts";
import type { ResolvedType } from "../service.ts";
import { createFileProgram, type FileProgram } from "./file-program.ts";
import { keptAnswer } from "./kept-answers.ts";
import { openFileErrors } from "./native-files.ts";

/** A program's text, and where it stands. */
export interface ProgramFile {
  readonly source: Source;
  /** The names of its text. */
  readonly names: ProgramNames;
  /** Absolute. */
  readonly path: string;
}

export interface CheckedTypes {
  readonly graphs: readonly Ir[];
  readonly tests: readonly TestIr[];
  /** The result of `typesOf`. */
  readonly types: readonly ResolvedType[];
  /** The module whose exports the program may name, too. */
  readonly scope?: ScopeModule | undefined;
  /** The types of the APIs that the program declares, by their names. */
  readonly apis?: Readonly<Record<string, string>>;
}

/** The types of programs; one compiler for all that a process asks. */
export interface ProgramTypes {
  /** The types that the text names and TypeScript declares, for `check` of the language. */
  typesOf(program: ProgramFile): readonly ResolvedType[];
  /** Returns the type errors in the expressions of checked graphs. */
  check(program: ProgramFile, checked: CheckedTypes): readonly Diagnostic[];
  /** Returns the exports of the module at `from`, as the scope of the program at `path`. */
  scopeOf(path: string, from: string): ScopeModule;
  /** Returns the signatures of a program's tools. */
  signaturesOf(path: string, asked: readonly AskedTool[]): readonly FoundSignature[];
}

/** The compiler is loaded when something is asked that is not kept (`kept-answers.ts`). */
export function openProgramTypes(): ProgramTypes {
  let opened: FileProgram | undefined;
  const files = () => {
    opened ??= createFileProgram();
    return opened;
  };
  const errorsOf = openFileErrors(files);
  return {
    typesOf: ({ names, path }) => {
      const asked = askedTypes(names);
      if (asked.length === 0) return [];
      const text = { path, text: queryText(asked), withNode: importsTypeScript(names) };
      const taken = namesInProgram(names);
      return keptAnswer({ path, parts: ["types", text.text, text.withNode, [...taken]] }, () => {
        const { compiler, look } = files();
        const answer =
          look(text, (program, file) => resolveTypes(asked, compiler, { program, file, taken })) ??
          [];
        return { answer, files: files().filesRead, isLasting: answer.every(isFound) };
      });
    },
    scopeOf: (path, from) => {
      const names = keptAnswer({ path, parts: ["scope", from] }, () => {
        const { compiler, look } = files();
        const text = { path, text: scopeQueryText(from), withNode: true };
        const answer =
          look(text, (program, file) => readScopeNames(compiler, { program, file })) ?? [];
        return { answer, files: files().filesRead, isLasting: answer.length > 0 };
      });
      return { from, names };
    },
    signaturesOf: (path, asked) =>
      keptAnswer({ path, parts: ["signatures", asked] }, () => {
        const { compiler, look } = files();
        const text = { path, text: toolQueryText(asked), withNode: true };
        const answer =
          look(text, (program, file) => readSignatures(asked, compiler, { program, file })) ?? [];
        return { answer, files: files().filesRead, isLasting: true };
      }),
    check: ({ source, names, path }, { graphs, tests, types, scope, apis }) => {
      const withNode = scope !== undefined || importsTypeScript(names);
      const analyze = (text: string) =>
        keptAnswer({ path, parts: ["check", text, withNode] }, () => {
          const { errors, filesRead } = errorsOf({ path, text, withNode });
          const isLasting = errors.every(({ code }) => code !== NO_MODULE);
          return { answer: errors, files: filesRead, isLasting };
        });
      const offered = { ...calledGroupTypes(graphs), ...apis };
      const cell = { source, names, graphs, tests, types, scope, offered, isOpen: true };
      return checkGraphs(cell, { analyze }).diagnostics;
    },
  };
}

/** "Cannot find module": it may be there the next time. */
const NO_MODULE = 2307;

function isFound({ type, fault }: ResolvedType): boolean {
  return (
    (fault === undefined || fault.severity === "warning") &&
    !(type.kind === "named" && type.name === "any")
  );
}
