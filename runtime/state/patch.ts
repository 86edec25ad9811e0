/** Immer's patch form; the first element of `path` is the field. */
export interface Patch {
  readonly op: "add" | "replace" | "remove";
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
}
