/** Code before a question runs once: LangGraph runs the whole node again for each answer. */
import { expect, test } from "vitest";
import { asking, askingText as text, waiting } from "../asks/asking-run.ts";
import { drive } from "../driven-run.ts";

test("pain 1 L9 what stands before a question runs once, whoever answers it, and whatever process", async () => {
  const { done, does } = asking();
  const driven = drive(text, { does, goal: "end" });
  expect(await waiting(driven.run)).toBe("first-0");
  expect(done).toEqual(["before"]);

  // The process dies; another one finds the run as it is in the log.
  const other = driven.found();
  expect([other.status, other.interrupts.map(({ id }) => id)]).toEqual(["waiting", ["first-0"]]);
  // Its process has put the log down by now.
  await new Promise((resolve) => setImmediate(resolve));
  await other.answer("first-0", { kind: "approve" });
  expect(await other.output).toEqual({ a: "end" });
  expect(done).toEqual(["before", "after"]);
  expect(driven.performed).toEqual(["first#1", "first#1", "second#1"]);
  await driven.run.abort();
});
