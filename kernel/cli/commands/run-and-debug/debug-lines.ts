/** Reads debugger commands from a terminal or a pipe, one a line. */
import { createInterface } from "node:readline";
import { type Debugger, shortRunId } from "../../../../runtime/index.ts";
import type { Console, DebugCommand } from "../../../debugging/console/console.ts";
import { begun, type Debugged, newConsole, obey } from "../../../debugging/console/obey.ts";
import { statusText } from "../../../debugging/console/show.ts";
import { EXIT } from "../../../exit-codes.ts";
import { faultText, toFault } from "../../fault.ts";
import { paintFor, print, tell } from "../../output.ts";
import { resumeCommand } from "../../run/report-run.ts";
import { interruptLine } from "./interrupt-line.ts";

const MOVES = ["continue", "run", "step", "next", "out", "back"];

/** Debugs a run until `quit` or the end of the lines; the exit code. */
export async function debugLines(debugged: Debugged): Promise<number> {
  const isTerminal = process.stdin.isTTY === true;
  const console = newConsole(debugged, { say: print, paint: paintFor(process.stdout) });
  const lines = createInterface({
    input: process.stdin,
    ...(isTerminal ? { output: process.stdout, prompt: "(debug) " } : {}),
  });
  const pause = () => void console.debug.pause().catch(() => {});
  let isObeying = false;
  // In a terminal readline has the keyboard; from a pipe the signal comes as such.
  if (isTerminal) interruptLine(lines, { isBusy: () => isObeying, stop: pause });
  else process.on("SIGINT", pause);
  await begun(console);
  print(greeting(console.debug));
  let isWrong = false;
  let last: string | undefined;
  if (isTerminal) lines.prompt();
  for await (const line of lines) {
    const text = line.trim() === "" && isTerminal ? (last ?? "") : line.trim();
    const command = text === "" || text.startsWith("#") ? undefined : await obeyGuarded(text);
    if (command?.names[0] === "quit") break;
    if (command !== undefined && MOVES.includes(command.names[0])) last = text;
    if (isTerminal) lines.prompt();
  }
  lines.close();
  process.off("SIGINT", pause);
  return await ended(console, isWrong && !isTerminal);

  async function obeyGuarded(text: string): Promise<DebugCommand | undefined> {
    isObeying = true;
    try {
      return await obey(console, text);
    } catch (thrown) {
      isWrong = true;
      tell(faultText(toFault(thrown), paintFor(process.stderr)));
      return undefined;
    } finally {
      isObeying = false;
    }
  }
}

function greeting(debug: Debugger): string {
  const { run } = debug;
  const isNew = run.isHeld && run.position.last === undefined;
  const how = isNew ? "held before its first step" : statusText(debug);
  return `run ${shortRunId(run.id)} of ${run.graph}, ${how}; \`help\` lists the commands`;
}

/** Leaves the runs as they stand, on disk. */
async function ended({ session, debug, runs }: Console, isWrong: boolean): Promise<number> {
  for (const { run } of runs) {
    if (run.status === "succeeded" || run.status === "failed" || run.status === "aborted") continue;
    await run.pause({ now: true, reason: "debug" });
    print(`paused: ${resumeCommand(run.id)}, or madrigal debug ${shortRunId(run.id)}`);
  }
  await session.close();
  return isWrong || debug.run.status === "failed" ? EXIT.wrong : EXIT.done;
}
