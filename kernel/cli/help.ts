import { readFileSync } from "node:fs";
import { commands } from "./commands.ts";

/** What `madrigal --help` prints. */
export function helpText(): string {
  return [
    "madrigal COMMAND …",
    "",
    ...Object.values(commands).flatMap(({ usage, summary }) => [
      `  madrigal ${usage}`,
      `      ${summary}`,
    ]),
    "",
    "  madrigal COMMAND --help   madrigal --version",
    "",
    "Models: `rules` needs no key; a live one is named with --model ALIAS=PROVIDER/MODEL or MADRIGAL_MODEL.",
    "Runs are kept in .madrigal/ of the workspace; MADRIGAL_HOME names another. MADRIGAL_DOCS names the",
    "folder of packages that `docs.search` reads; without it, node_modules of the workspace.",
  ].join("\n");
}

/** What `madrigal COMMAND --help` prints. */
export function commandHelp(name: string): string {
  const entry = commands[name];
  return entry === undefined ? helpText() : `madrigal ${entry.usage}\n  ${entry.summary}`;
}

/** The package's version. */
export function versionText(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return String(JSON.parse(text).version);
}
