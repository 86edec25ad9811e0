/** Where a run could go round for ever, be called done without being done, or take an arrow that nobody meant. */

import { describe, expect, test } from "vitest";
import type { Failure } from "../../../../runtime/failure.ts";
import { advance } from "../../../../runtime/scheduler/advance.ts";
import { foldIn } from "../../../../runtime/scheduler/fold.ts";
import { stepAt } from "../../../../runtime/scheduler/snapshot/snapshot.ts";
import { ofKind, type Ran, runText, type Script } from "../../../support/run-graph.ts";

const threw: Failure = { class: "tool", code: "M8301", message: "no" };
const inDoubt: Failure = { class: "denied", code: "M5021", message: "was it called?" };

function run(lines: string, script: Script = {}): Ran {
  return runText(
    `import { f } from "./f.ts"
graph G() returns n, k {
  state { n: int = 0  k: int = 0  ok: boolean = true  done?: boolean  xs?: int[]  v?: "p" | "q" | null  log: int[] = [] via append }
  run a = f() writes n
  run b = f() writes k
  run c = f() writes k
  run d = f() writes log
  ${lines}
}`,
    script,
  );
}

/** What comes of a run that stands still when it is told to go on. */
function resumed({ program, snapshot }: Ran) {
  const again = { kind: "control", verb: "resume", owner: "test", at: snapshot.lastAt } as const;
  return advance(program, snapshot, again);
}

test("a failure that leads back to its own node is bounded by the run's steps", () => {
  const { status, reason, records } = run("limit 5 steps\n  start -> a -> end\n  a -> a on error", {
    fails: () => threw,
  });
  expect([status, reason]).toEqual(["failed", "limit:steps"]);
  expect(ofKind(records, "attempt")).toHaveLength(5);
});

test("a run that failed before its first node fails again when it is resumed", () => {
  const ran = run("start -> a when xs.length > 0");
  const { snapshot } = resumed(ran);
  expect([ran.status, snapshot.status, snapshot.failure?.code]).toEqual([
    "failed",
    "failed",
    "M5011",
  ]);
});

describe("`end when`", () => {
  test("that can't be evaluated behind a failure fails the run", () => {
    const { status, snapshot } = run(
      "end when k == 7 && xs.length > 3\n  start -> a\n  a -> b on error set k = 7",
      { fails: (node) => (node === "a" ? threw : undefined) },
    );
    expect([status, snapshot.failure?.code]).toEqual(["failed", "M5011"]);
  });

  test("is not asked before anything has happened", () => {
    expect(run("end when ok\n  start -> a -> b", { says: { a: 1, b: 2 } }).path).toBe("a");
  });

  test("is asked when a run goes on whose process died before its end was told", () => {
    const { program, snapshot } = run("end when n > 3\n  start -> a -> b", { says: { a: 9 } });
    const last = stepAt(snapshot, 1, foldIn(program));
    if (last === undefined) throw new Error("no step 1");
    const { records, starts } = resumed({
      program,
      snapshot: { ...last, status: "paused" },
    } as Ran);
    expect(records.map(({ kind }) => kind)).toEqual(["control", "end"]);
    expect(starts).toEqual([]);
  });
});

test("a call in doubt is for a person: no arrow and no `skip` takes it", () => {
  const alone = run("start -> a\n  a -> b on deny\n  a -> c on error", { fails: () => inDoubt });
  expect([alone.status, alone.path, alone.snapshot.failure?.code]).toEqual(["failed", "", "M5021"]);
  const item = run("start -> each x of [1, 2] on error skip { d }", {
    fails: () => inDoubt,
  });
  expect([item.status, item.snapshot.failure?.code]).toEqual(["failed", "M5021"]);
});

test("conditions side by side see the state before any of them is taken", () => {
  const lines = "start -> a\n  a -> b when ok set ok = false\n  a -> c when !ok";
  expect(run(lines).path).toBe("a b");
});

test("a choice in which nothing holds sets nothing", () => {
  expect(run("start -> a\n  a -> { n > 5 -> b } set k = 7", { says: { a: 1 } }).state.k).toBe(0);
});

test("a use of a choice is counted where it leads on", () => {
  const lines = "limit 9 steps\n  start -> a\n  a -> { n > 2 -> end } max 1\n  a -> a when n <= 2";
  const { status, path } = run(lines, {
    says: { a: ({ ordinal }: { ordinal: number }) => ordinal },
  });
  expect([status, path]).toEqual(["succeeded", "a a a"]);
});

test("what is not written yet is null to `match`, as it is to `==`", () => {
  const lines = 'start -> a\n  a -> match v { "p" | "q" -> b, null -> c }';
  expect(run(lines).path).toBe("a c");
});
