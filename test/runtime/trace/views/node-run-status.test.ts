/** How node runs stand between two attempts, as traces tell it. */
import { filter, firstValueFrom } from "rxjs";
import { expect, onTestFinished, test } from "vitest";
import { Session } from "../../../../runtime/index.ts";
import { newFolder } from "../store.ts";

const text = `graph G() returns b {
  state { b: string = "" }
  run x = fails() { every 1h until b == "done"; writes b }
  start -> x
}`;

test("a sentinel whose round failed is ready for the next one, and has no end", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const fails = () => {
    throw new Error("boom");
  };
  const graph = session.compile(text, { scope: { fails } }).G;
  if (graph === undefined) throw new Error("no graph");
  const run = graph.run({});
  const ended$ = run.events$.pipe(filter(({ kind }) => kind === "attempt.finished"));
  expect(await firstValueFrom(ended$)).toMatchObject({ next: "again" });
  const traces = await session.traces();
  const rows = await traces.query("SELECT node, status, end_ts FROM node_runs");
  expect(rows).toMatchObject([{ node: "x", status: "ready", end_ts: null }]);
  const aborted = expect(run.output).rejects.toThrow();
  await run.abort();
  await aborted;
});
