/**
 * A list of one's own with one more item. The first comes into a list of its own size: an empty one that is pushed to takes
 * room for seventeen, and most lists of a record have one item.
 */
export function grown<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
