/** Reads what follows a command's name: numbers, and fields with their JSON. */
import { CommandError } from "../../command-error.ts";

/** A count; `usage` says what would be one here. */
export function numberIn(text: string, usage: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const what = text === "" ? "a number is missing" : `\`${text}\` is no number`;
  throw new CommandError("M5452", what, { hint: usage });
}

/** The number of a frame; without one it is the innermost. */
export function frameIn(rest: string): number {
  return rest === "" ? 0 : numberIn(rest, "a frame's number; `where` lists them");
}

const ASSIGNMENT = 'a field and its JSON, as in: set draft = "shorter"';

/** `draft = "…"` */
export function assignment(text: string): Record<string, unknown> {
  const [, field, json = ""] = /^([\p{L}_$][\p{L}\p{N}_$]*)\s*=\s*([\s\S]+)$/u.exec(text) ?? [];
  if (field === undefined)
    throw new CommandError("M5452", `\`${text}\` is no assignment to a field`, {
      hint: ASSIGNMENT,
    });
  return { [field]: jsonIn(json, ASSIGNMENT) };
}

/** A value as JSON; `usage` says what would be one here. */
export function jsonIn(text: string, usage: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notJson(text, { usage, cause });
  }
}

function notJson(
  text: string,
  of: { readonly usage: string; readonly cause: unknown },
): CommandError {
  return new CommandError("M5452", `\`${text}\` is not JSON`, { hint: of.usage, cause: of.cause });
}
