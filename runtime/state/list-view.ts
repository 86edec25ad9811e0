/** Shows a long list that keeps growing as an array that nobody can change, without copying it. */

/** One version of a list. */
export interface ViewedList {
  readonly length: number;
  /** Its items, and those that newer versions have behind them. */
  readonly items: readonly unknown[];
  /** Its items alone, copied when they are first wanted so. */
  toArray(): readonly unknown[];
}

const lists = new WeakMap<object, ViewedList>();

/**
 * An array for all that reads it: by index, by its methods, in a loop, as JSON. Methods that go through all items go through
 * a copy, which is made once. It is a proxy: `structuredClone` and `postMessage` refuse it, and take `[...list]`.
 */
export function createListView(list: ViewedList): readonly unknown[] {
  // `console.log` prints the target of a proxy, which is empty here.
  const shown = { value: () => list.toArray(), configurable: true };
  const target: unknown[] = Object.defineProperty(
    [],
    Symbol.for("nodejs.util.inspect.custom"),
    shown,
  );
  const view = new Proxy(target, handlerOf(list));
  lists.set(view, list);
  return view;
}

/** The array that a view shows; every other value as it is. */
export function withoutView<T>(value: T): T {
  if (!Array.isArray(value)) return value;
  return (lists.get(value)?.toArray() as T | undefined) ?? value;
}

function handlerOf(list: ViewedList): ProxyHandler<unknown[]> {
  const { length, items } = list;
  const isItem = (key: string | symbol): boolean =>
    typeof key === "string" &&
    key !== "length" &&
    Object.hasOwn(items, key) &&
    Number(key) < length;
  return {
    get(_, key, view) {
      if (key === "length") return length;
      if (isItem(key)) return items[Number(key)];
      if (key === "slice") return (from?: number, to?: number) => sliced(list, from, to);
      const method: unknown = Reflect.get(Array.prototype, key, view);
      if (typeof method !== "function" || !THROUGH_ALL.has(key)) return method;
      return (...args: readonly unknown[]) => Reflect.apply(method, list.toArray(), args);
    },
    has: (_, key) => key === "length" || isItem(key) || key in Array.prototype,
    ownKeys: () => Reflect.ownKeys(list.toArray()),
    getOwnPropertyDescriptor(target, key) {
      if (key === "length")
        return { ...Reflect.getOwnPropertyDescriptor(target, key), value: length };
      if (!isItem(key)) return undefined;
      return { value: items[Number(key)], writable: false, enumerable: true, configurable: true };
    },
    // In strict code each of these throws, as for any frozen array.
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  };
}

/** As `Array.prototype.slice`, copying no more than what it gives. */
function sliced({ length, items }: ViewedList, from = 0, to = length): unknown[] {
  const place = (at: number) => (at < 0 ? Math.max(0, length + at) : Math.min(at, length));
  return items.slice(place(from), place(to));
}

/** The methods that read item after item: one by one through a proxy takes 20 times as long as copying all of them. */
const THROUGH_ALL: ReadonlySet<string | symbol> = new Set([
  Symbol.iterator,
  ...["concat", "entries", "every", "filter", "find", "findIndex", "findLast", "findLastIndex"],
  ...["flat", "flatMap", "forEach", "includes", "indexOf", "join", "keys", "lastIndexOf", "map"],
  ...["reduce", "reduceRight", "some", "toLocaleString", "toReversed", "toSorted", "toSpliced"],
  ...["toString", "values", "with"],
]);
