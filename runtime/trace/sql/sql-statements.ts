/** Splits a text into its statements, and tells which of them write a table that people may write. */
import { writableTables } from "../schema/tables.ts";

/** Matches the texts, names and comments in which a semicolon means nothing, and the semicolon. */
export const PARTS =
  /\b[eE]'(?:\\[\s\S]|''|[^'\\])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|;/g;

/** The texts of the statements; what is empty, or a comment alone, is none. */
export function statementsOf(sql: string): readonly string[] {
  const ends = [...sql.matchAll(PARTS)].filter(([part]) => part === ";").map(({ index }) => index);
  return [...ends, sql.length]
    .map((end, at) => sql.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, end))
    .filter((statement) => withoutComments(statement).trim() !== "");
}

/** The tables that people fill: everything else in a trace is derived from the logs of the runs. */
const WRITABLE = `(?:main\\.)?(?:${writableTables.map(({ name }) => name).join("|")})`;

const WRITING = new RegExp(
  `^\\s*(?:INSERT\\s+(?:OR\\s+(?:REPLACE|IGNORE)\\s+)?INTO|UPDATE(?:\\s+OR\\s+(?:REPLACE|IGNORE))?|DELETE\\s+FROM|TRUNCATE(?:\\s+TABLE)?|MERGE\\s+INTO|COPY)\\s+"?${WRITABLE}"?(?![\\w."])`,
  "i",
);

/** Returns whether a statement writes tables that people fill, which no rebuild would restore. */
export function isWritingTable(statement: string): boolean {
  return WRITING.test(withoutComments(statement));
}

function withoutComments(statement: string): string {
  return statement.replace(PARTS, (part) => (/^(?:--|\/\*)/.test(part) ? " " : part));
}
