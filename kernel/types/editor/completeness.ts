/** Tells whether a cell is complete, or how to indent its next line. */
import type ts from "typescript-6";
import { classify } from "../../cells/kinds/classify.ts";
import { completenessOfGraph } from "../graphs/editor/completeness-of-graph.ts";
import type { Completeness } from "../service.ts";

const COMPLETE: Completeness = { status: "complete", indent: "" };

/** Returns whether a console should run the typed text, or wait for more. */
export function completenessOf(code: string, compiler: typeof ts): Completeness {
  const { kind, start } = classify(code);
  switch (kind) {
    case "typescript":
      return completenessOfTypeScript(code, compiler);
    case "graph":
      return completenessOfGraph(code.slice(start));
    case "shell":
    case "python":
    case "magic":
      return COMPLETE;
    case "sql":
      return code.slice(start).trim() === "" ? { status: "incomplete", indent: "" } : COMPLETE;
  }
}

/** Texts that end inside something: a template, a comment. */
const UNTERMINATED: readonly number[] = [1160, 1010];

function completenessOfTypeScript(code: string, compiler: typeof ts): Completeness {
  const { diagnostics = [] } = compiler.transpileModule(code, {
    fileName: "cell.ts",
    reportDiagnostics: true,
    compilerOptions: {
      target: compiler.ScriptTarget.ESNext,
      module: compiler.ModuleKind.ESNext,
      noEmitHelpers: true,
    },
  });
  const syntactic = diagnostics.filter((one) => one.file !== undefined && one.code < 2000);
  if (syntactic.length === 0) return COMPLETE;
  const end = code.trimEnd().length;
  const open = syntactic.some(
    ({ code: number, start = 0 }) => UNTERMINATED.includes(number) || start >= end,
  );
  return open
    ? { status: "incomplete", indent: nextIndent(code) }
    : { status: "invalid", indent: "" };
}

/** The indentation of the last line, and two more behind an opening bracket. */
export function nextIndent(code: string): string {
  const line = code.trimEnd().split("\n").at(-1) ?? "";
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  return /[[({]$/.test(line) ? `${indent}  ` : indent;
}
