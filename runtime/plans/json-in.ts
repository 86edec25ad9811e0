/** Finds the object of JSON in what a model said around it. */
import { isRecord } from "../../dsl/index.ts";

/** The object that `given` is or that its text holds, alone or in a fenced block; undefined without one. */
export function jsonIn(given: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof given !== "string") return isRecord(given) ? given : undefined;
  const fenced = /```(?:json)?\s*\n([\s\S]*?)```/.exec(given)?.[1];
  const from = given.indexOf("{");
  const whole = from === -1 ? "" : given.slice(from, given.lastIndexOf("}") + 1);
  for (const text of [given, fenced ?? "", whole]) {
    const value = parsed(text);
    if (isRecord(value)) return value;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text may hold it elsewhere.
    return undefined;
  }
}
