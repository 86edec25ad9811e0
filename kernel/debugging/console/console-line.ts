/** Runs lines of the page's Debug Console that begin with `:` as commands of `madrigal debug`. */
import type { Debugger, DrivenRun, Session, Stop } from "../../../runtime/index.ts";
import { CommandError } from "../../command-error.ts";
import { plain } from "../../paint.ts";
import type { DebuggedRun } from "../debugged-run.ts";
import type { Console } from "./console.ts";
import { doCommand, knownCommand } from "./debug-commands.ts";
import { helpText } from "./help-text.ts";
import { stopText } from "./show.ts";
import { within } from "./soon.ts";

export interface ConsoleParts {
  /** The stopped run that the line is about. */
  readonly run: DebuggedRun | undefined;
  readonly session: Session;
  /** All that are debugged, in the order in which people count them. */
  runs(): readonly DebuggedRun[];
  /** Returns the debugged run of a run; undefined if no front end debugs it. */
  debuggedOf(run: DrivenRun): DebuggedRun | undefined;
}

export function isConsoleLine(text: string): boolean {
  return /^\s*:/.test(text);
}

/** Does what a line says; what it shows. M7762 where no run is stopped, M5452 for no command. */
export async function obeyLine(line: string, parts: ConsoleParts): Promise<string> {
  const [, word = "", rest = ""] = /^\s*:\s*(\S*)\s*([\s\S]*?)\s*$/.exec(line) ?? [];
  if (word === "") return helpOfConsole();
  const command = knownCommand(word);
  const [name] = command.names;
  if (name === "help" && rest === "") return helpOfConsole();
  const { run } = parts;
  if (run === undefined) {
    throw new CommandError("M7762", "no run is stopped", {
      hint: "`:help` lists what can be said here once one is",
    });
  }
  const printed: string[] = [];
  const console = consoleOf(run, parts, printed);
  await doCommand(command, console, rest);
  if (console.debug !== run.debug) turnTo({ from: run, to: console.debug }, parts);
  else if (CHANGES.includes(name)) run.announce();
  return printed.join("\n");
}

/** The commands that change a stopped run, whose frames must be shown again. */
const CHANGES = ["set", "answer", "abort"];

function consoleOf(run: DebuggedRun, { session, runs }: ConsoleParts, printed: string[]): Console {
  const say = (text: string) => void printed.push(text);
  return {
    session,
    debug: run.debug,
    runs: runs().map(({ debug }) => debug),
    paint: plain,
    say,
    // The page tells it as an event, and the cell that the run is of.
    follow() {},
    async move(how) {
      const stop = await within(MOMENT_MS, how(run.debug));
      if (stop === undefined) say("goes on");
      else if (!isRewind(stop)) say(stopText(run.debug, stop)); // The command itself says where a way back has come to.
    },
  };
}

function isRewind(stop: Stop): boolean {
  return stop.kind === "pause" && stop.reason === "rewind";
}

/**
 * Turns the page to another run, or one just forked, which it debugs with a single set of holds.
 */
function turnTo(
  { from, to }: { readonly from: DebuggedRun; readonly to: Debugger },
  { debuggedOf }: ConsoleParts,
): void {
  const debugged = debuggedOf(to.run);
  if (debugged?.debug === to) {
    debugged.announce();
  } else {
    to.clearBreakpoints();
    debugged?.holdAs(from);
  }
}

/** A console waits a moment for where a run comes to; the panel tells it whenever that is. */
const MOMENT_MS = 300;

function helpOfConsole(): string {
  const shown = helpText()
    .split("\n")
    .filter((line) => !/^(?:help|quit|explore)\b/.test(line));
  return [
    'An expression of the language is worked out in the chosen frame. Behind a colon stands a command, as `:set draft = "x"`:',
    ...shown,
  ].join("\n");
}
