/** Writes any value as text: short, shallow, and with nothing in it that a terminal acts on. */
import { inspect, types } from "node:util";
import { messageOf } from "../../runtime/index.ts";
import { cut, visible } from "./visible.ts";

const TEXT_CHARACTERS = 20_000;

/**
 * Returns a value as `console.log` shows it; for one that throws when inspected, a text about that.
 */
export function plainText(value: unknown): string {
  const text = inspected(value);
  if (types.isPromise(value) && text === PENDING)
    return `${text}\n  hint: \`await\` it to see its value`;
  return visible(cut(text, TEXT_CHARACTERS));
}

const PENDING = "Promise { <pending> }";

function inspected(value: unknown): string {
  try {
    return inspect(value, {
      depth: 4,
      maxArrayLength: 100,
      maxStringLength: 10_000,
      breakLength: 100,
      colors: false,
      sorted: false,
      getters: false,
    });
  } catch (error) {
    return `(this value throws when it is looked at: ${messageOf(error)})`;
  }
}

/** An error with its code, its hint and what caused it. */
export function errorText(error: Error): string {
  const lines: string[] = [];
  const seen = new Set<unknown>();
  for (let one: unknown = error; one !== undefined && !seen.has(one); one = causeOf(one)) {
    seen.add(one);
    lines.push(`${seen.size === 1 ? "" : "caused by: "}${headOf(one)}`);
  }
  return visible(cut(lines.join("\n"), TEXT_CHARACTERS));
}

function headOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { code, hint } = thrown as { readonly code?: unknown; readonly hint?: unknown };
  const name = typeof code === "string" ? `error[${code}]` : thrown.name;
  return `${name}: ${thrown.message}${typeof hint === "string" ? `\n  hint: ${hint}` : ""}`;
}

function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error ? thrown.cause : undefined;
}
