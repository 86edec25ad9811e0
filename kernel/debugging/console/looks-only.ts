/** Tells which commands of the debugger only look. */
import { knownCommand } from "./debug-commands.ts";
import { looking } from "./looking.ts";

/** `print` is not among them: an expression may call a function of the program. */
const LOOKING: ReadonlySet<string> = new Set([
  ...looking.map(({ names: [name] }) => name).filter((name) => name !== "print"),
  ...["breakpoints", "diff", "help", "runs"],
]);

/** Returns whether a line neither moves nor changes a run, nor runs any code. Throws M5452 where it is no command. */
export function looksOnly(line: string): boolean {
  const [word = ""] = line.trim().split(/\s/, 1);
  return LOOKING.has(knownCommand(word).names[0]);
}
