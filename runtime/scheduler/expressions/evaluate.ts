/** Evaluates expressions of the language: pure, over own members and a closed list of methods. */
import type { ExprIr, NameMeaning } from "../../../dsl/index.ts";
import type { LoggedCall } from "../../records/records.ts";
import { isJsonEqual } from "../../state/json.ts";
import { plain, SharedList } from "../../state/shared-list.ts";
import { type FunctionCall, gathered } from "./calls.ts";
import { CallFailed, EvaluationError } from "./evaluation-error.ts";
import { callMethod } from "./methods.ts";
import { scopePath } from "./scope-names.ts";

/**
 * What names mean where an expression stands. `undefined` is a name without a value; one of the scope is a `ScopeName`; a
 * field may be given as it is kept, so that to ask how long a list is does not make one.
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
