/** Counts of nodes in expressions: `visits(n)` and `round(n)` in loops, loops in loops, items, joins, detached work. */
import { describe, expect, test } from "vitest";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { plainSnapshot } from "../../support/plain-snapshot.ts";
import { runText } from "../../support/run-graph.ts";
import { drive } from "../driven-run.ts";

interface Counted {
  readonly name: string;
  readonly lines: string;
  readonly log: readonly string[];
}

const COUNTED: readonly Counted[] = [
  {
    name: "a loop ends after so many rounds, and a node's own clauses count the one under way",
    lines: `run a = f() writes n { set log = [\`\${visits(a)} \${round(a)}\`] }
  start -> a -> { round(a) < 3 -> a max 9, else -> end set log = [\`end \${visits(a)} \${round(a)}\`] }`,
    log: ["0 1", "1 2", "2 3", "end 3 3"],
  },
  {
    name: "a loop in a loop begins its rounds anew, and its visits go on",
    lines: `run plan = f() writes n
  run a = f() writes n { set log = [\`\${round(plan)}.\${round(a)} of \${visits(a)}\`] }
  run b = f() writes n
  start -> plan -> a -> b -> { round(a) < 2 -> a max 9, visits(plan) < 2 -> plan max 9, else -> end }`,
    log: ["1.1 of 0", "1.2 of 1", "2.1 of 2", "2.2 of 3"],
  },
  {
    name: "each item has its own counts; outside they are those of all items",
    lines: `run a(x: int) = f() writes n { set log = [\`\${x}: \${visits(a)} \${round(a)}\`] }
  run b = f() writes n { set log = [\`all \${visits(a)}\`] }
  start -> each x of [1, 2] parallel 1 { a(x) -> { visits(a) < x -> a(x) max 9, else -> end } } -> b -> end`,
    log: ["1: 0 1", "2: 0 1", "2: 1 2", "all 3"],
  },
  {
    name: "in an item, a node outside has the count of the run",
    lines: `run b = f() writes n
  run a(x: int) = f() writes n { set log = [\`\${x}: \${visits(b)} \${round(b)}\`] }
  start -> b -> each x of [1] { a(x) } -> { round(b) < 2 -> b max 9, else -> end }`,
    log: ["1: 1 1", "1: 2 2"],
  },
  {
    name: "behind an `each` in a loop, and where a join and a choice lead back",
    lines: `run a = f() writes n
  run b = f() writes n
  run c = f() writes n { set log = [\`\${round(a)} \${round(b)} \${round(c)}\`] }
  start -> [a, b] -> c -> { round(c) < 2 -> [a, b] max 9, else -> end }`,
    log: ["1 1 1", "2 2 2"],
  },
  {
    name: "`match` chooses by a count",
    lines: `run a = f() writes n
  run b = f() writes n { set log = ["twice"] }
  start -> a -> match visits(a) { 1 -> a max 9, else -> b } -> end`,
    log: ["twice"],
  },
  {
    name: "each round of `every` is one",
    lines: `run a = f() writes n { every 1s until round(a) >= 3 max 9; set log = [\`\${visits(a)} \${round(a)}\`] }
  start -> a -> end`,
    log: ["0 1", "1 2", "2 3"],
  },
  {
    name: "a failed attempt and a failed node are no visits",
    lines: `run a = f() writes n { retry 1 }
  run sorry = f() writes n { set log = [\`\${visits(a)}\`] }
  start -> a -> end
  a -> sorry on error`,
    log: ["0"],
  },
];

const failing = (lines: string) =>
  lines.includes("on error")
    ? (node: string) =>
        node === "a" ? ({ class: "tool", code: "M8301", message: "broken" } as const) : undefined
    : () => undefined;

describe.each(COUNTED)("$name", ({ lines, log }) => {
  const text = graph(lines);

  test("is counted so", () => {
    const run = runText(text, {
      says: { a: 1, b: 1, c: 1, plan: 1, sorry: 1 },
      fails: failing(lines),
    });
    expect(run.status).toBe("succeeded");
    expect(run.state.log).toEqual(log);
  });

  test("and the log alone says it again", () => {
    const run = runText(text, {
      says: { a: 1, b: 1, c: 1, plan: 1, sorry: 1 },
      fails: failing(lines),
    });
    const folded = foldLog(run.program, run.records);
    expect(plainSnapshot(folded)).toEqual(plainSnapshot(run.snapshot));
  });
});

function graph(lines: string): string {
  return `graph G() returns log, n {
  state { log: string[] = [] via append
    n: int = 0 via max }
  ${lines}
}`;
}

const LOOP = graph(COUNTED[1]?.lines ?? "");

test("back to a step the counts are those of that step, in the run and in a fork", async () => {
  const { run, found } = drive(LOOP, { does: () => 1, goal: "end" });
  await run.output;
  const { log } = run.state;
  await run.rewind(4);
  expect(run.state.log).toEqual(["1.1 of 0", "1.2 of 1"]);
  await run.continue();
  await run.output;
  expect(run.state.log).toEqual(log);
  const again = found();
  expect(again.state.log).toEqual(log);
  expect((await again.replay()).ok).toBe(true);
});
