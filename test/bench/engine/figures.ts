import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** What a program beside this one prints as its last line. Throws with its output when it fails. */
export function figuresOf<Figures>(file: string, words: readonly string[]): Figures {
  const path = join(import.meta.dirname, file);
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...words], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${file} ${words.join(" ")} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
}
