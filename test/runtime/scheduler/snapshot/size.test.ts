/** Sizes that only a cost that does not grow can reach: nothing is timed, but what is quadratic here ends in the timeout. */
import { expect, test } from "vitest";
import { advance } from "../../../../runtime/scheduler/advance.ts";
import type { Completion } from "../../../../runtime/scheduler/completion.ts";
import { shownState } from "../../../../runtime/scheduler/lookup.ts";
import { link } from "../../../../runtime/scheduler/program/link.ts";
import { emptySnapshot } from "../../../../runtime/scheduler/snapshot/snapshot.ts";
import { graphOf } from "../../../support/run-graph.ts";

const SIZE = 10_000;
const names = Array.from({ length: SIZE }, (_, index) => `n${index}`);
const runs = (of: readonly string[]) => of.map((name) => `  run ${name} = f() writes a`).join("\n");
const graph = (flow: string, nodes = runs(names)) => `graph G() returns a {
  state {
    a: int[] = [] via append
    items: int[]
  }
${nodes}
  ${flow}
}`;

/** Runs a graph by hand, each node with the next number, first come first served. */
function ended(text: string, first?: unknown) {
  const program = link(graphOf(text));
  let snapshot = emptySnapshot();
  const starts: { readonly id: number; readonly attempt: number }[] = [];
  const take = (completion: Completion) => {
    const result = advance(program, snapshot, completion);
    snapshot = result.snapshot;
    for (const start of result.starts) starts.push(start);
  };
  take({ kind: "begin", input: {}, at: 0 });
  for (let done = 0; done < starts.length; done += 1) {
    const { id = -1, attempt = 1 } = starts[done] ?? {};
    take({ kind: "started", id, attempt, at: done });
    const output = done === 0 && first !== undefined ? first : done;
    take({ kind: "succeeded", id, attempt, output, at: done });
  }
  return { snapshot, state: shownState(program, snapshot) };
}

test.each([
  ["a chain of 10,000 nodes", `start -> ${names.join(" -> ")}`, SIZE],
  [
    "a fork into 10,000 nodes and their join",
    `start -> [${names.join(", ")}]\n  [${names.join(", ")}] -> z`,
    SIZE + 1,
  ],
])("%s", (_, flow, steps) => {
  const nodes = flow.includes("z") ? runs([...names, "z"]) : runs(names);
  const { snapshot, state } = ended(graph(flow, nodes));
  expect(snapshot.status).toBe("succeeded");
  expect(snapshot.steps).toBe(steps);
  expect(state.a).toHaveLength(steps);
});

test("10,000 items side by side", () => {
  const nodes = `  run list = f() writes items
  run work(item: int) = f(item) writes a`;
  const flow = `start -> list -> each item of items parallel ${SIZE} { work(item) }`;
  const { snapshot, state } = ended(
    graph(flow, nodes),
    names.map((_, index) => index),
  );
  expect(snapshot.status).toBe("succeeded");
  expect(snapshot.steps).toBe(SIZE + 1);
  expect(state.a).toHaveLength(SIZE);
});
