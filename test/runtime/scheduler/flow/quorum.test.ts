/** `need n` behind joins and in `each`, arrows for the failure of a group, and what comes too late. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Failure } from "../../../../runtime/failure.ts";
import { advance } from "../../../../runtime/scheduler/advance.ts";
import { foldLog } from "../../../../runtime/scheduler/fold.ts";
import { plainSnapshot } from "../../../support/plain-snapshot.ts";
import { type Ran, runText, type Script } from "../../../support/run-graph.ts";
import { eventsOf } from "../events-of.ts";

const broken: Failure = { class: "tool", code: "M8301", message: "broken" };

const three = (flow: string) => `graph Three(n: int = 2) returns log {
  state { log: string[] = [] via append
    tasks: int[] = [] }
  run begin = f() writes tasks
  ${["a", "b", "c", "d", "e", "x", "y", "z"].map((name) => `run ${name} = f(log) writes log`).join("\n  ")}
  run work(task: int) = f(task) writes log
  run check(task: int) = f(task) writes log
  ${flow}
}`;

interface Told extends Script {
  readonly slow?: readonly string[];
  readonly failing?: readonly string[];
}

/** Each node says its own name; slow ones come last. */
function ran(flow: string, { slow = [], failing = [], ...script }: Told = {}): Ran {
  const names = ["a", "b", "c", "d", "e", "x", "y", "z"];
  const done = runText(three(flow), {
    says: { begin: [1, 2, 3], ...Object.fromEntries(names.map((name) => [name, name])) },
    fails: (node) => (failing.includes(node) ? broken : undefined),
    durationMs: (node) => (slow.includes(node) ? 1000 : 1) * (names.indexOf(node) + 2),
    ...script,
  });
  expect(plainSnapshot(foldLog(done.program, done.records))).toEqual(plainSnapshot(done.snapshot));
  return done;
}

test("`need 2` fires at the second arrival and cancels the third, which could only lead there", () => {
  const done = ran("start -> [a, b, c]\n[a, b, c] need 2 -> d", { slow: ["b"] });
  expect(done.status).toBe("succeeded");
  expect(done.path).toBe("a c d");
  expect(done.state.log).toEqual(["a", "c", "d"]);
  const [fired] = eventsOf(done, "join.fired");
  expect(fired).toMatchObject({ by: "need", missing: ["b"], join: "[a, b, c]" });
  const aborted = eventsOf(done, "attempt.finished").filter(({ status }) => status === "aborted");
  expect(aborted.map(({ node }) => node)).toEqual(["b"]);
});

test("what leads there over other nodes is cancelled too, with all it waits for", () => {
  const done = ran("start -> [a, b, x, y]\n[x, y] -> c\n[a, b, c] need 2 -> d", {
    slow: ["b", "y"],
  });
  expect(done.path).toBe("a x b d");
  // What `x` had done stays.
  expect(done.state.log).toEqual(["a", "b", "x", "d"]);
});

test("an `each` that nobody waits for any more is cancelled, its half-done items are undone", () => {
  const each = "each t of tasks { work(t) -> check(t) } -> c";
  const done = ran(`start -> begin -> [a, b, x]\nx -> ${each}\n[a, b, c] need 2 -> d`, {
    says: { begin: [1, 2], a: "a", b: "b", d: "d", x: "x", work: "w", check: "k" },
    slow: ["check", "b"],
    durationMs: (node) => (node === "check" ? 5000 : node === "b" ? 1000 : 1),
  });
  expect(done.path).toBe("begin a x work work b d");
  expect(done.state.log).toEqual(["a", "b", "x", "d"]);
});

test("a branch that also leads elsewhere goes on, and comes too late", () => {
  const flow = "start -> [a, b, c]\nc -> z\n[a, b, c] need 2 -> d -> e";
  const done = ran(flow, { slow: ["c"] });
  expect(done.status).toBe("succeeded");
  expect(done.path).toBe("a b d e c z");
  expect(eventsOf(done, "join.late")).toMatchObject([{ join: "[a, b, c]", source: "c" }]);
  expect(eventsOf(done, "join.fired")).toHaveLength(1);
  expect([...(done.state.log as string[])].sort()).toEqual(["a", "b", "c", "d", "e", "z"]);
});

test("L5 each round of a loop has its own quorum", () => {
  const flow = `start -> a
a -> [x, y, z]
[x, y, z] need 2 -> d -> { log.length < 9 -> a max 5, else -> end }`;
  const done = ran(flow, { slow: ["y"] });
  expect(done.path).toBe("a x z d a x z d a x z d");
  expect(eventsOf(done, "join.fired")).toHaveLength(3);
});

test("the count may be a parameter", () => {
  const flow = "start -> [a, b, c]\n[a, b, c] need n -> d";
  expect(ran(flow, { input: { n: 1 }, slow: ["a", "b"] }).path).toBe("c d");
  expect(ran(flow, { input: { n: 3 } }).path).toBe("a b c d");
});

const absent = `start -> [a, x, c]
x -> { log.length > 9 -> b, else -> end }
[a, b, c] need 3 -> d`;

test("a quorum that can't be reached any more ends the run with names (M5201), also when it is resumed", () => {
  const done = ran(absent);
  expect(done).toMatchObject({ status: "failed", reason: "error" });
  expect(done.snapshot.failure).toMatchObject({ code: "M5201" });
  expect(done.snapshot.failure?.message).toBe(
    "`[a, b, c] need 3` can't be reached: 2 arrived, and not enough others still can",
  );
  expect(eventsOf(done, "quorum.failed")).toMatchObject([{ isHandled: false }]);
  const resumed = advance(done.program, done.snapshot, { kind: "control", verb: "resume", at: 9 });
  expect(resumed.snapshot).toMatchObject({ status: "failed", failure: { code: "M5201" } });
});

test("an arrow `on error` behind the join goes on from a quorum that can't be reached", () => {
  const done = ran(`${absent}\n[a, b, c] -> e on error`);
  expect(done).toMatchObject({ status: "succeeded", path: "a c x e" });
  expect(eventsOf(done, "quorum.failed")).toMatchObject([{ isHandled: true }]);
});

test("an arrow `on error` of nodes that no join waits for takes the failure of each of them", () => {
  const done = ran("start -> [a, b]\n[a, b] -> e on error", { failing: ["a", "b"] });
  expect(done).toMatchObject({ status: "succeeded", path: "e e" });
});

test("an arrow `on error` behind a join takes the failure of any of its nodes, once, and ends the others", () => {
  const flow = "start -> [a, b, c]\n[a, b, c] -> d\n[a, b, c] -> e on error";
  const done = ran(flow, { failing: ["b"], slow: ["c"] });
  expect(done).toMatchObject({ status: "succeeded", path: "a e" });
  expect(eventsOf(done, "join.fired")).toMatchObject([{ by: "failure", missing: ["c"] }]);
  expect(ran(flow)).toMatchObject({ status: "succeeded", path: "a b c d" });
});

test("`each … need n` goes on at the n-th item, and undoes what others had begun", () => {
  const done = ran("start -> begin -> each t of tasks need 2 { work(t) -> check(t) } -> d", {
    says: {
      begin: [1, 2, 3],
      work: ({ args }: { args: Record<string, unknown> }) => `w${args.task}`,
      check: ({ args }: { args: Record<string, unknown> }) => `c${args.task}`,
      d: "d",
    },
  });
  expect(done.status).toBe("succeeded");
  const log = done.state.log as string[];
  expect(log).toHaveLength(5);
  for (const text of log.filter((said) => said.startsWith("w"))) {
    expect(log).toContain(text.replace("w", "c"));
  }
});

test("a failed item only counts against n; too many of them are M5201", () => {
  const flow = "start -> begin -> each t of tasks need 2 { work(t) } -> d";
  const failsOn = (...ordinals: number[]) => ({
    fails: (node: string, _: number, ordinal: number) =>
      node === "work" && ordinals.includes(ordinal) ? broken : undefined,
  });
  expect(ran(flow, failsOn(1))).toMatchObject({ status: "succeeded" });
  const done = ran(flow, failsOn(1, 3));
  expect(done.snapshot.failure).toMatchObject({ code: "M5201" });
  expect(done.snapshot.failure?.message).toContain("`each t need 2`");
});

test("more items needed than there are is M5201 at once, also for none", () => {
  for (const begin of [[], [1]]) {
    const done = ran("start -> begin -> each t of tasks need 2 { work(t) } -> d", {
      says: { begin },
    });
    expect(done.snapshot.failure).toMatchObject({ code: "M5201" });
    expect(done.path).toBe("begin");
  }
});

test("a quorum inside an item that can't be reached fails that item alone", () => {
  const inner = "each u of tasks need 3 when u != t || t == 2 { check(u) }";
  const done = ran(`start -> begin -> each t of tasks on error skip { work(t) -> ${inner} } -> d`, {
    says: { begin: [1, 2, 3], work: "w", check: "k", d: "d" },
  });
  expect(done).toMatchObject({ status: "succeeded" });
  expect(done.state.log).toEqual(["w", "k", "k", "k", "d"]);
  expect(eventsOf(done, "quorum.failed")).toHaveLength(2);
});

test("whatever the schedule and wherever it dies, a run with quorums comes to an end, and its log gives it again", () => {
  const flows = [
    "start -> [a, b, c]\n[a, b, c] need 2 -> d",
    "start -> [a, b, c]\nc -> z\n[a, b, c] need 2 -> d -> e",
    "start -> begin -> [a, b, x, y]\n[x, y] -> c\n[a, b, c] need n -> d -> { log.length < 12 -> begin max 2, else -> end }",
    "start -> begin -> each t of tasks need n { work(t) -> check(t) } -> d",
    "start -> [a, b, c]\n[a, b, c] -> d\n[a, b, c] -> e on error",
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...flows),
      fc.integer({ min: 1 }),
      fc.integer({ min: 1, max: 3 }),
      fc.double({ min: 0, max: 0.2, noNaN: true }),
      (flow, seed, n, crashes) => {
        const done = runText(three(flow), {
          seed,
          crashes,
          input: { n },
          says: { begin: [1, 2, 3] },
        });
        expect(done.status).toBe("succeeded");
        expect(plainSnapshot(foldLog(done.program, done.records))).toEqual(
          plainSnapshot(done.snapshot),
        );
        expect(done.snapshot.frames.size).toBe(1);
        expect(done.snapshot.open.size).toBe(0);
      },
    ),
    { numRuns: 200 },
  );
});
