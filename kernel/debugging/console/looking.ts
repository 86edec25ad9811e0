/** Implements the debugger commands that show something and change nothing. */

import { CommandError } from "../../command-error.ts";
import type { Console, DebugCommand } from "./console.ts";
import { frameIn, numberIn } from "./read-words.ts";
import { blameText, changesText, framesText, questionsText, shownText, stepsText } from "./show.ts";

export const looking: readonly DebugCommand[] = [
  {
    names: ["where", "w", "frames", "bt"],
    summary: "the frames: node, called graphs, run",
    run: ({ debug, say }) => say(framesText(debug.frames)),
  },
  {
    names: ["list", "l"],
    usage: "[FRAME]",
    summary: "the source around a frame",
    run: (console, rest) => console.say(listText(console, frameIn(rest))),
  },
  {
    names: ["state"],
    usage: "[FRAME]",
    summary: "the fields, as a frame sees them",
    run: ({ debug, say }, rest) =>
      say(changesText(debug, debug.values("State", frameIn(rest))) || "  (empty)"),
  },
  {
    names: ["changes"],
    summary: "what the last step changed",
    run: ({ debug, say }) => say(changesText(debug, debug.values("Last changes")) || "  (nothing)"),
  },
  {
    names: ["inbox"],
    usage: "[FRAME]",
    summary: "the messages that wait",
    run: ({ debug, say }, rest) =>
      say(changesText(debug, debug.values("Inbox", frameIn(rest))) || "  (empty)"),
  },
  {
    names: ["limits"],
    usage: "[FRAME]",
    summary: "what was used, and what may be",
    run: ({ debug, say }, rest) => say(changesText(debug, debug.values("Limits", frameIn(rest)))),
  },
  {
    names: ["print", "p", "eval"],
    usage: "EXPRESSION",
    summary: "evaluates an expression of the language",
    run: ({ debug, say }, rest) => say(shownText(debug, debug.evaluate(rest))),
  },
  {
    names: ["steps"],
    usage: "[COUNT]",
    summary: "the commits so far, the last 40 or so many",
    run({ debug, say }, rest) {
      const most = rest === "" ? [] : [numberIn(rest, "steps COUNT")];
      const numbers = debug.run.steps.map(({ step }) => step);
      say(stepsText(debug, numbers, ...most) || "no step yet");
    },
  },
  {
    names: ["questions"],
    summary: "what it waits for",
    run: ({ debug, say }) => say(questionsText(debug.run)),
  },
  {
    names: ["blame"],
    usage: "FIELD",
    summary: "who wrote it, or a part of it, and from what",
    run: ({ debug, say }, rest) => say(blameText(debug, rest)),
  },
  {
    names: ["slice"],
    usage: "FIELD",
    summary: "all steps that could have had a part in it",
    run: ({ debug, say }, rest) =>
      say(stepsText(debug, debug.slice(rest)) || "no step: it is as it was at the start"),
  },
];

const AROUND = 5;

/** Lines with their numbers; `>` marks the one at which the frame is. */
function listText({ debug, paint }: Console, frame: number): string {
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
