/** Gives later cells a variable with a value out of a stopped run. */
import { CommandError } from "../command-error.ts";
import type { GraphDebuggingParts } from "./graph-debugging.ts";

export async function copyToNotebook(
  { name, value }: { readonly name: string; readonly value: unknown },
  { names, declare }: Pick<GraphDebuggingParts, "names" | "declare">,
): Promise<void> {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) {
    throw new CommandError("M7767", `\`${name}\` can't be the name of a variable`, {
      hint: "letters, digits, `_` and `$`, and no digit at the beginning",
    });
  }
  // What a cell does with it must not change the run.
  names[name] = structuredClone(value);
  await declare({ name, type: typeText(value) });
}

function typeText(value: unknown): string {
  const type = typeof value;
  return ["string", "number", "boolean"].includes(type) ? type : "any";
}
