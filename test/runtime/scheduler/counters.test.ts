/** Limits that count what goes wrong, and what goes round. */
import { expect, test } from "vitest";
import type { Failure } from "../../../runtime/failure.ts";
import { advance } from "../../../runtime/scheduler/advance.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { plainSnapshot } from "../../support/plain-snapshot.ts";
import { type Ran, runText, type Script } from "../../support/run-graph.ts";

const broken: Failure = { class: "tool", code: "M8301", message: "broken" };

function ran(lines: string, script: Script = {}): Ran {
  const text = `graph G(n: int = 3) returns log {
  state { log: string[] = [] via append
    turn: string = ""
    at: int = 0 }
  ${lines}
}`;
  const done = runText(text, script);
  expect(plainSnapshot(foldLog(done.program, done.records))).toEqual(plainSnapshot(done.snapshot));
  return done;
}

const loop = "start -> a -> b\nb -> { log.length > 5 -> end, else -> a }";

test("W41 [SM] a node that comes round without changing the state is stopped", () => {
  const lines = `run a = f() writes turn
limit 3 repeats, 100 steps
start -> a
a -> { log.length > 5 -> end, else -> a }`;
  const done = ran(lines, { says: { a: "same" } });
  expect(done).toMatchObject({ status: "failed", reason: "limit:repeats", path: "a a a" });
  // Resumed, it does the same again, and comes no further.
  const resumed = advance(done.program, done.snapshot, { kind: "control", verb: "resume", at: 9 });
  expect(resumed.snapshot.status).toBe("running");
  expect(resumed.starts).toHaveLength(1);
});

test("W41 [SM] so are two that hand each other the same state, ping pong", () => {
  const lines = `run a = f() writes turn\nrun b = f() writes turn\nlimit 3 repeats, 100 steps\n${loop}`;
  const done = ran(lines, { says: { a: "ping", b: "pong" } });
  expect(done).toMatchObject({ status: "failed", reason: "limit:repeats" });
  expect(done.path).toBe("a b a b a b a");
});

test("W41 false positive: the same nodes in turn, with a state that changes, may go on", () => {
  const counting = `run a = f() writes turn\nrun b = f() writes turn { set at = at + 1 }\nlimit 2 repeats, 100 steps`;
  const lines = `${counting}\nstart -> a -> b\nb -> { at > 5 -> end, else -> a }`;
  expect(ran(lines, { says: { a: "ping", b: "pong" } }).status).toBe("succeeded");
  const onArrow = `run a = f() writes turn\nrun b = f() writes turn\nlimit 2 repeats, 100 steps`;
  const set = `${onArrow}\nstart -> a -> b\nb -> { at > 5 -> end, else -> a set at = at + 1 }`;
  expect(ran(set, { says: { a: "ping", b: "pong" } }).status).toBe("succeeded");
});

test("W41 false positive: items of one `each` that write nothing, and a node with `every`, repeat nothing", () => {
  const items = `run a(x: int) = f(x)\nlimit 1 repeats\nstart -> each x of [1, 2, 3, 4] { a(x) }`;
  expect(ran(items).status).toBe("succeeded");
  const every = `run a = f() writes turn { every 1s max 5 }\nlimit 1 repeats\nstart -> a`;
  expect(ran(every, { says: { a: "same" } }).status).toBe("succeeded");
});

test("the repeats of a node are left along its arrow `on limit`", () => {
  const lines = `run a = f() writes turn { limit 2 repeats }\nrun b = f() writes log
limit 100 steps
start -> a
a -> { log.length > 5 -> end, else -> a }
a -> b on limit`;
  expect(ran(lines, { says: { a: "same", b: "out" } })).toMatchObject({
    status: "succeeded",
    path: "a a b",
  });
});

test("E93 [SM] so many errors in a row end the node run, whatever `retry` allows", () => {
  const lines = `run a = f() writes log { retry 20; limit 10 errors }\nstart -> a`;
  const done = ran(lines, { fails: () => broken });
  expect(done).toMatchObject({ status: "failed", reason: "limit:errors" });
  expect(done.records.filter(({ kind }) => kind === "attempt")).toHaveLength(10);
  expect(done.snapshot.failure?.message).toContain("M8301");
});

test("E93 [SM] the run counts over its nodes, and whatever works begins anew", () => {
  const lines = `run a = f() writes log\nrun b = f() writes log\nlimit 3 errors, 100 steps
start -> a
a -> { log.length > 4 -> end, else -> a }
a -> b on error
b -> a`;
  const failing = (at: number) => (node: string, _: number, ordinal: number) =>
    node === "a" && ordinal <= at ? broken : undefined;
  expect(ran(lines, { fails: failing(5), says: { a: "a", b: "b" } }).status).toBe("succeeded");
  const nothing = lines.replace("a -> b on error\nb -> a", "a -> a on error\na -> b when false");
  const done = ran(nothing, { fails: failing(9), says: { a: "a", b: "b" } });
  expect(done).toMatchObject({ status: "failed", reason: "limit:errors" });
});

test("L10 the counters survive a crash", () => {
  const lines = `run a = f() writes log { retry 20; limit 10 errors }\nstart -> a`;
  for (let seed = 1; seed < 30; seed += 1) {
    const done = ran(lines, { seed, crashes: 0.1, fails: () => broken });
    expect(done).toMatchObject({ status: "failed", reason: "limit:errors" });
  }
});
