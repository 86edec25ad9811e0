/** Lists the source of a program around the place of a frame. */
import { CommandError } from "../../command-error.ts";
import type { Console } from "./console.ts";

const AROUND = 5;

/** Lines with their numbers; `>` marks the one at which the frame is. */
export function listText({ debug, paint }: Console, frame: number): string {
  const at = debug.frames[frame]?.at;
  const source = debug.sourceOf(frame);
  if (at === undefined || source === undefined) {
    throw new CommandError("M5451", `there is no source to list for frame ${frame}`, {
      hint: `the frames here: 0 to ${debug.frames.length - 1}; \`where\` lists them`,
    });
  }
  const lines = source.text.split("\n");
  const first = Math.max(0, at.line - 1 - AROUND);
  const width = `${Math.min(lines.length, at.line + AROUND)}`.length;
  return lines
    .slice(first, at.line + AROUND)
    .map((line, index) => {
      const number = first + index + 1;
      const text = `${`${number}`.padStart(width)}  ${line}`.trimEnd();
      return number === at.line ? paint("title", `> ${text}`) : `  ${text}`;
    })
    .join("\n");
}
