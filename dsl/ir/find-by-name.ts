/** Finds the members of long lists by their names. */

interface NamedMember {
  readonly name: string;
}

/** Shorter lists are searched: a table of them costs more than it saves. */
const SEARCHED_MAX = 8;

const tables = new WeakMap<readonly NamedMember[], ReadonlyMap<string, NamedMember>>();

/**
 * Returns the first member of a list with this name. The table of a long list is kept, so the list
 * must never change; those of the IR do not.
 */
export function findByName<T extends NamedMember>(list: readonly T[], name: string): T | undefined {
  if (list.length <= SEARCHED_MAX) return list.find((one) => one.name === name);
  let table = tables.get(list);
  if (table === undefined) {
    // Reversed, so that the first of several members with one name stays.
    table = new Map(list.toReversed().map((one) => [one.name, one]));
    tables.set(list, table);
  }
  return table.get(name) as T | undefined;
}
