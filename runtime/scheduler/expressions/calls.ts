/**
 * Calls of TypeScript that expressions and reducers make. The scheduler never makes one: where a result is not at hand it
 * throws `CallNeeded`; whoever drives it makes the call and has it decide again. Results stand in the record that comes
 * of it, so that folding a log needs no user code.
 */
import type { ExprIr, Ir, ReducerIr, SpanIr } from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import type { QueryVector } from "../../records/memory-records.ts";
import type { LoggedCall } from "../../records/records.ts";
import { grown } from "../../state/persistent.ts";

export interface FunctionCall {
  /** As the program writes it: `check`, `helpers.rank`. */
  readonly name: string;
  readonly args: readonly unknown[];
  /** The value of that name, rather than what a call of it gives. */
  readonly isRead?: true;
  /** Of a reducer: `args` are the value so far and what is written, in its order. */
  readonly reducer?: ReducerIr;
  /** Of a reducer: what is wrong with a result, by the type of the field that it folds. */
  readonly misfit?: (value: unknown) => Failure | undefined;
  /** For a recall: tells whether a value is of the type that the program declares. */
  readonly fits?: (value: unknown) => boolean;
  /** For a recall: the vector of what is asked. */
  readonly vector?: QueryVector;
  readonly span?: SpanIr;
  /** The file that the name is meant in, where that is not the one of the run's graph. */
  readonly file?: string;
}

/** Gives the results of calls that have been made. */
export interface Functions {
  /** Of a called graph from another file: that file. */
  readonly file?: string | undefined;
  result(call: FunctionCall): LoggedCall | undefined;
}

/** Thrown where the results of these calls are needed before anything can be decided. */
export class CallNeeded extends Error {
  readonly calls: readonly FunctionCall[];

  constructor(calls: readonly FunctionCall[]) {
    super(`calls of ${calls.map(({ name }) => name).join(", ")} are needed first`);
    this.name = "CallNeeded";
    this.calls = calls;
  }
}

/** Returns the result of a call; throws `CallNeeded` if it has not been made. */
export function resultOf(functions: Functions | undefined, call: FunctionCall): LoggedCall {
  const file = functions?.file;
  const asked = file === undefined || call.file !== undefined ? call : { ...call, file };
  const result = functions?.result(asked);
  if (result === undefined) throw new CallNeeded([asked]);
  return result;
}

/** `items.map(work)`, asking for all calls that are needed at once. */
export function gathered<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => R,
): readonly R[] {
  let results: R[] = [];
  let needed: readonly FunctionCall[] = NO_CALLS;
  for (let index = 0; index < items.length; index += 1) {
    try {
      results = grown(results, work(items[index] as T, index));
    } catch (error) {
      if (!(error instanceof CallNeeded)) throw error;
      needed = [...needed, ...error.calls];
    }
  }
  if (needed.length > 0) throw new CallNeeded(needed);
  return results;
}

const NO_CALLS: readonly never[] = [];

/** Returns a text that identifies a call among those of one decision. */
export function keyOf({ file, ...call }: FunctionCall): string {
  return file === undefined ? ownKeyOf(call) : `${file}: ${ownKeyOf(call)}`;
}

function ownKeyOf({ name, args, isRead, reducer }: FunctionCall): string {
  if (isRead === true) return name;
  const text = args.map((arg) => JSON.stringify(arg) ?? "undefined").join(", ");
  const shown = text.length > KEY_LENGTH_MAX ? `#${hashOf(text)}` : text;
  return `${reducer === undefined ? "" : "via "}${name}(${shown})`;
}

const KEY_LENGTH_MAX = 120;

/** 53 bits, which is plenty among the calls of one record. */
function hashOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return `${text.length}.${(4294967296 * (2097151 & low) + (high >>> 0)).toString(36)}`;
}

/** The name under which an expression asks for the time. */
export const NOW = "run.now";

/** The name under which an expression asks for what a memory has. */
export const RECALL = "memory.recall";

/** The results that a decision has at hand, and those that it has used. */
export class KnownCalls implements Functions {
  // One is made for each decision, and most decisions call nobody.
  #results: Map<string, LoggedCall> | undefined;
  readonly #otherwise: Functions | undefined;
  readonly #at: number | undefined;
  #used: Map<string, LoggedCall> | undefined;

  /** The file of those that it knows besides: a called graph's. */
  get file(): string | undefined {
    return this.#otherwise?.file;
  }

  /** `at` is the time of the decision; the log has it anyway. */
  constructor(
    calls: readonly LoggedCall[],
    more: { readonly otherwise?: Functions | undefined; readonly at?: number } = {},
  ) {
    this.#otherwise = more.otherwise;
    this.#at = more.at;
    for (const call of calls) this.add(call);
  }

  add(call: LoggedCall): void {
    this.#results ??= new Map();
    this.#results.set(call.key, call);
  }

  result(call: FunctionCall): LoggedCall | undefined {
    const key = keyOf(call);
    if (call.name === NOW && this.#at !== undefined) return { name: NOW, key, value: this.#at };
    const found = this.#results?.get(key) ?? this.#otherwise?.result(call);
    if (found === undefined) return undefined;
    this.add(found);
    this.#used ??= new Map();
    this.#used.set(key, found);
    return found;
  }

  /** Returns the calls that were used since the last time this was asked. */
  takeUsed(): readonly LoggedCall[] {
    if (this.#used === undefined) return NONE;
    const used = [...this.#used.values()];
    this.#used = undefined;
    return used;
  }
}

const NONE: readonly LoggedCall[] = [];

// The names of TypeScript that expressions use.

/** `helpers.rank` where an expression is a name of the scope, or a member of one. */
export function scopePath(expression: ExprIr): string | undefined {
  if (expression.kind === "name") return expression.of === "scope" ? expression.name : undefined;
  if (expression.kind !== "member") return undefined;
  const group = scopePath(expression.object);
  return group === undefined ? undefined : `${group}.${expression.name}`;
}

/** The first words of all names of the scope in a part of a program. */
export function scopeNames(part: unknown): readonly string[] {
  const names = new Set<string>();
  visit(part, (name) => names.add(name));
  return [...names];
}

/** Lists the names of the scope that a run's expressions and reducers need: dotted names of functions, first words of all else. */
export function neededNames(ir: Ir): readonly string[] {
  const known = needed.get(ir) ?? readNeeded(ir);
  needed.set(ir, known);
  return known;
}

/** A graph is run many times, and never changes. */
const needed = new WeakMap<Ir, readonly string[]>();

function readNeeded({ fields, nodes, edges, endWhen, params }: Ir): readonly string[] {
  const reducers = [
    ...fields.map(({ reducer }) => reducer),
    ...nodes.flatMap(({ writes }) => writes.flatMap(({ via }) => via ?? [])),
  ];
  const parts = nodes.map(({ controller: _, skills: __, model: ___, ...node }) => node);
  return [
    ...new Set([
      ...reducers.flatMap(({ custom, name }) => (custom ? [name] : [])),
      ...scopeNames([fields, parts, edges, endWhen, params]),
    ]),
  ];
}

/** Tells whether something in a part of a program is asked for outside: a name of the scope, a reducer in TypeScript, the time. */
export function callsOut(part: unknown): boolean {
  if (typeof part !== "object" || part === null || isNumbers(part)) return false;
  return isAskedOutside(part) || Object.values(part).some(callsOut);
}

/** A span: there is one beside everything that a program says. */
function isNumbers(part: object): boolean {
  return Array.isArray(part) && typeof part[0] === "number";
}

function isAskedOutside(
  part: Partial<Record<"kind" | "of" | "name" | "custom", unknown>>,
): boolean {
  if (part.custom === true) return true;
  if (part.kind !== "name") return false;
  return (
    part.of === "scope" || part.of === "memory" || (part.of === "special" && part.name === "run")
  );
}

function visit(part: unknown, found: (name: string) => void): void {
  if (typeof part !== "object" || part === null) return;
  const { kind, of, name } = part as { kind?: unknown; of?: unknown; name?: unknown };
  if (kind === "name" && of === "scope" && typeof name === "string") found(name);
  for (const child of Object.values(part)) visit(child, found);
}
