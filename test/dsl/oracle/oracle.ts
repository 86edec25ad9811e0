/**
 * The second parser: the whole grammar once more, by hand. It makes the same tree as dsl/syntax or
 * throws a `Rejection` at the first thing that does not fit; what the two disagree about is a fault of one of them.
 */
import type {
  ApproveDecl,
  BreakDecl,
  CallDecl,
  FileAst,
  GraphDecl,
  GraphItem,
  ImportDecl,
  McpDecl,
  ModelDecl,
  NodeDecl,
  ObjectAst,
  PricePart,
  ScriptLineAst,
  StringLiteral,
  TestDecl,
  TestItem,
  TopItem,
} from "../../../dsl/syntax/tree/ast.ts";
import { Cursor } from "./cursor.ts";
import { isName, isWord, Kind } from "./kinds.ts";
import { readBody } from "./read-clause.ts";
import { readArgs, readExpression, readObject, readObjectOrMerge } from "./read-expression.ts";
import { readFlow } from "./read-flow.ts";
import { readAssigns, readConsent, readLimit, readWrites } from "./read-policy.ts";
import { readMemory, readParams, readState, readType } from "./read-type.ts";

/** Parses a whole text. */
export function readFile(text: string): FileAst {
  const cursor = new Cursor(text);
  const items: TopItem[] = [];
  while (cursor.kind() !== Kind["end of text"]) items.push(readTopItem(cursor));
  return { kind: "file", items, span: { start: 0, end: text.length } };
}

function readTopItem(cursor: Cursor): TopItem {
  switch (cursor.kind()) {
    case Kind.import:
      return readImport(cursor);
    case Kind.model:
      return readModel(cursor);
    case Kind.mcp:
    case Kind.openapi:
      return readMcp(cursor);
    case Kind.type:
      return readTypeDecl(cursor);
    case Kind.memory:
      return readMemory(cursor);
    case Kind.config:
      return readConfig(cursor);
    case Kind.graph:
      return readGraph(cursor);
    default:
      return readTest(cursor);
  }
}

function readImport(cursor: Cursor): ImportDecl {
  const start = cursor.start();
  cursor.skip();
  cursor.take(Kind.leftCurly);
  const names = cursor.list((each) => {
    const name = each.name();
    return each.takeIf(Kind.as) ? { name, as: each.name() } : { name };
  });
  cursor.take(Kind.rightCurly);
  cursor.take(Kind.from);
  const from = cursor.string();
  return { kind: "import", names, from, span: cursor.span(start) };
}

function readModel(cursor: Cursor): ModelDecl {
  const start = cursor.start();
  cursor.skip();
  const name = cursor.name();
  cursor.take(Kind.assign);
  const value = readExpression(cursor);
  const settings = cursor.kind() === Kind.leftCurly ? readModelSettings(cursor) : {};
  return { kind: "model", name, value, ...settings, span: cursor.span(start) };
}

function readModelSettings(cursor: Cursor): Pick<ModelDecl, "options" | "price"> {
  const start = cursor.start();
  const entries: ObjectAst["entries"][number][] = [];
  const price: PricePart[] = [];
  cursor.take(Kind.leftCurly);
  if (cursor.kind() !== Kind.rightCurly) {
    cursor.list((each) => {
      const begin = each.start();
      const key = each.key();
      if (each.takeIf(Kind.colon)) entries.push({ key, value: readExpression(each) });
      else if (each.kind() === Kind.money)
        price.push({ part: key, usd: each.money().usd, span: each.span(begin) });
      else if (isName(each.kind())) {
        const part = each.name();
        price.push({ lead: key, part, usd: each.money().usd, span: each.span(begin) });
      } else entries.push({ key });
    });
  }
  cursor.take(Kind.rightCurly);
  const isPriceAlone = entries.length === 0 && price.length > 0;
  const options = { kind: "object" as const, entries, span: cursor.span(start) };
  return { ...(isPriceAlone ? {} : { options }), ...(price.length > 0 ? { price } : {}) };
}

function readOptions(cursor: Cursor): Pick<ModelDecl, "options"> | undefined {
  return cursor.kind() === Kind.leftCurly ? { options: readObject(cursor) } : undefined;
}

function readMcp(cursor: Cursor): McpDecl {
  const start = cursor.start();
  const protocol = cursor.kind() === Kind.openapi ? ({ protocol: "openapi" } as const) : {};
  cursor.skip();
  const name = cursor.name();
  cursor.take(Kind.assign);
  const value = readExpression(cursor);
  const options = readOptions(cursor);
  const optional = cursor.takeIf(Kind.optional);
  return { kind: "mcp", ...protocol, name, value, ...options, optional, span: cursor.span(start) };
}

function readTypeDecl(cursor: Cursor): TopItem {
  const start = cursor.start();
  cursor.skip();
  const name = cursor.name();
  cursor.take(Kind.assign);
  const type = readType(cursor);
  return { kind: "type", name, type, span: cursor.span(start) };
}

function readConfig(cursor: Cursor): TopItem {
  const start = cursor.start();
  cursor.skip();
  const value = readObject(cursor);
  return { kind: "config", value, span: cursor.span(start) };
}

function readGraph(cursor: Cursor): GraphDecl {
  const start = cursor.start();
  cursor.skip();
  const name = cursor.name();
  const params = readParams(cursor);
  const returns = cursor.takeIf(Kind.returns) ? cursor.names() : [];
  const description = readDescription(cursor);
  cursor.take(Kind.leftCurly);
  const items: GraphItem[] = [];
  while (!cursor.takeIf(Kind.rightCurly)) items.push(readItem(cursor));
  const span = cursor.span(start);
  return { kind: "graph", name, params, returns, ...description, items, span };
}

function readDescription(cursor: Cursor): { readonly description: StringLiteral } | undefined {
  return cursor.kind() === Kind.string ? { description: cursor.string() } : undefined;
}

function readItem(cursor: Cursor): GraphItem {
  const next = cursor.kind(1);
  // A node may have any of the words below for its name.
  if (next === Kind.arrow || next === Kind.bar) return readFlow(cursor);
  switch (cursor.kind()) {
    case Kind.state:
      return readState(cursor);
    case Kind.memory:
      return readMemory(cursor);
    case Kind.defaults:
      return readDefaults(cursor);
    case Kind.agent:
    case Kind.operator:
    case Kind.human:
    case Kind.router:
      return readNode(cursor);
    case Kind.run:
    case Kind.tool:
    case Kind.reduce:
    case Kind.graph:
      return readCall(cursor);
    case Kind.limit:
      return readLimit(cursor);
    case Kind.approve:
      return readApprove(cursor);
    case Kind.break:
      return readBreak(cursor);
    case Kind.end:
      return readEnd(cursor);
    default:
      return readFlow(cursor);
  }
}

function readDefaults(cursor: Cursor): GraphItem {
  const start = cursor.start();
  cursor.skip();
  const clauses = readBody(cursor);
  return { kind: "defaults", clauses, span: cursor.span(start) };
}

function readNode(cursor: Cursor): NodeDecl {
  const start = cursor.start();
  const word = nodeWord(cursor.kind());
  cursor.skip();
  const name = cursor.name();
  const params = readParams(cursor);
  const description = readDescription(cursor);
  const clauses = readBody(cursor);
  return { kind: "node", word, name, params, ...description, clauses, span: cursor.span(start) };
}

function nodeWord(kind: number): NodeDecl["word"] {
  if (kind === Kind.agent) return "agent";
  if (kind === Kind.operator) return "operator";
  return kind === Kind.human ? "human" : "router";
}

function readCall(cursor: Cursor): CallDecl {
  const start = cursor.start();
  const word = callWord(cursor.kind());
  cursor.skip();
  const name = cursor.name();
  const params = readParams(cursor);
  const description = readDescription(cursor);
  cursor.take(Kind.assign);
  const callee = cursor.dotted();
  const args = readArgs(cursor);
  // A node may be called `writes`: then an arrow follows, not a name.
  const isWriter = cursor.kind() === Kind.writes && isName(cursor.kind(1));
  const writes = isWriter ? { writes: readWrites(cursor) } : undefined;
  const clauses = cursor.kind() === Kind.leftCurly ? readBody(cursor) : [];
  const span = cursor.span(start);
  return {
    kind: "call",
    word,
    name,
    params,
    ...description,
    callee,
    args,
    ...writes,
    clauses,
    span,
  };
}

function callWord(kind: number): CallDecl["word"] {
  if (kind === Kind.run) return "run";
  if (kind === Kind.tool) return "tool";
  return kind === Kind.reduce ? "reduce" : "graph";
}

function readApprove(cursor: Cursor): ApproveDecl {
  const start = cursor.start();
  cursor.skip();
  const when = readBeforeOrAfter(cursor);
  const nodes = cursor.names();
  const consent = readConsent(cursor);
  return { kind: "approve", when, nodes, consent, span: cursor.span(start) };
}

function readBreak(cursor: Cursor): BreakDecl {
  const start = cursor.start();
  cursor.skip();
  const when = readBeforeOrAfter(cursor);
  const nodes = cursor.names();
  const condition = cursor.takeIf(Kind.when) ? { condition: readExpression(cursor) } : undefined;
  return { kind: "break", when, nodes, ...condition, span: cursor.span(start) };
}

function readBeforeOrAfter(cursor: Cursor): "before" | "after" {
  if (cursor.takeIf(Kind.before)) return "before";
  cursor.take(Kind.after);
  return "after";
}

function readEnd(cursor: Cursor): GraphItem {
  const start = cursor.start();
  cursor.skip();
  cursor.take(Kind.when);
  const condition = readExpression(cursor);
  return { kind: "end-when", condition, span: cursor.span(start) };
}

function readTest(cursor: Cursor): TestDecl {
  const start = cursor.start();
  cursor.take(Kind.test);
  const title = cursor.string();
  cursor.take(Kind.of);
  const of = cursor.name();
  cursor.take(Kind.leftCurly);
  const items: TestItem[] = [];
  while (!cursor.takeIf(Kind.rightCurly)) items.push(readTestItem(cursor));
  return { kind: "test", title, of, items, span: cursor.span(start) };
}

function readTestItem(cursor: Cursor): TestItem {
  const start = cursor.start();
  const kind = cursor.kind();
  const isSaid = isSaying(cursor.kind(1)) && beginsValue(cursor.kind(2));
  const isScript = isSaid || cursor.kind(1) === Kind.slash;
  const isOther = isScript || !itemWords.has(kind);
  if (isOther) return readScript(cursor);
  cursor.skip();
  if (kind === Kind.in) {
    cursor.take(Kind.any);
    cursor.take(Kind.order);
    return { kind: "any-order", span: cursor.span(start) };
  }
  if (kind === Kind.for) {
    cursor.take(Kind.any);
    const names = cursor.list((each) => each.name(), Kind.comma);
    const when = cursor.takeIf(Kind.when) ? { when: readExpression(cursor) } : {};
    return { kind: "any-input", names, ...when, span: cursor.span(start) };
  }
  if (kind === Kind.given) {
    const assigns = readAssigns(cursor);
    return { kind: "given", assigns, span: cursor.span(start) };
  }
  if (cursor.kind() === Kind.path && isName(cursor.kind(1))) {
    cursor.skip();
    const path = cursor.list((each) => each.name(), Kind.arrow);
    return { kind: "expect-path", path, span: cursor.span(start) };
  }
  if (isName(cursor.kind()) && cursor.kind(1) === Kind.was) {
    const node = cursor.name();
    cursor.take(Kind.was);
    cursor.take(Kind.told);
    const as = cursor.name();
    const payload = cursor.kind() === Kind.leftCurly ? { payload: readObjectOrMerge(cursor) } : {};
    return { kind: "expect-told", node, as, ...payload, span: cursor.span(start) };
  }
  const condition = readExpression(cursor);
  return { kind: "expect", condition, span: cursor.span(start) };
}

const itemWords = new Set([Kind.given, Kind.expect, Kind.in, Kind.for]);

function isSaying(kind: number): boolean {
  return sayings.some((one) => kind === one);
}

const sayings = [Kind.says, Kind.fails, Kind.denied, Kind.answers, Kind.calls];

const valueBeginnings = new Set([
  ...[Kind.string, Kind.number, Kind.duration, Kind.money, Kind.tick, Kind.triple],
  ...[Kind.leftCurly, Kind.leftSquare, Kind.leftParen, Kind.bang],
]);

function beginsValue(kind: number): boolean {
  return isWord(kind) || valueBeginnings.has(kind);
}

function readScript(cursor: Cursor): TestItem {
  const start = cursor.start();
  const node = cursor.name();
  const inside = [];
  while (cursor.takeIf(Kind.slash)) inside.push(cursor.name());
  const lines = [readLine(cursor)];
  while (cursor.takeIf(Kind.comma)) {
    const isSaid = beginsValue(cursor.kind(1)) || cursor.kind(1) === Kind.minus;
    const isLine = cursor.kind() === Kind.expires || (isSaying(cursor.kind()) && isSaid);
    const how = lines.at(-1)?.how ?? "says";
    lines.push(isLine ? readLine(cursor) : { how, value: readExpression(cursor) });
  }
  return { kind: "script", node, inside, lines, span: cursor.span(start) };
}

function readLine(cursor: Cursor): ScriptLineAst {
  const start = cursor.start();
  if (cursor.takeIf(Kind.expires))
    return { how: "expires", value: { kind: "null", span: cursor.span(start) } };
  const how = readHow(cursor);
  return { how, value: readExpression(cursor) };
}

function readHow(cursor: Cursor): ScriptLineAst["how"] {
  if (cursor.takeIf(Kind.says)) return "says";
  if (cursor.takeIf(Kind.fails)) return "fails";
  if (cursor.takeIf(Kind.denied)) return "denied";
  if (cursor.takeIf(Kind.answers)) return "answers";
  cursor.take(Kind.calls);
  return "calls";
}
