/** Does one thing for each item of a list, a few at once. */

const AT_ONCE = 4;

/** Returns the results in the order of the items. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  of: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const entries = items.entries();
  const work = async () => {
    for (const [at, item] of entries) results[at] = await of(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
