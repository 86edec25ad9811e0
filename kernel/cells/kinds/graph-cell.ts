/** Turns a graph cell into graphs that later cells can run, and their drawings. */
import type { Diagnostic, Source, TestIr } from "../../../dsl/index.ts";
import type { Graph, Scope } from "../../../runtime/index.ts";
import { rememberGraphCell } from "../../debugging/graph-texts.ts";
import { knownGraphs } from "../../types/graphs/stale-graphs.ts";
import { keepFresh } from "../modules/keep-fresh.ts";
import { watched } from "../modules/mark-stale.ts";
import type { AtWork } from "../notebook.ts";
import { warningText } from "../output/frame-output.ts";
import { checkGraphCell, refuseErrors, withoutMagic } from "./check-graph-cell.ts";

/** The graphs that a cell declares, and its tests to be run. */
export interface DeclaredGraphs {
  readonly graphs: readonly Graph[];
  readonly tests: readonly TestIr[];
  readonly scope: Scope;
}

/** The graphs of the cell, in its order. They see what cells declare at the time they run, not now. */
export async function declareGraphs(code: string, at: AtWork): Promise<DeclaredGraphs> {
  const { cell, notebook } = at;
  const { parts } = notebook;
  rememberGraphCell(code);
  const source = { file: cell.name, text: withoutMagic(cell.name, code) };
  const { scope, imported, warnings, ...checked } = await checkGraphCell(source, at);
  rememberTests(source, checked.tests.length > 0, at);
  const { graphs } = checked;
  const { signal } = cell;
  const diagnostics = await cell.orCancelled(
    parts.types().declareGraphs({ source, ...checked }, { signal }),
  );
  refuseErrors(source, diagnostics);
  tell(cell, source, [...warnings, ...diagnostics]);
  const { uses } = knownGraphs({ source, ...checked });
  const used = [...uses, ...graphs.flatMap(({ calls = [] }) => calls.map((call) => call.name))];
  const of = graphs.map(({ name }) => ({ declares: [name], uses: used }));
  const declared = await watched(of, at, async () =>
    graphs.map((ir) => {
      const graph = parts.session().graph(ir, { scope });
      notebook.names[ir.name] = graph;
      return graph;
    }),
  );
  keepFresh(
    imported,
    declared.map(({ name }) => name),
    at,
  );
  return { graphs: declared, tests: checked.tests, scope };
}

/** Has `%test` run the tests of a cell, until the cell runs without any. */
function rememberTests(source: Source, hasTests: boolean, { cell, notebook }: AtWork): void {
  const key = cell.request.cellId ?? cell.request.id;
  if (hasTests) notebook.tested.set(key, source);
  else notebook.tested.delete(key);
}

function tell(cell: AtWork["cell"], source: Source, warnings: readonly Diagnostic[]): void {
  for (const warning of warnings) cell.warn(warningText(warning, source));
}
