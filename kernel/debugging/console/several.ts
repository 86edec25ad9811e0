/** Implements the debugger commands about several runs: forks, and all orders in which nodes can end. */
import { type Debugger, type Explored, shortRunId } from "../../../runtime/index.ts";
import { CommandError } from "../../command-error.ts";
import type { Console, DebugCommand } from "./console.ts";
import { assignment, jsonIn, numberIn } from "./read-words.ts";
import { lastText, statusText, valueText } from "./show.ts";

export const several: readonly DebugCommand[] = [
  {
    names: ["fork"],
    usage: "STEP [FIELD = JSON]",
    summary: "a run of its own from there, debugged from here on",
    async run(console, rest) {
      const [, step = "", edits = ""] = /^(\d+)\s*([\s\S]*)$/.exec(rest) ?? [];
      const before = console.debug.run;
      const branch = console.debug.fork(
        numberIn(step, "fork STEP"),
        edits === "" ? undefined : assignment(edits),
      );
      // Until it stands there.
      await branch.pause();
      console.follow(branch);
      console.runs.push(branch);
      console.debug = branch;
      console.say(
        `run ${console.runs.length}: ${shortRunId(branch.run.id)}, forked from ${shortRunId(before.id)} at step ${step}`,
      );
    },
  },
  {
    names: ["runs"],
    summary: "the runs of this session; `*` is the one that is debugged",
    run({ runs, debug, say }) {
      const lines = runs.map((one, index) => {
        const mark = one === debug ? "*" : " ";
        return `${mark} ${index + 1}  ${shortRunId(one.run.id)}  ${statusText(one)}`;
      });
      say(lines.join("\n"));
    },
  },
  {
    names: ["run"],
    usage: "[NUMBER | to STEP]",
    summary: "turns to another run; `run to 3` is `to 3`, `run` alone continues",
    async run(console, rest) {
      const [, step] = /^to\s+(\d{1,9})$/.exec(rest) ?? [];
      if (rest === "") return await console.move((debug) => debug.continue());
      if (step !== undefined) {
        await console.move((debug) => debug.runTo(Number(step)));
        return console.debug.stop === undefined
          ? console.say(lastText(console.debug, console.paint))
          : undefined;
      }
      console.debug = runIn(console, rest);
      console.say(`run ${rest}: ${statusText(console.debug)}`);
    },
  },
  {
    names: ["diff"],
    usage: "NUMBER",
    summary: "compares this run with another one: where they part, and how they differ",
    run: (console, rest) => console.say(`${console.debug.run.diff(runIn(console, rest).run)}`),
  },
  {
    names: ["explore"],
    usage: "[JSON]",
    summary: "all orders in which nodes can end; JSON is what nodes give, by name",
    run(console, rest) {
      if (console.explore === undefined) {
        throw new CommandError("M5452", "a stored run can't be explored", {
          hint: "`madrigal debug FILE` explores the graph of a file",
        });
      }
      const usage = 'explore {"search": ["a"]}';
      const outputs = rest === "" ? {} : (jsonIn(rest, usage) as Record<string, unknown>);
      console.say(exploredText(console.explore({ outputs })));
    },
  },
  {
    names: ["order"],
    usage: "NODERUN, NODERUN …",
    summary: "lets these end one after the other, all others held; a test `in any order` names one",
    async run(console, rest) {
      const nodeRuns = rest.split(",").map((one) => one.trim());
      if (nodeRuns.includes(""))
        throw new CommandError("M5452", "`order` needs node runs with commas between them", {
          hint: "order search#2, search#1",
        });
      await console.move((debug) => debug.playOrder(nodeRuns));
    },
  },
];

/** The run of a number, counted from 1. */
function runIn({ runs }: Console, rest: string): Debugger {
  const found = runs[numberIn(rest, "run NUMBER; `runs` lists them") - 1];
  if (found !== undefined) return found;
  throw new CommandError("M5452", `there is no run ${rest} here`, {
    hint: runs.length === 1 ? "`fork STEP` makes one" : `there are 1 to ${runs.length}`,
  });
}

function exploredText({ orders, isComplete, ends, race }: Explored): string {
  if (orders === 1 && isComplete) return `there is one order: ${ends[0]?.status ?? "nothing ends"}`;
  const all = isComplete ? `all ${orders} orders` : `the first ${orders} orders`;
  if (race === undefined) return `${all} end alike: ${ends[0]?.status ?? "nothing ends"}`;
  const fields = Object.entries(race.fields).map(
    ([name, [first, second]]) => `  ${name} = ${valueText(first)} or ${valueText(second)}`,
  );
  const ways = [race.first, race.second].map((path) => `  ${path.join(", ")}`);
  return [`a race: ${all} end in ${ends.length} ways`, ...ways, ...fields].join("\n");
}
