/** `findings[2].quote`. */
export function pathText(path: readonly (string | number)[]): string {
  return path
    .map((key, index) => {
      if (typeof key === "number") return `[${key}]`;
      return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key)
        ? `${index === 0 ? "" : "."}${key}`
        : `[${JSON.stringify(key)}]`;
    })
    .join("");
}
