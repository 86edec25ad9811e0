/** Lists functions of TypeScript that people call in expressions and that these do not have, with what to write instead. */

const OWN = "call it in a function of TypeScript, and import that";

export const foreignFunctions: ReadonlyMap<string, string> = new Map([
  ...["parseInt", "parseFloat", "BigInt"].map((name) => [name, "write `Number(text)`"] as const),
  ...["isNaN", "isFinite"].map(
    (name) => [name, "no number of an expression is NaN: what makes one fails"] as const,
  ),
  ["Boolean", 'compare the value: `n > 0`, `text != ""`, `value != null`'],
  ["Array", "write the list: `[a, b]`, `[1..n]`"],
  ...["Date", "RegExp", "Symbol", "structuredClone", "encodeURIComponent", "fetch"].map(
    (name) => [name, OWN] as const,
  ),
]);
