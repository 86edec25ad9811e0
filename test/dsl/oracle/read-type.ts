/** Types, and what is declared with them. */
import type {
  FieldDecl,
  MemberAst,
  MemoryDecl,
  Param,
  StateDecl,
  TypeAst,
  ViaAst,
} from "../../../dsl/syntax/tree/ast.ts";
import type { Cursor } from "./cursor.ts";
import { isName, isWord, Kind } from "./kinds.ts";
import { readArgsOnLine, readExpression, readLiteral, readObject } from "./read-expression.ts";

export function readType(cursor: Cursor): TypeAst {
  const start = cursor.start();
  cursor.takeIf(Kind.bar);
  const first = readArrayType(cursor);
  if (cursor.kind() !== Kind.bar) return first;
  const types = [first];
  while (cursor.takeIf(Kind.bar)) types.push(readArrayType(cursor));
  return { kind: "union-type", types, span: cursor.span(start) };
}

function readArrayType(cursor: Cursor): TypeAst {
  const start = cursor.start();
  let type = readPrimitiveType(cursor);
  while (
    cursor.kind() === Kind.leftSquare &&
    cursor.kind(1) === Kind.rightSquare &&
    cursor.isOnSameLine()
  ) {
    cursor.skip();
    cursor.skip();
    type = { kind: "array-type", of: type, span: cursor.span(start) };
  }
  return type;
}

function readPrimitiveType(cursor: Cursor): TypeAst {
  const kind = cursor.kind();
  if (isName(kind)) return readNamedType(cursor);
  if (kind === Kind.leftCurly) return readObjectType(cursor);
  if (kind === Kind.leftParen) return readGroupedType(cursor);
  if (kind === Kind.leftSquare) return readTupleType(cursor);
  const literal = readLiteral(cursor);
  const value = literal.kind === "null" ? null : literal.value;
  return { kind: "literal-type", value, span: literal.span };
}

function readNamedType(cursor: Cursor): TypeAst {
  const start = cursor.start();
  const name = cursor.dotted();
  if (!cursor.takeIf(Kind.less)) return { kind: "named", name, args: [], span: cursor.span(start) };
  const args = cursor.list(readType);
  cursor.take(Kind.greater);
  return { kind: "named", name, args, span: cursor.span(start) };
}

function readObjectType(cursor: Cursor): TypeAst {
  const start = cursor.start();
  cursor.skip();
  const members: MemberAst[] = [];
  while (isWord(cursor.kind())) members.push(readMember(cursor));
  cursor.take(Kind.rightCurly);
  return { kind: "object-type", members, span: cursor.span(start) };
}

function readMember(cursor: Cursor): MemberAst {
  const name = cursor.word();
  const optional = cursor.takeIf(Kind.question);
  cursor.take(Kind.colon);
  const type = readType(cursor);
  if (!cursor.takeIf(Kind.comma)) cursor.takeIf(Kind.semicolon);
  return { name, optional, type };
}

function readGroupedType(cursor: Cursor): TypeAst {
  cursor.skip();
  const type = readType(cursor);
  cursor.take(Kind.rightParen);
  return type;
}

function readTupleType(cursor: Cursor): TypeAst {
  const start = cursor.start();
  cursor.skip();
  const types = cursor.list(readType);
  cursor.take(Kind.rightSquare);
  return { kind: "tuple-type", types, span: cursor.span(start) };
}

/** `: Type`; the type begins on the line of the colon, unless a `|` leads it. */
function readAnnotation(cursor: Cursor): TypeAst {
  cursor.take(Kind.colon);
  if (!cursor.isOnSameLine() && cursor.kind() !== Kind.bar) cursor.reject();
  return readType(cursor);
}

export function readParams(cursor: Cursor): Param[] {
  if (!cursor.takeIf(Kind.leftParen)) return [];
  const params = cursor.kind() === Kind.rightParen ? [] : cursor.list(readParam);
  cursor.take(Kind.rightParen);
  return params;
}

function readParam(cursor: Cursor): Param {
  const start = cursor.start();
  const name = cursor.name();
  const optional = cursor.takeIf(Kind.question);
  const type = readAnnotation(cursor);
  if (!cursor.takeIf(Kind.assign)) return { name, optional, type, span: cursor.span(start) };
  const value = readExpression(cursor);
  return { name, optional, type, value, span: cursor.span(start) };
}

export function readState(cursor: Cursor): StateDecl {
  const start = cursor.start();
  cursor.take(Kind.state);
  const scope = readScope(cursor);
  cursor.take(Kind.leftCurly);
  const fields: FieldDecl[] = [];
  while (!cursor.takeIf(Kind.rightCurly)) fields.push(readField(cursor));
  return { kind: "state", scope, fields, span: cursor.span(start) };
}

function readScope(cursor: Cursor): StateDecl["scope"] {
  if (cursor.takeIf(Kind.thread)) return "thread";
  return cursor.takeIf(Kind.user) ? "user" : "run";
}

function readField(cursor: Cursor): FieldDecl {
  const start = cursor.start();
  const { name, optional, type, value } = readParam(cursor);
  const via = readVia(cursor);
  return {
    name,
    optional,
    type,
    ...(value === undefined ? {} : { value }),
    ...(via === undefined ? {} : { via }),
    span: cursor.span(start),
  };
}

/** `via append`; a field of that name has no name behind it. */
export function readVia(cursor: Cursor): ViaAst | undefined {
  if (cursor.kind() !== Kind.via || !isName(cursor.kind(1))) return undefined;
  const start = cursor.start();
  cursor.skip();
  const name = cursor.name();
  const args = readArgsOnLine(cursor);
  return { name, args, span: cursor.span(start) };
}

const MEMORY_SCOPES = ["thread", "user", "agent", "workspace"] as const;

export function readMemory(cursor: Cursor): MemoryDecl {
  const start = cursor.start();
  cursor.take(Kind.memory);
  const name = cursor.name();
  const scope = MEMORY_SCOPES.find((word) => cursor.kind() === Kind[word]);
  if (scope !== undefined) cursor.skip();
  const type = readAnnotation(cursor);
  const isEdge = cursor.kind(1) === Kind.arrow || cursor.kind(1) === Kind.bar;
  const hasKey = cursor.kind() === Kind.by && !isEdge;
  if (hasKey) cursor.skip();
  const by = hasKey ? { by: readExpression(cursor) } : {};
  const options = cursor.kind() === Kind.leftCurly ? { options: readObject(cursor) } : {};
  const whose = scope === undefined ? {} : { scope };
  return { kind: "memory", name, ...whose, type, ...by, ...options, span: cursor.span(start) };
}
