/** Edges. */
import type {
  BranchAst,
  CaseAst,
  EachAst,
  FlowDecl,
  HopAst,
  HopClause,
  HopTarget,
  RefAst,
  SourceAst,
  StateDecl,
} from "../../../dsl/syntax/tree/ast.ts";
import type { Cursor } from "./cursor.ts";
import { isName, Kind } from "./kinds.ts";
import { readArgsOnLine, readExpression, readLiteral } from "./read-expression.ts";
import { readAssigns } from "./read-policy.ts";
import { readState } from "./read-type.ts";

export function readFlow(cursor: Cursor): FlowDecl {
  const start = cursor.start();
  const source = readSource(cursor);
  const hops = readArrows(cursor);
  return { kind: "flow", source, hops, span: cursor.span(start) };
}

function readSource(cursor: Cursor): SourceAst {
  const start = cursor.start();
  if (!cursor.takeIf(Kind.leftSquare)) {
    const nodes = cursor.list((each) => each.name(), Kind.bar);
    return { kind: "any", nodes, span: cursor.span(start) };
  }
  const nodes = cursor.names();
  cursor.take(Kind.rightSquare);
  const need = cursor.takeIf(Kind.need) ? { need: cursor.count() } : undefined;
  return { kind: "join", nodes, ...need, span: cursor.span(start) };
}

function readArrows(cursor: Cursor): HopAst[] {
  const hops: HopAst[] = [];
  do {
    cursor.take(Kind.arrow);
    hops.push(readHop(cursor));
  } while (cursor.kind() === Kind.arrow);
  return hops;
}

function readHop(cursor: Cursor): HopAst {
  const start = cursor.start();
  const target = readTarget(cursor);
  const clauses: HopClause[] = [];
  for (let clause = readHopClause(cursor); clause !== undefined; clause = readHopClause(cursor))
    clauses.push(clause);
  return { ...target, clauses, span: cursor.span(start) };
}

function readTarget(cursor: Cursor): HopTarget {
  switch (cursor.kind()) {
    case Kind.each:
      return readEach(cursor);
    case Kind.match:
      return readMatch(cursor);
    case Kind.leftCurly:
      return readChoice(cursor);
    case Kind.leftSquare:
      return readAllOf(cursor);
    default:
      return { kind: "one-of", refs: cursor.list(readRef, Kind.bar) };
  }
}

function readAllOf(cursor: Cursor): HopTarget {
  cursor.skip();
  const refs = cursor.list(readRef);
  cursor.take(Kind.rightSquare);
  return { kind: "all-of", refs };
}

function readRef(cursor: Cursor): RefAst {
  const start = cursor.start();
  const node = cursor.name();
  const args = readArgsOnLine(cursor);
  const isLabelled = cursor.kind() === Kind.string && cursor.isOnSameLine();
  if (!isLabelled) return { node, args, span: cursor.span(start) };
  const label = cursor.string();
  return { node, args, label, span: cursor.span(start) };
}

/** Words that may be nodes too: what stands behind them tells. */
function readHopClause(cursor: Cursor): HopClause | undefined {
  const next = cursor.kind(1);
  switch (cursor.kind()) {
    case Kind.when:
      return readWhen(cursor);
    case Kind.max:
      return next === Kind.number || isName(next) ? readMax(cursor) : undefined;
    case Kind.after:
      return next === Kind.duration ? readAfter(cursor) : undefined;
    case Kind.on:
      return isName(next) ? readOn(cursor) : undefined;
    case Kind.set:
      return isName(next) && cursor.kind(2) === Kind.assign ? readSet(cursor) : undefined;
    case Kind.detached:
      return cursor.isOnSameLine() || (next !== Kind.arrow && next !== Kind.bar)
        ? readDetached(cursor)
        : undefined;
    default:
      return undefined;
  }
}

function readWhen(cursor: Cursor): HopClause {
  const start = cursor.start();
  cursor.skip();
  const condition = readExpression(cursor);
  return { kind: "when", condition, span: cursor.span(start) };
}

function readMax(cursor: Cursor): HopClause {
  const start = cursor.start();
  cursor.skip();
  const count = cursor.count();
  return { kind: "max", count, span: cursor.span(start) };
}

function readAfter(cursor: Cursor): HopClause {
  const start = cursor.start();
  cursor.skip();
  const { ms } = cursor.duration();
  return { kind: "after", ms, span: cursor.span(start) };
}

function readOn(cursor: Cursor): HopClause {
  const start = cursor.start();
  cursor.skip();
  const what = cursor.name();
  return { kind: "on", what, span: cursor.span(start) };
}

function readSet(cursor: Cursor): HopClause {
  const start = cursor.start();
  cursor.skip();
  const assigns = readAssigns(cursor);
  return { kind: "set", assigns, span: cursor.span(start) };
}

function readDetached(cursor: Cursor): HopClause {
  const start = cursor.start();
  cursor.skip();
  return { kind: "detached", span: cursor.span(start) };
}

function readEach(cursor: Cursor): HopTarget {
  cursor.skip();
  const variable = cursor.name();
  cursor.take(Kind.of);
  const items = readExpression(cursor);
  const options = readEachOptions(cursor);
  cursor.take(Kind.leftCurly);
  const states: StateDecl[] = [];
  while (cursor.kind() === Kind.state && cursor.kind(1) === Kind.leftCurly)
    states.push(readState(cursor));
  const body = [readHop(cursor)];
  while (cursor.takeIf(Kind.arrow)) body.push(readHop(cursor));
  const flows: FlowDecl[] = [];
  while (cursor.kind() !== Kind.rightCurly) flows.push(readFlow(cursor));
  cursor.take(Kind.rightCurly);
  return { kind: "each", variable, items, onErrorSkip: false, ...options, states, body, flows };
}

type EachOptions = Partial<Pick<EachAst, "parallel" | "need" | "when" | "onErrorSkip">>;

/** In any order, each once. */
function readEachOptions(cursor: Cursor): EachOptions {
  let options: EachOptions = {};
  for (let next = readEachOption(cursor); next !== undefined; next = readEachOption(cursor)) {
    for (const key of Object.keys(next)) if (key in options) cursor.reject();
    options = { ...options, ...next };
  }
  return options;
}

function readEachOption(cursor: Cursor): EachOptions | undefined {
  if (cursor.takeIf(Kind.parallel)) return { parallel: cursor.count() };
  if (cursor.takeIf(Kind.need)) return { need: cursor.count() };
  if (cursor.takeIf(Kind.when)) return { when: readExpression(cursor) };
  if (!cursor.takeIf(Kind.on)) return undefined;
  cursor.take(Kind.error);
  cursor.take(Kind.skip);
  return { onErrorSkip: true };
}

function readChoice(cursor: Cursor): HopTarget {
  cursor.skip();
  const branches: BranchAst[] = [];
  while (!cursor.takeIf(Kind.rightCurly)) branches.push(readBranch(cursor));
  return { kind: "choice", branches };
}

function readBranch(cursor: Cursor): BranchAst {
  const start = cursor.start();
  const condition = cursor.takeIf(Kind.else) ? undefined : { condition: readExpression(cursor) };
  const hops = readArrows(cursor);
  const span = cursor.span(start);
  cursor.takeIf(Kind.comma);
  return { ...condition, hops, span };
}

function readMatch(cursor: Cursor): HopTarget {
  cursor.skip();
  const subject = readExpression(cursor);
  cursor.take(Kind.leftCurly);
  const cases: CaseAst[] = [];
  while (!cursor.takeIf(Kind.rightCurly)) cases.push(readCase(cursor));
  return { kind: "match", subject, cases };
}

function readCase(cursor: Cursor): CaseAst {
  const start = cursor.start();
  const isElse = cursor.takeIf(Kind.else);
  const values = isElse ? undefined : { values: cursor.list(readLiteral, Kind.bar) };
  const hops = readArrows(cursor);
  const span = cursor.span(start);
  cursor.takeIf(Kind.comma);
  return { ...values, hops, span };
}
