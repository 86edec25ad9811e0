/** The reducers that need no TypeScript; any other name after `via` is a function of the scope. */

export interface ReducerFacts {
  /**
   * The type of a field that it merges into. A write to a list may be one item, a write to an object some of its members,
   * a write to a conversation messages in many forms.
   */
  readonly on: "any" | "list" | "object" | "number" | "messages";
  /** True if a function may measure the values: then the field may be of any type. */
  readonly takesMeasure?: true;
  /**
   * True if several branches may write at the same time: their values are merged in the order of
   * the graph.
   */
  readonly isMerging: boolean;
  /** That of a type of its own: nobody names it. */
  readonly isImplied?: true;
}

/** To add one: a row here, and its recipe in runtime/state/reducer-recipes.ts, which does not compile without it. */
export const REDUCERS = {
  replace: { on: "any", isMerging: false },
  append: { on: "list", isMerging: true },
  union: { on: "list", isMerging: true },
  merge: { on: "object", isMerging: true },
  sum: { on: "number", isMerging: true },
  max: { on: "number", takesMeasure: true, isMerging: true },
  min: { on: "number", takesMeasure: true, isMerging: true },
  messages: { on: "messages", isMerging: true, isImplied: true },
} as const satisfies Readonly<Record<string, ReducerFacts>>;

export type ReducerName = keyof typeof REDUCERS;

/** Those that may stand behind `via`. */
export const BUILT_IN_REDUCERS = (Object.keys(REDUCERS) as readonly ReducerName[]).filter(
  (name) => !("isImplied" in REDUCERS[name]),
);

/** The facts of a built-in reducer; nothing for a function of the scope. */
export function reducerFacts(name: string | undefined): ReducerFacts | undefined {
  return name !== undefined && Object.hasOwn(REDUCERS, name)
    ? REDUCERS[name as ReducerName]
    : undefined;
}
