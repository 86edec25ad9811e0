import { expect, test } from "vitest";
import type { FailureClass } from "../../../../runtime/failure.ts";
import { ofKind, runText } from "../../../support/run-graph.ts";

const graph = (node: string, writes = "writes found") => `model m = "rules"
graph G(most: int = 2) returns found {
  state {
    found: string[]
    extra: string
  }
  agent a { model m; prompt \`find\`; ${writes}; ${node} }
  start -> a -> end
}`;

const failing = (times: number, failureClass: FailureClass, retryAfterMs?: number) => ({
  says: { a: ["x"] },
  fails: (_: string, attempt: number) =>
    attempt <= times
      ? {
          class: failureClass,
          code: "M8301" as const,
          message: "no",
          ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        }
      : undefined,
});

test("nothing is retried unless it is written", () => {
  expect(runText(graph(""), failing(1, "tool"))).toMatchObject({ status: "failed", path: "" });
});

test("`retry n` allows n further attempts", () => {
  expect(runText(graph("retry 2"), failing(2, "tool")).status).toBe("succeeded");
  expect(runText(graph("retry 2"), failing(3, "tool")).status).toBe("failed");
});

test("`retry … on` retries its classes and no others", () => {
  const rule = "retry 2 on transport | timeout, 1 on tool";
  expect(runText(graph(rule), failing(2, "transport")).status).toBe("succeeded");
  expect(runText(graph(rule), failing(1, "tool")).status).toBe("succeeded");
  expect(runText(graph(rule), failing(2, "tool")).status).toBe("failed");
  expect(runText(graph(rule), failing(1, "model")).status).toBe("failed");
});

test.each(["denied", "limit", "aborted", "controller_lost"] as const)(
  "%s is never retried",
  (failureClass) => {
    expect(runText(graph("retry 9"), failing(1, failureClass)).status).toBe("failed");
  },
);

test("the count may be a parameter", () => {
  const script = { ...failing(3, "tool"), input: { most: 3 } };
  expect(runText(graph("retry most"), script).status).toBe("succeeded");
});

test("backoff doubles up to its bound, and a provider may ask for more", () => {
  const waits = (node: string, retryAfterMs?: number) => {
    const ran = runText(graph(node), failing(4, "transport", retryAfterMs));
    return ofKind(ran.records, "attempt").map(({ at, notBefore = 0 }) =>
      Math.round(notBefore - at),
    );
  };
  expect(waits("retry 4 backoff 1s..5s")).toEqual([1000, 2000, 4000, 5000]);
  expect(waits("retry 4 backoff 1s")).toEqual([1000, 2000, 4000, 8000]);
  expect(waits("retry 4 backoff 1s..5s", 4500)).toEqual([4500, 4500, 4500, 5000]);
});

test("invalid output is repaired twice, the reason fed back, before it counts as a failure", () => {
  const ran = runText(graph(""), failing(2, "invalid"));
  expect(ran.status).toBe("succeeded");
  expect(ofKind(ran.records, "start").map(({ reason }) => reason)).toEqual([
    "first",
    "repair",
    "repair",
  ]);
  expect(runText(graph(""), failing(3, "invalid")).status).toBe("failed");
});

test("a broken `ensure` is repaired with its hint, and nothing of the attempt is committed", () => {
  const ran = runText(graph('ensure found.length < 3 "too many"'), {
    says: {
      a: ({ attempt }: { attempt: number }) => (attempt === 1 ? ["1", "2", "3"] : ["1"]),
    },
  });
  expect(ran.state.found).toEqual(["1"]);
  expect(ofKind(ran.records, "attempt")).toMatchObject([
    { next: "repair", failure: { code: "M5013", feedback: "too many", class: "invalid" } },
  ]);
  expect(ofKind(ran.records, "commit")).toHaveLength(1);
});

test("an `ensure` that no answer can put right is not asked of the model again", () => {
  const ran = runText(graph('ensure most > 9 "too few are allowed"'), { says: { a: ["1"] } });
  expect(ofKind(ran.records, "start")).toHaveLength(1);
  expect([ran.status, ran.snapshot.failure?.code]).toEqual(["failed", "M5013"]);
});

test("a list field takes one item or a list; an optional write may be left out", () => {
  const both = graph("", "writes found via append, extra?");
  expect(runText(both, { says: { a: { found: "x" } } }).state).toEqual({ found: ["x"] });
  expect(runText(both, { says: { a: { found: ["x", "y"], extra: "z" } } }).state).toEqual({
    found: ["x", "y"],
    extra: "z",
  });
});

test("a missing member of the output is invalid, not an unwritten field", () => {
  const ran = runText(graph("", "writes found, extra"), { says: { a: { found: [] } } });
  expect(ran.snapshot.failure).toMatchObject({ code: "M5012", class: "invalid" });
});

test("an expression that fails on this state fails its node, not the scheduler", () => {
  const ran = runText(graph("ensure found[9].length > 0"), { says: { a: ["x"] } });
  expect([ran.status, ran.snapshot.failure?.code]).toEqual(["failed", "M5011"]);
});

test("an arrow that can't be worked out is not the node's fault: nothing runs again, and its place is told", () => {
  const text = graph("retry 5").replace(
    "a -> end",
    "a -> { found[9].length > 1 -> a max 2, else -> end }",
  );
  const ran = runText(text, { says: { a: ["x"] } });
  expect(ofKind(ran.records, "start")).toHaveLength(1);
  expect(ran.snapshot.failure).toMatchObject({
    code: "M5011",
    message: expect.stringMatching(/^behind `a`: .*`length`.* \(test:8:\d+\)$/),
  });
});

test("a condition is true, false or not written yet; anything else is a mistake, not a guess", () => {
  const choice = (field: string) =>
    `model m = "rules"
graph G returns seen {
  state { seen: Json\n    ${field} }
  agent a { model m; prompt \`find\`; writes seen }
  start -> a -> { flag -> a max 1, else -> end }
}`;
  const says = { a: 1 };
  expect(runText(choice("flag: Json = 7"), { says }).snapshot.failure?.message).toContain(
    "a condition must be true or false, not 7",
  );
  expect(runText(choice("flag: boolean = true"), { says }).path).toBe("a a");
  expect(runText(choice("flag?: boolean"), { says }).path).toBe("a");
});

test("a default that can't be worked out fails the run before its first node", () => {
  const text = graph("").replace("extra: string", "extra: string = [].at(0).name");
  expect(runText(text, {})).toMatchObject({ status: "failed", reason: "error", path: "" });
});

test("what a node `set`s sees its own output, as `result` too", () => {
  const text = graph("set extra = result.join(found[0])");
  expect(runText(text, { says: { a: ["x", "y"] } }).state.extra).toBe("xxy");
});
