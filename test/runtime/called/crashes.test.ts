import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Failure } from "../../../runtime/failure.ts";
import { replayLog } from "../../../runtime/replay/replay.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { noUsage } from "../../../runtime/usage.ts";
import { graphOf, type Ran, runText, type Script } from "../../support/run-graph.ts";
import { outline } from "./outline.ts";

const MODEL = 'model m = "rules"\n';

const LEAF = `
graph Leaf(topic: string) returns found {
  state { found: string[] = [] via append }
  agent search { model m; prompt \`Search \${topic}.\`; writes found }
  agent read { model m; prompt \`Read \${topic}.\`; writes found }
  start -> search -> read
}`;

/** A graph for each of several items, side by side. */
const EACH = `${MODEL}
graph Parent(topics: string[]) returns notes {
  state { notes: string[] = [] via append }
  graph go(topic: string) = Leaf(topic) writes notes
  agent last { model m; prompt \`End \${notes}.\`; writes notes }
  start -> each t of topics parallel 2 { go(t) } -> last
}${LEAF}`;

/** A graph that calls one that calls another. */
const DEEP = `${MODEL}
graph Parent(topic: string) returns notes {
  state { notes: string[] = [] via append }
  graph outer = Middle(topic) writes notes
  agent beside { model m; prompt "Beside."; writes notes }
  start -> [outer, beside]
}
graph Middle(topic: string) returns all {
  state { all: string[] = [] via append }
  graph inner = Leaf(topic) writes all
  agent close { model m; prompt \`Close \${all}.\`; writes all }
  start -> inner -> close
}${LEAF}`;

const RETRIED = `${MODEL}
graph Parent(topic: string) returns notes {
  state { notes: string[] = [] via append }
  graph go = Leaf(topic) writes notes { retry 2 }
  start -> go
}${LEAF}`;

const LIMITED = (limit: string) => `${MODEL}
graph Parent(topic: string) returns notes {
  limit ${limit}
  state { notes: string[] = [] via append }
  graph go = Middle(topic) writes notes
  start -> go
}
graph Middle(topic: string) returns all {
  state { all: string[] = [] via append }
  graph inner = Leaf(topic) writes all
  start -> inner
}${LEAF}`;

const names: Script["says"] = {
  search: ({ prompt }: { prompt: string }) => `search ${prompt}`,
  read: ({ prompt }: { prompt: string }) => `read ${prompt}`,
  close: "close",
  beside: "beside",
  last: "last",
};

const broken: Failure = { class: "tool", code: "M8301", message: "no paper" };

/** The same end whatever crashes there are, folds like its log, and replays from it. */
function endsAsUnbroken(text: string, script: Script): Ran {
  const unbroken = runText(text, script);
  expect(unbroken.program.ir.name).toBe("Parent");
  fc.assert(
    fc.property(fc.integer(), fc.double({ min: 0, max: 0.2, noNaN: true }), (seed, crashes) => {
      const ran = runText(text, { ...script, calls: script.calls ?? 1, seed, crashes });
      expect([ran.status, ran.reason, ran.repeated]).toEqual([
        unbroken.status,
        unbroken.reason,
        [],
      ]);
      if (unbroken.status === "succeeded") expect(ran.state).toEqual(unbroken.state);
      expect(foldLog(ran.program, ran.records)).toEqual(ran.snapshot);
      const { divergence } = replayLog(ran.records, { recorded: graphOf(text) });
      expect(divergence).toBeUndefined();
    }),
    { numRuns: 60 },
  );
  return unbroken;
}

describe("a run with called graphs ends after crashes as the unbroken one", () => {
  test("a graph an item, side by side", () => {
    const { state } = endsAsUnbroken(EACH, { input: { topics: ["a", "b", "c"] }, says: names });
    expect(state.notes).toEqual([
      "search Search a.",
      "read Read a.",
      "search Search b.",
      "read Read b.",
      "search Search c.",
      "read Read c.",
      "last",
    ]);
  });

  test("E90 results of parallel graphs stand in the order of the items, whoever ends first", () => {
    const script: Script = { input: { topics: ["a", "b", "c"] }, says: names };
    const orders = new Set<string>();
    for (let seed = 0; seed < 20; seed += 1) {
      const { state, records } = runText(EACH, { ...script, seed });
      expect(state.notes).toHaveLength(7);
      expect((state.notes as string[])[0]).toBe("search Search a.");
      orders.add(outline(records));
    }
    expect(orders.size).toBeGreaterThan(1);
  });

  test("a graph in a graph", () => {
    const { state } = endsAsUnbroken(DEEP, { input: { topic: "a" }, says: names });
    expect(state.notes).toEqual(["search Search a.", "read Read a.", "close", "beside"]);
  });

  test("one that fails and is called again", () => {
    const fails: Script["fails"] = (node) => (node === "read" ? broken : undefined);
    const { snapshot, records } = endsAsUnbroken(RETRIED, {
      input: { topic: "a" },
      says: names,
      fails,
    });
    expect(snapshot.failure).toMatchObject({
      code: "M8301",
      message: "go › read: no paper",
      path: ["go", "read"],
    });
    expect(outline(records)).toMatchInlineSnapshot(`
      "run
      start go 0
        run
        start search 0
        commit 1 search
        start read 1
        attempt read fail: no paper
        end failed error
      attempt go retry: go › read: no paper
      start go 0
        run
        start search 0
        commit 1 search
        start read 1
        attempt read fail: no paper
        end failed error
      attempt go retry: go › read: no paper
      start go 0
        run
        start search 0
        commit 1 search
        start read 1
        attempt read fail: no paper
        end failed error
      attempt go fail: go › read: no paper
      end failed error"
    `);
  });

  test.each(["3 tokens", "2 turns", "2 steps", "$2"])(
    "one whose calls use up the caller's limit of %s",
    (limit) => {
      const { reason } = endsAsUnbroken(LIMITED(limit), {
        input: { topic: "a" },
        says: names,
        calls: 2,
        usage: { ...noUsage, inputTokens: 2, outputTokens: 1, costUsd: 1, modelCalls: 1 },
      });
      expect(reason).toMatch(/^limit:(tokens|turns|steps|usd)$/);
    },
  );

  test("one that runs out of the caller's time", () => {
    const { reason } = runText(LIMITED("20ms"), { input: { topic: "a" }, durationMs: 15 });
    expect(reason).toBe("limit:time");
  });

  test("one that runs out of its own time", () => {
    const text = `${MODEL}
graph Parent(topic: string) returns notes {
  state { notes: string[] = [] via append }
  graph go = Slow(topic) writes notes
  agent late { model m; prompt "Late."; writes notes }
  start -> go
  go -> late on limit
}
${LEAF.replace("graph Leaf", "graph Slow").replace("state {", "limit 20ms\n  state {")}`;
    const { state, status } = endsAsUnbroken(text, {
      input: { topic: "a" },
      says: { ...names, late: "late" },
      durationMs: 15,
      calls: 0,
    });
    expect({ state, status }).toEqual({ state: { notes: ["late"] }, status: "succeeded" });
  });
});

describe("graphs that call themselves", () => {
  test("end by their condition", () => {
    const text = `
graph Parent(n: int) returns deep {
  state { deep: int = 0 }
  graph again = Parent(n - 1) writes deep { set deep = deep + 1 }
  start -> { n > 0 -> again, else -> end }
}`;
    const { state, status } = endsAsUnbroken(text, { input: { n: 5 } });
    expect({ state, status }).toEqual({ state: { deep: 5 }, status: "succeeded" });
  });

  test("without one, fail with the way there", () => {
    const text = `
graph Parent(n: int) returns deep {
  state { deep: int = 0 }
  graph again = Parent(n + 1) writes deep
  start -> again
}`;
    const { snapshot } = runText(text, { input: { n: 0 }, eventsMax: 100_000 });
    expect(snapshot.failure?.code).toBe("M5030");
    expect(snapshot.failure?.message).toContain("graphs call each other 64 deep");
    expect(snapshot.failure?.message).toMatch(/^again › again › again › … › again › again: /);
    expect(snapshot.failure?.path).toHaveLength(65);
  });
});
