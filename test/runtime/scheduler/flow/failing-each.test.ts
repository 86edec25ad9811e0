/** Arrows behind an `each` as a whole for its failure. */
import { describe, expect, test } from "vitest";
import type { Failure } from "../../../../runtime/failure.ts";
import { endsAlike } from "../../../support/any-schedule.ts";
import { ofKind, runText, type Says } from "../../../support/run-graph.ts";
import { eventsOf } from "../events-of.ts";

const broken: Failure = { class: "tool", code: "M8301", message: "broken" };

const graph = (flow: string, more = "") => `import { f, stream } from "./f.ts"
graph G(names: string[] = ["a", "b", "c"]) returns log {
  state { log: string[] = [] via append }
  run first = f() writes log
  run work(of: string) = f(of) writes log
  run inner(of: string) = f(of) writes log
  run rescue = f(log) writes log
  run stop = f(log) writes log
  run next = f(log) writes log
  ${more}
  ${flow}
}`;

const says = {
  first: "first",
  work: (({ args }) => args.of) as Says,
  inner: (({ args }) => `in ${args.of}`) as Says,
  rescue: "rescued",
  stop: "stopped",
  next: "next",
};
/** The item called b fails. */
const fails = (node: string, _: number, ordinal: number) =>
  node === "work" && ordinal === 2 ? broken : undefined;

const each = "start -> first -> each n of names parallel 2 { work(n) }";

describe("a failed item ends its siblings, and the arrow behind the `each` is taken", () => {
  test("what follows is written once, for both ways", () => {
    const text = graph(`${each} -> rescue on error -> next -> end`);
    const ran = runText(text, { says, fails, durationMs: (node) => (node === "work" ? 10 : 1) });
    expect([ran.status, ran.state.log]).toEqual(["succeeded", ["first", "rescued", "next"]]);
    expect(runText(text, { says }).state.log).toEqual(["first", "a", "b", "c", "next"]);
  });

  test("nothing that its items wrote is left: it would tell how far they had come", () => {
    const text = graph(`${each} -> rescue on error -> end`);
    const last = (node: string, _: number, ordinal: number) =>
      node === "work" && ordinal === 3 ? broken : undefined;
    const ran = runText(text, { says, fails: last });
    expect(ran.path.startsWith("first work")).toBe(true);
    expect(ran.state.log).toEqual(["first", "rescued"]);
    expect(endsAlike(text, { says, fails: last }).state.log).toEqual(["first", "rescued"]);
  });

  test("several nodes of a body lead to one for their failures, which leads back", () => {
    const text = graph(
      `start -> first -> each n of names parallel 2 {
    work(n) -> inner(n) -> last(n)
    work | inner -> bury(n) on error
    bury -> last(n)
  } -> next -> end`,
      `run last(of: string) = f(of) writes log
  run bury(of: string) = f(of) writes log`,
    );
    const more = {
      ...says,
      bury: (({ args }) => `buried ${args.of}`) as Says,
      last: (({ args }) => `last ${args.of}`) as Says,
    };
    const both = (node: string, _: number, ordinal: number) =>
      (node === "work" && ordinal === 2) || (node === "inner" && ordinal === 2)
        ? broken
        : undefined;
    const { log } = runText(text, { says: more, fails: both }).state;
    expect(log).toEqual([
      ...["first", "a", "in a", "last a", "buried b", "last b", "c", "buried c", "last c", "next"],
    ]);
    expect(endsAlike(text, { says: more }).state.log).toHaveLength(11);
  });

  test("in every schedule alike", () => {
    expect(endsAlike(graph(`${each} -> rescue on error -> next -> end`), { says, fails })).toEqual({
      status: "succeeded",
      reason: "done",
      state: { log: ["first", "rescued", "next"] },
    });
  });

  test("limits have an arrow of their own, and what has none is the run's", () => {
    const tight = "run slow(of: string) = f(of) writes log { limit 1s }";
    const flow = "start -> each n of names { slow(n) } -> stop on limit -> rescue on error -> end";
    const text = graph(flow, tight);
    const ran = runText(text, { says, durationMs: (node) => (node === "slow" ? 2000 : 1) });
    expect([ran.status, ran.state.log]).toEqual(["succeeded", ["stopped"]]);
    const only = graph("start -> each n of names { slow(n) } -> rescue on error -> end", tight);
    expect(runText(only, { says, durationMs: 2000 }).reason).toBe("limit:time");
  });

  test("a node's own arrow comes first, then `on error skip`, then the `each` around", () => {
    const own = graph(
      "start -> first -> each n of names { work(n) -> inner(n) on error } -> rescue on error -> end",
    );
    expect(runText(own, { says, fails }).state.log).toEqual(["first", "a", "in b", "c"]);
    const skip = graph(
      "start -> each n of names on error skip { work(n) } -> rescue on error -> end",
    );
    expect(runText(skip, { says, fails }).state.log).toEqual(["a", "c"]);
    const nested = graph(
      "start -> each n of names { inner(n) -> each m of [n] { work(m) } } -> rescue on error -> end",
    );
    expect(runText(nested, { says, fails }).state.log).toEqual(["rescued"]);
    const within = graph(
      "start -> each n of names parallel 1 { inner(n) -> each m of [n] { work(m) } -> stop on error -> first } -> rescue on error -> next -> end",
    );
    expect(runText(within, { says, fails }).state.log).toEqual([
      "in a",
      "a",
      "first",
      "in b",
      "stopped",
      "first",
      "in c",
      "c",
      "first",
      "next",
    ]);
    endsAlike(within, { says, fails });
  });

  test("a condition on the arrow that does not hold leaves the failure to the run", () => {
    const text = graph(`${each} -> rescue on error when log.length > 9 -> end`);
    expect(runText(text, { says, fails })).toMatchObject({ status: "failed", path: "first" });
  });
});

test("a quorum of items that can't be reached is a failure of the `each`", () => {
  const text = graph("start -> each n of names need 3 { work(n) } -> rescue on error -> end");
  const ran = runText(text, { says, fails });
  expect([ran.status, ran.state.log]).toEqual(["succeeded", ["rescued"]]);
  expect(eventsOf(ran, "quorum.failed")).toMatchObject([{ join: "n", isHandled: true }]);
  endsAlike(text, { says, fails });
});

test("events: the siblings end, the `each` has failed", () => {
  const text = graph(`${each} -> rescue on error -> end`);
  const ran = runText(text, { says, fails, durationMs: (node) => (node === "work" ? 10 : 1) });
  expect(eventsOf(ran, "each.failed")).toMatchObject([{ each: "n", node: "work" }]);
  expect(ofKind(ran.records, "attempt")).toMatchObject([{ node: "work", next: "go-on" }]);
});
