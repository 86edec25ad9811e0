/** How a run stands that waits for people, as the trace tells it: from the log alone. */
import { expect, onTestFinished, test } from "vitest";
import { Session } from "../../../../runtime/index.ts";
import { newFolder } from "../store.ts";

const both = `graph G() returns a, b {
  state { a: boolean = false  b: boolean = false }
  human left { ask \`Left?\`; writes a }
  human right { ask \`Right?\`; writes b }
  start -> [left, right]
}`;

test("M13 [DB] a run that waits is `waiting` in the trace until its last question is answered", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const graph = session.compile(both).G;
  const run = graph?.run({});
  if (run === undefined) throw new Error("no graph");
  const waitings: number[] = [];
  run.events$.subscribe(({ kind, seq }) => {
    if (kind === "run.waiting") waitings.push(seq);
  });
  const status = async () => {
    const traces = await session.traces();
    const [row] = await traces.query("SELECT status FROM runs");
    return row?.status;
  };
  await run.continue();
  expect(run.interrupts).toHaveLength(2);
  expect(await status()).toBe("waiting");
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: true });
  await run.continue();
  expect([run.status, await status()]).toEqual(["waiting", "waiting"]);
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: true });
  expect(await run.output).toEqual({ a: true, b: true });
  expect(await status()).toBe("succeeded");
  expect(waitings.length).toBeGreaterThanOrEqual(2);
});
