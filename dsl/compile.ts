import { checkFile } from "./check/check-file.ts";
import { tooDeep } from "./check/depth.ts";
import { type Diagnostic, type Finding, sortDiagnostics, toDiagnostic } from "./diagnostic.ts";
import type { Ir } from "./ir.ts";
import type { Source } from "./source.ts";
import { parse } from "./syntax/parse.ts";

export interface CheckOptions {
  /**
   * What TypeScript offers: tools, functions, values; `docs.read` makes `docs.read` and `docs` known. Where it is
   * absent, nobody can know, and an unknown tool or function is taken to exist.
   */
  readonly scope?: readonly string[] | undefined;
  /** Passes what the engine does not run yet (M4900): for tools that only look at the graph. */
  readonly allowNotYet?: boolean | undefined;
}

export interface Checked {
  readonly diagnostics: Diagnostic[];
  /** The graphs without an error, in the order of the text. */
  readonly graphs: Ir[];
}

/** Turns a text into graphs that can run, and says all that is wrong with it. Never throws. */
export function check(source: Source, options: CheckOptions = {}): Checked {
  const { ast, findings } = parse(source);
  const deep = tooDeep(ast);
  if (deep !== undefined)
    return { diagnostics: toDiagnostics(source, [...findings, deep]), graphs: [] };
  const checked = checkFile({ ast, source, syntax: findings, ...options });
  return {
    diagnostics: toDiagnostics(source, [...findings, ...checked.findings]),
    graphs: [...checked.graphs],
  };
}

function toDiagnostics(source: Source, findings: readonly Finding[]): Diagnostic[] {
  return sortDiagnostics(findings.map((finding) => toDiagnostic(source, finding)));
}
