/** Asks the traces what a `%%sql` cell asks; what DuckDB finds wrong is shown at its place in the cell. */
import type { Framed, Source } from "../../dsl/index.ts";
import { messageOf, RunError } from "../../runtime/index.ts";
import { type Chart, queryRows, type Rows } from "../display/index.ts";
import { classify } from "./classify.ts";
import { framesOutput } from "./frame-output.ts";
import { readSqlOptions } from "./magics/sql-options.ts";
import { watched } from "./mark-stale.ts";
import { type AtWork, WrongText } from "./notebook.ts";
import { saveRows } from "./save-rows.ts";
import { chartOf } from "./sql-chart.ts";
import { bindHoles, namesInHoles } from "./sql-holes.ts";

/** The rows of its last statement, or the chart of them that its options ask for. */
export async function runSql(code: string, at: AtWork): Promise<Rows | Chart> {
  const { cell, notebook } = at;
  const source = { file: cell.name, text: code };
  const options = readSqlOptions(source);
  const query = bindHoles(source, queryOf(code), notebook.names);
  const traces = await cell.orCancelled(notebook.parts.session().traces());
  const rowsMax = options.rowsMax ?? notebook.parts.settings.rowsMax;
  const rows = await rowsOf(source, at, () =>
    // A table is for reading; whoever reads more than this asks in SQL.
    queryRows(traces, query, { signal: cell.signal, rowsMax, more: "cut" }),
  );
  const drawn = chartOf(rows, options.call);
  const declares = options.save === undefined ? [] : [options.save];
  return await watched([{ declares, uses: namesInHoles(code) }], at, async () => {
    if (options.save !== undefined) await saveRows(options.save, rows, at);
    return drawn ?? rows;
  });
}

async function rowsOf(source: Source, { cell }: AtWork, ask: () => Promise<Rows>): Promise<Rows> {
  try {
    return await cell.orCancelled(ask());
  } catch (thrown) {
    throw isPlaced(thrown) ? wrongQuery(thrown, source) : thrown;
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
  const said: Framed = {
    code,
    severity: "error",
    message: messageOf(thrown),
    file: source.file,
    line,
    column,
    endLine: line,
    endColumn: column + wordLength(rest),
    ...(hint === undefined ? {} : { hint }),
  };
  return new WrongText(framesOutput([said], source));
}

/** DuckDB says where it stumbled, not how far that goes: a word, or one character. */
function wordLength(text: string): number {
  return /^[\p{L}\p{N}_$]+/u.exec(text)?.[0].length ?? 1;
}
