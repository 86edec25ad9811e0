/** Every command of the debugger, in the order in which help shows them. */
import { CommandError } from "../../command-error.ts";
import { readAnswer } from "../../read-answer.ts";
import type { DebugCommand } from "./console.ts";
import { readBreak, readCost, readOn, readWatch } from "./read-breakpoint.ts";
import {
  blameText,
  breakpointText,
  changesText,
  framesText,
  lastText,
  questionsText,
  valueText,
} from "./show.ts";

const moving: readonly DebugCommand[] = [
  {
    names: ["continue", "c", "run", "r"],
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
    async run({ debug, say }) {
      await debug.stepBack();
      say(lastText(debug));
    },
  },
  {
    names: ["to"],
    usage: "STEP",
    summary: "forth or back to behind a step; 0 is the start",
    async run(console, rest) {
      const step = numberIn(rest, "to STEP");
      await console.move((debug) => debug.runTo(step));
      if (console.debug.stop === undefined) console.say(lastText(console.debug));
    },
  },
];

const stopping: readonly DebugCommand[] = [
  breakCommand("break", "NODE | after NODE | A -> B", "hold there", readBreak),
  breakCommand("watch", "FIELD", "hold when a field or a part of it changes", readWatch),
  breakCommand(
    "on",
    "error|limit|tool|message|approval|question [NAME] [of NODE]",
    "hold then",
    readOn,
  ),
  breakCommand("cost", "DOLLARS", "hold when it costs more", readCost),
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
];

const looking: readonly DebugCommand[] = [
  {
    names: ["where", "w"],
    summary: "the frames: node, called graphs, run",
    run: ({ debug, say }) => say(framesText(debug.frames)),
  },
  {
    names: ["state"],
    usage: "[FRAME]",
    summary: "the fields, as a frame sees them",
    run: ({ debug, say }, rest) =>
      say(changesText(debug.values("State", frameIn(rest))) || "  (empty)"),
  },
  {
    names: ["changes"],
    summary: "what the last step changed",
    run: ({ debug, say }) => say(changesText(debug.values("Last changes")) || "  (nothing)"),
  },
  {
    names: ["inbox"],
    usage: "[FRAME]",
    summary: "the messages that wait",
    run: ({ debug, say }, rest) =>
      say(changesText(debug.values("Inbox", frameIn(rest))) || "  (empty)"),
  },
  {
    names: ["limits"],
    usage: "[FRAME]",
    summary: "what was used, and what may be",
    run: ({ debug, say }, rest) => say(changesText(debug.values("Limits", frameIn(rest)))),
  },
  {
    names: ["print", "p"],
    usage: "EXPRESSION",
    summary: "evaluates an expression of the language",
    run: ({ debug, say }, rest) => say(valueText(debug.evaluate(rest))),
  },
  {
    names: ["blame"],
    usage: "FIELD",
    summary: "who wrote it, and from what",
    run: ({ debug, say }, rest) => say(blameText(debug, rest)),
  },
  {
    names: ["steps"],
    summary: "the commits so far",
    run: ({ debug, say }) =>
      say(debug.run.steps.map(({ step, node }) => `${step}  ${node}`).join("\n") || "no step yet"),
  },
  {
    names: ["questions"],
    summary: "what it waits for",
    run: ({ debug, say }) => say(questionsText(debug.run)),
  },
];

const changing: readonly DebugCommand[] = [
  {
    names: ["answer"],
    usage: "ID VALUE",
    summary: "answers a question: approve, deny: WHY, a value",
    async run({ debug, say }, rest) {
      const [, id = "", value = ""] = /^(\S+)\s+([\s\S]+)$/.exec(rest) ?? [];
      const asked = debug.run.interrupts.find((one) => one.id === id);
      if (asked === undefined) throw debug.run.notAsked(id);
      await debug.run.answer(id, readAnswer(value, asked));
      say("answered");
    },
  },
  {
    names: ["set"],
    usage: "FIELD = JSON",
    summary: "gives a field another value",
    async run({ debug, say }, rest) {
      await debug.run.edit(assignment(rest));
      say(changesText(debug.run.state));
    },
  },
  {
    names: ["fork"],
    usage: "STEP [FIELD = JSON]",
    summary: "a run of its own from there, debugged from here on",
    async run(console, rest) {
      const [, step = "", edits = ""] = /^(\d+)\s*([\s\S]*)$/.exec(rest) ?? [];
      const branch = console.debug.fork(
        numberIn(step, "fork STEP"),
        edits === "" ? undefined : assignment(edits),
      );
      const before = console.debug.run;
      console.debug = branch;
      console.say(`run ${branch.run.id}, forked from ${before.id} at step ${step}`);
    },
  },
  {
    names: ["test"],
    usage: "NAME",
    summary: "the run, once it is over, as a test of the language",
    async run({ debug, say }, rest) {
      say(await debug.run.toTest(rest === "" ? {} : { name: rest }));
    },
  },
  {
    names: ["abort"],
    summary: "ends the run; what it did is kept",
    async run({ debug, say }) {
      await debug.run.abort("debug");
      say(debug.run.status);
    },
  },
];

export const debugCommands: readonly DebugCommand[] = [
  ...[...moving, ...stopping, ...looking, ...changing],
  { names: ["help", "h", "?"], summary: "this", run: ({ say }) => say(helpText()) },
  { names: ["quit", "q"], summary: "leaves; a run that is not over stays paused", run: () => {} },
];

/** One screen. */
export function helpText(): string {
  const rows = debugCommands.map(({ names, usage, summary }) => {
    const [name, ...short] = names;
    const call = usage === undefined ? name : `${name} ${usage}`;
    return [call, `${summary}${short.length === 0 ? "" : ` (${short.join(", ")})`}`] as const;
  });
  const lines = rows.map(([call, text]) =>
    call.length > CALL_WIDTH
      ? `  ${call}\n  ${" ".repeat(CALL_WIDTH)}  ${text}`
      : `  ${call.padEnd(CALL_WIDTH)}  ${text}`,
  );
  return [
    ...lines,
    "Breakpoints take `if EXPRESSION` and `hits N` behind them. An empty line does the last move again.",
  ].join("\n");
}

const CALL_WIDTH = 28;

function breakCommand(
  name: string,
  usage: string,
  summary: string,
  read: typeof readBreak,
): DebugCommand {
  return {
    names: [name],
    usage,
    summary,
    run({ debug, say }, rest) {
      const breakpoint = read(rest);
      const id = debug.setBreakpoint(breakpoint);
      say(`${id}  ${breakpointText(breakpoint)}`);
    },
  };
}

function frameIn(rest: string): number {
  return rest === "" ? 0 : numberIn(rest, "a frame's number; `where` lists them");
}

function numberIn(text: string, usage: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CommandError("M5452", `\`${text}\` is no number`, { hint: usage });
}

const ASSIGNMENT = 'a field and its JSON, as in: set draft = "shorter"';

/** `draft = "…"` */
function assignment(text: string): Record<string, unknown> {
  const [, field, json = ""] = /^([\p{L}_$][\p{L}\p{N}_$]*)\s*=\s*([\s\S]+)$/u.exec(text) ?? [];
  if (field === undefined)
    throw new CommandError("M5452", `\`${text}\` gives no field a value`, { hint: ASSIGNMENT });
  try {
    return { [field]: JSON.parse(json) };
  } catch (cause) {
    throw notJson(json, cause);
  }
}

function notJson(text: string, cause: unknown): CommandError {
  return new CommandError("M5452", `\`${text}\` is not JSON`, { hint: ASSIGNMENT, cause });
}

/** The command of a word: by its name, what is short for it, or how it begins where that is clear. */
export function commandNamed(word: string): DebugCommand | undefined {
  const exact = debugCommands.find(({ names }) => names.includes(word));
  const begun = debugCommands.filter(({ names: [name] }) => name.startsWith(word));
  return exact ?? (begun.length === 1 ? begun[0] : undefined);
}
