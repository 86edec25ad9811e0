/** Reads a program's file, or reports with a code why it can't be read. */
import { readFileSync, statSync } from "node:fs";
import type { Source } from "../../dsl/index.ts";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { messageOf } from "../message-of.ts";

/** The text of a file, under the path that it was named by. */
export function readSource(file: string): Source {
  const bytes = readBytes(file);
  return { file, text: decode(file, bytes) };
}

function readBytes(file: string): Uint8Array {
  try {
    if (!statSync(file).isDirectory()) return readFileSync(file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
  throw new CommandError("M7201", `\`${file}\` is a folder`, {
    hint: "name the file in it",
    place: { file },
  });
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // Reported below, like a zero byte.
  }
  throw new CommandError("M7202", `\`${file}\` is not a text in UTF-8`, {
    hint: "check that this is the file you mean, and save it as UTF-8",
    place: { file },
    exitCode: EXIT.wrong,
  });
}

function unreadable(file: string, cause: unknown): CommandError {
  const code = (cause as NodeJS.ErrnoException).code;
  const isMissing = code === "ENOENT" || code === "ENOTDIR";
  const why = isMissing ? "there is no file" : "can't read";
  const reason = isMissing || code === "EACCES" || code === "EPERM" ? "" : `: ${messageOf(cause)}`;
  return new CommandError("M7201", `${why} \`${file}\`${reason}`, {
    hint: isMissing
      ? `the working folder is ${process.cwd()}`
      : "check that its permissions let you read it",
    place: { file },
    cause,
  });
}
