/**
 * The numbers by which a program goes on with the log of another one. A log says nodes, joins, `each`es, outlets and
 * counted arrows by number, as `link` gives the numbers in the order of the text. An edited text has another order: then
 * its IR says which of its own stands where, so that what the log has folds as it did, and what is new comes behind.
 */
import type { FieldIr, Ir } from "../../../dsl/index.ts";

export interface Numbering {
  /** By number: the place in the order of the text; null for what is gone. Nodes that wait for a time stand behind the others. */
  readonly nodes: readonly (number | null)[];
  readonly joins: readonly (NumberedJoin | null)[];
  readonly eaches: readonly (number | null)[];
  readonly outlets: readonly (number | null)[];
  readonly counted: readonly (number | null)[];
  /** By outlet: nodes that are gone, and were once under way behind it. */
  readonly ghosts: Readonly<Record<number, readonly string[]>>;
}

export interface NumberedJoin {
  readonly join: number;
  /** Its nodes in the order of the log, with those that are gone. */
  readonly nodes: readonly string[];
}

/** A program that goes on with the log of another one. */
export type NumberedIr = Ir & {
  readonly numbers?: Numbering;
  /** Nodes that the text has no more: what they did stays, and what they have under way is dropped. */
  readonly gone?: readonly string[];
  /** The earlier names of fields, by their present names. */
  readonly fieldNames?: Readonly<Record<string, readonly string[]>>;
  /** The first values of fields that the run did not have when it began. */
  readonly added?: Readonly<Record<string, unknown>>;
};

/** By the place in the order of the text: its number. */
export function numbersOf(
  given: readonly (number | null)[] | undefined,
  count: number,
): readonly number[] {
  if (given === undefined) return Array.from({ length: count }, (_, place) => place);
  const known = new Map(given.map((place, number) => [place, number]));
  let next = given.length;
  return Array.from({ length: count }, (_, place) => {
    const number = known.get(place);
    if (number !== undefined) return number;
    next += 1;
    return next - 1;
  });
}

/** The same where nobody knows yet how many there will be: they are asked for in their order. */
export function numberer(given: readonly (number | null)[] | undefined): (place: number) => number {
  if (given === undefined) return (place) => place;
  const known = new Map(given.map((place, number) => [place, number]));
  let next = given.length;
  return (place) => {
    const number = known.get(place);
    if (number !== undefined) return number;
    next += 1;
    return next - 1;
  };
}

/** In the order of their numbers, with something in the place of what is gone. */
export function inOrder<T>(
  items: readonly T[],
  numbers: readonly number[],
  hole: (number: number) => T,
): readonly T[] {
  const placed: (T | undefined)[] = Array.from(
    { length: Math.max(-1, ...numbers) + 1 },
    () => undefined,
  );
  for (const [place, item] of items.entries()) placed[numbers[place] ?? place] = item;
  return placed.map((item, number) => item ?? hole(number));
}

/** Finds the first value of a field under any name that it has had. */
export function begunValue(
  { fieldNames, added }: NumberedIr,
  { name }: FieldIr,
  values: Readonly<Record<string, unknown>>,
): unknown {
  const former = fieldNames?.[name] ?? [];
  for (const known of [name, ...former]) if (values[known] !== undefined) return values[known];
  return added?.[name];
}
