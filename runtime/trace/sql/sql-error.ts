/** Turns errors of DuckDB into errors with a code, the place in the query and a hint, also for frequent mistakes. */
import { type Code, nearest } from "../../../dsl/index.ts";
import { messageOf } from "../../failure.ts";

/** A query that DuckDB would not answer; `offset`, `line` and `column` say where in `sql`, if it knows. */
export class SqlError extends Error {
  readonly code: Code;
  readonly sql: string;
  readonly hint: string | undefined;
  readonly offset: number | undefined;
  /** From 1, in UTF-16 units. */
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(
    code: Code,
    message: string,
    details: {
      sql: string;
      hint?: string | undefined;
      offset?: number | undefined;
      cause?: unknown;
    },
  ) {
    super(message, { cause: details.cause });
    this.name = "SqlError";
    this.code = code;
    this.sql = details.sql;
    this.hint = details.hint;
    this.offset = details.offset;
    const before = this.offset === undefined ? undefined : details.sql.slice(0, this.offset);
    this.line = before?.split("\n").length;
    this.column = before === undefined ? undefined : before.length - before.lastIndexOf("\n");
  }
}

/** Returns whether a statement was refused or not understood, so that nothing was read for it. */
export function isOwnFault(error: unknown): boolean {
  return error instanceof SqlError && error.code !== "M6102";
}

/** Converts an error that DuckDB threw at a query into a `SqlError`. */
export function toSqlError(
  thrown: unknown,
  sql: string,
  /** The tables and views that people made or may ask. */
  tables: readonly string[] = [],
): SqlError {
  const error = readError(messageOf(thrown));
  const { type, message, position, name, candidates } = error;
  // Further lines list what the hint says.
  const [first = message] = message.split("\n", 1);
  const place = position === undefined ? undefined : toUtf16(sql, position);
  const mistake = mistakeIn(message, { sql, place });
  if (mistake !== undefined) {
    const { code = "M6101", hint } = mistake;
    const text = mistake.message ?? first;
    return new SqlError(code, text, { sql, cause: thrown, offset: place, hint });
  }
  const argument = place === undefined ? undefined : argumentOf(name, sql, place);
  const call = callHint(message);
  const wrong =
    ["Parser", "Binder", "Catalog", "Syntax"].includes(type) || /\bparameters?\b/.test(message);
  const isListed = candidates !== undefined || call !== undefined;
  return new SqlError(wrong ? "M6101" : "M6102", isListed ? first : message, {
    sql,
    cause: thrown,
    offset: argument ?? place,
    hint:
      argument === undefined
        ? (call ?? hintFor(error, tables))
        : `a text stands in quotes: '${name}'`,
  });
}

/** Finds the place of a wrong argument of a macro; DuckDB reports it at the macro's name. */
function argumentOf(name: string | undefined, sql: string, place: number): number | undefined {
  if (name === undefined || !/^\w+$/.test(name)) return undefined;
  const called = /^[\w"]+\s*\(/.exec(sql.slice(place));
  if (called === null || called[0].startsWith(name)) return undefined;
  const behind = place + called[0].length;
  const found = sql.slice(behind).search(new RegExp(`\\b${name}\\b`));
  return found === -1 ? undefined : behind + found;
}

/** Returns the right call of a macro, if DuckDB reports a wrong one. */
function callHint(message: string): string | undefined {
  const macros = /\nCandidate macros:\n([\s\S]+)/.exec(message)?.[1];
  if (macros === undefined) return undefined;
  const calls = macros.split("\n").map((call) => `\`${call.trim()}\``);
  return `it is ${calls.join(" or ")}`;
}

interface DuckDbError {
  readonly type: string;
  readonly message: string;
  /** In UTF-8 bytes. */
  readonly position?: number | undefined;
  /** The missing name, and the similar names, separated by commas. */
  readonly name?: string | undefined;
  readonly candidates?: string | undefined;
}

/** With `errors_as_json` a message is JSON, sometimes behind a prefix. */
function readError(text: string): DuckDbError {
  const start = text.indexOf("{");
  const [prefix = "", kind = ""] = /^(\w[\w ]*) Error: /.exec(text) ?? [];
  const plain = { type: kind, message: text.slice(prefix.length) };
  if (start === -1) return plain;
  try {
    const error = JSON.parse(text.slice(start)) as Readonly<Record<string, string | undefined>>;
    if (error.exception_message === undefined) return plain;
    return {
      type: error.exception_type ?? plain.type,
      message: error.exception_message,
      position: error.position === undefined ? undefined : Number(error.position),
      name: error.name,
      candidates: error.candidates,
    };
  } catch {
    return plain;
  }
}

/** Returns whether an error reports that there is no table or view of a name. */
export function isMissingTable(thrown: unknown): boolean {
  return missingTable(thrown) !== undefined;
}

/** The name of the table or view that an error reports as missing. */
export function missingTable(thrown: unknown): string | undefined {
  return /Table with name (.+?) does not exist/.exec(readError(messageOf(thrown)).message)?.[1];
}

/** DuckDB's own tables, which nobody means who does not write their beginning. */
const INTERNAL = /^(?:pg_|sqlite_|duckdb_|pragma_|information_schema)/;

function hintFor(
  { type, message, name, candidates = "" }: DuckDbError,
  tables: readonly string[],
): string | undefined {
  const isInternal = name !== undefined && INTERNAL.test(name);
  const listed = candidates.split(",").map((candidate) => candidate.trim());
  const there = listed.filter((one) => one !== "" && (isInternal || !INTERNAL.test(one)));
  const meant = name === undefined ? undefined : nearest(name, [...tables, ...there]);
  if (meant !== undefined) return `did you mean \`${meant}\`?`;
  if (isMissingTable(new Error(message)) && !isInternal)
    return "`SHOW TABLES` lists the tables and views";
  if (there.length > 0) return `there is ${there.map((word) => `\`${word}\``).join(", ")}`;
  if (type === "Interrupt") return "the query was cancelled; run it again";
  if (type === "Conversion") return "`TRY_CAST(… AS …)` gives NULL where a value does not fit";
  if (type === "Out of Memory") return "ask for fewer rows or columns, or aggregate in SQL";
  if (/\bparameters?\b/.test(message)) return "give each `$1` or `$name` in the statement a value";
  if (/ syntax error /.test(` ${message}`))
    return "the place is where DuckDB stopped understanding";
  return undefined;
}

function toUtf16(text: string, bytes: number): number {
  return Buffer.from(text).subarray(0, bytes).toString().length;
}

/** The text instead of, or beside, DuckDB's own. */
interface Mistake {
  readonly code?: Code;
  readonly message?: string;
  readonly hint: string;
}

/** `place` is where in `sql` DuckDB sees it, if it knows. */
function mistakeIn(
  message: string,
  { sql, place }: { readonly sql: string; readonly place: number | undefined },
): Mistake | undefined {
  if (/^Can only (?:delete|update|merge)\b|^\S+ is not an table$/.test(message)) return DERIVED;
  if (/^table (?:scores|model_\w+) has \d+ columns but /.test(message)) return SOME_COLUMNS;
  const [, table, tables] =
    /^Referenced table "([^"]+)" not found!(?:\nCandidate tables: (.*))?/.exec(message) ?? [];
  if (table !== undefined) return noTable(table, { tables, sql, place });
  const isQuoted = place !== undefined && sql[place] === '"';
  const [, column] = /^Referenced column "([^"]+)" not found/.exec(message) ?? [];
  if (column === undefined || !isQuoted) return undefined;
  return { hint: `a text stands in single quotes: '${column}'; double ones are for names` };
}

const DERIVED: Mistake = {
  code: "M7630",
  message: "what is traced is made from the logs of the runs, and no query writes it",
  hint: "`scores`, `model_prices` and `model_contexts` are yours to write; CREATE TEMP TABLE … keeps rows for this session",
};

const SOME_COLUMNS: Mistake = {
  hint: "name the columns that you fill: INSERT INTO scores (run_id, name, value) VALUES (…)",
};

/** Makes the error of a missing table; a missing `${…}` around `run.id` is a frequent cause. */
function noTable(
  table: string,
  of: {
    readonly tables: string | undefined;
    readonly sql: string;
    readonly place: number | undefined;
  },
): Mistake {
  const { tables, sql, place = 0 } = of;
  const member = [...sql.slice(place).matchAll(/\w+\.\w+/g)].find(([found]) =>
    found.startsWith(`${table}.`),
  )?.[0];
  const there = tables === undefined ? "" : `; there is ${tables.replaceAll('"', "`")}`;
  return {
    message: `no table of this query is called ${table}${there}`,
    hint: `a value of TypeScript is written \`\${${member ?? table}}\`; another name of a table stands behind it: \`FROM runs ${table}\``,
  };
}
