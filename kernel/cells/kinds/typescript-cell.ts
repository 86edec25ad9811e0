/** Runs a TypeScript cell: converted by worker 2, executed here, up to the value of its last expression. */
import type { Graph } from "../../../runtime/index.ts";
import { isParameterCell, rememberParameters } from "../../inputs/parameters.ts";
import type { CellPart, CellText, Converted } from "../../types/service.ts";
import { catchValue } from "../last-value.ts";
import { watched } from "../modules/mark-stale.ts";
import { type CellModules, cellModules } from "../modules/modules.ts";
import { type AtWork, WrongText } from "../notebook.ts";
import { rememberText } from "../output/cell-texts.ts";
import { framesOutput, toFramed, warningText } from "../output/frame-output.ts";
import { rememberMap } from "../output/stacks.ts";
import { runScript } from "../run-script.ts";
import { splitImports } from "./classify.ts";
import { typeRows } from "./declare-rows.ts";
import { learnSignatures } from "./notebook-tools.ts";
import { typeHint } from "./type-hint.ts";
import { typedQueries } from "./typed-queries.ts";

/** The value of a cell's last expression. Boxed: a promise is a value like any other, and is not awaited. */
export interface CellValue {
  readonly value: unknown;
}

/** The value of the last expression, undefined without one. Throws what the cell throws. */
export async function runTypeScript(whole: CellText, at: AtWork): Promise<CellValue> {
  const { cell, notebook } = at;
  const { signal } = cell;
  const { typescript, program } = splitImports(whole.code);
  const text = { ...whole, code: typescript };
  const graphs = await graphsIn(program, whole, at);
  const queries = await typedQueries(text.code, at);
  const asked = queries.length === 0 ? text : { ...text, queries };
  const converted = await cell.orCancelled(notebook.parts.types().convert(asked, { signal }));
  assertRight(text, converted);
  const source = { file: text.name, text: text.code };
  for (const warning of converted.warnings) cell.warn(warningText(warning, source));
  learnSignatures(notebook, converted.signatures);
  rememberMap(text.name, converted.sourceMap);
  if (text.name === cell.name) rememberText(cell);
  const run = async () => {
    Object.assign(notebook.names, graphs);
    const value = await runConverted({ name: text.name, converted }, at);
    await typeRows(converted.untypedRows, at);
    if (isParameterCell(text.code))
      rememberParameters(
        converted.parts.flatMap(({ declares }) => declares),
        notebook.names,
      );
    return value;
  };
  // An expression of the front end beside a cell is not part of the notebook.
  return text.name === cell.name
    ? await watched([...converted.parts, ...partsOf(graphs)], at, run)
    : await run();
}

/** Compiles the graphs that a cell imports. What that needs is loaded with the first of them. */
async function graphsIn(
  program: string | undefined,
  { name }: CellText,
  at: AtWork,
): Promise<Readonly<Record<string, Graph>>> {
  if (program === undefined && at.notebook.programs.size === 0) return {};
  const { forgetPrograms, importGraphs } = await import("./imported-graphs.ts");
  if (program !== undefined) return await importGraphs({ name, code: program }, at);
  // An expression of the front end beside a cell leaves the cell's imports.
  if (name === at.cell.name) forgetPrograms(at);
  return {};
}

function partsOf(graphs: Readonly<Record<string, Graph>>): readonly CellPart[] {
  const declares = Object.keys(graphs);
  return declares.length === 0 ? [] : [{ declares, uses: [] }];
}

function assertRight({ name, code }: CellText, { diagnostics }: Converted): void {
  const source = { file: name, text: code };
  const hints = new Set<string | undefined>([undefined]);
  const [first, ...others] = diagnostics
    .filter(({ severity }) => severity === "error")
    .map((diagnostic) => {
      const hint = typeHint(diagnostic, source);
      const framed = toFramed(diagnostic, source);
      // One mistake, as a command of a shell, is several errors.
      if (hint === undefined || hints.has(hint)) return framed;
      hints.add(hint);
      return { ...framed, hint };
    });
  if (first !== undefined) throw new WrongText(framesOutput([first, ...others], source));
}

interface ConvertedCell {
  readonly name: string;
  readonly converted: Converted;
}

async function runConverted(of: ConvertedCell, at: AtWork): Promise<CellValue> {
  const { names } = at.notebook;
  const { lastExpression } = of.converted;
  const work = () => runWithModules(of, cellModules(), at);
  if (lastExpression !== undefined) return await catchValue(lastExpression, names, work);
  await work();
  return { value: undefined };
}

/** Imports stand at the very beginning: a cell that failed on one has done nothing and begins anew. */
async function runWithModules(of: ConvertedCell, modules: CellModules, at: AtWork): Promise<void> {
  for (;;) {
    try {
      await runOnce(of, modules, at);
      return;
    } catch (thrown) {
      if (!(await at.cell.orCancelled(modules.loadMissing(thrown)))) throw thrown;
    }
  }
}

async function runOnce(
  { name, converted }: ConvertedCell,
  { scope }: CellModules,
  { cell, notebook }: AtWork,
): Promise<void> {
  const { js, hasTopLevelAwait } = converted;
  const { names } = notebook;
  const ending = notebook.synchronously(() =>
    runScript({ name, js, isAsync: hasTopLevelAwait }, { ...scope, exports: names }),
  );
  if (hasTopLevelAwait) await cell.orCancelled(Promise.resolve(ending));
}
