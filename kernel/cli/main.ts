/** The command line: finds the command, runs it, tells what went wrong, leaves with the exit code. */

import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { readCall } from "./arguments.ts";
import type { Command } from "./command.ts";
import { commands, commandsToCome } from "./commands.ts";
import { faultJson, toFault } from "./fault.ts";
import { complain, guard } from "./guard.ts";
import { commandHelp, helpText, versionText } from "./help.ts";
import { leave } from "./leave.ts";
import { print, printJson, reserveStdout } from "./output.ts";

/** Does what the words say and ends the process. */
export async function main(words: readonly string[]): Promise<never> {
  return leave(await guard(() => dispatch(words)));
}

/** Does what the words say; the exit code. */
export async function dispatch([name = "", ...words]: readonly string[]): Promise<number> {
  if (name === "--version") return say(versionText());
  if (name === "--help" || name === "help" || name === "-h") return say(helpText());
  const asJson = words.includes("--json");
  if (asJson || words.includes("--events")) reserveStdout();
  try {
    const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (entry === undefined) throw await unknownCommand(name);
    if (words.includes("--help")) return say(commandHelp(name));
    const { command } = await entry.load();
    return await runCommand(command, { name, words, asJson });
  } catch (thrown) {
    const fault = toFault(thrown);
    if (asJson) printJson({ error: faultJson(fault) });
    return complain(fault);
  }
}

function say(text: string): number {
  print(text);
  return EXIT.done;
}

async function runCommand(
  command: Command,
  of: { readonly name: string; readonly words: readonly string[]; readonly asJson: boolean },
): Promise<number> {
  try {
    return await command.run(await readCall(of.name, of.words, command));
  } catch (thrown) {
    if (!of.asJson || command.failed === undefined) throw thrown;
    const fault = toFault(thrown);
    printJson(command.failed(fault));
    return complain(fault);
  }
}

async function unknownCommand(name: string): Promise<CommandError> {
  if (name === "") {
    return new CommandError("M7103", "`madrigal` needs a command", {
      hint: "`madrigal --help` lists them",
    });
  }
  if (commandsToCome.includes(name)) {
    return new CommandError("M7105", `\`madrigal ${name}\` is not built yet`, {
      hint: "`madrigal --help` lists what is there",
    });
  }
  // Loaded only now: a kernel answers sooner for every module that its start does not load.
  const { nearest } = await import("../../dsl/index.ts");
  const meant = nearest(name, [...Object.keys(commands), ...commandsToCome]);
  return new CommandError("M7101", `there is no command \`${name}\``, {
    hint: meant === undefined ? "`madrigal --help` lists them" : `did you mean \`${meant}\`?`,
  });
}
