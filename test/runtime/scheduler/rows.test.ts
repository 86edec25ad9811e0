/** Requirement rows that are about when nodes run, how often, and what a failure does. */
import { describe, expect, test } from "vitest";
import type { Failure, FailureClass } from "../../../runtime/failure.ts";
import { graphOf, ofKind, type Ran, runText, type Script } from "../../support/run-graph.ts";

const failure = (failed: FailureClass = "tool"): Failure => ({
  class: failed,
  code: "M8301",
  message: "no",
});

/** The n-th run of a node fails so often. */
const failing =
  (node: string, times: number, of: { ordinal?: number; failed?: FailureClass } = {}) =>
  (name: string, attempt: number, ordinal: number) =>
    name === node && attempt <= times && ordinal === (of.ordinal ?? ordinal)
      ? failure(of.failed)
      : undefined;

const searches = (search: string, each = "") => `model m = "rules"
graph Research(tasks: int[]) returns found {
  state { found: int[] = [] via append }
  defaults { model m }
  agent search(task: int) { prompt \`\${task}\`; writes found; ${search} }
  start -> each task of tasks parallel 8 ${each} { search(task) }
}`;

const same = ({ args }: { readonly args: Readonly<Record<string, unknown>> }) => args.task;
const tasksOf = (count: number) => Array.from({ length: count }, (_, at) => at);
const search = (text: string, count: number, more: Script = {}): Ran =>
  runText(text, {
    input: { tasks: tasksOf(count) },
    says: { search: same },
    durationMs: 1000,
    ...more,
  });

test("W35 [SM] more searchers are more items: one graph, the same hash, for one and for eight", () => {
  const text = searches("");
  const hashes = [1, 8].map((count) => {
    const ran = search(text, count);
    expect([ran.state.found, ran.parallelMax]).toEqual([tasksOf(count), count]);
    return ran.program.ir.hash;
  });
  expect(new Set(hashes)).toEqual(new Set([graphOf(text).hash]));
});

describe("W36 [FI] item 3 throws twice", () => {
  const twice = { fails: failing("search", 2, { ordinal: 3 }) };
  test.each([
    ["nothing is retried unless it is written: the run fails", "", "", "failed", undefined],
    ["`retry 2` carries it through", "retry 2", "", "succeeded", [0, 1, 2, 3]],
    ["`retry 1` and `on error skip` drop it", "retry 1", "on error skip", "succeeded", [0, 1, 3]],
    ["`retry 1` alone is used up", "retry 1", "", "failed", undefined],
  ])("W36 [FI] %s", (_, retry, skip, status, found) => {
    const ran = search(searches(retry, skip), 4, twice);
    expect(ran.status).toBe(status);
    if (found !== undefined) expect(ran.state.found).toEqual(found);
    const ended = ofKind(ran.records, "attempt").map(({ next }) => next);
    // What was dropped, or ended the run, stands in the log.
    if (skip !== "") expect(ended).toEqual(["retry", "skip"]);
  });
});

const loop = (node: string, whole: string) => `model m = "rules"
graph G returns log {
  state { log: string[] = [] via append  n: int = 0 }
  defaults { model m }
  agent a { prompt \`\${log}\`; writes log; ${node} }
  run b = f() writes n
  ${whole}
  start -> a -> b -> a
}`;
const looped = (node: string, whole: string, script: Script) =>
  runText(`import { f } from "./f.ts"\n${loop(node, whole)}`, script);

describe("the limits of a task", () => {
  const says = { a: "x", b: 0 };
  test.each([
    ["a time", "limit 45s, 99 steps", { durationMs: 20_000 }, "limit:time", 45_000],
    ["no time: nothing is limited by it", "limit 6 steps", {}, "limit:steps", 6000],
    ["ten steps", "limit 10 steps", {}, "limit:steps", 10_000],
    [
      "three repeats",
      "limit 3 repeats, 99 steps",
      { says: { a: [], b: 0 } },
      "limit:repeats",
      8000,
    ],
  ])("W40 [VT] %s", (_, whole, script, reason, virtualMs) => {
    const ran = looped("", whole, { says, durationMs: 1000, ...script });
    expect([ran.status, ran.reason, ran.virtualMs]).toEqual(["failed", reason, virtualMs]);
  });

  test("W40 [VT] no attempt is made again unless `retry` says so, and then so often", () => {
    const attempts = (node: string) => {
      const fails = failing("a", 99);
      const ran = looped(node, "limit 9 steps", { says, fails, durationMs: 1000 });
      return ofKind(ran.records, "start").length;
    };
    expect([attempts(""), attempts("retry 3")]).toEqual([1, 4]);
  });
});

const pair = `import { f } from "./f.ts"
graph G returns a, b {
  state { a: string = ""  b: string = "" }
  run left = f() writes a
  run right = f() writes b
  start -> [left, right]
}`;

test("A83 [VT] nodes that are ready together run together: two of ten seconds take ten", () => {
  const ran = runText(pair, { durationMs: 10_000 });
  expect([ran.status, ran.virtualMs, ran.parallelMax]).toEqual(["succeeded", 10_000, 2]);
});

describe("A87 policies of a node and of the run", () => {
  const one = (node: string, whole = "") => `import { f } from "./f.ts"
graph G returns a {
  state { a: string = ""  b: string = "" }
  run left = f() writes a { ${node} }
  run right = f() writes b
  ${whole}
  start -> [left, right]
}`;
  test.each<[string, string, string, Script, string, string]>([
    [
      "a node is tried again as often as it says",
      "retry 2",
      "",
      { fails: failing("left", 2) },
      "succeeded",
      "done",
    ],
    ["and its neighbour is not", "retry 2", "", { fails: failing("right", 1) }, "failed", "error"],
    ["a node has its time", "limit 5s", "", {}, "failed", "limit:time"],
    ["and the run has its own", "", "limit 5s", {}, "failed", "limit:time"],
    ["the tighter one ends it", "limit 1h", "limit 5s", {}, "failed", "limit:time"],
  ])("A87 [FI, VT] %s", (_, node, whole, script, status, reason) => {
    const ran = runText(one(node, whole), { durationMs: 10_000, ...script });
    expect([ran.status, ran.reason]).toEqual([status, reason]);
    if (reason === "limit:time") expect(ran.virtualMs).toBe(5000);
  });
});

test("A91 [SM] a node that fails stops the graph with its error, unless an arrow says where to go", () => {
  const fails = failing("left", 9);
  const stopped = runText(pair, { fails });
  expect([stopped.status, stopped.reason]).toEqual(["failed", "error"]);
  expect(stopped.snapshot.failure).toMatchObject({ code: "M8301", message: "no" });
  const led = pair.replace("start ->", "left -> right on error\n  start ->");
  expect(runText(led, { fails }).status).toBe("succeeded");
});

test("A92 [SM] a guard of a hundred steps ends a loop as a limit, and says so", () => {
  const ran = looped("", "limit 100 steps", { says: { a: "x", b: 0 } });
  expect([ran.status, ran.reason, ran.snapshot.steps]).toEqual(["failed", "limit:steps", 100]);
  expect(ran.snapshot.failure?.message).toBe("the run has reached its limit of steps");
});

test("E91 [SM] the first error of parallel nodes ends the others with it: none goes on unobserved", () => {
  const ran = runText(pair, {
    durationMs: (node) => (node === "left" ? 23 : 10_000),
    fails: failing("left", 1),
  });
  expect([ran.status, ran.path]).toEqual(["failed", ""]);
  expect(ran.virtualMs).toBeLessThan(100);
  expect(ofKind(ran.records, "commit")).toEqual([]);
  expect(ran.records.at(-1)).toMatchObject({ kind: "end", status: "failed" });
});

describe("E100 an agent that fails is tried again, or fails", () => {
  const agent = (retry: string) => `model m = "rules"
graph G returns found {
  state { found: string = "" }
  agent a { model m; prompt \`find\`; writes found; ${retry} }
  start -> a
}`;
  test.each([
    ["twice, the third time it works", "retry 2 backoff 1s", "succeeded", 3],
    ["more often than it may", "retry 1 backoff 1s", "failed", 2],
    ["without a word of it, once", "", "failed", 1],
  ])("E100 [FI] %s", (_, retry, status, attempts) => {
    const ran = runText(agent(retry), { says: { a: "x" }, fails: failing("a", 2) });
    expect(ran.status).toBe(status);
    const starts = ofKind(ran.records, "start");
    expect(starts.map(({ reason }) => reason)).toEqual(
      ["first", "retry", "retry"].slice(0, attempts),
    );
  });
});
