/** How a write merges into a field. All of them fold in the order of the graph; none changes its arguments. */
import type { ReducerIr, ReducerName } from "../../dsl/index.ts";
import type { Failure } from "../failure.ts";
import { isJsonEqual } from "./json.ts";
import { plain, SharedList } from "./shared-list.ts";

export interface Reducer {
  readonly name: ReducerName | "custom";
  /** `union(f => f.url)`, `max(f => f.score)`: what an item is known or measured by. */
  readonly by?: (item: unknown) => unknown;
  /** Written in TypeScript, or measuring by it: then `fold` alone says what writes come to. */
  readonly called?: ReducerIr;
  /** The file in which its names are meant, where that is not the one of the graph that folds. */
  readonly file?: string;
  /** What is wrong with a value that its author's code folded to, by the type of the field. */
  readonly misfit?: (value: unknown) => Failure | undefined;
  readonly fold?: (current: unknown, values: readonly unknown[]) => unknown;
}

/** Thrown when a value does not fit its reducer; it ends the attempt as `invalid`. */
export class ReducerError extends Error {}

/** The value of a field after one more write, where `current` is undefined before the first. */
export function reduce(reducer: Reducer, current: unknown, value: unknown): unknown {
  if (reducer.fold !== undefined) return reducer.fold(current, [value]);
  if (reducer.name === "custom") throw new ReducerError("a reducer in TypeScript is needed here");
  return DEFINITIONS[reducer.name](current, value, reducer);
}

type Definition = (current: unknown, value: unknown, reducer: Reducer) => unknown;

/** What each comes to; `current` is undefined before the first write. */
const DEFINITIONS: Readonly<Record<ReducerName, Definition>> = {
  replace: (_, value) => value,
  append: (current, value) => [...listOf(current), ...itemsOf(value)],
  union: (current, value, reducer) => unite(reducer, listOf(current), itemsOf(value)),
  merge: (current, value) => ({ ...objectOf(current), ...objectOf(value) }),
  sum: (current, value) =>
    current === undefined ? numberOf(value) : sumOf(numberOf(current), numberOf(value)),
  max: (current, value, reducer) =>
    current === undefined || measure(reducer, value) > measure(reducer, current) ? value : current,
  min: (current, value, reducer) =>
    current === undefined || measure(reducer, value) < measure(reducer, current) ? value : current,
};

/** The same for fields as frames keep them: what is appended to is a shared list, before and after. */
export function reduceKept(reducer: Reducer, current: unknown, value: unknown): unknown {
  if (reducer.name !== "append") return reduce(reducer, plain(current), value);
  const list = current instanceof SharedList ? current : SharedList.of(listOf(current));
  return list.append(itemsOf(value));
}

/** For a list field one item or a list is accepted. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

export function identityOf(reducer: Reducer, item: unknown): unknown {
  return reducer.by === undefined ? item : reducer.by(item);
}

function unite(
  reducer: Reducer,
  current: readonly unknown[],
  items: readonly unknown[],
): unknown[] {
  const united = [...current];
  for (const item of items) {
    const identity = identityOf(reducer, item);
    const at = united.findIndex((known) => isJsonEqual(identityOf(reducer, known), identity));
    if (at === -1) united.push(item);
    else united[at] = item;
  }
  return united;
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new ReducerError(`a list is needed here, not ${describe(value)}`);
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ReducerError(`an object is needed here, not ${describe(value)}`);
}

function numberOf(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new ReducerError(`a number is needed here, not ${describe(value)}`);
}

function sumOf(current: number, value: number): number {
  const sum = current + value;
  if (Number.isFinite(sum)) return sum;
  throw new ReducerError("the sum is greater than a number can be");
}

function measure(reducer: Reducer, value: unknown): number {
  return numberOf(identityOf(reducer, value));
}

function describe(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
