/** Pain 6: a barrier between steps, at which a slow sibling holds up a branch that has nothing to do with it. */
import { expect, test } from "vitest";
import { drive, gate } from "../driven-run.ts";

const text = `graph Branches() returns log {
  state { log: string[] = [] via append }
  run slow = f() writes log
  run quick1 = f() writes log
  run quick2 = f() writes log
  run quick3 = f() writes log
  run last = f() writes log
  start -> slow
  start -> quick1 -> quick2 -> quick3
  [slow, quick3] -> last
}`;

test("pain 6 a branch goes on to its end while a slow sibling is still at its first node", async () => {
  const closed = gate(["slow"]);
  const { run, performed } = drive(text, {
    goal: "end",
    does: ({ node: { name } }) => (name === "slow" ? closed.pass() : [name]),
  });
  await closed.entered;
  while (run.steps.length < 3) await new Promise((resolve) => setImmediate(resolve));
  expect(run.state).toEqual({ log: ["quick1", "quick2", "quick3"] });
  expect(performed).not.toContain("last#1");
  closed.open();
  expect(await run.output).toEqual({ log: ["slow", "quick1", "quick2", "quick3", "last"] });
});
