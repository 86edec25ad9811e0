import type { Finding } from "../diagnostic.ts";
import type { Ir } from "../ir.ts";
import { lowerGraph } from "../lower/lower-graph.ts";
import type { Source, Span } from "../source.ts";
import { type FileSymbols, fileSymbols, graphSymbols } from "../symbols.ts";
import type { FileAst, GraphDecl } from "../syntax/ast.ts";
import { checkGraph, hidesUse } from "./check-graph.ts";
import { withoutConsequences } from "./consequences.ts";
import { checkDeclarations } from "./declarations.ts";
import { duplicatesInFile } from "./duplicates.ts";
import { notYetInFile, notYetInGraph } from "./not-yet.ts";
import { checkTests } from "./tests.ts";
import { unusedInFile } from "./unused.ts";

/** A parsed text and what is known about its surroundings. */
export interface FileToCheck {
  readonly ast: FileAst;
  readonly source: Source;
  /** What the parser found. */
  readonly syntax: readonly Finding[];
  readonly scope?: readonly string[] | undefined;
  readonly allowNotYet?: boolean | undefined;
}

export interface CheckedFile {
  readonly findings: readonly Finding[];
  readonly graphs: readonly Ir[];
}

/** Checks a file: its declarations, each graph, its tests, and what nothing uses. */
export function checkFile(input: FileToCheck): CheckedFile {
  const { ast, syntax } = input;
  const file = symbolsOf(input);
  const outside = withoutConsequences(
    [...duplicatesInFile(ast), ...checkDeclarations(ast, file)],
    input,
  );
  const graphs = ast.items
    .filter((item) => item.kind === "graph")
    .map((graph) => checkOneGraph(graph, file, input));
  const tests = [
    ...checkTests(ast, file),
    ...(input.allowNotYet === true ? [] : notYetInFile(ast)),
  ];
  const isFileSound = [...outside, ...outsideGraphs(syntax, ast)].every(
    (finding) => !isError(finding),
  );
  const findings = [...outside, ...graphs.flatMap((graph) => graph.findings), ...tests];
  const isSound = [...findings, ...syntax].every(
    (finding) => !hidesUse(finding) || finding.code === "M4900",
  );
  return {
    findings: isSound
      ? [
          ...findings,
          ...unusedInFile(
            ast,
            graphs.map((graph) => graph.ir),
          ),
        ]
      : findings,
    graphs: isFileSound ? soundGraphs(graphs, file) : [],
  };
}

/** What could not be read may use any import. */
function symbolsOf({ ast, scope, syntax }: FileToCheck): FileSymbols {
  const file = fileSymbols(ast, scope);
  return syntax.length === 0 ? file : { ...file, idleImports: [] };
}

interface CheckedGraph {
  readonly graph: GraphDecl;
  readonly ir: Ir;
  readonly findings: readonly Finding[];
  readonly isSound: boolean;
}

function checkOneGraph(graph: GraphDecl, file: FileSymbols, input: FileToCheck): CheckedGraph {
  const symbols = graphSymbols(file, graph);
  const broken = input.syntax.filter((finding) => isInside(finding.span, graph.span));
  const ir = lowerGraph(symbols, input.source);
  const checked = withoutConsequences(
    checkGraph(symbols, ir, { isBroken: broken.length > 0 }),
    input,
    graph,
  );
  const notYet = input.allowNotYet === true ? [] : notYetInGraph(ir, symbols);
  // A call of what nobody offers is wrong, whether calls run or not.
  const isUnknown = ({ span }: Finding) =>
    checked.some(({ code, span: { start } }) => code === "M2106" && start === span.start);
  const findings = [...checked, ...notYet.filter((finding) => !isUnknown(finding))];
  return {
    graph,
    ir,
    findings,
    isSound: [...findings, ...broken].every((finding) => !isError(finding)),
  };
}

/** Of two graphs of one name the first is meant. */
function soundGraphs(graphs: readonly CheckedGraph[], file: FileSymbols): readonly Ir[] {
  return graphs
    .filter(({ graph, isSound }) => isSound && file.graphs.get(graph.name.text) === graph)
    .map(({ ir }) => ir);
}

function outsideGraphs(findings: readonly Finding[], ast: FileAst): readonly Finding[] {
  const inner = ast.items.filter((item) => item.kind === "graph" || item.kind === "test");
  return findings.filter(({ span }) => inner.every((item) => !isInside(span, item.span)));
}

function isInside(span: Span, outer: Span): boolean {
  return span.start >= outer.start && span.start <= outer.end;
}

/** Whether a finding keeps the graph from running. */
export function isError(finding: Finding): boolean {
  return (finding.severity ?? "error") === "error";
}
