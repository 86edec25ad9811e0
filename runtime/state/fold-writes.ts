/** Folds writes into the values of fields: for the nodes of a run, and as people see them while branches still run. */

import type { ReducerIr, ReducerName } from "../../dsl/index.ts";
import type { Failure } from "../failure.ts";
import { areNew, indexOfMessage, mergeMessages } from "../messages/merge-messages.ts";
import {
  type ConversationMessage,
  isRemoval,
  type MessageWrite,
  REMOVE_ALL,
} from "../messages/message.ts";
import { isJsonEqual } from "./json.ts";
import { compareKeys, type OrderKey } from "./order-key.ts";
import type { Patch } from "./patch.ts";
import { grown, plain, SharedList } from "./persistent.ts";
import { RECIPES, type Recipe, runRecipe } from "./reducer-recipes.ts";
import {
  assertSum,
  identityOf,
  itemsOf,
  listOf,
  type Measured,
  numberOf,
  objectOf,
  ReducerError,
} from "./written-value.ts";

// Merges writes into fields. A reducer is defined by its recipe (`reducer-recipes.ts`); those that runs spend their time in
// have a faster twin here, which a property test holds equal to the recipe. All of them fold in the order of the
// graph.

export interface Reducer extends Measured {
  readonly name: ReducerName | "custom";
  /** Written in TypeScript, or measuring by it: then `fold` alone says what writes come to. */
  readonly called?: ReducerIr;
  /** The file in which its names are meant, where that is not the one of the graph that folds. */
  readonly file?: string;
  /** Checks a value that a custom reducer returned against the type of the field; returns a failure if it does not fit. */
  readonly misfit?: (value: unknown) => Failure | undefined;
  readonly fold?: (current: unknown, values: readonly unknown[]) => unknown;
}

/** The value of a field after one more write, where `current` is undefined before the first. Changes no argument. */
export function reduce(reducer: Reducer, current: unknown, value: unknown): unknown {
  if (reducer.fold !== undefined) return reducer.fold(current, [value]);
  if (reducer.name === "custom") throw new ReducerError("a reducer in TypeScript is needed here");
  const faster = FASTER[reducer.name];
  if (faster !== undefined) return faster(current, value, reducer);
  const recipe = RECIPES[reducer.name];
  return runRecipe((draft) => recipe(draft, value, reducer), current);
}

/**
 * Faster twins of the recipes, without drafts, with the same results. A draft can't have a member
 * called `__proto__`; a spread object can.
 */
const FASTER: Readonly<Partial<Record<ReducerName, Recipe>>> = {
  replace: (_, value) => value,
  append: (current, value) => [...listOf(current), ...itemsOf(value)],
  union: (current, value, measured) => unite(measured, listOf(current), itemsOf(value)),
  messages: (current, value) =>
    mergeMessages(
      listOf(current) as readonly ConversationMessage[],
      itemsOf(value) as readonly MessageWrite[],
    ),
  merge: (current, value) => ({ ...objectOf(current), ...objectOf(value) }),
  sum: (current, value) =>
    current === undefined ? numberOf(value) : assertSum(numberOf(current) + numberOf(value)),
};

/**
 * Reduces a field in its stored form, where a list that is appended to is a `SharedList`, before
 * and after.
 */
export function reduceKept(reducer: Reducer, current: unknown, value: unknown): unknown {
  if (!isGrowing(reducer, current, value)) return reduce(reducer, plain(current), value);
  const list = current instanceof SharedList ? current : SharedList.of(listOf(current));
  return list.append(itemsOf(value));
}

/** Returns whether a write only puts items behind those of a list that is kept as a `SharedList`. */
function isGrowing({ name }: Reducer, current: unknown, value: unknown): boolean {
  if (name === "append") return true;
  if (name !== "messages") return false;
  const known = current instanceof SharedList ? current : listOf(current);
  return areNew(known as Iterable<ConversationMessage>, itemsOf(value) as readonly MessageWrite[]);
}

function unite(
  measured: Measured,
  current: readonly unknown[],
  items: readonly unknown[],
): unknown[] {
  const united = [...current];
  for (const item of items) {
    const identity = identityOf(measured, item);
    const at = united.findIndex((known) => isJsonEqual(identityOf(measured, known), identity));
    if (at === -1) united.push(item);
    else united[at] = item;
  }
  return united;
}

// The state that people see: the fold of everything committed so far. Lists keep the order of the graph while
// branches are still running; other reducers take writes as they come and are put in order when the branches end
// (`settle`).

export interface ShownValue {
  /** A list that is appended to is a `SharedList`: `plain` gives what people see. */
  readonly value: unknown;
  /** For lists: the place of each item in the order of the graph; items without one were there first. */
  readonly keys?: readonly OrderKey[] | SharedList<OrderKey>;
}

export interface ShownChange {
  readonly shown: ShownValue;
  readonly patches: readonly Patch[];
  /** Returns the patches that undo `patches`, in their order. */
  readonly inverse: () => readonly Patch[];
}

/** Applies one write to the shown value of `field`; `key` is the place of the writing node run. */
export function show(
  field: string,
  current: ShownValue | undefined,
  reducer: Reducer,
  write: { readonly key: OrderKey; readonly value: unknown },
): ShownChange {
  const grows = reducer.name === "append" || reducer.name === "messages";
  if (reducer.fold === undefined && grows && current !== undefined) {
    const list = sharedOf(current);
    const isAdded = list !== undefined && isGrowing(reducer, list.items, write.value);
    if (isAdded && isBehind(list, write.key)) return appended(field, list, write);
  }
  const before = plain(current?.value);
  if (reducer.fold !== undefined) {
    return replaced(field, before, { value: reduce(reducer, before, write.value) });
  }
  if (before !== undefined && (grows || reducer.name === "union")) {
    return showItems(field, { value: before, keys: keysOf(current) }, reducer, write);
  }
  if (before !== undefined && before !== null && reducer.name === "merge") {
    return showMembers(field, before, write.value);
  }
  const value = reduce(reducer, before, write.value);
  const keys = Array.isArray(value) ? value.map(() => write.key) : undefined;
  return replaced(field, before, keys === undefined ? { value } : { value, keys });
}

/** Makes the shown value exactly `value`, the fold in the order of the graph; no patch where it is so already. */
export function settle(
  field: string,
  current: ShownValue | undefined,
  value: unknown,
): ShownChange {
  const before = plain(current?.value);
  if (current !== undefined && isJsonEqual(before, value)) {
    return { shown: current, patches: [], inverse: () => [] };
  }
  return replaced(field, before, { value });
}

interface Grown {
  readonly items: SharedList<unknown>;
  readonly keys: SharedList<OrderKey>;
}

function sharedOf({ value, keys }: ShownValue): Grown | undefined {
  if (value instanceof SharedList && keys instanceof SharedList) return { items: value, keys };
  if (!Array.isArray(value)) return undefined;
  return {
    items: SharedList.of(value),
    keys: SharedList.of(value.map((_, at) => keyAt(keys, at))),
  };
}

function keyAt(keys: ShownValue["keys"], at: number): OrderKey {
  return (keys instanceof SharedList ? keys.at(at) : keys?.[at]) ?? [];
}

function keysOf(shown: ShownValue | undefined): readonly OrderKey[] {
  return shown?.keys instanceof SharedList ? shown.keys.toArray() : (shown?.keys ?? []);
}

function isBehind({ keys }: Grown, key: OrderKey): boolean {
  return compareKeys(keys.at(keys.length - 1) ?? [], key) <= 0;
}

/** Nothing that is there comes later in the order of the graph, so nothing moves. */
function appended(
  field: string,
  { items, keys }: Grown,
  write: { readonly key: OrderKey; readonly value: unknown },
): ShownChange {
  const added = itemsOf(write.value);
  let patches: Patch[] = [];
  let places: OrderKey[] = [];
  for (let index = 0; index < added.length; index += 1) {
    const path = [field, items.length + index];
    patches = grown(patches, { op: "add", path, value: added[index] });
    places = grown(places, write.key);
  }
  return {
    shown: { value: items.append(added), keys: keys.append(places) },
    patches,
    inverse: () => patches.map(({ path }) => ({ op: "remove" as const, path })).reverse(),
  };
}

function replaced(field: string, before: unknown, shown: ShownValue): ShownChange {
  const path = [field];
  return {
    shown,
    patches: [{ op: before === undefined ? "add" : "replace", path, value: shown.value }],
    inverse: () => [
      before === undefined ? { op: "remove", path } : { op: "replace", path, value: before },
    ],
  };
}

interface List {
  readonly value: unknown;
  readonly keys: readonly OrderKey[];
}

function showItems(
  field: string,
  list: List,
  reducer: Reducer,
  write: { readonly key: OrderKey; readonly value: unknown },
): ShownChange {
  const items = [...(list.value as readonly unknown[])];
  const keys = items.map((_, index) => list.keys[index] ?? []);
  const patches: Patch[] = [];
  const inverse: Patch[] = [];
  const removeAt = (at: number) => {
    patches.push({ op: "remove", path: [field, at] });
    inverse.unshift({ op: "add", path: [field, at], value: items[at] });
    items.splice(at, 1);
    keys.splice(at, 1);
  };
  for (const item of itemsOf(write.value)) {
    const removed = reducer.name === "messages" ? removedBy(item as MessageWrite) : undefined;
    if (removed !== undefined) {
      for (let at = items.length - 1; at >= 0; at -= 1)
        if (removed === REMOVE_ALL || (items[at] as ConversationMessage).id === removed)
          removeAt(at);
      continue;
    }
    const known = reducer.name === "append" ? -1 : indexOfItem(reducer, items, item);
    const at = known === -1 ? insertionIndex(keys, write.key) : known;
    if (known === -1) {
      items.splice(at, 0, item);
      keys.splice(at, 0, write.key);
      patches.push({ op: "add", path: [field, at], value: item });
      inverse.unshift({ op: "remove", path: [field, at] });
    } else if (!isJsonEqual(items[at], item)) {
      inverse.unshift({ op: "replace", path: [field, at], value: items[at] });
      items[at] = item;
      patches.push({ op: "replace", path: [field, at], value: item });
    }
  }
  return { shown: { value: items, keys }, patches, inverse: () => inverse };
}

function removedBy(write: MessageWrite): string | undefined {
  return isRemoval(write) ? write.remove : undefined;
}

function indexOfItem(reducer: Reducer, items: readonly unknown[], item: unknown): number {
  if (reducer.name === "messages")
    return indexOfMessage(
      items as readonly ConversationMessage[],
      (item as ConversationMessage).id,
    );
  const identity = identityOf(reducer, item);
  return items.findIndex((known) => isJsonEqual(identityOf(reducer, known), identity));
}

/** Behind everything that is not later than `key`; the end is looked at first. */
function insertionIndex(keys: readonly OrderKey[], key: OrderKey): number {
  let at = keys.length;
  while (at > 0 && compareKeys(keys[at - 1] ?? [], key) > 0) at -= 1;
  return at;
}

function showMembers(field: string, before: unknown, value: unknown): ShownChange {
  // A Map: a member called `__proto__` is a member like any other.
  const members = new Map(Object.entries(objectOf(before)));
  const patches: Patch[] = [];
  const inverse: Patch[] = [];
  for (const [name, member] of Object.entries(objectOf(value))) {
    const path = [field, name];
    const known = members.has(name);
    if (known && isJsonEqual(members.get(name), member)) continue;
    patches.push({ op: known ? "replace" : "add", path, value: member });
    inverse.unshift(
      known ? { op: "replace", path, value: members.get(name) } : { op: "remove", path },
    );
    members.set(name, member);
  }
  return { shown: { value: Object.fromEntries(members) }, patches, inverse: () => inverse };
}
