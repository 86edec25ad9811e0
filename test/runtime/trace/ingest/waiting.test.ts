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

const stages = `graph G(way: string) returns said {
  state { said: string = ""  sure: boolean = false }
  run work = work(way) writes said
  human ask { ask \`Sure?\`; writes sure }
  start -> work -> ask -> end
}`;

test("M13 E10 [DB] `runs` shows how a run stands while it stands so: running, paused, waiting, and each of its ends", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const entered = Promise.withResolvers<void>();
  let isFirst = true;
  const work = async (way: string) => {
    if (way === "fall") throw new Error("it fell");
    if (!isFirst) return way;
    isFirst = false;
    entered.resolve();
    return await new Promise<string>(() => {});
  };
  const start = (way: string) => session.compile(stages, { scope: { work } }).G?.run({ way });
  const run = start("go");
  if (run === undefined) throw new Error("no graph");
  const statusOf = async (one = run) => {
    const rows = await (await session.traces()).query(
      `SELECT status FROM runs WHERE run_id = '${one.id}'`,
    );
    return rows.map(({ status }) => status).join();
  };
  await entered.promise;
  expect(await statusOf()).toBe("running");
  await run.pause({ now: true });
  expect(await statusOf()).toBe("paused");
  void run.resume().catch(() => undefined);
  await run.settled();
  expect(await statusOf()).toBe("waiting");
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: true });
  await run.output;
  expect(await statusOf()).toBe("succeeded");
  const fallen = start("fall");
  await fallen?.settled();
  expect(await statusOf(fallen)).toBe("failed");
  const left = start("stay");
  await left?.settled();
  await left?.abort();
  expect(await statusOf(left)).toBe("aborted");
});

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
