/**
 * Merges writes into fields. A reducer is defined by its recipe (`recipes.ts`); those that runs spend their time in have a
 * faster twin here, which a property test holds equal to the recipe. All of them fold in the order of the graph.
 */
import type { ReducerIr, ReducerName } from "../../dsl/index.ts";
import type { Failure } from "../failure.ts";
import { isJsonEqual } from "./json.ts";
import { RECIPES, type Recipe, runRecipe } from "./recipes.ts";
import { plain, SharedList } from "./shared-list.ts";
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

export interface Reducer extends Measured {
  readonly name: ReducerName | "custom";
  /** Written in TypeScript, or measuring by it: then `fold` alone says what writes come to. */
  readonly called?: ReducerIr;
  /** The file in which its names are meant, where that is not the one of the graph that folds. */
  readonly file?: string;
  /** What is wrong with a value that its author's code folded to, by the type of the field. */
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

/** What recipes come to, made without drafts. A draft can't have a member called `__proto__`; what is spread can. */
const FASTER: Readonly<Partial<Record<ReducerName, Recipe>>> = {
  replace: (_, value) => value,
  append: (current, value) => [...listOf(current), ...itemsOf(value)],
  union: (current, value, measured) => unite(measured, listOf(current), itemsOf(value)),
  merge: (current, value) => ({ ...objectOf(current), ...objectOf(value) }),
  sum: (current, value) =>
    current === undefined ? numberOf(value) : assertSum(numberOf(current) + numberOf(value)),
};

/** The same for fields as frames keep them: what is appended to is a shared list, before and after. */
export function reduceKept(reducer: Reducer, current: unknown, value: unknown): unknown {
  if (reducer.name !== "append") return reduce(reducer, plain(current), value);
  const list = current instanceof SharedList ? current : SharedList.of(listOf(current));
  return list.append(itemsOf(value));
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
