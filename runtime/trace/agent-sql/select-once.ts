/** Answers one untrusted SELECT within limits of rows, length and time. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { DuckDb } from "../database/database.ts";
import { askInterruptibly } from "../sql/ask.ts";
import { type Row, toRows } from "../sql/plain-values.ts";
import { SqlError } from "../sql/sql-error.ts";
import { assertOneSelect } from "./one-select.ts";

/** `cut` when there was more. */
export interface Selected {
  readonly rows: readonly Row[];
  readonly cut: boolean;
}

export interface SelectLimits {
  readonly rowsMax?: number;
  /** Of the rows as JSON, in characters. */
  readonly lengthMax?: number;
  readonly timeMaxMs?: number;
  readonly signal?: AbortSignal;
}

/** Rejects with `SqlError` where it is anything else, or takes too long. */
export async function selectOnce(
  { connection, duckdb }: { readonly connection: DuckDBConnection; readonly duckdb: DuckDb },
  sql: string,
  limits: SelectLimits = {},
): Promise<Selected> {
  const { rowsMax = 10_000, lengthMax = 8_388_608, timeMaxMs = 10_000 } = limits;
  await assertOneSelect(connection, sql);
  const late = AbortSignal.timeout(timeMaxMs);
  const signal = limits.signal === undefined ? late : AbortSignal.any([limits.signal, late]);
  try {
    return await askInterruptibly(connection, { sql, signal }, async () => {
      const result = await connection.streamAndReadUntil(sql, rowsMax + 1);
      const rows = toRows(duckdb, result);
      // A stream that is not read to its end keeps its transaction until the next one.
      if (!result.done) await connection.run("SELECT 1");
      return cut(rows, { rowsMax, lengthMax });
    });
  } catch (cause) {
    throw late.aborted ? tooLate(sql, timeMaxMs, cause) : cause;
  }
}

/** Makes the error of a query that took too long. */
export function tooLate(sql: string, timeMaxMs: number, cause?: unknown): SqlError {
  return new SqlError("M5416", `the query took more than ${timeMaxMs / 1000} s`, {
    sql,
    cause,
    hint: "ask for one run, or for fewer rows",
  });
}

function cut(
  all: readonly Row[],
  { rowsMax, lengthMax }: Required<Pick<SelectLimits, "rowsMax" | "lengthMax">>,
): Selected {
  const rows: Row[] = [];
  let length = 0;
  for (const row of all.slice(0, rowsMax)) {
    length += JSON.stringify(row).length;
    if (length > lengthMax) break;
    rows.push(row);
  }
  return { rows, cut: rows.length < all.length };
}
