/** Writes the tables of requirement rows of the systems in `notebooks/systems`: `ROWS.md` and `rows-not-proved.md`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProvedRow } from "./proved-rows.ts";

/** A requirement in our words. */
export interface Requirement {
  readonly requirement: string;
  /** Where in the program, the library or the command it is met. */
  readonly where: string;
  /** Why no test proves it, and what a user does instead. */
  readonly instead?: string;
}

/** The systems, by their folders, with the letter that their rows begin with. */
export const SYSTEMS: Readonly<Record<string, string>> = {
  "aworld-deep-search": "W",
  magentic: "M",
  "agent-world": "A",
  "shared-state": "S",
  eko: "E",
};

const folder = join(import.meta.dirname, "../../../notebooks/systems");

/** The one source of the requirements: `notebooks/systems/requirements.json`, by the ids of the rows. */
export function readRequirements(): Readonly<Record<string, Requirement>> {
  return JSON.parse(readFileSync(join(folder, "requirements.json"), "utf8"));
}

/** Writes the table of one system, and the list of what no test proves; returns what it did, a line each. */
export function writeSystemRows(system: string, proved: readonly ProvedRow[]): readonly string[] {
  const requirements = readRequirements();
  const table = systemTable(system, requirements, proved);
  writeFileSync(join(folder, system, "ROWS.md"), table.text);
  writeFileSync(join(folder, "rows-not-proved.md"), notProved(requirements));
  return [
    `notebooks/systems/${system}/ROWS.md: ${table.proved} of ${table.rows} rows proved`,
    ...table.missing.map((row) => `${row}: the last run has no passed test for it`),
  ];
}

/** At most so many tests of one row are named. */
const NAMED_MAX = 3;

export function systemTable(
  system: string,
  requirements: Readonly<Record<string, Requirement>>,
  proved: readonly ProvedRow[],
) {
  const all = requirementsOf(system, requirements);
  const missing: string[] = [];
  const lines = all.map(([id, { requirement, where, instead }]) => {
    const passed = proved.filter(({ row, status }) => row === id && status === "passed");
    if (passed.length === 0 && instead === undefined) missing.push(id);
    const proof = passed.length === 0 ? (instead ?? "not proved by the last run") : proofs(passed);
    return `| ${id} | ${requirement} | ${where} | ${proof} |`;
  });
  const text = `# The rows of ${system}

Made by \`npm run rows -- --system ${system}\` from the last run of the tests and \`../requirements.json\`: what is required, where it
is met, and the tests that prove it.

| row | requirement | where | proved by |
|---|---|---|---|
${lines.join("\n")}
`;
  const open = all.filter(([, { instead }]) => instead !== undefined).length;
  return { text, missing, rows: all.length, proved: all.length - missing.length - open };
}

/** The list of the rows that no test proves. */
export function notProved(requirements: Readonly<Record<string, Requirement>>): string {
  const lines = Object.entries(requirements).flatMap(([id, { requirement, instead }]) =>
    instead === undefined ? [] : [`- **${id}**, ${requirement}: ${instead}`],
  );
  const none = "Each row of the systems' tables is proved by a test.";
  return `# Rows that no test proves

Made by \`npm run rows -- --system NAME\` from \`requirements.json\`: why not, and what a user does instead.

${lines.length === 0 ? none : lines.join("\n")}
`;
}

/** Returns the requirements of one system in their order. */
export function requirementsOf(
  system: string,
  requirements: Readonly<Record<string, Requirement>>,
): readonly (readonly [string, Requirement])[] {
  const letter = SYSTEMS[system] ?? "";
  return Object.entries(requirements)
    .filter(([id]) => id.startsWith(letter))
    .sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
}

function proofs(passed: readonly ProvedRow[]): string {
  const named = passed.slice(0, NAMED_MAX).map(({ file, test }) => `\`${file}\`: ${cell(test)}`);
  const more = passed.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join("<br>");
}

/** A title as it may stand in a cell of a table. */
function cell(text: string): string {
  return text.replaceAll("\n", " ").replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
