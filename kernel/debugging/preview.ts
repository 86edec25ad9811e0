/** Writes a value in one line that a panel can show, however large the value is. */

export function preview(value: unknown, characters = 200): string {
  if (typeof value === "string") return quoted(value, characters);
  if (typeof value !== "object" || value === null) return String(value);
  const text = shortened(value, { left: characters });
  return text.length <= characters ? text : `${text.slice(0, characters).toWellFormed()}…`;
}

/** Returns the name of a value's type for a front end. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function quoted(text: string, characters: number): string {
  if (text.length <= characters) return JSON.stringify(text);
  const begin = JSON.stringify(text.slice(0, characters).toWellFormed());
  return `${begin}… (${text.length} characters)`;
}

/** No more of it is looked at than can be shown. */
function shortened(value: unknown, budget: { left: number }): string {
  if (typeof value === "string") return spent(quoted(value, Math.max(20, budget.left)), budget);
  if (typeof value !== "object" || value === null) return spent(String(value), budget);
  const isList = Array.isArray(value);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const parts: string[] = [];
  for (const name in value) {
    if (budget.left <= 0) {
      parts.push("…");
      break;
    }
    const inside = shortened((value as Readonly<Record<string, unknown>>)[name], budget);
    parts.push(isList ? inside : `${spent(name, budget)}: ${inside}`);
  }
  return `${open}${parts.join(", ")}${close}`;
}

function spent(text: string, budget: { left: number }): string {
  budget.left -= text.length + 2;
  return text;
}
