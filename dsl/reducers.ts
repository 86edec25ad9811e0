/** The reducers that need no TypeScript; any other name after `via` is a function of the scope. */
export const BUILT_IN_REDUCERS = [
  "replace",
  "append",
  "union",
  "merge",
  "sum",
  "max",
  "min",
] as const;
