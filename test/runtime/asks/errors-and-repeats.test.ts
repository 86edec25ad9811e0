/** `else ask` at limits that count failures and rounds that change nothing. */
import { describe, expect, test } from "vitest";
import type { Failure } from "../../../runtime/failure.ts";
import type { Answer } from "../../../runtime/interrupt.ts";
import { endsAlike } from "../../support/any-schedule.ts";
import { ofKind, runText, type Script } from "../../support/run-graph.ts";

const flaky: Failure = { class: "tool", code: "M8301", message: "flaky" };
const yes = (): Answer => ({ kind: "approve" });
const no = (): Answer => ({ kind: "deny" });

const graph = (clause: string, whole: string, flow: string) => `import { f } from "./f.ts"
graph G() returns a {
  state { a: string = ""  b: string = "" }
  run x = f() writes a { retry 9${clause} }
  run y = f() writes b
  ${whole}
  start -> ${flow}
}`;

/** x fails five times, then it works. */
const often: Script = {
  says: { x: "done", y: "done" },
  fails: (node, attempt) => (node === "x" && attempt <= 5 ? flaky : undefined),
};

describe.each([
  ["of a node", graph("; limit 3 errors else ask", "", "x -> y -> end")],
  ["of the run", graph("", "limit 3 errors else ask", "x -> y -> end")],
])("errors %s", (_, text) => {
  test("are asked about, and the same number again is granted each time", () => {
    const ran = runText(text, { ...often, answer: yes });
    expect([ran.status, ran.path]).toEqual(["succeeded", "x y"]);
    // At the third one; nine of them may be next.
    expect(ofKind(ran.records, "interrupt").map(({ limit }) => limit)).toEqual(["errors"]);
    expect(ofKind(ran.records, "attempt")).toHaveLength(5);
  });

  test("end it when somebody says no", () => {
    const ran = runText(text, { ...often, answer: no });
    expect([ran.status, ran.reason]).toEqual(["failed", "limit:errors"]);
    expect(ofKind(ran.records, "interrupt")).toHaveLength(1);
  });

  test("end alike in every schedule, and replay", () => {
    expect(endsAlike(text, { ...often, answer: yes }).status).toBe("succeeded");
    expect(endsAlike(text, { ...often, answer: no }).reason).toBe("limit:errors");
  });
});

describe.each([
  [
    "of a node",
    graph("; limit 2 repeats else ask", "", "x -> { a != b -> x max 5, else -> y } -> end"),
    2,
  ],
  [
    "of the run",
    graph("", "limit 2 repeats else ask", "x -> { a != b -> x max 5, else -> y } -> end"),
    2,
  ],
])("repeats %s", (_, text, times) => {
  const says = { x: "same", y: "end" };

  test("are asked about after as many repeats again", () => {
    const ran = runText(text, { says, answer: yes });
    expect([ran.status, ran.path]).toEqual(["succeeded", "x x x x x x y"]);
    expect(ofKind(ran.records, "interrupt").map(({ limit }) => limit)).toEqual(
      Array.from({ length: times }, () => "repeats"),
    );
  });

  test("end it when somebody says no", () => {
    const ran = runText(text, { says, answer: no });
    expect([ran.status, ran.reason, ran.path]).toEqual(["failed", "limit:repeats", "x x"]);
  });

  test("end alike in every schedule, and replay", () => {
    expect(endsAlike(text, { says, answer: no }).reason).toBe("limit:repeats");
  });
});
