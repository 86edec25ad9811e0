/** Runs all checks over a parsed file, stage by stage, and lowers its sound graphs. */
import type { Finding } from "../diagnostics/diagnostic.ts";
import type { Source, Span } from "../diagnostics/source.ts";
import { raisedGraph } from "../imports/raised.ts";
import type { Ir, TypeIr } from "../ir/ir.ts";
import type { TestIr } from "../ir/test-ir.ts";
import { lowerCalls } from "../lower/lower-calls.ts";
import { lowerGraph } from "../lower/lower-graph.ts";
import { lowerTest } from "../lower/lower-tests.ts";
import type {
  CheckedGraph,
  FileSymbols,
  GraphOfTest,
  LinkedImport,
} from "../names/symbol-tables.ts";
import { fileSymbols, graphSymbols, NOWHERE } from "../names/symbols.ts";
import type { FileAst, GraphDecl } from "../syntax/tree/ast.ts";
import { checkGraph, hidesUse } from "./check-graph.ts";
import { CHECKS, type Check } from "./checks.ts";
import { withoutConsequences } from "./consequences.ts";
import type { FileCheck, SoundFile, TestCheck } from "./context.ts";
import type { Surroundings } from "./surroundings.ts";
import { knownGraph } from "./tests/known-graphs.ts";

/** A parsed text and what is known about its surroundings. */
export interface FileToCheck extends Surroundings {
  readonly ast: FileAst;
  readonly source: Source;
  /** The findings of the parser. */
  readonly syntax: readonly Finding[];
  readonly scope?: readonly string[] | undefined;
  readonly isScopeOpen?: boolean | undefined;
  /** Types that the text names and TypeScript declares. */
  readonly types?: readonly { readonly name: string; readonly type: TypeIr }[] | undefined;
  /** The declarations and graphs that the file imports from other programs. */
  readonly linked?: LinkedImport | undefined;
  /** All of them, unless it is to be shown what one of them is good for. */
  readonly checks?: readonly Check[] | undefined;
  /** Graphs that tests may be of, beside those of the text and of its imports. */
  readonly graphs?: readonly Ir[] | undefined;
}

export interface CheckedFile {
  readonly findings: readonly Finding[];
  readonly symbols: FileSymbols;
  /** All of its graphs, whatever is wrong with them. */
  readonly all: readonly CheckedGraph[];
  readonly graphs: readonly Ir[];
  readonly tests: readonly TestIr[];
}

/** Checks a file: its declarations, each graph, its tests, and what nothing uses. */
export function checkFile(input: FileToCheck): CheckedFile {
  const { ast, syntax } = input;
  const file = symbolsOf(input);
  const placed = { ast, file, path: input.source.file, surroundings: input };
  const outside = withoutConsequences(
    [...file.linked.findings, ...checkStages(input, { file: placed })],
    input,
  );
  const graphs = withCalls(
    ast.items
      .filter((item) => item.kind === "graph")
      .map((graph) => checkOneGraph(graph, file, input)),
    file,
    input.graphs,
  );
  const tests = checkTestsOf(graphs, file, input);
  const isFileSound = [...outside, ...outsideGraphs(syntax, ast)].every(
    (finding) => !isError(finding),
  );
  const findings = [...outside, ...graphs.flatMap((graph) => graph.findings), ...tests.findings];
  const isSound = [...findings, ...syntax].every((finding) => !hidesUse(finding));
  return {
    findings: isSound
      ? [
          ...findings,
          ...checkStages(input, {
            "file use": { ...placed, graphs: graphs.map((graph) => graph.ir) },
          }),
        ]
      : findings,
    symbols: file,
    all: graphs,
    graphs: isFileSound ? soundGraphs(graphs, file) : [],
    tests: isFileSound ? tests.sound : [],
  };
}

interface Stages {
  readonly file?: Omit<FileCheck, "report">;
  readonly tests?: Omit<TestCheck, "report">;
  readonly "file use"?: Omit<SoundFile, "report">;
}

/** Returns the findings of the checks in the given stages. */
function checkStages({ checks = CHECKS }: FileToCheck, stages: Stages): readonly Finding[] {
  const findings: Finding[] = [];
  const report = (finding: Finding) => findings.push(finding);
  const { file, tests, "file use": use } = stages;
  for (const one of checks) {
    if (one.stage === "file" && file !== undefined) one.run({ ...file, report });
    if (one.stage === "tests" && tests !== undefined) one.run({ ...tests, report });
    if (one.stage === "file use" && use !== undefined) one.run({ ...use, report });
  }
  return findings;
}

interface CheckedTests {
  readonly findings: readonly Finding[];
  /** Those that can run: without an error, of a graph without one. */
  readonly sound: readonly TestIr[];
}

/** A graph of another cell is sound: it was checked there. */
type TestedGraph = GraphOfTest & Partial<Pick<CheckedGraph, "isSound">>;

function checkTestsOf(
  graphs: readonly CheckedGraph[],
  file: FileSymbols,
  input: FileToCheck,
): CheckedTests {
  const { ast, source, syntax } = input;
  const graphOf = (name: string): TestedGraph | undefined =>
    graphs.find(({ graph }) => graph.name.text === name) ??
    file.linked.graphs.get(name)?.graph ??
    knownGraph(name, input.graphs ?? []);
  const found = withoutConsequences(
    checkStages(input, {
      tests: { ast, file, path: input.source.file, surroundings: input, graphOf },
    }),
    input,
  );
  const tests = ast.items
    .filter((item) => item.kind === "test")
    .map((test) => ({ test, graph: graphOf(test.of.text) }));
  const errors = [...found, ...syntax].filter(isError);
  return {
    findings: found,
    sound: tests.flatMap(({ test, graph }) => {
      const isSound = errors.every(({ span }) => !isInside(span, test.span));
      return graph !== undefined && graph.isSound !== false && isSound
        ? [lowerTest(test, graph, source)]
        : [];
    }),
  };
}

/**
 * Builds the symbol tables of the file. After a syntax error no import counts as unused, since the
 * text that was not read may use it.
 */
function symbolsOf(input: FileToCheck): FileSymbols {
  const { ast, scope, isScopeOpen = scope === undefined, types, linked, graphs, syntax } = input;
  const symbols = { ...fileSymbols(ast, scope, linked), isScopeOpen };
  const file = withKnownGraphs(withTypes(symbols, types), graphs);
  return syntax.length === 0 ? file : { ...file, idleImports: () => [] };
}

/** Adds the given types to those of the file; a type that the file declares itself goes before. */
function withTypes(file: FileSymbols, types: FileToCheck["types"] = []): FileSymbols {
  const given = types.map(({ name, type }) => [name, type] as const);
  return { ...file, types: new Map([...given, ...file.types]) };
}

function withKnownGraphs(file: FileSymbols, graphs: FileToCheck["graphs"] = []): FileSymbols {
  const known = graphs.map(
    (ir) => [ir.name, raisedGraph({ text: ir.name, span: NOWHERE }, ir)] as const,
  );
  return { ...file, graphs: new Map([...known, ...file.graphs]) };
}

function checkOneGraph(graph: GraphDecl, file: FileSymbols, input: FileToCheck): CheckedGraph {
  const symbols = graphSymbols(file, graph);
  const broken = input.syntax.filter((finding) => isInside(finding.span, graph.span));
  const ir = lowerGraph(symbols, input.source);
  const checked = withoutConsequences(
    checkGraph(
      { symbols, ir, surroundings: input, isBroken: broken.length > 0 },
      input.checks ?? CHECKS,
    ),
    input,
    graph,
  );
  return {
    graph,
    symbols,
    ir,
    findings: checked,
    isSound: [...checked, ...broken].every((one) => !isError(one)),
  };
}

/** The same graphs, each with what it calls; one that calls an unsound one is not sound either. */
function withCalls(
  graphs: readonly CheckedGraph[],
  { linked }: FileSymbols,
  known: FileToCheck["graphs"] = [],
): readonly CheckedGraph[] {
  const imported = [
    ...known.map((ir) => [ir.name, ir] as const),
    ...[...linked.graphs].map(([name, { graph }]) => [name, graph.ir] as const),
  ];
  const irs = lowerCalls(
    graphs.map(({ ir }) => ir),
    new Map(imported),
  );
  const called = graphs.map((graph, index) => ({ ...graph, ir: irs[index] ?? graph.ir }));
  const unsound = new Set(called.filter(({ isSound }) => !isSound).map(({ ir }) => ir.hash));
  return called.map((graph) => {
    const calls = graph.ir.graphs ?? [];
    return { ...graph, isSound: graph.isSound && calls.every(({ hash }) => !unsound.has(hash)) };
  });
}

/** Returns the graphs without an error; of two with one name, the first. */
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

/** Returns whether a finding keeps the graph from running. */
export function isError(finding: Finding): boolean {
  return (finding.severity ?? "error") === "error";
}
