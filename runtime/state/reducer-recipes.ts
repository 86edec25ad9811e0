/**
 * Defines each built-in reducer as an Immer recipe. Reducers that a program writes in TypeScript, and functions that edit a
 * state, are recipes too; all of them run here.
 */
import { isDraftable, produce } from "immer";
import type { ReducerName } from "../../dsl/index.ts";
import { mergeMessages } from "../messages/merge-messages.ts";
import type { ConversationMessage, MessageWrite } from "../messages/message.ts";
import { isJsonEqual } from "./json.ts";
import {
  assertSum,
  identityOf,
  itemsOf,
  listOf,
  type Measured,
  measure,
  numberOf,
  objectOf,
} from "./written-value.ts";

/** Changes the draft of a field's value, or returns its next value. The draft is undefined before the first write. */
export type Recipe = (draft: unknown, written: unknown, measured: Measured) => unknown;

/** To add a reducer, add its row to `REDUCERS` of the language, and its definition here. */
export const RECIPES: Readonly<Record<ReducerName, Recipe>> = {
  replace: (_, written) => written,
  append: (draft, written) => {
    if (isEmpty(draft)) return itemsOf(written);
    draftedList(draft).push(...itemsOf(written));
  },
  union: (draft, written, measured) => {
    const list = isEmpty(draft) ? [] : draftedList(draft);
    for (const item of itemsOf(written)) {
      const identity = identityOf(measured, item);
      const at = list.findIndex((known) => isJsonEqual(identityOf(measured, known), identity));
      list[at === -1 ? list.length : at] = item;
    }
    return isEmpty(draft) ? list : undefined;
  },
  merge: (draft, written) => {
    if (isEmpty(draft)) return { ...objectOf(written) };
    Object.assign(objectOf(draft), objectOf(written));
  },
  sum: (draft, written) =>
    draft === undefined ? numberOf(written) : assertSum(numberOf(draft) + numberOf(written)),
  max: (draft, written, measured) =>
    draft === undefined || measure(measured, written) > measure(measured, draft) ? written : draft,
  min: (draft, written, measured) =>
    draft === undefined || measure(measured, written) < measure(measured, draft) ? written : draft,
  messages: (draft, written) =>
    mergeMessages(
      listOf(draft) as readonly ConversationMessage[],
      itemsOf(written) as readonly MessageWrite[],
    ),
};

/** Applies a recipe to a value and returns the result; the value is unchanged. */
export function runRecipe(recipe: (draft: unknown) => unknown, current: unknown): unknown {
  if (!isDraftable(current)) return recipe(current);
  return produce(current as object, recipe as (draft: object) => undefined);
}

function isEmpty(draft: unknown): draft is undefined | null {
  return draft === undefined || draft === null;
}

/** The draft of a list. */
function draftedList(draft: unknown): unknown[] {
  return listOf(draft) as unknown[];
}
