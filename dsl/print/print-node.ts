/** Prints nodes with their clauses. */
import type {
  ApproveIr,
  BreakIr,
  ConsentIr,
  CountIr,
  DottedIr,
  EscalationIr,
  ExprIr,
  FieldIr,
  LimitIr,
  NodeIr,
  ParamIr,
  RetryIr,
  WriteIr,
} from "../ir/ir.ts";
import { printType } from "../ir/types.ts";
import { printBlock } from "./block.ts";
import { printArgs, printDuration, printExpression, printNumber } from "./print-expression.ts";
import { printAssigns, printCount, printVia } from "./print-flow.ts";

/** A node with all its clauses. */
export function printNode(node: NodeIr, fields: readonly FieldIr[]): string {
  const own = fields.filter((field) => field.owner === node.name);
  const description = node.description === undefined ? "" : ` ${JSON.stringify(node.description)}`;
  const head = `${node.kind} ${node.name}${printParams(node.params)}${description}`;
  const clauses = clausesOf(node, own);
  if (node.call === undefined) return `${head} ${printBlock([...clauses, ...writesClause(node)])}`;
  const call = `${printDotted(node.call.callee)}${printArgs(node.call.args)}`;
  const start = [`${head} = ${call}`, ...writesClause(node)].join(" ");
  return clauses.length === 0 ? start : `${start} ${printBlock(clauses)}`;
}

/** Parameters in their parentheses; a node without any has none. */
export function printParams(
  params: readonly ParamIr[],
  { always }: { readonly always: boolean } = { always: false },
): string {
  if (params.length === 0 && !always) return "";
  const printed = params.map(
    ({ name, optional, type, default: value }) =>
      `${name}${optional ? "?" : ""}: ${printType(type)}${value === undefined ? "" : ` = ${printExpression(value)}`}`,
  );
  return `(${printed.join(", ")})`;
}

/** A field's line in `state { }`. */
export function printField({ name, optional, type, default: value, reducer }: FieldIr): string {
  const start = `${name}${optional ? "?" : ""}: ${printType(type)}`;
  const tail = reducer.name === "replace" ? "" : ` ${printVia(reducer)}`;
  // The reducer and the default that the type has by itself.
  if (reducer.name === MESSAGES_REDUCER) {
    const isBare = value === undefined || (value.kind === "list" && value.items.length === 0);
    return isBare ? start : `${start} = ${printExpression(value)}`;
  }
  return `${start}${value === undefined ? "" : ` = ${printExpression(value)}`}${tail}`;
}

const MESSAGES_REDUCER = "messages";

/** `limit 3m, $2 else ask within 1h`. */
export function printLimit({ quantities, ...asking }: LimitIr): string {
  return `limit ${quantities.map(printQuantity).join(", ")}${printElseAsk(asking)}`;
}

/** An approval of the graph. */
export function printApproval({ when, nodes, consent }: ApproveIr): string {
  return `approve ${when} ${nodes.join(", ")}${printConsent(consent)}`;
}

/** A stop for people who debug. */
export function printBreak({ when, nodes, condition }: BreakIr): string {
  const tail = condition === undefined ? "" : ` when ${printExpression(condition)}`;
  return `break ${when} ${nodes.join(", ")}${tail}`;
}

function clausesOf(node: NodeIr, own: readonly FieldIr[]): readonly string[] {
  return [
    ...(own.length === 0 ? [] : [`state ${printBlock(own.map(printField))}`]),
    ...modelClauses(node),
    ...controllerClauses(node),
    ...stateClauses(node),
    ...policyClauses(node),
    ...memoryClauses(node),
  ];
}

function modelClauses(node: NodeIr): readonly string[] {
  const { ask, history } = node;
  const values = (["model", "system", "prompt", "context"] as const).flatMap((word) => {
    const value = node[word];
    return value === undefined ? [] : [`${word} ${printExpression(value)}`];
  });
  const from = printFrom(ask?.from, ask?.need);
  const within = printWithin(ask?.withinMs, ask?.remindMs);
  const otherwise = ask?.otherwise === undefined ? "" : ` else ${printExpression(ask.otherwise)}`;
  return [
    ...values,
    ...(ask === undefined
      ? []
      : [
          `ask ${printExpression(ask.question)}${from}${within}${printEscalations(ask.then)}${otherwise}`,
        ]),
    ...(history === undefined ? [] : [printHistory(history)]),
  ];
}

function printHistory({ source, field, size, summarize }: NonNullable<NodeIr["history"]>): string {
  const amount = size === undefined ? "" : ` ${printQuantity(size)}`;
  return `history ${field?.name ?? source}${amount}${summarize ? " summarize" : ""}`;
}

function controllerClauses({ tools, skills, controller, session }: NodeIr): readonly string[] {
  return [
    ...(controller === undefined ? [] : [printController(controller)]),
    ...(session === undefined ? [] : [printSession(session)]),
    ...(tools.length === 0 ? [] : [`tools ${tools.map(printDotted).join(", ")}`]),
    ...(skills.length === 0 ? [] : [`skills ${skills.map(printExpression).join(", ")}`]),
  ];
}

function printController({ name, args }: NonNullable<NodeIr["controller"]>): string {
  return `controller ${printDotted(name)}${args.length === 0 ? "" : printArgs(args)}`;
}

function printSession({ policy, name, value }: NonNullable<NodeIr["session"]>): string {
  const detail = value === undefined ? (name ?? "") : printExpression(value);
  return detail === "" ? `session ${policy}` : `session ${policy} ${detail}`;
}

function stateClauses(node: NodeIr): readonly string[] {
  const { edits, effects, tell, sets } = node;
  return [
    ...readsClause(node),
    ...(edits.length === 0 ? [] : [`edits ${edits.join(", ")}`]),
    ...(effects === undefined ? [] : [`effects ${effects}`]),
    ...(tell === undefined ? [] : [printTell(tell)]),
    ...(sets.length === 0 ? [] : [`set ${printAssigns(sets)}`]),
  ];
}

function readsClause({ reads, earlier = [] }: NodeIr): readonly string[] {
  if (reads === undefined) return [];
  const printed = reads.map((field) => (earlier.includes(field) ? `earlier ${field}` : field));
  return [`reads ${printed.join(", ")}`];
}

function printTell({ targets, as, payload }: NonNullable<NodeIr["tell"]>): string {
  const to = typeof targets === "string" ? targets : targets.join(", ");
  const kind = as === undefined ? "" : ` as ${as}`;
  return `tell ${to}${kind}${payload === undefined ? "" : ` ${printExpression(payload)}`}`;
}

function writesClause({ writes, conversation = [] }: NodeIr): readonly string[] {
  const printed = [...conversation, ...writes.map(printWrite)];
  return printed.length === 0 ? [] : [`writes ${printed.join(", ")}`];
}

function printWrite({ field, optional, value, via }: WriteIr): string {
  const source = value === undefined ? "" : ` = ${printExpression(value)}`;
  return `${field}${optional ? "?" : ""}${source}${via === undefined ? "" : ` ${printVia(via)}`}`;
}

function policyClauses(node: NodeIr): readonly string[] {
  const { retry, limit, cache, ensures, every, approvals } = node;
  return [
    ...(retry === undefined ? [] : [printRetry(retry)]),
    ...(limit === undefined ? [] : [printLimit(limit)]),
    ...(cache === undefined ? [] : [printCache(cache)]),
    ...ensures.map(printEnsure),
    ...(every === undefined ? [] : [printEvery(every)]),
    ...approvals.map(({ when, tools, consent }) => {
      const what = tools.length === 0 ? "*" : tools.map(printDotted).join(", ");
      return `approve ${when}${when === "tool" ? ` ${what}` : ""}${printConsent(consent)}`;
    }),
  ];
}

function printRetry({ rules, backoffMs }: RetryIr): string {
  const printed = rules.map(({ count, on }) => {
    const classes = on.length === 0 ? "" : ` on ${on.join(" | ")}`;
    return `${printCount(count)}${classes}`;
  });
  const to = backoffMs?.to === undefined ? "" : `..${printDuration(backoffMs.to)}`;
  const backoff = backoffMs === undefined ? "" : ` backoff ${printDuration(backoffMs.from)}${to}`;
  return `retry ${printed.join(", ")}${backoff}`;
}

function printCache({ ttlMs, by }: NonNullable<NodeIr["cache"]>): string {
  const time = ttlMs === undefined ? "" : ` ${printDuration(ttlMs)}`;
  return `cache${time}${by.length === 0 ? "" : ` by ${by.map(printExpression).join(", ")}`}`;
}

function printEnsure({ condition, hint, by, ...asking }: NodeIr["ensures"][number]): string {
  const judge = by === undefined ? "" : ` by ${by}`;
  const hintText = hint === undefined ? "" : ` ${JSON.stringify(hint)}`;
  return `ensure ${printExpression(condition)}${judge}${hintText}${printElseAsk(asking)}`;
}

function printElseAsk({ elseAsk, withinMs }: Pick<LimitIr, "elseAsk" | "withinMs">): string {
  return elseAsk ? ` else ask${printWithin(withinMs)}` : "";
}

function printEvery({
  interval,
  intervalMax,
  until,
  by,
  max,
}: NonNullable<NodeIr["every"]>): string {
  const parts = [
    intervalMax === undefined ? "" : ` .. ${printExpression(intervalMax)}`,
    until === undefined ? "" : ` until ${printExpression(until)}`,
    by === undefined ? "" : ` by ${by}`,
    max === undefined ? "" : ` max ${printCount(max)}`,
  ];
  return `every ${printExpression(interval)}${parts.join("")}`;
}

function memoryClauses({ recalls, stores }: NodeIr): readonly string[] {
  return [
    ...recalls.map(({ memory, top, by }) => {
      const count = top === undefined ? "" : ` top ${printCount(top)}`;
      return `recall ${memory}${count}${by === undefined ? "" : ` by ${printExpression(by)}`}`;
    }),
    ...stores.map(({ value, memory }) => `store ${printExpression(value)} into ${memory}`),
  ];
}

function printConsent({ text, when, by, from, need, withinMs, remindMs, then }: ConsentIr): string {
  return [
    text === undefined ? "" : ` ${printExpression(text)}`,
    when === undefined ? "" : ` when ${printExpression(when)}`,
    by === undefined ? "" : ` by ${by}`,
    printFrom(from, need),
    printWithin(withinMs, remindMs),
    printEscalations(then),
  ].join("");
}

function printEscalations(then: readonly EscalationIr[] = []): string {
  return then
    .map(
      ({ to, need, withinMs, remindMs }) =>
        ` then ask ${printExpression(to)}${printNeed(need)}${printWithin(withinMs, remindMs)}`,
    )
    .join("");
}

function printFrom(from: ExprIr | undefined, need: CountIr | undefined): string {
  return from === undefined ? "" : ` from ${printExpression(from)}${printNeed(need)}`;
}

function printNeed(need: CountIr | undefined): string {
  return need === undefined ? "" : ` need ${printCount(need)}`;
}

function printWithin(withinMs: number | undefined, remindMs?: number): string {
  if (withinMs === undefined) return "";
  const reminding = remindMs === undefined ? "" : `${printDuration(remindMs)}..`;
  return ` within ${reminding}${printDuration(withinMs)}`;
}

function printQuantity({
  unit,
  value,
}: NonNullable<NonNullable<NodeIr["history"]>["size"]>): string {
  if (unit === "ms") return printDuration(value);
  return unit === "usd" ? `$${printNumber(value)}` : `${printNumber(value)} ${unit}`;
}

/** A segment that is no word stands in quotes: `server."get-sum"`. */
function printDotted(parts: DottedIr): string {
  const printed = parts.map((part, index) =>
    /^[A-Za-z_]\w*$/.test(part) || (part === "*" && index === parts.length - 1)
      ? part
      : JSON.stringify(part),
  );
  return printed.join(".");
}
