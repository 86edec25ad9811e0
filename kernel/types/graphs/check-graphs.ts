import {
  type Diagnostic,
  type Finding,
  positionAt,
  type Source,
  type Span,
  sortDiagnostics,
} from "../../../dsl/index.ts";
import type { TextDiagnostic } from "../cell-program.ts";
import type { CellTypes } from "../create-service.ts";
import type { GraphCell } from "../service.ts";
import { explain } from "./explain.ts";
import { causesOf, contextAt, type MappedText, placeOf, sectionOf } from "./mapped-text.ts";
import { writeProgram } from "./write-program.ts";
import { publicText } from "./write-public.ts";

/** Checks graphs against the types of all cells so far, and declares them unless something is wrong. */
export function checkGraphs(cell: GraphCell, types: CellTypes): readonly Diagnostic[] {
  const text = writeProgram(cell.graphs, cell.source);
  const { diagnostics } = types.program.analyze(text.text, types.known);
  const found = diagnostics.flatMap((diagnostic) => {
    const causes = causesOf(text, diagnostic.start);
    return toFindings(diagnostic, text, diagnostics).map((finding) => ({ finding, causes }));
  });
  const findings = found
    .filter(({ causes }) => !causes.some((cause) => found.some((one) => isIn(one.finding, cause))))
    .map(({ finding }) => finding);
  if (findings.length === 0) types.declare(publicText(cell.graphs));
  return sortDiagnostics(distinct(findings).map((one) => toDiagnostic(cell.source, one)));
}

function isIn({ span }: Finding, outer: Span): boolean {
  return outer.start <= span.start && span.end <= outer.end;
}

function toFindings(
  diagnostic: TextDiagnostic,
  text: MappedText,
  all: readonly TextDiagnostic[],
): readonly Finding[] {
  const place = placeOf(text, diagnostic.start, diagnostic.length);
  if (place === "echo") return [];
  if (place === undefined) return [unplaced(diagnostic, sectionOf(text, diagnostic.start))];
  if (lacksContextOnly(diagnostic, place.span, text, all)) return [];
  return [explain(diagnostic, place.purpose, place.span)];
}

const WRONG_COUNT = /^Expected (?:at least )?(\d+).* arguments?, but got (\d+)/;

/** The engine adds its context to the arguments of a `run` node: one too few is right if that is what is missing. */
function lacksContextOnly(
  { message }: TextDiagnostic,
  callee: Span,
  text: MappedText,
  all: readonly TextDiagnostic[],
): boolean {
  const [, expected, got] = WRONG_COUNT.exec(message) ?? [];
  if (expected === undefined || Number(expected) !== Number(got) + 1) return false;
  const isCallee = (span: Span | undefined) => span?.start === callee.start;
  const isCalled = text.segments.some((one) => one.purpose === "context" && isCallee(one.span));
  return isCalled && !all.some(({ start }) => isCallee(contextAt(text, start)));
}

function unplaced({ code, message }: TextDiagnostic, name: Span | undefined): Finding {
  return {
    code: "M9000",
    message: `TS${code} in the check of this graph: ${message}`,
    span: name ?? { start: 0, end: 0 },
  };
}

/** A clause of `defaults` is checked in each node that it comes to, and is wrong once. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  const keyed = findings.map(
    (one) => [`${one.code} ${one.span.start} ${one.span.end}`, one] as const,
  );
  return [...new Map([...keyed].reverse()).values()];
}

function toDiagnostic(source: Source, { code, message, hint, span }: Finding): Diagnostic {
  const start = positionAt(source, span.start);
  const end = positionAt(source, span.end);
  return {
    code,
    severity: "error",
    message,
    ...(hint === undefined ? {} : { hint }),
    file: source.file,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
  };
}
