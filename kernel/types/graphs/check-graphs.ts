/** Checks the expressions of graphs with TypeScript. */
import {
  type Diagnostic,
  type Finding,
  positionAt,
  type Source,
  type Span,
  sortDiagnostics,
} from "../../../dsl/index.ts";
import type { TextDiagnostic } from "../compiler/errors-of.ts";
import type { GraphsToCheck } from "../service.ts";
import { explain } from "./explain.ts";
import {
  causesOf,
  findPlaceInGraph,
  literalAt,
  type MappedText,
  sectionOf,
  trialsIn,
} from "./generator/mapped-text.ts";
import { writeProgram } from "./generator/write-program.ts";
import { publicText } from "./generator/write-public.ts";

export interface TypedGraphCheck {
  readonly diagnostics: readonly Diagnostic[];
  /** The declarations of the graphs for later cells, if the graphs have no error. */
  readonly declarations: string;
}

/** Checks the expressions of graphs by the TypeScript that is made of them. */
export function checkGraphs(cell: GraphsToCheck, by: TextAnalyzer): TypedGraphCheck {
  const { graphs, types = [], source } = cell;
  const isLarge = graphs.some(({ nodes }) => nodes.length >= LARGE_NODES_MIN);
  const isRight = isLarge && findingsIn(writeProgram(cell, true), by).length === 0;
  const findings = isRight ? [] : findingsIn(writeProgram(cell), by);
  return {
    diagnostics: sortDiagnostics(distinct(findings).map((one) => toDiagnostic(source, one))),
    declarations: findings.length === 0 ? publicText({ graphs, types }) : "",
  };
}

interface TextAnalyzer {
  analyze(text: string): readonly TextDiagnostic[];
}

/** Most large graphs are right, and many of their nodes read the same: two looks at one that is wrong cost less. */
const LARGE_NODES_MIN = 200;

function findingsIn(text: MappedText, { analyze }: TextAnalyzer): readonly Finding[] {
  const diagnostics = analyze(text.text);
  const lacking = lackingContextOnly(text, diagnostics);
  const found = diagnostics.flatMap((diagnostic) => {
    const causes = causesOf(text, diagnostic.start);
    return toFindings(diagnostic, text, lacking).map((finding) => ({ finding, causes }));
  });
  return found
    .filter(({ causes }) => !causes.some((cause) => found.some((one) => isIn(one.finding, cause))))
    .map(({ finding }) => finding);
}

function isIn({ span }: Finding, outer: Span): boolean {
  return outer.start <= span.start && span.end <= outer.end;
}

function toFindings(
  diagnostic: TextDiagnostic,
  text: MappedText,
  lacking: ReadonlySet<number>,
): readonly Finding[] {
  if (diagnostic.code === BY_REFERENCE) return [];
  const place = findPlaceInGraph(text, diagnostic.start, diagnostic.length);
  if (place === "echo") return [];
  if (place === undefined && TOLD_AT_IMPORT.has(diagnostic.code)) return [];
  if (place === undefined) return [unplaced(diagnostic, sectionOf(text, diagnostic.start))];
  if (isOneTooFew(diagnostic) && lacking.has(place.span.start)) return [];
  const literal = literalAt(text, diagnostic.start, diagnostic.length);
  if (diagnostic.code === NO_OVERLAP && literal !== undefined)
    return [explain(diagnostic, { ...place, purpose: "comparison", span: literal })];
  const wanted = wantedAt(text, diagnostic.start);
  return [explain(diagnostic, { ...place, wanted })];
}

/** The type that the check around a place is for, as it is written: TypeScript shows it taken apart. */
function wantedAt({ text }: MappedText, start: number): string | undefined {
  const line = text.slice(text.lastIndexOf("\n", start) + 1, start);
  const [, wanted] = /^\$is<(.*)>\($/.exec(line) ?? [];
  if (wanted?.includes("$graph_") === true) return undefined;
  return wanted
    ?.replace(/^\$Item<(.*)>$/, "$1")
    .replace(/^\$([A-Z]\w*)$/, "$1")
    .replaceAll(/import\("[^"]*"\)\./g, "");
}

/** No such module, no such type in it, and no types for it: a graph's types name modules that its own program imports. */
const TOLD_AT_IMPORT: ReadonlySet<number> = new Set([2307, 2694, 7016]);

/** "Objects are compared by reference": in the language, by what they hold. */
const BY_REFERENCE = 2839;

const NO_OVERLAP = 2367;

const WRONG_COUNT = /^Expected (?:at least )?(\d+).* arguments?, but got (\d+)/;

function isOneTooFew({ message }: TextDiagnostic): boolean {
  const [, expected, got] = WRONG_COUNT.exec(message) ?? [];
  return expected !== undefined && Number(expected) === Number(got) + 1;
}

/**
 * Returns the starts of the callees that accept the context which the engine adds to the arguments of a `run` node: there
 * one argument too few is right.
 */
function lackingContextOnly(
  text: MappedText,
  diagnostics: readonly TextDiagnostic[],
): ReadonlySet<number> {
  const trials = trialsIn(text);
  const refused = new Set(diagnostics.map(({ start }) => trials.get(start)?.start));
  const callees = [...trials.values()].map(({ start }) => start);
  return new Set(callees.filter((start) => !refused.has(start)));
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
    ...(typeof hint === "string" ? { hint } : {}),
    file: source.file,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
  };
}
