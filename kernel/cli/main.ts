/** Finds the command, runs it, reports what went wrong, and ends the process with the exit code. */

import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { readCall } from "./arguments.ts";
import type { CliCommand } from "./command.ts";
import { commands, commandsToCome } from "./commands.ts";
import { leave } from "./exit-process.ts";
import { faultJson, toFault } from "./fault.ts";
import { complain, guard } from "./guard.ts";
import { print, printJson, reserveStdout } from "./output.ts";

/** Does what the words say and ends the process. */
export async function main(words: readonly string[]): Promise<never> {
  return leave(await guard(() => dispatch(words)));
}

/** Does what the words say; the exit code. */
export async function dispatch([name = "", ...words]: readonly string[]): Promise<number> {
  if (name === "--version") return say((await help()).versionText());
  if (name === "--help" || name === "help" || name === "-h") return await sayHelp(words);
  const asJson = words.includes("--json");
  if (asJson || words.includes("--events")) reserveStdout();
  try {
    const load = await commandCalled(name);
    if (words.includes("--help")) return say((await help()).commandHelp(name));
    const { command } = await load();
    return await runCommand(command, { name, words, asJson });
  } catch (thrown) {
    const fault = toFault(thrown);
    if (asJson) printJson({ error: faultJson(fault) });
    return complain(fault);
  }
}

/** Loaded only now: other commands start sooner without it. */
async function help(): Promise<typeof import("./help.ts")> {
  return await import("./help.ts");
}

/** Prints the help on all commands, or on the named one. */
async function sayHelp([name]: readonly string[]): Promise<number> {
  const { commandHelp, helpText } = await help();
  if (name === undefined || name.startsWith("-")) return say(helpText());
  try {
    await commandCalled(name);
    return say(commandHelp(name));
  } catch (thrown) {
    return complain(toFault(thrown));
  }
}

async function commandCalled(name: string): Promise<(typeof commands)[string]> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) throw await unknownCommand(name);
  return load;
}

function say(text: string): number {
  print(text);
  return EXIT.done;
}

async function runCommand(
  command: CliCommand,
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
