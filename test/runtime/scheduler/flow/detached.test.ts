/** Arrows with `detached`: what they start goes on by itself until the run ends. */
import { describe, expect, test } from "vitest";
import type { Failure } from "../../../../runtime/failure.ts";
import { endsAlike } from "../../../support/any-schedule.ts";
import { ofKind, runText, type Says } from "../../../support/run-graph.ts";
import { eventsOf } from "../events-of.ts";

const broken: Failure = { class: "tool", code: "M8301", message: "broken" };
const byName = ({ args }: Parameters<Says>[0]) => args.of;

const graph = (flow: string, more = "") => `import { f } from "./f.ts"
graph G(names: string[] = ["a", "b", "c"]) returns log {
  state { log: string[] = [] via append }
  run a = f(log) writes log
  run b = f(log) writes log
  run c = f(log) writes log
  run work(of: string) = f(of) writes log
  run audit(of: string) = f(log) writes log
  ${more}
  ${flow}
}`;

const slow = (name: string) => (node: string) => (node === name ? 1000 : 1);

describe("what is detached goes on by itself, and the run ends behind it", () => {
  const text = graph("start -> a\n  a -> b detached\n  a -> c -> end");

  test("W47 [SM] nothing waits for it but the end of the run", () => {
    const ran = runText(text, { says: { a: "a", b: "b", c: "c" }, durationMs: slow("b") });
    expect([ran.status, ran.path, ran.virtualMs]).toEqual(["succeeded", "a c b", 1001]);
    expect(ran.state.log).toEqual(["a", "c", "b"]);
  });

  test("what it writes is among the rest when the run ends, in the order of the graph and not of the clock", () => {
    const fast = runText(text, { says: { a: "a", b: "b", c: "c" }, durationMs: slow("c") });
    expect([fast.path, fast.state.log]).toEqual(["a b c", ["a", "c", "b"]]);
    expect(endsAlike(text, { says: { a: "a", b: "b", c: "c" } }).state).toEqual(fast.state);
  });

  test("it sees the state as it was where it began, and nobody sees what it writes", () => {
    const seen: Record<string, unknown> = {};
    const prompts = graph("start -> a\n  a -> b detached\n  a -> c -> end").replaceAll(
      /run ([abc]) = f\(log\)/g,
      'agent $1 { model m; prompt `${log.join(" ")}`; ',
    );
    const asAgents = `model m = "rules"\n${prompts.replaceAll(" writes log\n  agent", " writes log }\n  agent").replace("writes log\n  run work", "writes log }\n  run work")}`;
    const says = (name: string) => (asked: Parameters<Says>[0]) => {
      seen[name] = asked.prompt;
      return name;
    };
    for (const late of ["b", "c"]) {
      runText(asAgents, {
        says: { a: says("a"), b: says("b"), c: says("c") },
        durationMs: slow(late),
      });
      expect(seen).toEqual({ a: "", b: "a", c: "a" });
    }
  });
});

test("an item ends without what it detached, which keeps the item", () => {
  const text = graph(
    "start -> each n of names parallel 1 { work(n) -> audit(n) detached -> work2(n) } -> c -> end",
    "run work2(of: string) = f(of) writes log",
  );
  const said = (suffix: string) => (asked: Parameters<Says>[0]) => `${byName(asked)}${suffix}`;
  const ran = runText(text, {
    says: { work: said(""), audit: said("?"), work2: said("!"), c: "c" },
    durationMs: slow("audit"),
  });
  expect([ran.status, ran.path.slice(0, 22)]).toEqual(["succeeded", "work work work c audit"]);
  expect(ran.state.log).toEqual(["a", "b", "c", "c", "a?", "a!", "b?", "b!", "c?", "c!"]);
  const { state } = endsAlike(text, {
    says: { work: said(""), audit: said("?"), work2: said("!"), c: "c" },
  });
  expect(state).toEqual(ran.state);
});

describe("failures", () => {
  test("W47 it is cancelled when the run fails", () => {
    const text = graph("start -> a\n  a -> b detached\n  a -> c -> end");
    const ran = runText(text, {
      fails: (node) => (node === "c" ? broken : undefined),
      durationMs: slow("b"),
    });
    expect([ran.status, ran.path, ran.virtualMs]).toEqual(["failed", "a", 2]);
  });

  test("its own failure is the run's, unless an arrow says how to go on", () => {
    const failing = { fails: (node: string) => (node === "b" ? broken : undefined) };
    const text = graph("start -> a\n  a -> b detached\n  a -> c -> end");
    expect(runText(text, failing).status).toBe("failed");
    const handled = graph(
      'start -> a\n  a -> b detached\n  b -> audit("x") on error\n  a -> c -> end',
    );
    const ran = runText(handled, { ...failing, says: { a: "a", c: "c", audit: "seen" } });
    expect([ran.status, ran.state.log]).toEqual(["succeeded", ["a", "c", "seen"]]);
  });

  test("an item may be dropped, what it had detached is none of it any more", () => {
    const text = graph(
      "start -> each n of names on error skip { work(n) -> audit(n) detached } -> a -> end",
    );
    const fails = (node: string) => (node === "audit" ? broken : undefined);
    // It is none of the item's any more: its failure is the run's.
    expect(runText(text, { fails }).status).toBe("failed");
  });

  test("a quorum does not cancel it", () => {
    const text = graph(
      'start -> a\n  a -> audit("x") detached\n  a -> [b, c]\n  [b, c] need 1 -> end',
    );
    const ran = runText(text, {
      says: { a: "a", b: "b", c: "c", audit: "kept" },
      durationMs: slow("audit"),
    });
    expect([ran.status, (ran.state.log as string[]).includes("kept")]).toEqual(["succeeded", true]);
  });
});

test("`end when` ends it with the rest", () => {
  const text = graph("start -> a\n  a -> b detached\n  a -> c -> end\n  end when log.length >= 2");
  const ran = runText(text, { says: { a: "a", b: "b", c: "c" }, durationMs: slow("b") });
  expect([ran.status, ran.path]).toEqual(["succeeded", "a c"]);
});

test.each([
  ["several", "start -> a -> [b, c] detached"],
  ["a choice", "start -> a -> { log.length > 5 -> b, else -> c } detached"],
  ["one branch of a choice", "start -> a -> { log.length > 5 -> b, else -> c detached }"],
  ["an each", "start -> a -> each n of names { work(n) } detached -> b"],
  ["the start", "start -> a detached"],
  ["after a time", "start -> a -> b after 5m detached"],
  ["behind itself", "start -> a -> b detached -> c detached"],
  ["in a loop", "start -> a -> a max 3\n  a -> b detached"],
  ["joined inside", 'start -> a -> [b, c] detached -> audit("x")'],
])("%s can be detached, in every schedule alike", (_, flow) => {
  expect(endsAlike(graph(flow)).status).toBe("succeeded");
});

test("what one arrow detaches is joined as anywhere, once", () => {
  const text = graph('start -> a -> [b, c] detached -> audit("x") -> end');
  const ran = runText(text, { says: { a: "a", b: "b", c: "c", audit: "seen" } });
  expect([ran.status, ran.state.log]).toEqual(["succeeded", ["a", "b", "c", "seen"]]);
  const { state } = endsAlike(text, { says: { a: "a", b: "b", c: "c", audit: "seen" } });
  expect(state).toEqual(ran.state);
});

test("an event tells that it goes on by itself", () => {
  const ran = runText(graph("start -> a\n  a -> b detached\n  a -> c -> end"));
  expect(eventsOf(ran, "work.detached")).toMatchObject([{ node: "a", step: 1, to: ["b#1"] }]);
  expect(ofKind(ran.records, "end")).toMatchObject([{ status: "succeeded" }]);
});
