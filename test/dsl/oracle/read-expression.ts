/** Expressions and prompts. */
import type {
  ArgAst,
  BinaryOp,
  ExprAst,
  LiteralAst,
  ObjectAst,
  ObjectEntry,
  TemplateAst,
} from "../../../dsl/syntax/tree/ast.ts";
import type { Cursor } from "./cursor.ts";
import { isName, isWord, Kind } from "./kinds.ts";
import { dedentedParts, plainParts } from "./values.ts";

export function readExpression(cursor: Cursor): ExprAst {
  const start = cursor.start();
  const test = readOperators(cursor);
  if (!cursor.takeIf(Kind.question)) return test;
  const then = readExpression(cursor);
  cursor.take(Kind.colon);
  const otherwise = readExpression(cursor);
  return { kind: "conditional", test, then, else: otherwise, span: cursor.span(start) };
}

// By the number of the kind: how tightly it binds, and how the tree calls it.
const operators: readonly (readonly [string, number, BinaryOp])[] = [
  ["nullish", 1, "??"],
  ["or", 1, "||"],
  ["and", 2, "&&"],
  ["equal", 3, "=="],
  ["notEqual", 3, "!="],
  ["less", 4, "<"],
  ["lessEqual", 4, "<="],
  ["greater", 4, ">"],
  ["greaterEqual", 4, ">="],
  ["in", 4, "in"],
  ["not", 4, "in"],
  ["plus", 5, "+"],
  ["minus", 5, "-"],
  ["star", 6, "*"],
  ["slash", 6, "/"],
  ["percent", 6, "%"],
];
const strengths = new Uint8Array(256);
const symbols: BinaryOp[] = [];
for (const [name, strength, symbol] of operators) {
  const kind = Object.entries(Kind).find(([each]) => each === name)?.[1] ?? 0;
  strengths[kind] = strength;
  symbols[kind] = symbol;
}

const nullish = 1;
const logical = 2;

// JavaScript refuses `a ?? b || c` without parentheses; what stands in parentheses is counted by itself.
function readOperators(cursor: Cursor): ExprAst {
  const outer = cursor.operators;
  cursor.operators = 0;
  const expression = readBinary(cursor, 0);
  if (cursor.operators === (nullish | logical)) cursor.reject();
  cursor.operators = outer;
  return expression;
}

/** Precedence climbing: what binds tighter than `weakest`. */
function readBinary(cursor: Cursor, weakest: number): ExprAst {
  const start = cursor.start();
  let left = isNegation(cursor) ? readNegation(cursor) : readUnary(cursor);
  for (;;) {
    const kind = cursor.kind();
    const strength = strengths[kind] ?? 0;
    // A word on a line of its own begins something else.
    if (strength <= weakest || (isName(kind) && !cursor.isOnSameLine())) return left;
    const op = symbols[kind] ?? "==";
    if (strength < 3) cursor.operators |= op === "??" ? nullish : logical;
    cursor.skip();
    const isNegated = kind === Kind.not;
    if (isNegated) cursor.take(Kind.in);
    const right = readBinary(cursor, strength);
    left = { kind: "binary", op, left, right, span: cursor.span(start) };
    if (isNegated) left = { kind: "unary", op: "!", operand: left, span: left.span };
  }
}

// `not` negates all that binds tighter than `&&`, a comparison too.
function readNegation(cursor: Cursor): ExprAst {
  const start = cursor.start();
  cursor.skip();
  const operand = readBinary(cursor, 2);
  return { kind: "unary", op: "!", operand, span: cursor.span(start) };
}

function readUnary(cursor: Cursor): ExprAst {
  const kind = cursor.kind();
  if (kind !== Kind.bang && kind !== Kind.minus) return readPostfix(cursor);
  const start = cursor.start();
  cursor.skip();
  const operand = readUnary(cursor);
  return { kind: "unary", op: kind === Kind.bang ? "!" : "-", operand, span: cursor.span(start) };
}

const operandStarts: ReadonlySet<number> = new Set([
  ...[Kind.string, Kind.number, Kind.leftParen, Kind.leftSquare, Kind.tick, Kind.triple, Kind.bang],
  ...[Kind.true, Kind.false, Kind.null],
]);

const behindOperands: ReadonlySet<number> = new Set([
  ...[Kind.after, Kind.as, Kind.backoff, Kind.by, Kind.detached, Kind.from, Kind.in, Kind.into],
  ...[Kind.max, Kind.need, Kind.on, Kind.parallel, Kind.set, Kind.summarize, Kind.top, Kind.until],
  ...[Kind.via, Kind.then, Kind.within, Kind.writes, Kind.fails, Kind.says],
]);

/** `not` before an operand on its line; elsewhere it is a name. */
function isNegation(cursor: Cursor): boolean {
  if (cursor.kind() !== Kind.not || !cursor.isOnSameLine(1)) return false;
  const next = cursor.kind(1);
  return !behindOperands.has(next) && (isName(next) || operandStarts.has(next));
}

function readPostfix(cursor: Cursor): ExprAst {
  const start = cursor.start();
  let object = readPrimary(cursor);
  for (;;) {
    const kind = cursor.kind();
    if (kind === Kind.dot || kind === Kind.optionalDot) {
      cursor.skip();
      const optional = kind === Kind.optionalDot;
      const name = cursor.word();
      object = { kind: "member", object, name, optional, span: cursor.span(start) };
    } else if (kind === Kind.leftParen && cursor.isOnSameLine()) {
      const args = readArgs(cursor, readCallArg);
      object = { kind: "call", callee: object, args, span: cursor.span(start) };
    } else if (kind === Kind.leftSquare && cursor.isOnSameLine()) {
      cursor.skip();
      const index = readExpression(cursor);
      cursor.take(Kind.rightSquare);
      object = { kind: "index", object, index, span: cursor.span(start) };
    } else return object;
  }
}

function readPrimary(cursor: Cursor): ExprAst {
  const kind = cursor.kind();
  if (isName(kind)) return readName(cursor);
  switch (kind) {
    case Kind.string:
      return cursor.string();
    case Kind.number:
      return cursor.number();
    case Kind.duration:
      return cursor.duration();
    case Kind.money:
      return cursor.money();
    case Kind.tick:
    case Kind.triple:
      return readTemplate(cursor);
    case Kind.leftParen:
      return isLambda(cursor) ? readLambda(cursor) : readGroup(cursor);
    case Kind.leftSquare:
      return readList(cursor);
    case Kind.leftCurly:
      return readObjectOrMerge(cursor);
    default:
      return readConstant(cursor);
  }
}

function readName(cursor: Cursor): ExprAst {
  const isParameter = cursor.kind(1) === Kind.fatArrow;
  const name = cursor.name();
  if (!isParameter) return { kind: "name", text: name.text, span: name.span };
  cursor.skip();
  const body = readExpression(cursor);
  return { kind: "lambda", params: [name], body, span: cursor.span(name.span.start) };
}

function readConstant(cursor: Cursor): LiteralAst {
  const start = cursor.start();
  const kind = cursor.kind();
  cursor.skip();
  const span = cursor.span(start);
  if (kind === Kind.true) return { kind: "boolean", value: true, span };
  if (kind === Kind.false) return { kind: "boolean", value: false, span };
  if (kind === Kind.null) return { kind: "null", span };
  return cursor.reject();
}

/** What a `match` compares with, and what a type may be. */
export function readLiteral(cursor: Cursor): LiteralAst {
  if (cursor.kind() === Kind.string) return cursor.string();
  const start = cursor.start();
  const isNegative = cursor.takeIf(Kind.minus);
  if (!isNegative && cursor.kind() !== Kind.number) return readConstant(cursor);
  const { value } = cursor.number();
  return { kind: "number", value: isNegative ? -value : value, span: cursor.span(start) };
}

/** `(a, b) =>`: only what stands behind the bracket tells it from a group. */
function isLambda(cursor: Cursor): boolean {
  if (!isName(cursor.kind(1))) return false;
  let ahead = 2;
  while (cursor.kind(ahead) === Kind.comma && isName(cursor.kind(ahead + 1))) ahead += 2;
  return cursor.kind(ahead) === Kind.rightParen && cursor.kind(ahead + 1) === Kind.fatArrow;
}

function readLambda(cursor: Cursor): ExprAst {
  const start = cursor.start();
  cursor.skip();
  const params = cursor.names();
  cursor.take(Kind.rightParen);
  cursor.take(Kind.fatArrow);
  const body = readExpression(cursor);
  return { kind: "lambda", params, body, span: cursor.span(start) };
}

function readGroup(cursor: Cursor): ExprAst {
  cursor.skip();
  const inner = readExpression(cursor);
  cursor.take(Kind.rightParen);
  return inner;
}

function readList(cursor: Cursor): ExprAst {
  const start = cursor.start();
  cursor.skip();
  const items = cursor.kind() === Kind.rightSquare ? [] : cursor.list(readItem);
  cursor.take(Kind.rightSquare);
  return { kind: "list", items, span: cursor.span(start) };
}

function readItem(cursor: Cursor): ExprAst {
  if (cursor.kind() === Kind.spread) return readSpread(cursor);
  const start = cursor.start();
  const from = readExpression(cursor);
  if (!cursor.takeIf(Kind.dots)) return from;
  return { kind: "range", from, to: readExpression(cursor), span: cursor.span(start) };
}

function readSpread(cursor: Cursor): ExprAst {
  const start = cursor.start();
  cursor.skip();
  return { kind: "spread", value: readExpression(cursor), span: cursor.span(start) };
}

export function readObjectOrMerge(cursor: Cursor): ExprAst {
  const start = cursor.start();
  cursor.skip();
  const parts = cursor.kind() === Kind.rightCurly ? [] : cursor.list(readMergePart);
  cursor.take(Kind.rightCurly);
  const span = cursor.span(start);
  const isPlain = parts.every((part) => part.entry !== undefined);
  if (isPlain) return { kind: "object", entries: parts.flatMap(({ entry }) => entry ?? []), span };
  const merged: ExprAst[] = [];
  for (const { entry, spread } of parts) {
    const last = merged.at(-1);
    if (spread !== undefined) merged.push(spread);
    if (entry === undefined) continue;
    const end = (entry.value ?? entry.key).span.end;
    const isNext = last?.kind === "object";
    const before = isNext ? last.entries : [];
    const from = isNext ? last.span.start : entry.key.span.start;
    if (isNext) merged.pop();
    merged.push({ kind: "object", entries: [...before, entry], span: { start: from, end } });
  }
  return { kind: "merge", parts: merged, span };
}

interface MergePart {
  readonly entry?: ObjectEntry;
  readonly spread?: ExprAst;
}

function readMergePart(cursor: Cursor): MergePart {
  return cursor.kind() === Kind.spread
    ? { spread: readSpread(cursor) }
    : { entry: readEntry(cursor) };
}

export function readObject(cursor: Cursor): ObjectAst {
  const start = cursor.start();
  cursor.take(Kind.leftCurly);
  const entries = cursor.kind() === Kind.rightCurly ? [] : cursor.list(readEntry);
  cursor.take(Kind.rightCurly);
  return { kind: "object", entries, span: cursor.span(start) };
}

function readEntry(cursor: Cursor): ObjectEntry {
  const key = cursor.key();
  return cursor.takeIf(Kind.colon) ? { key, value: readExpression(cursor) } : { key };
}

export function readArgs(cursor: Cursor, read = readArg): ArgAst[] {
  cursor.take(Kind.leftParen);
  const args = cursor.kind() === Kind.rightParen ? [] : cursor.list(read);
  cursor.take(Kind.rightParen);
  return args;
}

/** Arguments that may be there, behind a name on its line. */
export function readArgsOnLine(cursor: Cursor): ArgAst[] {
  return cursor.kind() === Kind.leftParen && cursor.isOnSameLine() ? readArgs(cursor) : [];
}

function readCallArg(cursor: Cursor): ArgAst {
  return cursor.kind() === Kind.spread ? { value: readSpread(cursor) } : readArg(cursor);
}

function readArg(cursor: Cursor): ArgAst {
  if (cursor.kind(1) !== Kind.colon || !isWord(cursor.kind()))
    return { value: readExpression(cursor) };
  const label = cursor.word();
  cursor.skip();
  return { label, value: readExpression(cursor) };
}

export function readTemplate(cursor: Cursor): TemplateAst {
  const start = cursor.start();
  const isTriple = cursor.kind() === Kind.triple;
  cursor.skip();
  const pieces: (string | ExprAst)[] = [];
  for (;;) {
    const kind = cursor.kind();
    if (kind === Kind.piece) {
      pieces.push(cursor.image());
      cursor.skip();
    } else if (kind === Kind.hole) {
      cursor.skip();
      pieces.push(readExpression(cursor));
      cursor.take(Kind.rightCurly);
    } else break;
  }
  cursor.take(isTriple ? Kind.tripleEnd : Kind.tickEnd);
  const parts = isTriple ? dedentedParts(pieces) : plainParts(pieces);
  return { kind: "template", parts, span: cursor.span(start) };
}
