/** A path of ours beside one that SpiffWorkflow took. */
import { expect, test } from "vitest";
import { PATTERNS } from "../../ports/patterns/patterns.ts";
import { comparePaths, type PlayedSpec } from "./patterns.ts";

/** A specification whose completed tasks are given as `DEPTH NAME`. */
function played(...tasks: readonly string[]): PlayedSpec {
  const taken = tasks.map((task) => {
    const [depth, name = ""] = task.split(" ");
    return { depth: Number(depth), name, kind: "Simple" };
  });
  const kinds = Object.fromEntries(taken.map(({ name, kind }) => [name, kind]));
  return { name: "played", isCompleted: true, taken, kinds };
}

const SPLIT = ["0 first", "1 task_f1", "2 last", "1 task_f2", "2 last", "1 task_f3", "2 last"];

test.each([
  ["the same order", 1, ["0 first", "1 second", "2 last"], "same: 3 tasks in the same order"],
  ["another order", 2, SPLIT, "same: 7 tasks, side by side in another order"],
  [
    "a node of ours that is no task there",
    1,
    ["0 first", "1 last"],
    "same: 2 tasks in the same order",
  ],
  [
    "a task more often",
    1,
    ["0 first", "1 second", "2 last", "3 last"],
    "differs: ours first second last",
  ],
  ["a task that ours lacks", 1, ["0 first", "1 third"], "differs: ours has no third"],
  [
    "the wrong way round",
    1,
    ["0 last", "1 second", "2 first"],
    "differs: first, second came before",
  ],
] as const)("%s", (_, number, tasks, result) => {
  const pattern = PATTERNS.find((one) => one.number === number);
  expect(pattern).toBeDefined();
  if (pattern !== undefined) expect(comparePaths(pattern, played(...tasks))).toContain(result);
});
