/** A debugging session of lines: each is a command, from a terminal or a pipe. */
import { createInterface } from "node:readline";
import { nearest } from "../../../dsl/index.ts";
import { Debugger, type Run, type Session } from "../../../runtime/index.ts";
import { CommandError } from "../../command-error.ts";
import { EXIT } from "../../exit-codes.ts";
import { faultText, toFault } from "../fault.ts";
import { expectHangs } from "../leave.ts";
import { paintFor, print, tell } from "../output.ts";
import { resumeCommand } from "../report-run.ts";
import type { Console, DebugCommand } from "./console.ts";
import { commandNamed, debugCommands } from "./debug-commands.ts";
import { stopText } from "./show.ts";

const MOVES = ["continue", "step", "next", "out", "back"];

/** Debugs a run that is held before its first step, until `quit` or the end of the lines; the exit code. */
export async function debugLines(session: Session, run: Run): Promise<number> {
  expectHangs();
  const isTerminal = process.stdin.isTTY === true;
  const console = newConsole(session, new Debugger(run));
  const lines = createInterface({
    input: process.stdin,
    ...(isTerminal ? { output: process.stdout, prompt: "(debug) " } : {}),
  });
  const pause = () => void console.debug.pause().catch(() => {});
  // In a terminal readline has the keyboard; from a pipe the signal comes as such.
  if (isTerminal) lines.on("SIGINT", pause);
  else process.on("SIGINT", pause);
  print(`run ${run.id} of ${run.graph}, held before its first step; \`help\` lists the commands`);
  let isWrong = false;
  let last: string | undefined;
  if (isTerminal) lines.prompt();
  for await (const line of lines) {
    const text = line.trim() === "" && isTerminal ? (last ?? "") : line.trim();
    const command = text === "" || text.startsWith("#") ? undefined : await told(text);
    if (command?.names[0] === "quit") break;
    if (command !== undefined && MOVES.includes(command.names[0])) last = text;
    if (isTerminal) lines.prompt();
  }
  lines.close();
  process.off("SIGINT", pause);
  return await ended(console, isWrong && !isTerminal);

  async function told(text: string): Promise<DebugCommand | undefined> {
    try {
      return await obey(console, text);
    } catch (thrown) {
      isWrong = true;
      tell(faultText(toFault(thrown), paintFor(process.stderr)));
      return undefined;
    }
  }
}

function newConsole(session: Session, debug: Debugger): Console {
  const console: Console = {
    session,
    debug,
    say: print,
    async move(how) {
      const stop = await how(console.debug);
      print(stopText(console.debug, stop));
    },
  };
  return console;
}

async function obey(console: Console, text: string): Promise<DebugCommand> {
  const [, word = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = commandNamed(word);
  if (command === undefined) {
    const known = nearest(
      word,
      debugCommands.map(({ names: [name] }) => name),
    );
    throw new CommandError("M5452", `there is no command \`${word}\` here`, {
      hint: known === undefined ? "`help` lists them" : `did you mean \`${known}\`?`,
    });
  }
  await command.run(console, rest);
  return command;
}

/** Leaves the run as it stands, on disk. */
async function ended({ session, debug }: Console, isWrong: boolean): Promise<number> {
  const { run } = debug;
  if (run.status !== "succeeded" && run.status !== "failed" && run.status !== "aborted") {
    await run.pause({ now: true, reason: "debug" });
    print(`paused: ${resumeCommand(run.id)}`);
  }
  await session.close();
  return isWrong || run.status === "failed" ? EXIT.wrong : EXIT.done;
}
