/** `T` whose possibly undefined members are optional instead: an absent clause leaves no key behind in the JSON. */
export type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Drops the members that are undefined; where none is, `value` is what comes back. */
export function defined<T extends object>(value: T): Defined<T> {
  // The keys left out are those of the type, which TypeScript can't derive from the loop.
  return (isComplete(value) ? value : withoutMissing(value)) as unknown as Defined<T>;
}

function isComplete(value: object): boolean {
  for (const key in value) if (value[key as keyof typeof value] === undefined) return false;
  return true;
}

function withoutMissing<T extends object>(value: T): Partial<T> {
  const kept: Partial<T> = {};
  for (const key in value) if (value[key] !== undefined) kept[key] = value[key];
  return kept;
}
