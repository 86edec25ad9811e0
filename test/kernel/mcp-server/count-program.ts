/** Writes a program whose TypeScript writes to stdout, where the protocol is spoken, for clients of `madrigal mcp`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes it into a folder; its graph `Count` fails for the text `bad`. Returns its path. */
export function writeCountProgram(folder: string): string {
  const program = join(folder, "count.madrigal");
  writeFileSync(
    program,
    `import { lengthOf } from "./count.ts"
graph Count(text: string) returns size "counts the letters of a text" {
  state { size: int }
  run count = lengthOf(text) writes size
  start -> count -> end
}`,
  );
  writeFileSync(
    join(folder, "count.ts"),
    'export function lengthOf(text: string): number { console.log("noise"); if (text === "bad") throw new Error("no length"); return text.length; }',
  );
  return program;
}
