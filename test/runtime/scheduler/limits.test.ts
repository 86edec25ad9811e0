import { describe, expect, test } from "vitest";
import { advance } from "../../../runtime/scheduler/advance.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { emptySnapshot } from "../../../runtime/scheduler/snapshot/snapshot.ts";
import { noUsage } from "../../../runtime/usage.ts";
import { graphOf, ofKind, runText } from "../../support/run-graph.ts";

const graph = (of: { node?: string; whole?: string; flow?: string }) => `model m = "rules"
graph G returns log {
  state { log: string[] = [] via append }
  defaults { model m }
  agent a { prompt \`\${log}\`; writes log; ${of.node ?? ""} }
  agent b { prompt \`\${log}\`; writes log }
  ${of.whole ?? ""}
  ${of.flow ?? "start -> a -> b"}
}`;

const says = { a: "a", b: "b" };
const usage = { ...noUsage, inputTokens: 70, outputTokens: 30, costUsd: 0.5 };

test.each([
  ["tokens of a node", { node: "limit 200 tokens" }, "limit:tokens", 2],
  ["tokens of the run", { whole: "limit 200 tokens" }, "limit:tokens", 2],
  ["money of a node", { node: "limit $1" }, "limit:usd", 2],
  ["model calls of a node", { node: "limit 3 turns" }, "limit:turns", 3],
  ["model calls of the run", { whole: "limit 4 turns" }, "limit:turns", 4],
])("%s: checked before each call, never a success", (_, where, reason, calls) => {
  const ran = runText(graph(where), { says, usage, calls: 9 });
  expect([ran.status, ran.reason]).toEqual(["failed", reason]);
  expect(ofKind(ran.records, "outcome")).toHaveLength(calls);
});

test("a limit of steps ends a run that has more to do, not one that is through", () => {
  const loop = "start -> a -> a max 9";
  expect(runText(graph({ whole: "limit 3 steps", flow: loop }), { says })).toMatchObject({
    status: "failed",
    reason: "limit:steps",
    path: "a a a",
  });
  expect(runText(graph({ whole: "limit 2 steps" }), { says }).status).toBe("succeeded");
});

test("a limit of time cancels the attempt and everything beside it", () => {
  const ran = runText(graph({ node: "limit 3m", flow: "start -> [a, b]" }), {
    says,
    durationMs: 200_000,
  });
  expect([ran.status, ran.reason]).toEqual(["failed", "limit:time"]);
  expect(ran.virtualMs).toBe(180_000);
  expect(ran.snapshot.failure?.message).toBe("`a` has reached its limit of time");
});

test("a node's time spans its attempts, but not the waits between them", () => {
  const fails = (node: string, attempt: number) =>
    node === "a" && attempt < 3
      ? ({ class: "tool", code: "M8301", message: "flaky" } as const)
      : undefined;
  const slow = { says, fails, durationMs: 50_000 };
  const patient = "retry 5 backoff 1h; limit 3m";
  expect(runText(graph({ node: patient }), slow).status).toBe("succeeded");
  expect(runText(graph({ node: "retry 5; limit 2m" }), slow).reason).toBe("limit:time");
});

test("a run's time counts all of it", () => {
  const ran = runText(graph({ whole: "limit 90s" }), { says, durationMs: 60_000 });
  expect([ran.reason, ran.path, ran.virtualMs]).toEqual(["limit:time", "a", 90_000]);
});

const sleeping = (limit: string, more = "") => `model m = "rules"
graph G returns log {
  state { log: string[] = [] via append  n: int = 0 }
  defaults { model m }
  agent look { prompt \`look\`; writes log; every 1h until 3 }
  agent slow { prompt \`slow\`; writes log }
  ${more}
  limit ${limit}
  start -> [look, slow]
}`;

describe("waiting is free", () => {
  const looked = { look: "x", slow: "y" };

  test("the sleep of a sentinel is nobody's running time", () => {
    const ran = runText(sleeping("90s"), { says: looked, durationMs: 20_000 });
    expect([ran.status, ran.path]).toEqual(["succeeded", "slow look look look"]);
    expect(ran.virtualMs).toBeGreaterThan(7_200_000);
    // Two at once, then one at a time.
    expect(ran.snapshot.activeMs).toBe(60_000);
  });

  test("what it does between its sleeps counts, up to the limit and no further", () => {
    const ran = runText(sleeping("50s"), { says: looked, durationMs: 20_000 });
    expect([ran.status, ran.reason, ran.path]).toEqual(["failed", "limit:time", "slow look look"]);
    expect(ran.records.at(-1)?.at).toBe(7_200_000 + 50_000);
  });

  test("while something else is at work, the run's time goes on", () => {
    const durationMs = (node: string) => (node === "slow" ? 5_000_000 : 1000);
    const ran = runText(sleeping("1h"), { says: looked, durationMs });
    expect([ran.reason, ran.records.at(-1)?.at]).toEqual(["limit:time", 3_600_000]);
  });

  test("so do a wait of an arrow, that before another attempt, and one in a called graph", () => {
    const text = `import { f } from "./f.ts"
graph G returns n {
  state { n: int = 0 }
  graph go = Inner() writes n { limit 1m }
  run last = f() writes n
  limit 1m
  start -> go -> last after 1d
}
graph Inner returns n {
  state { n: int = 0 }
  run x = f() writes n { retry 2 backoff 1h; limit 1m }
  start -> x after 1h
}`;
    const fails = (node: string, attempt: number) =>
      node === "x" && attempt < 3
        ? ({ class: "tool", code: "M8301", message: "flaky" } as const)
        : undefined;
    const ran = runText(text, { fails, says: { x: 1, last: 2 }, durationMs: 10_000 });
    expect(ran.status).toBe("succeeded");
    expect(ran.snapshot.activeMs).toBe(40_000);
    expect(foldLog(ran.program, ran.records).activeMs).toBe(40_000);
  });

  test("a crash in its sleep, and a pause, change nothing of it", () => {
    const script = { says: looked, durationMs: 20_000, seed: 3 };
    const ran = runText(sleeping("2h"), { ...script, crashes: 0.2, people: 0.2 });
    expect([ran.status, ran.path.split(" ").length]).toEqual(["succeeded", 4]);
    expect(ran.snapshot.activeMs).toBeLessThan(600_000);
  });
});

test("an unknown price is never taken for free: it leaves the cost unknown", () => {
  const ran = runText(graph({ whole: "limit $1" }), {
    says,
    calls: 2,
    usage: { ...usage, costUsd: null },
  });
  expect([ran.status, ran.snapshot.usage.costUsd]).toEqual(["succeeded", null]);
});

const started = (limit: { node?: string; whole?: string }) => {
  const program = link(graphOf(graph(limit)));
  const begun = advance(program, emptySnapshot(), { kind: "begin", input: {}, at: 0 }).snapshot;
  const running = advance(program, begun, { kind: "started", id: 0, attempt: 1, at: 0 }).snapshot;
  return { program, running };
};

test.each([
  ["a node's", { node: "limit 1s" }],
  ["the run's", { whole: "limit 1s" }],
])("%s limit of time binds what blocked the process so that no timer could ring", (_, limit) => {
  const { program, running } = started(limit);
  const late = { kind: "succeeded", id: 0, attempt: 1, output: "a", at: 4000 } as const;
  const { snapshot } = advance(program, running, late);
  expect([snapshot.status, snapshot.reason, snapshot.steps]).toEqual(["failed", "limit:time", 0]);
});

test("the time a process was dead is nobody's running time", () => {
  const { program, running } = started({ node: "limit 10s", whole: "limit 10s" });
  const day = 86_400_000;
  const resumed = advance(program, running, { kind: "control", verb: "resume", at: day });
  expect(resumed.snapshot.activeMs).toBe(0);
  expect(resumed.timers).toEqual([{ due: day + 10_000 }]);
  const again = { kind: "started", id: 0, attempt: 1, at: day } as const;
  expect(advance(program, resumed.snapshot, again).timers).toEqual([{ id: 0, due: day + 10_000 }]);
});
