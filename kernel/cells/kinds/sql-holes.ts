/** Binds the holes of a query: `${run.id}` becomes a parameter, never a part of the text. */

import type { Framed } from "../../../dsl/index.ts";
import { nearest, positionAt, type Source } from "../../../dsl/index.ts";
import { WrongText } from "../notebook.ts";
import { framesOutput } from "../output/frame-output.ts";

export type Bound = string | number | bigint | boolean | null;

export interface BoundQuery {
  /** `$1` and spaces where the holes were, so that every place is where it is in the cell. */
  readonly sql: string;
  readonly params: readonly Bound[];
}

/** Binds what the holes of a query name among the names that cells declared. */
export function bindHoles(
  source: Source,
  sql: string,
  names: Readonly<Record<string, unknown>>,
): BoundQuery {
  const params: Bound[] = [];
  const bound = sql.replace(HOLES, (text, path: string | undefined, offset: number) => {
    // A string, a quoted name or a comment.
    if (path === undefined) return text;
    params.push(holeValue(path.trim(), { source, names, offset, length: text.length }));
    return `$${params.length}`.padEnd(text.length);
  });
  return { sql: bound, params };
}

/** The names of cells that a query's holes begin with. */
export function namesInHoles(sql: string): readonly string[] {
  return [...sql.matchAll(HOLES)].flatMap(([, path]) => path?.trim().split(".", 1) ?? []);
}

const HOLES = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$\{([^{}]*)\}/g;
const PATH = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u;

interface QueryHole {
  readonly source: Source;
  readonly names: Readonly<Record<string, unknown>>;
  readonly offset: number;
  readonly length: number;
}

function holeValue(path: string, hole: QueryHole): Bound {
  if (!PATH.test(path)) {
    throw wrong(
      hole,
      `\`${path}\` is no name`,
      "a hole takes a name of a cell and its members, as `run.id`",
    );
  }
  const [first = "", ...members] = path.split(".");
  if (!(first in hole.names)) {
    const meant = nearest(first, Object.keys(hole.names));
    throw wrong(
      hole,
      `no cell has declared \`${first}\``,
      meant === undefined ? "run the cell that declares it" : `did you mean \`${meant}\`?`,
    );
  }
  const value = members.reduce<unknown>(memberOf, hole.names[first]);
  if (isBound(value)) return value;
  if (value instanceof Date) return value.toISOString();
  throw wrong(
    hole,
    `\`${path}\` is ${value === undefined ? "undefined" : "no single value"}`,
    hasId(value)
      ? `a run goes by its id: \`\${${path}.id}\``
      : "a hole takes a string, a number, true, false, null or a date",
  );
}

function hasId(value: unknown): boolean {
  return typeof value === "object" && value !== null && "id" in value && isBound(value.id);
}

function memberOf(value: unknown, name: string): unknown {
  return value === undefined || value === null
    ? undefined
    : (value as Readonly<Record<string, unknown>>)[name];
}

function isBound(value: unknown): value is Bound {
  return value === null || ["string", "number", "bigint", "boolean"].includes(typeof value);
}

function wrong({ source, offset, length }: QueryHole, message: string, hint: string): WrongText {
  const { line, column } = positionAt(source, offset);
  const end = positionAt(source, offset + length);
  const framed: Framed = {
    code: "M7506",
    severity: "error",
    message,
    file: source.file,
    line,
    column,
    endLine: end.line,
    endColumn: end.column,
    hint,
  };
  return new WrongText(framesOutput([framed], source));
}
