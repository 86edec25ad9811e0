/** Lists every command of the debugger. */
import { nearest } from "../../../dsl/index.ts";
import { CommandError } from "../../command-error.ts";
import { changing } from "./changing.ts";
import type { Console, DebugCommand } from "./console.ts";
import { commandText, helpText } from "./help-text.ts";
import { looking } from "./looking.ts";
import { moving } from "./moving.ts";
import { several } from "./several.ts";
import { stopping } from "./stopping.ts";

export const debugCommands: readonly DebugCommand[] = [
  ...[...moving, ...stopping, ...looking, ...changing, ...several],
  {
    names: ["help", "h", "?"],
    usage: "[COMMAND]",
    summary: "all of them on one screen, or one",
    run: ({ say }, rest) => say(rest === "" ? helpText() : commandText(knownCommand(rest))),
  },
  { names: ["quit", "q"], summary: "leaves; a run that is not over stays paused", run: () => {} },
];

/** The command of a word: by its name, what is short for it, or how it begins where that is clear. */
export function commandNamed(word: string): DebugCommand | undefined {
  const exact = debugCommands.find(({ names }) => names.includes(word));
  const begun = begunBy(word);
  return exact ?? (begun.length === 1 ? begun[0] : undefined);
}

/** The same; throws M5452 where there is none. */
export function knownCommand(word: string): DebugCommand {
  const found = commandNamed(word);
  if (found !== undefined) return found;
  const known = nearest(
    word,
    debugCommands.map(({ names: [name] }) => name),
  );
  const begun = begunBy(word).map(({ names: [name] }) => `\`${name}\``);
  const hint = known === undefined ? "`help` lists them" : `did you mean \`${known}\`?`;
  throw new CommandError("M5452", `there is no command \`${word}\` here`, {
    hint: begun.length > 1 ? `these commands begin so: ${begun.join(", ")}` : hint,
  });
}

/** Throws M5452 where something is missing that it can't do without, or stands there that it takes no notice of. */
export async function doCommand(
  { names: [name], usage = "", summary, run }: DebugCommand,
  console: Console,
  rest: string,
): Promise<void> {
  const isWhole = rest !== "" || usage === "" || usage.startsWith("[");
  if (!isWhole) throw new CommandError("M5452", `\`${name}\` needs ${usage}`, { hint: summary });
  if (usage === "" && rest !== "") {
    throw new CommandError("M5452", `\`${name}\` takes no argument, but \`${rest}\` follows it`, {
      hint: summary,
    });
  }
  await run(console, rest);
}

function begunBy(word: string): readonly DebugCommand[] {
  return debugCommands.filter(({ names: [name] }) => name.startsWith(word));
}
