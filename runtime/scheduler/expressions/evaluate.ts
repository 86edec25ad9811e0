/** Evaluates expressions and conditions against a state, and tells what is wrong where the state does not fit them. */
import { type ExprIr, type NameMeaning, positionAt } from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import type { LoggedCall } from "../../records/records.ts";
import { isJsonEqual } from "../../state/json.ts";
import { plain, SharedList } from "../../state/persistent.ts";
import { ReducerError } from "../../state/written-value.ts";
import type { Program } from "../program/program.ts";
import { type FunctionCall, gathered, scopePath } from "./calls.ts";

// Evaluates expressions of the language: pure, over own members and a closed list of methods.

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
      return gathered(expression.items, (item) => evaluate(item, lookup));
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

/** Renders a value in a prompt: text as it is, an unwritten field as such, everything else as JSON. */
export function shownInText(value: unknown): string {
  if (value === undefined) return "(none yet)";
  if (typeof value === "string") return value;
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
  const path = scopePath(callee);
  const known = path === undefined ? undefined : (lookup(path, "scope") as ScopeLookup | undefined);
  if (known !== undefined) {
    const args = gathered(call.args, ({ value }) => evaluate(value, lookup));
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
  const args = gathered(call.args, ({ value }) => evaluate(value, lookup));
  return callMethod(object, callee.name, args);
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

// Errors of expressions that can't be evaluated in a state.

/** An expression can't be evaluated in this state; the attempt ends as `invalid`. */
export class EvaluationError extends Error {
  readonly span: readonly [number, number] | undefined;

  constructor(message: string, span?: readonly [number, number]) {
    super(message);
    this.name = "EvaluationError";
    this.span = span;
  }
}

/** The value of an expression does not fit the type of its place. */
export class ValueMisfit extends EvaluationError {
  readonly failure: Failure;

  constructor(failure: Failure, span?: readonly [number, number]) {
    super(failure.message, span);
    this.name = "ValueMisfit";
    this.failure = failure;
  }
}

/** A function of TypeScript that an expression or a reducer calls did not do its work. */
export class CallFailed extends EvaluationError {
  readonly failure: Failure;

  constructor(failure: Failure, span?: readonly [number, number]) {
    super(failure.message, span);
    this.name = "CallFailed";
    this.failure = failure;
  }
}

/** Tells whether an error says that this state does not fit the program, rather than that we are at fault. */
export function isOfTheState(error: unknown): error is EvaluationError | ReducerError {
  return error instanceof EvaluationError || error instanceof ReducerError;
}

// The closed list of methods an expression may call; the checker reads the same names from the dsl.

type Method<T> = (object: T, args: readonly unknown[]) => unknown;
type Callback = (...values: unknown[]) => unknown;

const strings: Readonly<Record<string, Method<string>>> = {
  includes: (text, [part]) => text.includes(string(part)),
  startsWith: (text, [part]) => text.startsWith(string(part)),
  endsWith: (text, [part]) => text.endsWith(string(part)),
  toUpperCase: (text) => text.toUpperCase(),
  toLowerCase: (text) => text.toLowerCase(),
  trim: (text) => text.trim(),
  split: (text, [separator]) => text.split(string(separator)),
  slice: (text, [start, end]) => text.slice(optionalNumber(start), optionalNumber(end)),
  indexOf: (text, [part]) => text.indexOf(string(part)),
  replace: (text, [part, by]) => text.replace(string(part), () => string(by)),
  replaceAll: (text, [part, by]) => text.replaceAll(string(part), () => string(by)),
  padStart: (text, [length, fill]) => text.padStart(number(length), fillOf(fill)),
  padEnd: (text, [length, fill]) => text.padEnd(number(length), fillOf(fill)),
  at: (text, [index]) => text.at(number(index)),
};

const lists: Readonly<Record<string, Method<readonly unknown[]>>> = {
  map: (list, [by]) => [...gathered(list, callback(by))],
  filter: (list, [by]) => {
    const kept = gathered(list, callback(by));
    return list.filter((_, index) => kept[index]);
  },
  find: (list, [by]) => list.find((item, index) => callback(by)(item, index)),
  findIndex: (list, [by]) => list.findIndex((item, index) => callback(by)(item, index)),
  some: (list, [by]) => list.some((item, index) => callback(by)(item, index)),
  every: (list, [by]) => list.every((item, index) => callback(by)(item, index)),
  flatMap: (list, [by]) => gathered(list, callback(by)).flat(),
  includes: (list, [item]) => list.some((known) => isJsonEqual(known, item)),
  indexOf: (list, [item]) => list.findIndex((known) => isJsonEqual(known, item)),
  join: (list, [separator]) => list.join(separator === undefined ? "," : string(separator)),
  slice: (list, [start, end]) => list.slice(optionalNumber(start), optionalNumber(end)),
  concat: (list, others) => list.concat(...others),
  flat: (list) => list.flat(),
  at: (list, [index]) => list.at(number(index)),
  reverse: (list) => list.toReversed(),
  sort: (list, [by]) => list.toSorted(by === undefined ? undefined : comparator(by)),
};

const numbers: Readonly<Record<string, Method<number>>> = {
  toFixed: (value, [digits]) =>
    value.toFixed(Math.min(100, Math.max(0, optionalNumber(digits) ?? 0))),
};

/** The names by the type they belong to, for the checker's test. */
export const methodNames = {
  string: Object.keys(strings),
  array: Object.keys(lists),
  number: Object.keys(numbers),
};

function callMethod(object: unknown, name: string, args: readonly unknown[]): unknown {
  if (typeof object === "string") return methodOf(strings, name, "text")(object, args);
  if (Array.isArray(object)) return methodOf(lists, name, "a list")(object, args);
  if (typeof object === "number") return methodOf(numbers, name, "a number")(object, args);
  const what = object === undefined ? "a value that is not written yet" : JSON.stringify(object);
  throw new EvaluationError(`\`${name}\` can't be called on ${what}`);
}

function methodOf<T>(table: Readonly<Record<string, Method<T>>>, name: string, what: string) {
  const method = Object.hasOwn(table, name) ? table[name] : undefined;
  if (method === undefined) throw new EvaluationError(`${what} has no method \`${name}\``);
  return method;
}

function callback(value: unknown): Callback {
  if (typeof value === "function") return value as Callback;
  throw new EvaluationError("a function like `item => item.name` is needed here");
}

function comparator(value: unknown): (a: unknown, b: unknown) => number {
  const compare = callback(value);
  return (a, b) => number(compare(a, b));
}

function string(value: unknown): string {
  if (typeof value === "string") return value;
  throw new EvaluationError(`text is needed here, not ${JSON.stringify(value) ?? "nothing"}`);
}

function number(value: unknown): number {
  if (typeof value === "number") return value;
  throw new EvaluationError(`a number is needed here, not ${JSON.stringify(value) ?? "nothing"}`);
}

function optionalNumber(value: unknown): number | undefined {
  return value === undefined ? undefined : number(value);
}

function fillOf(value: unknown): string | undefined {
  return value === undefined ? undefined : string(value);
}
