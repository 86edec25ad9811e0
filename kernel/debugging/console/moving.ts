/** Implements the debugger commands that move a run, forth and back. */
import type { DebugCommand } from "./console.ts";
import { numberIn } from "./read-words.ts";
import { lastText } from "./show.ts";

export const moving: readonly DebugCommand[] = [
  {
    names: ["continue", "c", "r"],
    summary: "on to the next breakpoint, question or end",
    run: ({ move }) => move((debug) => debug.continue()),
  },
  {
    names: ["step", "s"],
    summary: "through one commit, into called graphs too",
    run: ({ move }) => move((debug) => debug.stepIn()),
  },
  {
    names: ["next", "n"],
    summary: "through one commit, over called graphs",
    run: ({ move }) => move((debug) => debug.stepOver()),
  },
  {
    names: ["out", "o"],
    summary: "out of the graph that it is in",
    run: ({ move }) => move((debug) => debug.stepOut()),
  },
  {
    names: ["back", "b"],
    summary: "one commit of the run's own graph back",
    async run(console) {
      await console.debug.stepBack();
      console.say(lastText(console.debug, console.paint));
    },
  },
  {
    names: ["to"],
    usage: "STEP",
    summary: "forth or back to behind a step; 0 is the start",
    async run(console, rest) {
      const step = numberIn(rest, "to STEP");
      await console.move((debug) => debug.runTo(step));
      if (console.debug.stop === undefined) console.say(lastText(console.debug, console.paint));
    },
  },
  {
    names: ["rewind"],
    usage: "STEP",
    summary: "back to behind a step; what is undone stays in the log",
    async run(console, rest) {
      await console.debug.rewind(numberIn(rest, "rewind STEP"));
      console.say(lastText(console.debug, console.paint));
    },
  },
];
