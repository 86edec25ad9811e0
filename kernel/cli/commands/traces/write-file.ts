/** Writes a picture or a page where a person wants it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CommandError } from "../../../command-error.ts";
import { messageOf } from "../../../message-of.ts";

/** Makes the folder too; throws M7208 when it can't be written. */
export function writeTextFile(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (cause) {
    throw notWritten(file, cause);
  }
}

function notWritten(file: string, cause: unknown): CommandError {
  return new CommandError("M7208", `\`${file}\` can't be written: ${messageOf(cause)}`, {
    hint: "check that you may write to it and to its folder",
    place: { file },
    cause,
  });
}
