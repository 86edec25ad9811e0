/** Writes a person's own file anew. */
import { randomUUID } from "node:crypto";
import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { messageOf } from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";

/** All of the text or nothing, even if the process ends on the way; links and permissions stay. */
export function replaceFile(file: string, text: string): void {
  try {
    const path = realpathSync(file);
    const unfinished = `${path}.${randomUUID()}`;
    try {
      writeFileSync(unfinished, text);
      chmodSync(unfinished, statSync(path).mode);
      renameSync(unfinished, path);
    } finally {
      rmSync(unfinished, { force: true });
    }
  } catch (cause) {
    throw notWritten(file, cause);
  }
}

function notWritten(file: string, cause: unknown): CommandError {
  return new CommandError("M7208", `\`${file}\` can't be written: ${messageOf(cause)}`, {
    hint: "may you write to it, and to its folder?",
    place: { file },
    cause,
  });
}
