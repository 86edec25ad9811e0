/** Prints `madrigal --help`, `madrigal COMMAND --help` and `madrigal --version`. */
import { readFileSync } from "node:fs";
import type { CommandHelp } from "./command.ts";
import { HELP_GROUPS, HELP_TEXTS } from "./help-texts.ts";

/** Returns the output of `madrigal --help`: a line for each command. */
export function helpText(): string {
  const width = Math.max(...Object.keys(HELP_TEXTS).map(({ length }) => length));
  const groups = Object.entries(HELP_GROUPS).flatMap(([group, texts]) => [
    `${group}:`,
    ...Object.entries(texts).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    "",
  ]);
  return [
    "madrigal COMMAND …",
    "",
    ...groups,
    "  madrigal COMMAND --help   arguments, options and examples of a command",
    "  madrigal --version",
    "",
    "Models: `rules` needs no key; a live one is named with --model ALIAS=PROVIDER/MODEL or MADRIGAL_MODEL.",
    "Runs are kept in .madrigal/ of the workspace; MADRIGAL_HOME names another folder. MADRIGAL_DOCS names the",
    "folder of packages that `docs.search` reads; without it, node_modules of the workspace.",
  ].join("\n");
}

/** Returns the output of `madrigal COMMAND --help`. */
export function commandHelp(name: string): string {
  const help = HELP_TEXTS[name];
  return help === undefined ? helpText() : detailedHelp(help);
}

function detailedHelp({ summary, usage, details = [], examples }: CommandHelp): string {
  return [
    `${summary}.`,
    "",
    ...usage.flatMap((form) => wrapped(`madrigal ${form}`)),
    ...(details.length === 0 ? [] : ["", ...details.map((line) => `  ${line}`)]),
    "",
    "Examples:",
    ...examples.map((call) => `  madrigal ${call}`),
  ].join("\n");
}

const LINE_WIDTH = 100;

/** A long call on several lines, broken between arguments and never within brackets. */
function wrapped(call: string): readonly string[] {
  const [command = "", ...parts] = call.match(/\[[^\]]*\]…?|\S+/g) ?? [];
  const lines: string[] = [];
  let line = command;
  for (const part of parts) {
    if (line.length + part.length < LINE_WIDTH) line = `${line} ${part}`;
    else {
      lines.push(line);
      line = `    ${part}`;
    }
  }
  return [...lines, line];
}

/** The package's version. */
export function versionText(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return String(JSON.parse(text).version);
}
