/** `T` whose possibly undefined members are optional instead: an absent clause leaves no key behind in the JSON. */
export type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Drops the members that are undefined. */
export function defined<T extends object>(value: T): Defined<T> {
  const kept: Partial<T> = {};
  for (const key in value) if (value[key] !== undefined) kept[key] = value[key];
  // What is left out is what the type says; TypeScript cannot see through the loop.
  return kept as unknown as Defined<T>;
}
