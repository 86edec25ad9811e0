/** Checks with DuckDB's parser that a text is one SELECT over the trace and nothing else, before it runs. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { SqlError } from "../sql/sql-error.ts";

export const PARSED = `
SELECT json_serialize_sql($1::VARCHAR) AS parsed`;

export const OFFERED = `
SELECT view_name AS name
FROM duckdb_views()
WHERE NOT internal
UNION
SELECT table_name
FROM duckdb_tables()
WHERE NOT internal AND table_name <> 'meta'
UNION
SELECT function_name
FROM duckdb_functions()
WHERE NOT internal`;

/** Rows from nothing; every other function in a FROM must be one of ours. */
const HARMLESS = ["unnest", "range", "generate_series", "json_each", "json_tree"];

/** They tell of this process, wait, or write: none of it is in the trace. */
const FORBIDDEN =
  /^(pg_.*|duckdb_.*|pragma_.*|read_.*|has_.*_privilege|current_(?!date$|time$|timestamp$).*|getenv|getvariable|session_user|user|version|write_log|sleep_ms|nextval|currval|in_search_path)$/;

/** Throws `SqlError` unless it is, and names nothing but what the connection's own views and macros are called. */
export async function assertOneSelect(connection: DuckDBConnection, sql: string): Promise<void> {
  const select = await parsed(connection, sql);
  const offered = new Set(
    (await connection.runAndReadAll(OFFERED)).getRowsJS().map(([name]) => String(name)),
  );
  const named = new Set<string>();
  visit(select, (node) => {
    for (const { key } of node.cte_map?.map ?? []) named.add(key.toLowerCase());
  });
  visit(select, (node) => assertOffered(node, { sql, offered, named }));
}

/** The members of a node of the parsed text that are checked. */
interface Node {
  readonly type?: unknown;
  readonly class?: unknown;
  readonly table_name?: string;
  readonly schema_name?: string;
  readonly catalog_name?: string;
  readonly query?: unknown;
  readonly function?: Node;
  readonly function_name?: string;
  readonly schema?: string;
  readonly catalog?: string;
  readonly cte_map?: { readonly map?: readonly { readonly key: string }[] };
}

interface ParsedSelect {
  readonly error: boolean;
  readonly error_message?: string;
  readonly position?: string;
  readonly statements?: readonly unknown[];
}

async function parsed(connection: DuckDBConnection, sql: string): Promise<unknown> {
  const [[text] = []] = (await connection.runAndReadAll(PARSED, [sql])).getRowsJS();
  const {
    error,
    error_message: message = "",
    position,
    statements = [],
  }: ParsedSelect = JSON.parse(String(text));
  if (error && !message.startsWith("Only SELECT")) {
    const offset = position === undefined ? undefined : Number(position);
    throw new SqlError("M6101", message, { sql, offset, hint: "write the query in DuckDB's SQL" });
  }
  if (statements.length === 1) return statements[0];
  const what = error ? "something else than a SELECT" : `${statements.length} statements`;
  throw new SqlError("M5414", `exactly one SELECT can be asked here, and this is ${what}`, {
    sql,
    hint: "WITH … SELECT and FROM … are one as well; aggregates do what PIVOT would",
  });
}

interface Against {
  readonly sql: string;
  readonly offered: ReadonlySet<string>;
  /** The names that the text itself defines: `WITH x AS …`. */
  readonly named: ReadonlySet<string>;
}

function assertOffered(node: Node, against: Against): void {
  const { sql, offered, named } = against;
  const { table_name: table = "", schema_name = "", catalog_name = "" } = node;
  if (node.type === "BASE_TABLE") {
    const isPlain = schema_name === "" && catalog_name === "";
    const name = table.toLowerCase();
    if (!isPlain || !(offered.has(name) || named.has(name))) throw notOffered(sql, table, offered);
  }
  if (node.type === "TABLE_FUNCTION") {
    const { function_name: name = "", schema = "", catalog = "" } = node.function ?? {};
    const isPlain = schema === "" && catalog === "";
    if (!isPlain || !(offered.has(name) || HARMLESS.includes(name))) {
      throw notOffered(sql, `${name}(…)`, offered);
    }
  }
  // SHOW TABLES and the like; DESCRIBE of a query has one.
  if (node.type === "SHOW_REF" && (node.query ?? null) === null) {
    throw notOffered(sql, "SHOW", offered);
  }
  if (node.class === "FUNCTION" && FORBIDDEN.test(node.function_name?.toLowerCase() ?? "")) {
    throw notOffered(sql, `${node.function_name}(…)`, offered);
  }
}

function notOffered(sql: string, what: string, offered: ReadonlySet<string>): SqlError {
  const there = [...offered].filter((name) => !name.endsWith("_log")).sort();
  return new SqlError("M5415", `\`${what}\` can't be asked here`, {
    sql,
    hint: `there is ${there.join(", ")}`,
  });
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) see(value);
  for (const part of Object.values(value)) visit(part, see);
}
