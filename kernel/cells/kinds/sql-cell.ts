/** Runs a `%%sql` cell on the traces; an error of DuckDB is shown at its place in the cell. */
import type { Framed, Source } from "../../../dsl/index.ts";
import { messageOf, RunError } from "../../../runtime/index.ts";
import { withPlainNames } from "../../display/chart/plain-names.ts";
import { isUnfit, quickSpec, type Unfit } from "../../display/chart/quick-chart.ts";
import type { QuickOptions, QuickType } from "../../display/chart/quick-types.ts";
import { type Chart, chart, queryRows, type Rows, tellNextPage } from "../../display/index.ts";
import { tablesNamedIn, withCellName } from "../../display/table/value-table.ts";
import { type MagicCall, wrongAt } from "../magics/read-magic.ts";
import { readSqlOptions } from "../magics/sql-options.ts";
import { watched } from "../modules/mark-stale.ts";
import { type AtWork, WrongText } from "../notebook.ts";
import { framesOutput } from "../output/frame-output.ts";
import { classify } from "./classify.ts";
import { saveRows } from "./declare-rows.ts";
import { bindHoles, namesInHoles } from "./sql-holes.ts";

/** The rows of its last statement, or the chart of them that its options ask for. */
export async function runSql(code: string, at: AtWork): Promise<Rows | Chart> {
  const { cell, notebook } = at;
  const source = { file: cell.name, text: code };
  const options = readSqlOptions(source);
  const bound = bindHoles(source, queryOf(code), notebook.names);
  const query = { ...bound, tables: tablesNamedIn(bound.sql) };
  const traces = await cell.orCancelled(notebook.parts.session().traces());
  const rowsMax = options.rowsMax ?? notebook.parts.settings.rowsMax;
  const rows = await rowsOf(source, at, () =>
    // A table of more rows than this is not readable; SQL can select.
    queryRows(traces, query, { signal: cell.signal, rowsMax, more: "cut" }),
  );
  tellNextPage(rows, nextPage(options.save));
  const drawn = chartOf(rows, options.call);
  const uses = [...namesInHoles(code), ...query.tables.map(({ name }) => name)];
  const declares = options.save === undefined ? [] : [options.save];
  return await watched([{ declares, uses }], at, async () => {
    if (options.save !== undefined) await saveRows(options.save, rows, at);
    return drawn ?? rows;
  });
}

/** Rows without a name are nothing that a cell could ask for their next page. */
function nextPage(name: string | undefined): (page: number) => string {
  if (name !== undefined) return (page) => `\`${name}.page(${page})\` has the next`;
  return (page) =>
    `to read on, name them: \`%%sql --save rows\`, then \`rows.page(${page})\` in a cell`;
}

async function rowsOf(source: Source, { cell }: AtWork, ask: () => Promise<Rows>): Promise<Rows> {
  try {
    return await cell.orCancelled(ask());
  } catch (thrown) {
    const error = withCellName(thrown);
    throw isPlaced(error) ? wrongQuery(error, source) : error;
  }
}

/** The query behind the magic line, its places as in the cell. */
function queryOf(code: string): string {
  const { start } = classify(code);
  if (code.slice(start).trim() === "") {
    throw new RunError("M7505", "there is no query below `%%sql`", {
      hint: "for example: SELECT node, sum(dur_us) FROM node_runs GROUP BY node",
    });
  }
  return code.slice(0, start).replace(/[^\r\n]/g, " ") + code.slice(start);
}

interface PlacedError {
  readonly code: string;
  readonly message?: string;
  readonly hint?: string | undefined;
  readonly line: number;
  readonly column: number;
}

function isPlaced(thrown: unknown): thrown is PlacedError {
  const { code, line, column } = (thrown ?? {}) as Partial<PlacedError>;
  return typeof code === "string" && typeof line === "number" && typeof column === "number";
}

function wrongQuery(thrown: PlacedError, source: Source): WrongText {
  const { code, hint, line, column } = thrown;
  const rest = (source.text.split("\n")[line - 1] ?? "").slice(column - 1);
  const framed: Framed = {
    code,
    severity: "error",
    message: thrown.message ?? messageOf(thrown),
    file: source.file,
    line,
    column,
    endLine: line,
    endColumn: column + wordLength(rest),
    ...(hint === undefined ? {} : { hint }),
  };
  return new WrongText(framesOutput([framed], source));
}

/** DuckDB says where it stumbled, not how far that goes: a word, or one character. */
function wordLength(text: string): number {
  return /^[\p{L}\p{N}_$]+/u.exec(text)?.[0].length ?? 1;
}

/** Undefined where no chart was asked for. Throws a frame at the option that the rows have nothing for. */
function chartOf(rows: Rows, call: MagicCall): Chart | undefined {
  const type = call.options.get("--chart");
  if (type === undefined) return undefined;
  const optionText = (option: string) => call.options.get(`--${option}`)?.text;
  const asked = Object.entries({
    x: optionText("x"),
    y: optionText("y"),
    color: optionText("color"),
    title: optionText("title"),
  });
  const options: QuickOptions = Object.fromEntries(asked.filter(([, text]) => text !== undefined));
  const spec = quickSpec(rows.columns, { ...options, type: type.text as QuickType }, rows);
  if (isUnfit(spec)) throw unfitAt(spec, call);
  return chart(withPlainNames(rows), spec);
}

function unfitAt({ at, message, hint }: Unfit, { source, options }: MagicCall): Error {
  const word = options.get(at === "type" ? "--chart" : `--${at}`);
  if (word === undefined) throw new Error(`--${at} was not given`);
  return wrongAt(source, word, { code: "M7516", message, hint });
}
