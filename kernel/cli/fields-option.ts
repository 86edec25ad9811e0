/** Reads `--set JSON`: fields and their new values. */
import { messageOf } from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import type { CommandCall } from "./arguments.ts";

/**
 * Returns the fields of `--set`; undefined without the option. Throws `CommandError` if its text is
 * no JSON object.
 */
export function readFields(call: CommandCall): Record<string, unknown> | undefined {
  const text = call.text("set");
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch (cause) {
    throw notAnObject(`\`--set\` is not JSON: ${messageOf(cause)}`, cause);
  }
  throw notAnObject("`--set` is not a JSON object");
}

function notAnObject(message: string, cause?: unknown): CommandError {
  const hint = `it has fields and their new values: --set '{"draft": "…"}'`;
  return new CommandError("M7104", message, { hint, ...(cause === undefined ? {} : { cause }) });
}
