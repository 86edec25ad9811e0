/**
 * Compares what a check of the house finds with its list of exceptions, `exceptions/NAME.txt`: one entry a line, and
 * behind a ` | ` how often or how many it may be. A list may only shrink: `npm run exceptions` takes
 * out the entries that are no longer needed, and nothing adds one.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What is wrong, by a text that stays the same when files move, with how often (or how many files or lines). */
export type Findings = ReadonlyMap<string, number>;

export interface Comparison {
  /** Findings that no entry allows, or more of them than it allows. */
  readonly added: readonly string[];
  /** Entries that nothing needs any more. */
  readonly stale: readonly string[];
}

/** Counts equal findings. */
export function countFindings(found: readonly string[]): Findings {
  const counts = new Map<string, number>();
  for (const key of found) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

export function compareFindings(findings: Findings, allowed: Findings): Comparison {
  const added = [...findings]
    .filter(([key, count]) => count > (allowed.get(key) ?? 0))
    .map(([key, count]) => `${key} | ${count}`);
  return { added, stale: [...allowed.keys()].filter((key) => !findings.has(key)) };
}

/** Compares `findings` with the list called `name`. */
export function compareWithExceptions(name: string, findings: Findings): Comparison {
  return compareFindings(findings, readExceptions(name));
}

/** Rewrites the list called `name`: entries that are not needed go, counts that are too high fall. */
export function dropExceptions(name: string, findings: Findings): void {
  const kept = [...readExceptions(name)].flatMap(([key, allowed]) => {
    const count = Math.min(allowed, findings.get(key) ?? 0);
    return count === 0 ? [] : [`${key} | ${count}\n`];
  });
  writeFileSync(exceptionsFile(name), kept.sort().join(""));
}

function readExceptions(name: string): Findings {
  const file = exceptionsFile(name);
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" | ");
      return [line.slice(0, at), Number(line.slice(at + 3))];
    }),
  );
}

function exceptionsFile(name: string): string {
  return join(import.meta.dirname, "exceptions", `${name}.txt`);
}
