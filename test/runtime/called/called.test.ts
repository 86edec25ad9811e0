import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { runText, type Script } from "../../support/run-graph.ts";
import { outline } from "./outline.ts";

const MODEL = 'model m = "rules"\n';

/** A parent, and the graph that it calls. */
const ONE = `${MODEL}
graph Parent(topic: string) returns notes, end {
  state { notes: string[] = [] via append
    end?: string }
  agent first { model m; prompt \`Begin \${topic}.\`; writes notes }
  graph go = Search(topic) writes notes
  agent last { model m; prompt \`End \${notes}.\`; writes end }
  start -> first -> go -> last
}
graph Search(topic: string) returns found {
  state { found: string[] = [] via append }
  agent search { model m; prompt \`Search \${topic}.\`; writes found }
  agent read { model m; prompt \`Read \${found}.\`; writes found }
  start -> search -> read
}`;

const SAYS: Script = {
  input: { topic: "x" },
  says: { first: "a", search: "b", read: "c", last: "d" },
};

describe("a graph that a node calls", () => {
  test("runs with its own state and gives its result to the caller", () => {
    const { state, status } = runText(ONE, SAYS);
    expect({ state, status }).toEqual({
      state: { notes: ["a", "b", "c"], end: "d" },
      status: "succeeded",
    });
  });

  test.each(["sum", "sum, all = result.sum"])(
    "gives one of several results by name: %s",
    (writes) => {
      const text = `${MODEL}graph Top(n: int) returns sum, all {
  state { sum: int\n all: int = 0 }
  graph leaf = Leaf(n) writes ${writes}
  start -> leaf
}
graph Leaf(n: int) returns sum, word {
  state { sum: int\n word: string }
  agent a { model m; prompt \`?\`; writes word; set sum = n + 1 }
  start -> a
}`;
      const { state, status } = runText(text, { input: { n: 1 }, says: { a: "x" } });
      expect([status, state.sum, state.all]).toEqual(["succeeded", 2, writes === "sum" ? 0 : 2]);
    },
  );

  test("writes its records into those of its caller", () => {
    expect(outline(runText(ONE, SAYS).records)).toMatchInlineSnapshot(`
      "run
      start first 0
      commit 1 first
      start go 1
        run
        start search 0
        commit 1 search
        start read 1
        commit 2 read
        end succeeded done
      commit 2 go
      start last 2
      commit 3 last
      end succeeded done"
    `);
  });

  test("folds to the same snapshot", () => {
    const { program, records, snapshot } = runText(ONE, SAYS);
    expect(foldLog(program, records)).toEqual(snapshot);
  });

  test("ends after any crashes as if there had been none", () => {
    const unbroken = runText(ONE, SAYS);
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { state, status, repeated, program, records, snapshot } = runText(ONE, {
          ...SAYS,
          seed,
          crashes: 0.1,
          calls: 2,
        });
        expect({ state, status, repeated }).toEqual({
          state: unbroken.state,
          status: "succeeded",
          repeated: [],
        });
        expect(foldLog(program, records)).toEqual(snapshot);
      }),
      { numRuns: 200 },
    );
  });
});
