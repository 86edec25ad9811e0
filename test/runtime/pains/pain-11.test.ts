/** Pain 11: errors that do not say at which node they happened. */
import { expect, test } from "vitest";
import { type Run, type RunError, Session } from "../../../runtime/index.ts";

const text = (lines: string) => `graph Fail(items: int[] = [1, 2]) returns log {
  state { log: string[] = [] via append
    note?: Record<string, string> }
  run first = fine() writes log
  run work(x: int) = broken(x) writes log { retry 1 }
  run open = fine(note.word) writes log
${lines}
}`;

const scope = {
  fine: () => ["fine"],
  broken: (x: number) => {
    if (x === 2) throw new TypeError("boom");
    return [`${x}`];
  },
};

/** What is told of a run that fails. */
async function failed(lines: string): Promise<{ readonly run: Run; readonly error: RunError }> {
  const session = new Session({ store: "memory" });
  const run = session.compile(text(lines), { scope, file: "fail.madrigal" }).Fail?.run({});
  if (run === undefined) throw new Error("no graph");
  const error = (await run.output.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as RunError;
  await session.close();
  return { run: run as Run, error };
}

test("pain 11 an exception in a function names run, node, attempt, and the place in TypeScript", async () => {
  const { run, error } = await failed("  start -> first -> each x of items { work(x) } -> end");
  expect(error).toMatchObject({ runId: run.id, node: "work", attempt: 2 });
  expect(error.message).toContain("boom");
  expect(run.failure?.stack).toContain("pain-11.test.ts");
});

test("pain 11 the events of the failure name the node run, its item and what comes of it", async () => {
  const { run } = await failed("  start -> first -> each x of items { work(x) } -> end");
  const events: Record<string, unknown>[] = [];
  run.events$.subscribe((event) => events.push({ ...event }));
  const failures = events.filter(({ failure, kind }) => failure && kind === "attempt.finished");
  expect(
    failures.map(({ node, label, attempt, item, next }) => [node, label, attempt, item, next]),
  ).toEqual([
    ["work", "work#2", 1, 1, "retry"],
    ["work", "work#2", 2, 1, "fail"],
  ]);
});

test("pain 11 an expression that can't be evaluated names its line and column", async () => {
  const { error } = await failed(
    "  start -> first -> { note.word.length > 1 -> end, else -> first max 2 }",
  );
  expect(error.code).toBe("M5011");
  expect(error.node).toBe("first");
  expect(error.message).toMatch(/fail\.madrigal:7:\d+/);
});
