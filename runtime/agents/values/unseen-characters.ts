/** Takes out of texts what a model reads and a person does not see: commands of terminals, tags, marks of direction and of no width. */
import { stripVTControlCharacters } from "node:util";
import type { Json } from "./json.ts";

/** Most texts are of letters alone, and are looked through once. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/**
 * Line ends and tabs stay, the two joiners, with which Persian, Hindi and emoji are written, and one variation selector behind a
 * character; several in a row carry a text.
 */
const UNSEEN =
  /(?!\r\n|[\n\t\u200c\u200d])(?!(?<!\p{Variation_Selector})\p{Variation_Selector})[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Returns the text as a person sees it. */
export function withoutUnseen(text: string): string {
  if (PLAIN.test(text)) return text;
  return stripVTControlCharacters(text).replace(UNSEEN, "");
}

/** Returns a value with every text and name in it as a person sees it, and the number of UTF-16 units that were taken out. */
export function withoutUnseenIn(value: Json): { readonly value: Json; readonly taken: number } {
  if (!hasUnseen(value)) return { value, taken: 0 };
  let taken = 0;
  const shown = (text: string): string => {
    const seen = withoutUnseen(text);
    taken += text.length - seen.length;
    return seen;
  };
  const read = (one: Json): Json => {
    if (typeof one === "string") return shown(one);
    if (!isCompound(one)) return one;
    if (isList(one)) return one.map(read);
    return Object.fromEntries(Object.entries(one).map(([name, of]) => [shown(name), read(of)]));
  };
  return { value: read(value), taken };
}

function hasUnseen(value: Json): boolean {
  if (typeof value === "string") return !PLAIN.test(value) && value.search(UNSEEN) >= 0;
  if (!isCompound(value)) return false;
  if (isList(value)) return value.some(hasUnseen);
  return Object.entries(value).some(([name, of]) => hasUnseen(name) || hasUnseen(of));
}

function isCompound(value: Json): value is readonly Json[] | { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
