/** Paths into a state: of patches, of what is watched, of what somebody asks about. */

export type Path = readonly (string | number)[];

/** Returns the value at a path; `undefined` where there is none. Reads own members only. */
export function valueAt(state: unknown, path: Path): unknown {
  let at = state;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string | number, unknown>)[key];
  }
  return at;
}

/** `plan.steps[2].title` */
export function pathText(path: Path): string {
  return path
    .map((key, index) => {
      if (typeof key === "number") return `[${key}]`;
      return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key)
        ? `${index === 0 ? "" : "."}${key}`
        : `[${JSON.stringify(key)}]`;
    })
    .join("");
}
