/** Replaces a person's own file, so that a failure leaves the old one whole. */
import { randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { CommandError } from "../../../command-error.ts";
import { messageOf } from "../../../message-of.ts";

/** All of the text or nothing, even if the process ends on the way; links, owners and permissions stay. */
export function replaceFile(file: string, text: string): void {
  try {
    const path = realpathSync(file);
    // A new file in its place needs no permission but the folder's.
    accessSync(path, constants.W_OK);
    const stats = statSync(path);
    if (canBeAnother(stats)) writeBeside(path, text, stats.mode & 0o7777);
    else writeFileSync(path, text);
  } catch (cause) {
    throw notWritten(file, cause);
  }
}

/** One of several names, and one of somebody else, would not be the same file any more. */
function canBeAnother({ nlink, uid }: Stats): boolean {
  return nlink === 1 && (process.getuid === undefined || uid === process.getuid());
}

function writeBeside(path: string, text: string, mode: number): void {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    // At once: not for a moment may others read what they may not read.
    writeFileSync(unfinished, text, { mode, flag: "wx" });
    // The umask may have taken some of it away.
    chmodSync(unfinished, mode);
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function notWritten(file: string, cause: unknown): CommandError {
  return new CommandError("M7208", `\`${file}\` can't be written: ${messageOf(cause)}`, {
    hint: "check that you may write to it and to its folder",
    place: { file },
    cause,
  });
}
