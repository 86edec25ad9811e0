/** The names of the notebook: what cells declared, as later cells and graphs see it at that moment. */
import type { Scope } from "../../runtime/index.ts";

/** One object for all cells: the compiler turns their names into its properties. */
export function createNames(): Record<string, unknown> {
  // Without a prototype, or a cell could read `constructor` as if another had declared it.
  return Object.create(null) as Record<string, unknown>;
}

/** The first of `layers` that has a name says what it means, each time it is looked up. */
export function layeredScope(layers: readonly Scope[]): Scope {
  const layerOf = (name: PropertyKey) => layers.find((layer) => Object.hasOwn(layer, name));
  const meaningOf = (name: PropertyKey) => layerOf(name)?.[name as string];
  return new Proxy(Object.create(null) as Scope, {
    get: (_, name) => meaningOf(name),
    has: (_, name) => layerOf(name) !== undefined,
    ownKeys: () => [...new Set(layers.flatMap((layer) => Reflect.ownKeys(layer)))],
    getOwnPropertyDescriptor: (_, name) =>
      layerOf(name) === undefined
        ? undefined
        : { value: meaningOf(name), enumerable: true, configurable: true, writable: true },
  });
}
