/** `T` whose possibly undefined members are optional instead: an absent clause leaves no key behind in the JSON. */
export type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Drops the members that are undefined. */
export function defined<T extends object>(value: T): Defined<T> {
  const kept = Object.entries(value).filter(([, member]) => member !== undefined);
  // The filter is what the type says; TypeScript cannot see through fromEntries.
  return Object.fromEntries(kept) as Defined<T>;
}
