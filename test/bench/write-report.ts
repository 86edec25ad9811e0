/** Writes the rows of a benchmark as one JSON file. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CommandError } from "../../kernel/command-error.ts";
import { EXIT } from "../../kernel/exit-codes.ts";
import type { Report } from "./report.ts";

/** Makes the file before anything is measured: nobody waits for minutes to hear that it can't be written. */
export function reserveFile(path: string): void {
  orSay(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "");
  });
}

export function writeReport(path: string, { bench, machine, rows }: Report): void {
  const document = { version: 1, bench, machine, rows };
  orSay(path, () => writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`));
}

function orSay(path: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    throw notWritten(path, cause);
  }
}

function notWritten(path: string, cause: unknown): CommandError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CommandError("M7208", `\`${path}\` can't be written: ${why}`, {
    hint: "name another file",
    exitCode: EXIT.wrong,
    cause,
  });
}
