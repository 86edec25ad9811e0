/** Checks the scripts of a test: `says` and `fails` of each node. */

import type { Finding } from "../../diagnostics/diagnostic.ts";
import { findByName } from "../../ir/find-by-name.ts";
import type { ExprIr, Ir, NodeIr, RouteIr, TypeIr } from "../../ir/ir.ts";
import { routesBehind } from "../../ir/routes-behind.ts";
import { isMessagesType, printType, resolveType } from "../../ir/types.ts";
import { outputTypeOf } from "../../lower/output.ts";
import { nearest } from "../../names/nearest.ts";
import type { GraphOfTest } from "../../names/symbol-tables.ts";
import { testScope } from "../../names/test-scope.ts";
import type { TestItem } from "../../syntax/tree/ast.ts";
import { reducerFacts } from "../../vocabulary/reducers.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import { cannotFit } from "../expressions/fits.ts";
import { elementOf } from "../expressions/member-type.ts";
import type { Report } from "../report.ts";
import { sampleText } from "./sample-text.ts";

type ScriptItem = TestItem & { readonly kind: "script" };
type ScriptItemLine = ScriptItem["lines"][number];

/** The classes of failure that a scripted node may fail with; where nothing is said it is `denied` for a person, else `model`. */
export const FAILURE_CLASSES = [
  "transport",
  "model",
  "filter",
  "refusal",
  "invalid",
  "tool",
  "timeout",
  "denied",
  "limit",
] as const;

/**
 * Checks a script of a test: its values must fit the node's output, and a decision must be a target
 * of the node's arrow.
 */
export function checkScript(
  script: ScriptItem,
  { symbols, ir, name, types }: ScriptedNode,
  report: Report,
): void {
  const node = findByName(ir.nodes, name);
  const scope = testScope(symbols);
  if (node === undefined) checkFunction(script, report);
  for (const line of script.lines) {
    const valueType = checkExpression(line.value, scope, report);
    if (node === undefined || valueType === undefined) continue;
    checkLine(line, { node, ir, valueType, types }, report);
  }
}

/** Checks the expressions of a script whose node is known only when the test runs. */
export function checkScriptValues(
  { lines }: ScriptItem,
  symbols: GraphOfTest["symbols"],
  report: Report,
): void {
  for (const { value } of lines) checkExpression(value, testScope(symbols), report);
}

/** A node with a script, in the graph of the test or in one that it calls. */
interface ScriptedNode extends GraphOfTest {
  readonly name: string;
  /** The types that its graph knows. */
  readonly types: ReadonlyMap<string, TypeIr>;
}

function checkLine(line: ScriptItemLine, of: ScriptedValue, report: Report): void {
  const { node, valueType } = of;
  switch (line.how) {
    case "says":
      checkScriptedValue(line, of, report);
      return;
    case "fails":
      checkFailure(line, valueType, report);
      return;
    case "denied":
      if (isText(valueType)) return;
      report({
        code: "M3609",
        message: "a no has a text as its reason",
        span: line.value.span,
        hint: `write \`${node.name} denied "too much"\``,
      });
      return;
    case "calls":
      checkCall(line, of, report);
      return;
    case "answers":
    case "expires":
  }
}

const CALL: TypeIr = {
  kind: "object",
  members: [
    { name: "tool", optional: false, type: { kind: "named", name: "string", args: [] } },
    { name: "input", optional: true, type: { kind: "named", name: "Json", args: [] } },
    { name: "result", optional: true, type: { kind: "named", name: "Json", args: [] } },
    { name: "fails", optional: true, type: { kind: "named", name: "string", args: [] } },
  ],
};

function checkCall(
  { value: { span } }: ScriptItemLine,
  { node, valueType, types }: ScriptedValue,
  report: Report,
): void {
  const isAgent = node.kind === "agent" || node.kind === "router";
  if (isAgent && !cannotFit(valueType, CALL, types)) return;
  report({
    code: "M3609",
    message: isAgent
      ? `\`${printType(valueType)}\` is no call of a tool`
      : `\`${node.name}\` asks no model, so it calls no tools`,
    span,
    hint: 'an agent calls `{ tool: "docs.search", input: { … }, result: … }`',
  });
}

/**
 * Expressions are looked at as often as the engine likes, so what a function in one gives can't depend on the turn: it
 * has one value, or fails, or gives a stream of the items of a list that then fails.
 */
function checkFunction({ node, lines }: ScriptItem, report: Report): void {
  const [first, second, third] = lines;
  const isBroken = first?.how === "says" && second?.how === "fails";
  const rest = isBroken ? third : second;
  const wrong = first?.how === "says" || first?.how === "fails" ? rest : first;
  if (wrong === undefined) return;
  report({
    code: "M3609",
    message: `\`${node.text}\` is called in an expression, and can be scripted with one value only`,
    span: wrong.value.span,
    hint: 'to script several values, call it in a `run` node; a stream that breaks is `says [1, 2], fails "…"`',
  });
}

interface ScriptedValue {
  readonly node: NodeIr;
  readonly ir: Ir;
  readonly valueType: TypeIr;
  readonly types: ScriptedNode["types"];
}

function checkScriptedValue(line: ScriptItemLine, of: ScriptedValue, report: Report): void {
  const { node, ir, valueType, types } = of;
  const targets = targetsBehind(node.name, ir);
  const handoff = targets.length > 0 ? handoffOf(valueType) : undefined;
  if (handoff !== undefined) {
    checkHandoff(line, handoff, { ...of, targets }, report);
    return;
  }
  if (targets.length > 0 && node.writes.length === 0 && node.conversation === undefined) {
    const finding = wrongChoice(line.value.span, valueType, targets);
    if (finding !== undefined) report(finding);
    return;
  }
  const update = targets.length > 0 ? updateOf(valueType) : undefined;
  if (update !== undefined) {
    const finding = wrongChoice(line.value.span, update.goto, targets);
    if (finding !== undefined) report(finding);
  }
  const value = update === undefined ? valueType : (update.update ?? NOTHING);
  const wanted = outputTypeOf(node, ir.fields, types);
  if (wanted === undefined) return;
  const read = asRead(wanted, types);
  const accepted = [read, ...itemOf(node, ir, wanted, types)];
  if (accepted.some((type) => !cannotFit(value, type, types))) return;
  if (value === NOTHING) {
    report({
      code: "M3603",
      message: `this says where \`${node.name}\` goes on, and not what it writes`,
      span: line.value.span,
      hint: goingHint(node, sampleText(wanted, types)),
    });
    return;
  }
  report({
    code: "M3603",
    message: `\`${printType(value)}\` is not what \`${node.name}\` writes: \`${printType(wanted)}\``,
    span: line.value.span,
    hint: `script what the node writes, as a value of the language: \`${node.name} says ${sampleText(wanted, types)}\``,
  });
}

/** The type with room for messages in any form, and for removals, where it has a conversation. */
function asRead(type: TypeIr, types: ScriptedNode["types"]): TypeIr {
  if (isMessagesType(type, types)) return JSON_VALUE;
  if (type.kind !== "object") return type;
  const members = type.members.map((member) => ({ ...member, type: asRead(member.type, types) }));
  return { ...type, members };
}

const JSON_VALUE: TypeIr = { kind: "named", name: "Json", args: [] };

/** Says what else stands beside `goto`. */
function goingHint({ kind, name }: NodeIr, sample: string): string {
  const update = `\`${name} says { goto: "…", update: ${sample} }\``;
  return kind === "agent" || kind === "operator"
    ? `who hands over says what: \`handoff: { task: "…" }\`, and writes nothing; else ${update}`
    : update;
}

/** The type of what is not said. */
const NOTHING: TypeIr = { kind: "literal", value: null };

/** `{ goto: NAME, handoff: { task: "…" } }`: an agent hands its work over, and writes nothing. */
function handoffOf(valueType: TypeIr): { goto: TypeIr; handoff: TypeIr } | undefined {
  if (valueType.kind !== "object") return undefined;
  const member = (name: string) => valueType.members.find((one) => one.name === name)?.type;
  const [goto, handoff] = [member("goto"), member("handoff")];
  return goto && handoff && { goto, handoff };
}

const HANDOFF: TypeIr = {
  kind: "object",
  members: [
    { name: "task", optional: true, type: { kind: "named", name: "string", args: [] } },
    { name: "payload", optional: true, type: { kind: "named", name: "Json", args: [] } },
  ],
};

function checkHandoff(
  { value: { span } }: ScriptItemLine,
  { goto, handoff }: { readonly goto: TypeIr; readonly handoff: TypeIr },
  { node, types, targets }: ScriptedValue & { readonly targets: readonly string[] },
  report: Report,
): void {
  const finding = wrongChoice(span, goto, targets);
  if (finding !== undefined) report(finding);
  const names = handoff.kind === "object" ? handoff.members.map(({ name }) => name) : [];
  const isKnown = names.every((name) => name === "task" || name === "payload");
  const canHandOver = node.kind === "agent" || node.kind === "operator";
  if (canHandOver && isKnown && !cannotFit(handoff, HANDOFF, types)) return;
  const message = canHandOver
    ? `\`${printType(handoff)}\` is no handoff: \`${printType(HANDOFF)}\``
    : `\`${node.name}\` can't hand its work over: only an agent or an operator can`;
  const hint = canHandOver
    ? 'write `{ goto: "NODE", handoff: { task: "…" } }`'
    : "script a value that the node writes";
  report({ code: "M3603", message, span, hint });
}

/** Every name that a node may choose behind its arrow; none where it has no choice. */
export function targetsBehind(node: string, { edges }: Pick<Ir, "edges">): readonly string[] {
  return edges.flatMap(({ from, route }) => {
    const leaves = from.kind === "any" && from.nodes.includes(node) ? picked(route) : [];
    return [...leaves, ...bodies(route).flatMap((body) => targetsBehind(node, body))];
  });
}

function picked(route: RouteIr): readonly string[] {
  switch (route.kind) {
    case "pick":
      return route.targets.map((target) => target.node);
    case "choice":
      return route.branches.flatMap((branch) => picked(branch.route));
    case "match":
      return route.cases.flatMap((one) => picked(one.route));
    case "to":
    case "each":
      return [];
  }
}

function bodies(route: RouteIr): readonly Pick<Ir, "edges">[] {
  switch (route.kind) {
    case "each":
      return [route.each, ...routesBehind(route.each).flatMap(bodies)];
    case "choice":
      return route.branches.flatMap((branch) => bodies(branch.route));
    case "match":
      return route.cases.flatMap((one) => bodies(one.route));
    case "to":
    case "pick":
      return [];
  }
}

function wrongChoice(
  span: Finding["span"],
  valueType: TypeIr,
  targets: readonly string[],
): Finding | undefined {
  if (valueType.kind !== "literal") return undefined;
  const { value } = valueType;
  if (typeof value === "string" && targets.includes(value)) return undefined;
  const near = typeof value === "string" ? nearest(value, targets) : undefined;
  const all = targets.map((target) => `"${target}"`).join(", ");
  return {
    code: "M3608",
    message: `${JSON.stringify(value)} is none of the names behind the arrow`,
    span,
    hint: near === undefined ? `there are ${all}` : `did you mean "${near}"?`,
  };
}

/** `{ goto: NAME, update: … }`: a node that writes and chooses. */
function updateOf(valueType: TypeIr): { goto: TypeIr; update: TypeIr | undefined } | undefined {
  if (valueType.kind !== "object") return undefined;
  const member = (name: string) => valueType.members.find((one) => one.name === name)?.type;
  const goto = member("goto");
  return goto && { goto, update: member("update") };
}

/** One item of a list that grows stands for a list of it. */
function itemOf(
  { writes }: NodeIr,
  { fields }: Ir,
  wanted: TypeIr,
  types: ScriptedValue["types"],
): readonly TypeIr[] {
  const [only] = writes;
  if (only === undefined || writes.length > 1) return [];
  const reducer = only.via ?? findByName(fields, only.field)?.reducer;
  if (reducerFacts(reducer?.name)?.on !== "list") return [];
  const item = elementOf(resolveType(wanted, types));
  return item === undefined ? [] : [item];
}

function checkFailure({ value }: ScriptItemLine, valueType: TypeIr, report: Report): void {
  const word = valueType.kind === "object" ? memberOf(valueType, "class") : undefined;
  const isKnown = word === undefined || FAILURE_CLASSES.some((known) => known === word);
  if (isKnown && (valueType.kind === "object" || isText(valueType))) return;
  const near = typeof word === "string" ? nearest(word, FAILURE_CLASSES) : undefined;
  report({
    code: "M3609",
    message: isKnown
      ? "a node fails with a text, or with `{ message, class }`"
      : `no class of errors is called ${JSON.stringify(word)}`,
    span: value.span,
    hint:
      near === undefined
        ? `the classes are ${FAILURE_CLASSES.map((known) => `"${known}"`).join(", ")}`
        : `did you mean "${near}"?`,
  });
}

function isText(type: TypeIr): boolean {
  if (type.kind === "literal") return typeof type.value === "string";
  return type.kind === "named" && type.name === "string";
}

function memberOf(valueType: TypeIr & { kind: "object" }, name: string): ExprLiteral | undefined {
  const type = valueType.members.find((one) => one.name === name)?.type;
  return type?.kind === "literal" ? type.value : undefined;
}

type ExprLiteral = (ExprIr & { readonly kind: "literal" })["value"];
