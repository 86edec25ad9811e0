/** The branch tree of a thread in words: a line a run, branches below the run that they left. */
import type { RunTree, TreeRun } from "./tree.ts";

export function treeText({ thread, roots, left }: RunTree): string {
  const older = left === 0 ? [] : [`… and ${left} older runs`];
  return [`thread ${thread}`, ...roots.flatMap((run) => runLines(run, "")), ...older].join("\n");
}

function runLines(run: TreeRun, indent: string): readonly string[] {
  return [
    `${indent}${runText(run)}`,
    ...run.rewinds.map(({ from, to }) => `${indent}  went back from step ${from} to step ${to}`),
    ...run.branches.flatMap((branch) => {
      const [head = "", ...rest] = runLines(branch, `${indent}   `);
      return [`${indent}└─ ${head.trimStart()}`, ...rest];
    }),
  ];
}

/** `01KB… of Report: succeeded, 3 steps`; of a branch also where it left, and what is another there. */
export function runText({ runId, graph, status, reason, steps, from, differs }: TreeRun): string {
  const why = reason === undefined || reason === "done" ? "" : ` (${reason})`;
  const at = from === undefined ? "" : `from step ${from.step}: `;
  const other = differs === undefined ? "" : `; ${differs.message}`;
  const count = steps === 1 ? "1 step" : `${steps} steps`;
  return `${at}${runId} of ${graph}: ${status}${why}, ${count}${other}`;
}
