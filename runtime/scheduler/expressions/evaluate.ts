/** Evaluates expressions and conditions against a state, and tells what is wrong where the state does not fit them. */
import {
  countedNode,
  type ExprIr,
  isConversion,
  type NameMeaning,
  positionAt,
} from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import { isConversation } from "../../messages/message.ts";
import { transcriptOf } from "../../messages/transcript.ts";
import type { LoggedCall } from "../../records/records.ts";
import { isJsonEqual } from "../../state/json.ts";
import { plain, SharedList } from "../../state/persistent.ts";
import type { Program } from "../program/program.ts";
import { type FunctionCall, gathered, scopePath } from "./calls.ts";
import { CallFailed, EvaluationError, ValueMisfit } from "./evaluation-errors.ts";
import { callMethod, pureFunction, string } from "./methods.ts";

/**
 * Returns the value of a name in an expression. `undefined` is a name without a value; one of the
 * scope is a `ScopeName`; a field may be given as it is kept, so that to ask how long a list is
 * does not make one.
 */
export type Lookup = (name: string, of: NameMeaning) => unknown;

export type ScopeCall = Omit<FunctionCall, "name">;

/** A name of TypeScript, which may be dotted: says what a call of it, or a look at it, comes to. */
export type ScopeLookup = (call: ScopeCall) => LoggedCall;

export function evaluate(expression: ExprIr, lookup: Lookup): unknown {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "duration":
      return expression.ms;
    case "money":
      return expression.usd;
    case "name":
      return expression.of === "scope"
        ? readScope(expression, lookup)
        : plain(lookup(expression.name, expression.of));
    case "member":
      if (scopePath(expression) !== undefined) return readScope(expression, lookup);
      return memberOf(keptIn(expression.object, lookup), expression.name, expression);
    case "index":
      return memberOf(
        keptIn(expression.object, lookup),
        evaluate(expression.index, lookup) as string | number,
        expression,
      );
    case "call":
      return evaluateCall(expression, lookup);
    case "unary": {
      const operand = evaluate(expression.operand, lookup);
      return expression.op === "!" ? !operand : -(operand as number);
    }
    case "binary":
      return evaluateBinary(expression, lookup);
    case "conditional":
      return evaluate(expression.test, lookup)
        ? evaluate(expression.then, lookup)
        : evaluate(expression.else, lookup);
    case "lambda":
      return lambda(expression, lookup);
    case "list":
      return evaluateItems(expression.items, lookup);
    case "spread":
      return evaluate(expression.value, lookup);
    case "range":
      return numbersOf(expression, lookup);
    case "merge":
      return evaluateMerge(expression, lookup);
    case "object":
      return Object.fromEntries(
        gathered(expression.entries, ({ key, value }) => [key, evaluate(value, lookup)] as const),
      );
    case "template":
      return gathered(expression.parts, (part) =>
        typeof part === "string" ? part : shownInText(evaluate(part, lookup)),
      ).join("");
  }
}

function evaluateItems(items: readonly ExprIr[], lookup: Lookup): readonly unknown[] {
  const values = gathered(items, (item) => evaluate(item, lookup));
  if (items.every(({ kind }) => kind !== "spread" && kind !== "range")) return values;
  return values.flatMap((value, index) => {
    const item = items[index];
    if (item?.kind !== "spread") return item?.kind === "range" ? (value as number[]) : [value];
    if (Array.isArray(value)) return value;
    throw misplacedSpread(value, "a list", item.span);
  });
}

function evaluateMerge(
  { parts }: ExprIr & { readonly kind: "merge" },
  lookup: Lookup,
): Readonly<Record<string, unknown>> {
  const values = gathered(parts, (part) => evaluate(part, lookup));
  const entries = values.flatMap((value, index) => {
    // As in TypeScript, nothing adds nothing.
    if (value === undefined || value === null) return [];
    if (typeof value === "object" && !Array.isArray(value)) return Object.entries(value);
    throw misplacedSpread(value, "an object", parts[index]?.span);
  });
  return Object.fromEntries(entries);
}

function misplacedSpread(value: unknown, wanted: string, span: ExprIr["span"]): EvaluationError {
  const shown = value === undefined ? "a value that is not written yet" : JSON.stringify(value);
  return new EvaluationError(`\`...\` needs ${wanted} here, not ${shown?.slice(0, 60)}`, span);
}

/** A range longer than this is a mistake, and would take the memory of the process. */
const RANGE_MAX = 1_000_000;

function numbersOf(
  { from, to, span }: ExprIr & { readonly kind: "range" },
  lookup: Lookup,
): readonly number[] {
  const [first, last] = gathered([from, to], (end) => evaluate(end, lookup));
  for (const end of [first, last])
    if (!Number.isInteger(end))
      throw new EvaluationError(
        `a range goes from a whole number to another one, not to ${JSON.stringify(end) ?? "a value that is not written yet"}`,
        span,
      );
  const length = Math.max(0, (last as number) - (first as number) + 1);
  if (length > RANGE_MAX)
    throw new EvaluationError(`a range has at most ${RANGE_MAX} numbers, not ${length}`, span);
  return Array.from({ length }, (_, index) => (first as number) + index);
}

/** Renders a value in a prompt: text as it is, an unwritten field as such, everything else as JSON. */
export function shownInText(value: unknown): string {
  if (value === undefined) return "(none yet)";
  if (typeof value === "string") return value;
  if (isConversation(value)) return transcriptOf(value);
  if (typeof value === "object" && value !== null) return JSON.stringify(value, null, 2);
  return String(value);
}

/** The value of an expression; of a field itself, as it is kept. */
function keptIn(expression: ExprIr, lookup: Lookup): unknown {
  return expression.kind === "name" && expression.of === "field"
    ? lookup(expression.name, "field")
    : evaluate(expression, lookup);
}

function memberOf(
  object: unknown,
  name: string | number,
  at: ExprIr & { readonly kind: "member" | "index" },
): unknown {
  if (object instanceof SharedList) {
    if (name === "length") return object.length;
    return typeof name === "number" ? object.at(name) : memberOf(plain(object), name, at);
  }
  if (object === undefined || object === null) {
    if (at.kind === "member" && at.optional) return undefined;
    throw new EvaluationError(
      `there is no \`${name}\` here: what stands before it is ${object === null ? "null" : "not written yet"}`,
      at.span,
    );
  }
  if (name === "length" && (typeof object === "string" || Array.isArray(object))) {
    return object.length;
  }
  if (typeof object === "string" && typeof name === "number") return object[name];
  if (typeof object !== "object" || !Object.hasOwn(object, name)) return undefined;
  return (object as Record<string | number, unknown>)[name];
}

function evaluateCall(call: ExprIr & { readonly kind: "call" }, lookup: Lookup): unknown {
  const { callee } = call;
  const counted = countedNode(call);
  if (counted !== undefined) {
    const counts = lookup(counted.count, "special") as ((node: string) => number) | undefined;
    if (counts !== undefined) return counts(counted.node);
    throw new EvaluationError(
      `\`${counted.count}\` counts nodes of a run, and none runs here`,
      call.span,
    );
  }
  if (callee.kind === "name" && callee.of === "special" && isConversion(callee.name))
    return converted(callee.name, evaluateArguments(call, lookup)[0], call.span);
  const pure = pureFunction(callee);
  if (pure !== undefined) return pure(...evaluateArguments(call, lookup));
  const path = scopePath(callee);
  const known = path === undefined ? undefined : (lookup(path, "scope") as ScopeLookup | undefined);
  if (known !== undefined) {
    const args = evaluateArguments(call, lookup);
    const result = known({ args, ...(call.span === undefined ? {} : { span: call.span }) });
    const method = callee.kind === "member" && result.isReceiver === true ? callee.name : undefined;
    const value = meantBy(result, call);
    return method === undefined ? value : callMethod(value, method, args);
  }
  if (callee.kind !== "member") {
    throw new EvaluationError("only methods can be called in an expression", call.span);
  }
  const object = evaluate(callee.object, lookup);
  if ((object === undefined || object === null) && callee.optional) return undefined;
  return callMethod(object, callee.name, evaluateArguments(call, lookup));
}

/** A value as the text that a prompt shows; a text as the number that it says. */
function converted(to: "Number" | "String", value: unknown, span: ExprIr["span"]): unknown {
  if (to === "String") return shownInText(value);
  const text = typeof value === "string" ? value.trim() : value;
  const number = typeof text === "string" && text !== "" ? Number(text) : text;
  if (typeof number === "number" && Number.isFinite(number)) return number;
  const shown = JSON.stringify(value) ?? "a value that is not written yet";
  throw new EvaluationError(`${shown} says no number`, span);
}

function evaluateArguments(
  { args }: ExprIr & { readonly kind: "call" },
  lookup: Lookup,
): readonly unknown[] {
  return evaluateItems(
    args.map(({ value }) => value),
    lookup,
  );
}

/** A constant of TypeScript. */
function readScope(expression: ExprIr, lookup: Lookup): unknown {
  const known = lookup(scopePath(expression) ?? "", "scope") as ScopeLookup | undefined;
  return known === undefined ? undefined : meantBy(known({ args: [], isRead: true }), expression);
}

function meantBy({ value, failure, isStream, ...of }: LoggedCall, { span }: ExprIr): unknown {
  if (failure !== undefined) throw new CallFailed(failure, span);
  return isStream === true ? new StreamCall(of) : value;
}

/** The value of a call that gave a stream; only an `each` can read its items. */
export class StreamCall {
  readonly name: string;
  readonly key: string;

  constructor({ name, key }: Pick<LoggedCall, "name" | "key">) {
    this.name = name;
    this.key = key;
  }

  /** No text and no log can hold it. */
  toJSON(): never {
    throw new EvaluationError(
      `\`${this.name}\` gives a stream: only \`each … of\` takes its values`,
    );
  }
}

function lambda(expression: ExprIr & { readonly kind: "lambda" }, lookup: Lookup) {
  return (...values: unknown[]) =>
    evaluate(expression.body, (name, of) => {
      const at = of === "variable" ? expression.params.indexOf(name) : -1;
      return at === -1 ? lookup(name, of) : values[at];
    });
}

function evaluateBinary(binary: ExprIr & { readonly kind: "binary" }, lookup: Lookup): unknown {
  const left = evaluate(binary.left, lookup);
  switch (binary.op) {
    case "&&":
      return left && evaluate(binary.right, lookup);
    case "||":
      return left || evaluate(binary.right, lookup);
    case "??":
      return left ?? evaluate(binary.right, lookup);
    default:
      return applyOperator(binary.op, left, evaluate(binary.right, lookup));
  }
}

type StrictOperator = Exclude<(ExprIr & { readonly kind: "binary" })["op"], "&&" | "||" | "??">;

function applyOperator(op: StrictOperator, left: unknown, right: unknown): unknown {
  const [a, b] = [left as number, right as number];
  switch (op) {
    case "==":
      return isEqual(left, right);
    case "!=":
      return !isEqual(left, right);
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    case "in":
      return isIn(left, right);
    case "+":
      return typeof left === "string" || typeof right === "string"
        ? shownInText(left) + shownInText(right)
        : a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "%":
      return a % b;
  }
}

/** A value in a list, a key in an object, a part of a text; nothing is in what is not written yet. */
function isIn(part: unknown, whole: unknown): boolean {
  if (whole === undefined || whole === null) return false;
  if (Array.isArray(whole)) return whole.some((known) => isJsonEqual(known, part));
  if (typeof whole === "string") return whole.includes(string(part));
  if (typeof whole === "object") return Object.hasOwn(whole, string(part));
  throw new EvaluationError(
    `\`in\` looks into a list, an object or a text, not into ${String(whole)}`,
  );
}

/** Values are compared as values: `notes == ["no test"]` holds. An unwritten field equals null. */
function isEqual(left: unknown, right: unknown): boolean {
  return isJsonEqual(left ?? null, right ?? null);
}

/** Conditions: `true` and `false`, and what is not written yet is false; anything else is a mistake, never a guess. */
export function holds(condition: ExprIr, lookup: Lookup): boolean {
  const value = evaluate(condition, lookup) ?? false;
  if (typeof value === "boolean") return value;
  const shown = shownInText(value).slice(0, 60);
  throw new EvaluationError(`a condition must be true or false, not ${shown}`, condition.span);
}

/** The failure for an expression that can't be evaluated, with its place in the program. */
export function evaluationFailure(program: Program, error: Error, where = ""): Failure {
  const { source } = program.ir;
  const span = error instanceof EvaluationError ? error.span : undefined;
  const at = source === undefined || span === undefined ? undefined : positionAt(source, span[0]);
  const place = at === undefined ? "" : ` (${source?.file}:${at.line}:${at.column})`;
  const message = `${where}${error.message}${place}`;
  return error instanceof CallFailed || error instanceof ValueMisfit
    ? { ...error.failure, message }
    : { class: "invalid", code: "M5011", message };
}
