/** The clauses of a node. */
import type { Clause, CountAst, Name } from "../../../dsl/syntax/tree/ast.ts";
import type { Cursor } from "./cursor.ts";
import { isName, Kind } from "./kinds.ts";
import { readArgsOnLine, readExpression, readObjectOrMerge } from "./read-expression.ts";
import {
  isQuantity,
  readAssigns,
  readBy,
  readConsent,
  readElseAsk,
  readEscalations,
  readFrom,
  readLimit,
  readQuantity,
  readWait,
  readWrites,
} from "./read-policy.ts";
import { readState } from "./read-type.ts";

/** `{ clause; clause … }`. */
export function readBody(cursor: Cursor): Clause[] {
  cursor.take(Kind.leftCurly);
  const clauses: Clause[] = [];
  while (!cursor.takeIf(Kind.rightCurly)) {
    const read = readers[cursor.kind()];
    clauses.push(read === undefined ? cursor.reject() : read(cursor));
    cursor.takeIf(Kind.semicolon);
  }
  return clauses;
}

type ReadClause = (cursor: Cursor) => Clause;

const readers: (ReadClause | undefined)[] = [];
readers[Kind.model] = (cursor) => readText(cursor, "model");
readers[Kind.system] = (cursor) => readText(cursor, "system");
readers[Kind.prompt] = (cursor) => readText(cursor, "prompt");
readers[Kind.context] = (cursor) => readText(cursor, "context");
readers[Kind.ask] = readAsk;
readers[Kind.tools] = readTools;
readers[Kind.skills] = readSkills;
readers[Kind.controller] = readController;
readers[Kind.session] = readSession;
readers[Kind.reads] = readReads;
readers[Kind.edits] = readEdits;
readers[Kind.writes] = readWrites;
readers[Kind.state] = readState;
readers[Kind.effects] = readEffects;
readers[Kind.tell] = readTell;
readers[Kind.retry] = readRetry;
readers[Kind.limit] = readLimit;
readers[Kind.cache] = readCache;
readers[Kind.ensure] = readEnsure;
readers[Kind.every] = readEvery;
readers[Kind.history] = readHistory;
readers[Kind.recall] = readRecall;
readers[Kind.store] = readStore;
readers[Kind.approve] = readApprove;
readers[Kind.set] = readSet;

function readText(cursor: Cursor, kind: "model" | "system" | "prompt" | "context"): Clause {
  const start = cursor.start();
  cursor.skip();
  const value = readExpression(cursor);
  return { kind, value, span: cursor.span(start) };
}

function readAsk(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const value = readExpression(cursor);
  const from = readFrom(cursor);
  const within = readWait(cursor);
  const then = readEscalations(cursor, within);
  const last = then === undefined ? within : then.then.at(-1);
  const hasElse = last?.withinMs !== undefined && cursor.takeIf(Kind.else);
  const otherwise = hasElse ? { otherwise: readExpression(cursor) } : undefined;
  return {
    kind: "ask",
    value,
    ...from,
    ...within,
    ...then,
    ...otherwise,
    span: cursor.span(start),
  };
}

function readTools(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const tools = cursor.list((each) => each.dotted());
  return { kind: "tools", tools, span: cursor.span(start) };
}

function readSkills(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const skills = cursor.list(readExpression);
  return { kind: "skills", skills, span: cursor.span(start) };
}

function readController(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const name = cursor.dotted();
  const args = readArgsOnLine(cursor);
  return { kind: "controller", name, args, span: cursor.span(start) };
}

function readSession(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  if (cursor.takeIf(Kind.new)) return { kind: "session", policy: "new", span: cursor.span(start) };
  if (cursor.takeIf(Kind.resume)) {
    const value = readExpression(cursor);
    return { kind: "session", policy: "resume", value, span: cursor.span(start) };
  }
  cursor.take(Kind.reuse);
  const isNamed = isName(cursor.kind()) && cursor.isOnSameLine();
  const name = isNamed ? { name: cursor.name() } : undefined;
  return { kind: "session", policy: "reuse", ...name, span: cursor.span(start) };
}

function readReads(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const earlier: Name[] = [];
  const fields = cursor.list((each) => {
    const isBeforeName = isName(each.kind(1)) && each.isOnSameLine(1);
    const isEarlier = each.kind() === Kind.earlier && isBeforeName;
    if (isEarlier) each.skip();
    const field = each.name();
    if (isEarlier) earlier.push(field);
    return field;
  });
  const marked = earlier.length === 0 ? undefined : { earlier };
  return { kind: "reads", fields, ...marked, span: cursor.span(start) };
}

function readEdits(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const fields = cursor.names();
  return { kind: "edits", fields, span: cursor.span(start) };
}

function readEffects(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const level = oneOf(cursor, ["none", "workspace", "external"]);
  return { kind: "effects", level, span: cursor.span(start) };
}

/** Takes one of some words and says which. */
function oneOf<Word extends string>(cursor: Cursor, choices: readonly Word[]): Word {
  const image = cursor.image();
  const found = choices.find((choice) => choice === image);
  if (found === undefined) return cursor.reject();
  cursor.skip();
  return found;
}

function readTell(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const targets = cursor.takeIf(Kind.star) ? [] : cursor.names();
  const as = cursor.takeIf(Kind.as) ? { as: cursor.name() } : undefined;
  const hasPayload = as !== undefined && cursor.kind() === Kind.leftCurly;
  const payload = hasPayload ? { payload: readObjectOrMerge(cursor) } : undefined;
  return { kind: "tell", targets, ...as, ...payload, span: cursor.span(start) };
}

function readRetry(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const rules = cursor.list(readRetryRule);
  if (!cursor.takeIf(Kind.backoff)) return { kind: "retry", rules, span: cursor.span(start) };
  const from = cursor.duration().ms;
  const backoffMs = cursor.takeIf(Kind.dots) ? { from, to: cursor.duration().ms } : { from };
  return { kind: "retry", rules, backoffMs, span: cursor.span(start) };
}

function readRetryRule(cursor: Cursor): { readonly count: CountAst; readonly on: readonly Name[] } {
  const count = cursor.count();
  const on = cursor.takeIf(Kind.on) ? cursor.list((each) => each.name(), Kind.bar) : [];
  return { count, on };
}

function readCache(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const ttl = cursor.kind() === Kind.duration ? { ttlMs: cursor.duration().ms } : undefined;
  const by = cursor.takeIf(Kind.by) ? cursor.list(readExpression) : [];
  return { kind: "cache", ...ttl, by, span: cursor.span(start) };
}

/** `by` stands only behind a condition in quotes that has nothing else. */
function readEnsure(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const condition = readExpression(cursor);
  const hint = cursor.kind() === Kind.string ? { hint: cursor.string() } : undefined;
  const by = readBy(cursor);
  const asked = readElseAsk(cursor);
  if (by !== undefined && (condition.kind !== "string" || hint !== undefined || asked.elseAsk))
    cursor.reject();
  return { kind: "ensure", condition, ...hint, ...by, ...asked, span: cursor.span(start) };
}

function readEvery(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const interval = readExpression(cursor);
  const longest = cursor.takeIf(Kind.dots) ? { intervalMax: readExpression(cursor) } : undefined;
  const until = cursor.takeIf(Kind.until) ? { until: readExpression(cursor) } : undefined;
  const by = readBy(cursor);
  const max = cursor.takeIf(Kind.max) ? { max: cursor.count() } : undefined;
  return { kind: "every", interval, ...longest, ...until, ...by, ...max, span: cursor.span(start) };
}

function readHistory(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const found = readHistorySource(cursor);
  const isNone = found.source === "none";
  const size = !isNone && isQuantity(cursor.kind()) ? { size: readQuantity(cursor) } : undefined;
  const summarize = !isNone && cursor.takeIf(Kind.summarize);
  return { kind: "history", ...found, ...size, summarize, span: cursor.span(start) };
}

function readHistorySource(
  cursor: Cursor,
): Pick<Clause & { readonly kind: "history" }, "source" | "field"> {
  if (!cursor.isOnSameLine()) return { source: "own" };
  if (cursor.takeIf(Kind.none)) return { source: "none" };
  if (cursor.takeIf(Kind.inbox)) return { source: "inbox" };
  if (cursor.takeIf(Kind.thread)) return { source: "thread" };
  if (cursor.takeIf(Kind.own)) return { source: "own" };
  return isName(cursor.kind()) ? { source: "field", field: cursor.name() } : { source: "own" };
}

function readRecall(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const memory = cursor.name();
  const top = cursor.takeIf(Kind.top) ? { top: cursor.count() } : undefined;
  const by = cursor.takeIf(Kind.by) ? { by: readExpression(cursor) } : undefined;
  return { kind: "recall", memory, ...top, ...by, span: cursor.span(start) };
}

function readStore(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const value = readExpression(cursor);
  cursor.take(Kind.into);
  const memory = cursor.name();
  return { kind: "store", value, memory, span: cursor.span(start) };
}

function readApprove(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const when = oneOf(cursor, ["before", "after", "tool"]);
  const isNamed = when === "tool" && !cursor.takeIf(Kind.star);
  const tools = isNamed ? cursor.list((each) => each.dotted()) : [];
  const consent = readConsent(cursor);
  return { kind: "approve", when, tools, consent, span: cursor.span(start) };
}

function readSet(cursor: Cursor): Clause {
  const start = cursor.start();
  cursor.skip();
  const assigns = readAssigns(cursor);
  return { kind: "set", assigns, span: cursor.span(start) };
}
