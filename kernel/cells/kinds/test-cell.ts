/** Runs the tests of a graph cell and shows a table of results; a failed test fails the cell. */
import type { TestIr } from "../../../dsl/index.ts";
import { Graph, runTest, type Scope, scopes, type TestResult } from "../../../runtime/index.ts";
import { durationText } from "../../display/numbers.ts";
import { tableBundle, tableOf } from "../../display/table/table.ts";
import { visible } from "../../display/visible.ts";
import { faultFrame } from "../../program-tests/fault-text.ts";
import { triedText } from "../../program-tests/tried-text.ts";
import { type AtWork, WrongText } from "../notebook.ts";

/** Runs them one after the other; throws `WrongText` with the frames of all that failed. */
export async function runTests(declared: CellTests, at: AtWork): Promise<void> {
  if (declared.tests.length === 0) return;
  const results = await resultsOf(declared, at);
  showResults(results, at);
  assertPassed(results);
}

/** The tests of a cell, with what their functions are looked up in. */
export interface CellTests {
  readonly tests: readonly TestIr[];
  readonly scope: Scope;
}

/** Runs tests one after the other. */
export async function resultsOf(
  { tests, scope: own }: CellTests,
  { cell, notebook }: AtWork,
): Promise<readonly TestResult[]> {
  const results: TestResult[] = [];
  for (const test of tests) {
    const scope = scopeOfTest(test, own, notebook);
    results.push(await cell.orCancelled(runTest(test, { scope, signal: cell.signal })));
  }
  return results;
}

/** A test of a graph of an earlier cell finds what that cell imports, too. */
function scopeOfTest({ ir }: TestIr, own: Scope, { names, imported }: AtWork["notebook"]): Scope {
  const graph = names[ir.name];
  if (!(graph instanceof Graph) || graph.ir.hash !== ir.hash) return own;
  const found = [...imported].findLast(({ graphs }) => graphs.includes(ir.name))?.scope.deref();
  return found === undefined ? own : scopes.layeredScope(own, found);
}

export function showResults(results: readonly TestResult[], { cell }: AtWork): void {
  if (cell.request.silent) return;
  cell.show({ kind: "display", bundle: tableBundle(tableOfTests(results)) });
}

const COLUMNS = [
  { name: "", type: "VARCHAR" },
  { name: "test", type: "VARCHAR" },
  { name: "graph", type: "VARCHAR", isUnbroken: true },
  { name: "time", type: "VARCHAR" },
  { name: "tried", type: "VARCHAR" },
  { name: "path", type: "VARCHAR" },
];

function tableOfTests(results: readonly TestResult[]) {
  const passed = results.filter(({ ok }) => ok).length;
  // Most tests run once.
  const isTried = results.some((result) => triedText(result) !== "");
  const columns = COLUMNS.filter(({ name }) => isTried || name !== "tried");
  const rows = results.map(({ test, ok, path, durationMs, ...tried }) => ({
    "": ok ? "✓" : "✗",
    test: test.name,
    graph: test.graph,
    time: durationText(durationMs),
    tried: triedText({ ok, ...tried }),
    path: path.join(" → "),
  }));
  const caption = `${passed} of ${results.length} passed`;
  return { ...tableOf(columns, rows), caption };
}

/** Throws `WrongText` with the frames of all that failed. */
export function assertPassed(results: readonly TestResult[]): void {
  const failed = results.flatMap(({ test, faults }) => faults.map((fault) => ({ test, fault })));
  const [first] = failed;
  if (first === undefined) return;
  const { test, fault } = first;
  throw new WrongText({
    kind: "error",
    ename: fault.code,
    evalue: visible(`${test.name}: ${fault.message}`),
    traceback: failed.flatMap((one) => frameLines(one.test, one.fault)),
  });
}

function frameLines(test: TestIr, fault: TestResult["faults"][number]): readonly string[] {
  const { hint, detail } = fault;
  const harmless = {
    ...fault,
    message: visible(fault.message),
    ...(hint === undefined ? {} : { hint: visible(hint) }),
    ...(detail === undefined ? {} : { detail: detail.split("\n").map(visible).join("\n") }),
  };
  return faultFrame(test, harmless, { color: true }).split("\n");
}
