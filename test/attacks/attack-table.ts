/** Reads the table of attacks of the guide, and holds the number of a file's cases against it. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, type RunnerTask, test } from "vitest";
import { projectRoot } from "../support/child.ts";

/** A row of the table. */
export interface AttackRow {
  readonly attack: string;
  readonly defence: string;
  /** The name of a file of this folder. */
  readonly file: string;
  readonly cases: number;
}

const CHAPTER = "dsl/manual/21-guard.md";

/** Returns the rows of the table, in their order. */
export function attackRows(): readonly AttackRow[] {
  const chapter = readFileSync(join(projectRoot, CHAPTER), "utf8");
  const lines = chapter.split("\n").filter((line) => /`[\w-]+\.test\.ts`/.test(line));
  return lines.map((line) => {
    const [attack = "", defence = "", test = "", cases = ""] = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { attack, defence, file: test.replaceAll("`", ""), cases: Number(cases) };
  });
}

/**
 * Adds a test that fails where the file that calls it has another number of cases than the rows of the table say together. It
 * stands at the end of each file of this folder.
 */
export function holdCaseCount(): void {
  test("the table of the guide counts these cases", ({ task }) => {
    const file = basename(task.file.filepath);
    const rows = attackRows().filter((row) => row.file === file);
    const said = rows.reduce((sum, { cases }) => sum + cases, 0);
    // This test is none of them.
    expect(casesIn(task.file) - 1, `the cases of ${file} in ${CHAPTER}`).toBe(said);
  });
}

function casesIn(task: RunnerTask): number {
  return task.type === "test" ? 1 : task.tasks.reduce((sum, one) => sum + casesIn(one), 0);
}
