/** Runs `%test`: the tests that cells declared, and what they take of the arrows of graphs. */
import { nearest } from "../../../dsl/index.ts";
import { coverGraphs, Graph, type GraphCoverage, type TestResult } from "../../../runtime/index.ts";
import { bundleOf, PLAIN, SVG } from "../../display/bundle.ts";
import { drawCoverage } from "../../display/index.ts";
import { tableBundle, tableOf } from "../../display/table/table.ts";
import { coverageSummary } from "../../program-tests/coverage-summary.ts";
import { checkGraphCell } from "../kinds/check-graph-cell.ts";
import { assertPassed, resultsOf, showResults } from "../kinds/test-cell.ts";
import type { AtWork } from "../notebook.ts";
import type { MagicWord } from "./magic-words.ts";
import { type MagicCall, wrongAt } from "./read-magic.ts";

/** Shows the results, and with `--coverage` a table and a drawing of each graph; a failed test fails the cell. */
export async function runTestMagic(call: MagicCall, at: AtWork): Promise<undefined> {
  const { cell, notebook } = at;
  const [graph] = call.words;
  const graphs = Object.values(notebook.names).filter((value) => value instanceof Graph);
  const meant = graphs.filter(({ name }) => graph === undefined || name === graph.text);
  if (graph !== undefined && meant.length === 0)
    throw noGraph(
      call,
      graph,
      graphs.map(({ name }) => name),
    );
  const results: TestResult[] = [];
  for (const source of notebook.tested.values()) {
    const { tests, scope } = await checkGraphCell(source, at);
    const wanted = tests.filter((test) => graph === undefined || test.ir.name === graph.text);
    results.push(...(await resultsOf({ tests: wanted, scope }, at)));
  }
  if (results.length === 0) throw noTests(call, graph ?? call.name);
  showResults(results, at);
  if (call.options.has("--coverage")) {
    const irs = meant.map(({ ir }) => ir);
    const covered = await cell.orCancelled(coverGraphs(irs, results));
    for (const one of covered) if (isMeant(one, graph)) await showCoverage(one, at);
  }
  assertPassed(results);
}

function isMeant({ ir }: GraphCoverage, graph: MagicWord | undefined): boolean {
  return graph === undefined || ir.name === graph.text;
}

const COLUMNS = [
  { name: "arrow", type: "VARCHAR", isUnbroken: true },
  { name: "where", type: "VARCHAR" },
  { name: "place", type: "VARCHAR", isUnbroken: true },
  { name: "taken", type: "BIGINT" },
];

async function showCoverage(covered: GraphCoverage, { cell }: AtWork): Promise<void> {
  if (cell.request.silent) return;
  const { ir, arrows } = covered;
  const rows = arrows.map(({ from, to, label, line, times }) => ({
    arrow: `${from} -> ${to}`,
    where: label,
    place: line === undefined ? "" : `${ir.source?.file}:${line}`,
    taken: times,
  }));
  const caption = coverageSummary(covered);
  const table = { ...tableOf(COLUMNS, rows), caption };
  cell.show({ kind: "display", bundle: tableBundle(table) });
  const drawing = await cell.orCancelled(drawCoverage(covered));
  cell.show({ kind: "display", bundle: bundleOf({ [SVG]: drawing, [PLAIN]: caption }) });
}

function noGraph({ source }: MagicCall, graph: MagicWord, names: readonly string[]) {
  const meant = nearest(graph.text, names);
  return wrongAt(source, graph, {
    code: "M2112",
    message: `no graph is called \`${graph.text}\``,
    hint:
      meant === undefined
        ? `cells have declared ${names.join(", ") || "none"}`
        : `did you mean \`${meant}\`?`,
  });
}

function noTests({ source }: MagicCall, word: MagicWord) {
  return wrongAt(source, word, {
    code: "M7210",
    message: "no cell has declared a test that could run here",
    hint: 'a test is `test "what is so" of GRAPH { … }`, in the cell of its graph or in a later one',
  });
}
