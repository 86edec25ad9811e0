/** Calls what expressions and reducers name of the scope; whatever comes of it is a result, also that it threw. */

import type { ReducerName } from "../../../dsl/index.ts";
import type { Cancellation } from "../../cancellation.ts";
import { type SleepClock, systemClock } from "../../clock.ts";
import { type Failure, FailureError, stackOf } from "../../failure.ts";
import type { Recalled } from "../../records/memory-records.ts";
import type { LoggedCall } from "../../records/records.ts";
import { type FunctionCall, keyOf, NOW, RECALL } from "../../scheduler/expressions/calls.ts";
import { evaluate, type Lookup, type ScopeCall } from "../../scheduler/expressions/evaluate.ts";
import { reduce } from "../../state/fold-writes.ts";
import { freezeJson } from "../../state/json.ts";
import { runRecipe } from "../../state/reducer-recipes.ts";
import { ownTurn, within } from "../abort.ts";
import { lookUp, type Scope, type ScopeEntry, suggestion } from "../scope/scope.ts";
import { effectOf } from "../scope/tools.ts";
import { type Json, toJson } from "../values/json.ts";
import { isStreamSource } from "../values/stream-source.ts";
import { thrownText } from "../values/thrown.ts";

/** Makes the calls that a decision needs. Never rejects but with the signal's own failure. */
export type CallFunction = (call: FunctionCall, cancellation: Cancellation) => Promise<LoggedCall>;

export interface FunctionCallerOptions {
  /** Looked at anew at each call: a redefined function is the one that is called. */
  readonly scope: (file?: string) => Scope;
  readonly clock?: SleepClock;
  readonly timeoutMs?: number;
  /** Asks a memory, and never rejects but where it is cancelled; without it, every memory is empty. */
  readonly recall?: (call: FunctionCall, cancellation: Cancellation) => Promise<Recalled>;
  /** Told of what gave a stream of values. */
  readonly streamed?: (call: LoggedCall, source: unknown) => void;
}

/** A function in an expression keeps a decision waiting: it may take this long. */
const TIMEOUT_MS = 60_000;

export function createFunctionCaller(options: FunctionCallerOptions): CallFunction {
  const { scope, clock = systemClock, timeoutMs = TIMEOUT_MS } = options;
  return async (call, cancellation) => {
    const of = { name: call.name, key: keyOf(call) };
    if (call.name === NOW) return { ...of, value: clock.now() };
    if (call.name === RECALL) {
      const value = await options.recall?.(call, cancellation);
      return { ...of, value: freezeJson(value ?? { entries: [] }) };
    }
    const late = (): LoggedCall => ({ ...of, failure: tooLate(call, timeoutMs) });
    const work = async (): Promise<LoggedCall> => {
      await ownTurn();
      const source = await settled(call, scope(call.file));
      if (isStreamSource(source.value)) {
        const streamed = { ...of, isStream: true } as const;
        options.streamed?.(streamed, source.value);
        return streamed;
      }
      const value = assertJson(source.value, call);
      const misfit = call.misfit?.(value);
      return misfit === undefined ? { ...of, ...source, value } : { ...of, failure: misfit };
    };
    try {
      return await within(work, { ms: timeoutMs, clock, cancellation, late });
    } catch (thrown) {
      if (cancellation.isCancelled) throw thrown;
      return { ...of, failure: failureOf(thrown, call) };
    }
  };
}

/** The result at once, for who can't wait: a promise is a failure. */
export function callAtOnce(call: FunctionCall, scope: Scope, now: number): LoggedCall {
  const of = { name: call.name, key: keyOf(call) };
  if (call.name === NOW) return { ...of, value: now };
  if (call.name === RECALL) return { ...of, value: { entries: [] } };
  try {
    const { value, isReceiver } = resolve(call, scope)();
    if (value instanceof Promise) {
      value.catch(() => undefined);
      throw new FailureError(notAtOnce(call));
    }
    return { ...of, value: assertJson(value, call), ...(isReceiver ? { isReceiver } : {}) };
  } catch (thrown) {
    return { ...of, failure: failureOf(thrown, call) };
  }
}

interface CallReturn {
  readonly value: unknown;
  readonly isReceiver?: true;
}

async function settled(call: FunctionCall, scope: Scope): Promise<CallReturn> {
  const returned = resolve(call, scope)();
  return { ...returned, value: await returned.value };
}

/** Returns the work of a call, found by its name. */
function resolve(call: FunctionCall, scope: Scope): () => CallReturn {
  if (call.reducer !== undefined) return () => ({ value: fold(call, scope) });
  const path = call.name.split(".");
  const found = lookUp(path, scope);
  if (call.isRead === true) {
    if (found === undefined) throw new FailureError(unknownName(call.name, scope));
    return () => ({ value: found.value });
  }
  if (typeof found?.value === "function") {
    assertInside(call.name, found);
    return () => ({ value: apply(found, freezeJson(call.args)) });
  }
  const receiver = path.length > 1 ? lookUp(path.slice(0, -1), scope) : undefined;
  if (receiver === undefined || !hasMethods(receiver.value)) {
    throw new FailureError(unknownName(call.name, scope, found));
  }
  return () => ({ value: receiver.value, isReceiver: true });
}

/** `STAGES.includes(x)`: the language's own methods work on constants, too. */
function hasMethods(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || Array.isArray(value);
}

function apply({ value, owner }: ScopeEntry, args: readonly unknown[]): unknown {
  return Reflect.apply(value as (...args: readonly unknown[]) => unknown, owner, args);
}

// ── reducers ────────────────────────────────────────────────────────────────────────────────────

function fold({ reducer, name, args }: FunctionCall, scope: Scope): unknown {
  const [before, ...values] = freezeJson(args);
  const lookup: Lookup = (word, of) =>
    of === "scope"
      ? ({ args: given }: ScopeCall) => ({
          name: word,
          key: "",
          value: callNow(word, given, scope),
        })
      : undefined;
  if (reducer?.custom !== true) {
    const [by] = reducer?.args ?? [];
    const known = by?.kind === "name" && by.of === "scope";
    const measure = known
      ? (item: unknown) => callNow(by.name, [item], scope)
      : by && evaluate(by, lookup);
    const of = { name: name as ReducerName, by: measure as (item: unknown) => unknown };
    return values.reduce((current, value) => reduce(of, current, value), before);
  }
  const found = lookUp([name], scope);
  if (typeof found?.value !== "function") throw new FailureError(unknownName(name, scope, found));
  assertInside(name, found);
  const more = reducer.args.map((arg) => evaluate(arg, lookup));
  return values.reduce((current, value) => reduceOnce(found, current, [value, ...more]), before);
}

/** `(current, value) => …`: gives the next value, or changes the draft that it is given. */
function reduceOnce(found: ScopeEntry, current: unknown, more: readonly unknown[]): unknown {
  return runRecipe((draft) => notPromised(apply(found, [draft, ...more])), current);
}

// ownKeys and the like of a promise would make an empty object of it.
function notPromised<T>(value: T): T {
  if (!(value instanceof Promise)) return value;
  value.catch(() => undefined);
  throw new TypeError("a reducer answers at once, not with a promise");
}

function callNow(name: string, args: readonly unknown[], scope: Scope): unknown {
  const found = lookUp(name.split("."), scope);
  if (typeof found?.value !== "function") throw new FailureError(unknownName(name, scope, found));
  assertInside(name, found);
  return notPromised(apply(found, args));
}

// ── what goes wrong ─────────────────────────────────────────────────────────────────────────────

function assertJson(value: unknown, call: FunctionCall): Json {
  // What gives nothing gives null, as everywhere else.
  const { value: json, faults } = toJson(value ?? null);
  const [first] = faults;
  if (first === undefined) return freezeJson(json);
  const place = first.path === "" ? "" : ` at \`${first.path}\``;
  const what = call.isRead === true ? `\`${call.name}\`` : `what \`${call.name}\` returned`;
  throw new FailureError({
    class: "tool",
    code: "M5341",
    message: `${what} is not JSON: ${first.found}${place}`,
    hint: "return plain objects, lists, texts, numbers, booleans or null",
  });
}

function failureOf(thrown: unknown, { name, reducer }: FunctionCall): Failure {
  if (thrown instanceof FailureError) return thrown.failure;
  const what = reducer === undefined ? `\`${name}\`` : `the reducer \`${name}\``;
  return {
    class: "tool",
    code: "M5340",
    message: `${what} threw: ${thrownText(thrown)}`,
    hint: `mend \`${name}\`: the next attempt calls it as it is then`,
    ...stackOf(thrown),
  };
}

function tooLate({ name }: FunctionCall, timeoutMs: number): Failure {
  return {
    class: "timeout",
    code: "M5342",
    message: `\`${name}\` did not come back within ${timeoutMs / 1000} s, and a decision of the run waits for it`,
    hint: "do long work in a `run` node, which can be limited, paused and cancelled",
  };
}

/** After a crash it would be called again, and nobody asked whether it had happened. */
function assertInside(name: string, { value }: ScopeEntry): void {
  if (effectOf(value) !== "external") return;
  throw new FailureError({
    class: "tool",
    code: "M5344",
    message: `\`${name}\` acts on the world outside, and an expression or a reducer calls it`,
    hint: `call it in a node of its own, as in \`tool send = ${name}(…)\``,
  });
}

function notAtOnce({ name }: FunctionCall): Failure {
  return {
    class: "tool",
    code: "M5343",
    message: `\`${name}\` gives a promise, and here nobody waits for it`,
    hint: "start the run to see what comes of it",
  };
}

function unknownName(name: string, scope: Scope, found?: ScopeEntry): Failure {
  const meant = suggestion(name.split("."), scope);
  return {
    class: "tool",
    code: "M8303",
    message:
      found === undefined
        ? `nothing in the scope is called \`${name}\``
        : `\`${name}\` is not a function`,
    hint:
      meant === undefined || meant === name
        ? `run the cell that declares \`${name}\` first; without a notebook, export it from the scope file`
        : `did you mean \`${meant}\`?`,
  };
}

/** Throws nothing: says what of the scope is missing that expressions and reducers need. */
export function missingName(names: readonly string[], scope: Scope): Failure | undefined {
  const missing = names.find((name) => lookUp(name.split("."), scope) === undefined);
  return missing === undefined ? undefined : unknownName(missing, scope);
}
