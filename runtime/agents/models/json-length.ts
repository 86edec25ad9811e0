/** Measures the length of a value as JSON without writing it. */

/** Returns the length of a value as JSON without writing it: a long text is measured, not copied. */
export function jsonLength(value: unknown): number {
  if (typeof value === "string") return textLength(value);
  if (Array.isArray(value)) {
    return value.reduce((sum: number, item) => sum + 1 + jsonLength(item), 1) + isEmpty(value);
  }
  if (typeof value !== "object" || value === null) return (JSON.stringify(value) ?? "null").length;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return (
    members.reduce((sum, [name, member]) => sum + 2 + textLength(name) + jsonLength(member), 1) +
    isEmpty(members)
  );
}

/** Without an item there is no comma to leave out. */
function isEmpty({ length }: readonly unknown[]): 0 | 1 {
  return length === 0 ? 1 : 0;
}

const SHORT = 200;

/**
 * Returns the length of a text as JSON. An escaped character counts two; rarer control characters are ignored in long
 * texts.
 */
function textLength(text: string): number {
  if (text.length <= SHORT) return JSON.stringify(text).length;
  let length = text.length + 2;
  for (const mark of ['"', "\\", "\n", "\r", "\t"]) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) length += 1;
  }
  return length;
}
