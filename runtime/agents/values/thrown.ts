/** Describes thrown values as text. */
import { messageOf, RunError } from "../../failure.ts";
import { toJson } from "./json.ts";

/** Returns a thrown value as one line; user code also throws texts, codes and plain objects. */
export function thrownText(thrown: unknown): string {
  try {
    return describeThrown(thrown);
  } catch {
    return messageOf(thrown);
  }
}

function describeThrown(thrown: unknown): string {
  if (thrown instanceof RunError) return `${thrown.code} ${thrown.message}`;
  const isPlain = typeof thrown === "object" && thrown !== null && !(thrown instanceof Error);
  return isPlain ? JSON.stringify(toJson(thrown).value) : messageOf(thrown);
}
