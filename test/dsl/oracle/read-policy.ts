/** What nodes, graphs and edges share: limits, writes, assignments, consent. */
import type {
  AssignAst,
  ConsentAst,
  ElseAskAst,
  EscalationAst,
  LimitClause,
  QuantityAst,
  WaitAst,
  WriteAst,
  WritesClause,
} from "../../../dsl/syntax/tree/ast.ts";
import type { Cursor } from "./cursor.ts";
import { isName, Kind } from "./kinds.ts";
import { readExpression, readTemplate } from "./read-expression.ts";
import { readVia } from "./read-type.ts";

export function readLimit(cursor: Cursor): LimitClause {
  const start = cursor.start();
  cursor.take(Kind.limit);
  const quantities = cursor.list(readQuantity);
  const elseAsk = readElseAsk(cursor);
  return { kind: "limit", quantities, ...elseAsk, span: cursor.span(start) };
}

export function readElseAsk(cursor: Cursor): ElseAskAst {
  if (!cursor.takeIf(Kind.else)) return { elseAsk: false };
  cursor.take(Kind.ask);
  return { elseAsk: true, ...readWithin(cursor) };
}

export function isQuantity(kind: number): boolean {
  return kind === Kind.duration || kind === Kind.money || kind === Kind.number;
}

/** A duration, money, or a number with its unit on the same line. */
export function readQuantity(cursor: Cursor): QuantityAst {
  if (cursor.kind() === Kind.duration) return cursor.duration();
  if (cursor.kind() === Kind.money) return cursor.money();
  const start = cursor.start();
  const { value } = cursor.number();
  if (!cursor.isOnSameLine()) cursor.reject();
  const unit = cursor.name();
  return { kind: "amount", value, unit, span: cursor.span(start) };
}

export function readWrites(cursor: Cursor): WritesClause {
  const start = cursor.start();
  cursor.take(Kind.writes);
  const writes = cursor.list(readWrite);
  return { kind: "writes", writes, span: cursor.span(start) };
}

function readWrite(cursor: Cursor): WriteAst {
  const start = cursor.start();
  const field = cursor.name();
  const optional = cursor.takeIf(Kind.question);
  const value = cursor.takeIf(Kind.assign) ? { value: readExpression(cursor) } : undefined;
  const via = readVia(cursor);
  const span = cursor.span(start);
  return { field, optional, ...value, ...(via === undefined ? undefined : { via }), span };
}

/** `a = 1, b = 2`; behind a comma there may be something else than one more. */
export function readAssigns(cursor: Cursor): AssignAst[] {
  const assigns = [readAssign(cursor)];
  while (cursor.kind() === Kind.comma && isName(cursor.kind(1)) && cursor.kind(2) === Kind.assign) {
    cursor.skip();
    assigns.push(readAssign(cursor));
  }
  return assigns;
}

function readAssign(cursor: Cursor): AssignAst {
  const start = cursor.start();
  const field = cursor.name();
  cursor.take(Kind.assign);
  const value = readExpression(cursor);
  const isScript = cursor.kind(1) === Kind.says || cursor.kind(1) === Kind.fails;
  const via = isScript ? undefined : readVia(cursor);
  const span = cursor.span(start);
  return { field, value, ...(via === undefined ? undefined : { via }), span };
}

export function readConsent(cursor: Cursor): ConsentAst {
  const isText = cursor.kind() === Kind.tick || cursor.kind() === Kind.triple;
  const text = isText ? { text: readTemplate(cursor) } : undefined;
  const when = cursor.takeIf(Kind.when) ? { when: readExpression(cursor) } : undefined;
  const by = readBy(cursor);
  const isNode = cursor.kind(1) === Kind.arrow || cursor.kind(1) === Kind.bar;
  const from = isNode ? undefined : readFrom(cursor);
  const within = readWait(cursor);
  return { ...text, ...when, ...by, ...from, ...within, ...readEscalations(cursor, within) };
}

/** `from persons need 2`. */
export function readFrom(cursor: Cursor): Pick<ConsentAst, "from" | "need"> | undefined {
  if (!cursor.takeIf(Kind.from)) return undefined;
  const from = readExpression(cursor);
  return { from, ...readNeed(cursor) };
}

function readNeed(cursor: Cursor): Pick<ConsentAst, "need"> | undefined {
  const isCount = cursor.kind(1) === Kind.number || isName(cursor.kind(1));
  if (cursor.kind() !== Kind.need || !isCount) return undefined;
  cursor.skip();
  return { need: cursor.count() };
}

/** `then ask "lead" within 1d`, behind what waits only so long. */
export function readEscalations(
  cursor: Cursor,
  within: { readonly withinMs: number } | undefined,
): { readonly then: readonly EscalationAst[] } | undefined {
  const then: EscalationAst[] = [];
  let last: { readonly withinMs?: number } | undefined = within;
  while (
    last?.withinMs !== undefined &&
    cursor.kind() === Kind.then &&
    cursor.kind(1) === Kind.ask
  ) {
    cursor.skip();
    cursor.skip();
    const to = readExpression(cursor);
    last = { to, ...readNeed(cursor), ...readWait(cursor) } as EscalationAst;
    then.push(last as EscalationAst);
  }
  return then.length === 0 ? undefined : { then };
}

/** `within 2h..1d`: the first is the time between two reminders. */
export function readWait(cursor: Cursor): (WaitAst & { readonly withinMs: number }) | undefined {
  const within = readWithin(cursor);
  if (within === undefined || cursor.kind() !== Kind.dots) return within;
  const start = cursor.start();
  cursor.skip();
  const { ms } = cursor.duration();
  return { withinMs: ms, remind: { ms: within.withinMs, span: cursor.span(start) } };
}

export function readWithin(cursor: Cursor): { readonly withinMs: number } | undefined {
  if (cursor.kind() !== Kind.within || cursor.kind(1) !== Kind.duration) return undefined;
  cursor.skip();
  return { withinMs: cursor.duration().ms };
}

/** `by m`; a node of that name has an arrow behind it. */
export function readBy(cursor: Cursor): Pick<ConsentAst, "by"> | undefined {
  if (cursor.kind() !== Kind.by || !isName(cursor.kind(1))) return undefined;
  cursor.skip();
  return { by: cursor.name() };
}
