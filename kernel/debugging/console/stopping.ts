/** Implements the debugger commands that set and remove breakpoints. */
import { CommandError } from "../../command-error.ts";
import type { DebugCommand } from "./console.ts";
import { readBreak, readCost, readOn, readWatch } from "./read-breakpoint.ts";
import { numberIn } from "./read-words.ts";
import { breakpointText } from "./show.ts";

const ON = "error|limit|tool|message|approval|question [NAME] [of NODE]";

export const stopping: readonly DebugCommand[] = [
  breakCommand(
    ["break"],
    "[before|after] NODE | A -> B",
    "hold there; `go/search` is in a called graph",
    readBreak,
  ),
  breakCommand(["watch"], "FIELD", "hold when a field or a part of it changes", readWatch),
  breakCommand(["on", "catch"], ON, "hold then; NAME is a tool's or a message's kind", readOn),
  breakCommand(["cost"], "DOLLARS", "hold when it costs more", readCost),
  {
    names: ["breakpoints", "bl"],
    summary: "lists them",
    run({ debug, say }) {
      const lines = debug.breakpoints.map((one) => `${one.id}  ${breakpointText(one.breakpoint)}`);
      say(lines.length === 0 ? "no breakpoints" : lines.join("\n"));
    },
  },
  {
    names: ["delete", "d"],
    usage: "NUMBER | all",
    summary: "takes breakpoints back",
    run({ debug, say }, rest) {
      if (rest === "all") debug.clearBreakpoints();
      else if (!debug.removeBreakpoint(numberIn(rest, "delete NUMBER"))) {
        throw new CommandError("M5452", `there is no breakpoint ${rest}`, {
          hint: "`breakpoints` lists them",
        });
      }
      say("deleted");
    },
  },
  {
    names: ["hold"],
    usage: "[NODERUN]",
    summary:
      "holds one branch by itself (`search#2`), the others go on; alone, lists those that are held",
    async run({ debug, say }, rest) {
      if (rest !== "") await debug.holdBranch(rest);
      const held = debug.heldBranches.map(({ label }) => label);
      say(held.length === 0 ? "no branch is held by itself" : `held: ${held.join(", ")}`);
    },
  },
  {
    names: ["release"],
    usage: "[NODERUN]",
    summary: "lets a branch go that is held by itself; alone, all of them",
    async run({ debug, say }, rest) {
      await debug.releaseBranch(...(rest === "" ? [] : [rest]));
      say("released");
    },
  },
];

function breakCommand(
  names: DebugCommand["names"],
  usage: string,
  summary: string,
  read: typeof readBreak,
): DebugCommand {
  return {
    names,
    usage: `${usage} [if EXPRESSION] [hits N]`,
    summary,
    run({ debug, say }, rest) {
      const breakpoint = read(rest);
      const id = debug.setBreakpoint(breakpoint);
      say(`${id}  ${breakpointText(breakpoint)}`);
    },
  };
}
