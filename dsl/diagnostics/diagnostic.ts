/** Findings by offset, and diagnostics by line and column. */
import type { Code } from "../codes.ts";
import { once } from "../once.ts";
import { positionAt, type Source, type Span } from "./source.ts";

/** A finding of a pass, with its place as an offset; `toDiagnostic` adds line and column. */
export interface Finding {
  readonly code: Code;
  readonly severity?: "error" | "warning" | "info";
  readonly message: string;
  readonly span: Span;
  /** A function where a hint takes long to find: it is asked when somebody reads the hint. */
  readonly hint?: string | (() => string | undefined) | undefined;
  readonly related?: readonly { readonly span: Span; readonly message: string }[];
  /** Related places in other files. */
  readonly relatedInFiles?: readonly Related[];
}

/** One thing said about a text. Lines and columns from 1, columns in UTF-16 units, end exclusive. */
export interface Diagnostic {
  readonly code: Code;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly hint?: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly related?: readonly Related[];
}

export interface Related {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export function toDiagnostic(source: Source, finding: Finding): Diagnostic {
  const start = positionAt(source, finding.span.start);
  const end = positionAt(source, finding.span.end);
  const here = (finding.related ?? []).map(({ span, message }) => ({
    file: source.file,
    ...positionAt(source, span.start),
    message,
  }));
  const related = [...here, ...(finding.relatedInFiles ?? [])];
  const { hint } = finding;
  const diagnostic: Diagnostic = {
    code: finding.code,
    severity: finding.severity ?? "error",
    message: finding.message,
    ...(hint === undefined ? {} : { hint: typeof hint === "string" ? hint : "" }),
    file: source.file,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
    ...(related.length === 0 ? {} : { related }),
  };
  if (typeof hint === "function")
    Object.defineProperty(diagnostic, "hint", { get: once(hint), enumerable: true });
  return diagnostic;
}

/** The first `localeCompare` of a process loads data for some milliseconds; most lists are of one file. */
function compareFiles({ file }: Diagnostic, other: Diagnostic): number {
  return file === other.file ? 0 : file.localeCompare(other.file);
}

/** Returns the diagnostics by file, line and column, as a person reads them. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) => compareFiles(a, b) || a.line - b.line || a.column - b.column,
  );
}
