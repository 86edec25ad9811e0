/** A node that failed and went on along an arrow, as runs and traces tell it. */
import { expect, onTestFinished, test } from "vitest";
import { Session } from "../../../../runtime/index.ts";
import { newFolder } from "../store.ts";

const text = `graph G() returns b {
  state { b: string = "" }
  run x = fails() writes b
  run y = gives() writes b
  start -> x
  x -> y on error
}`;

test("it is failed, the run succeeds, and what follows runs", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const fails = () => {
    throw new Error("boom");
  };
  const graph = session.compile(text, { scope: { fails, gives: () => "mended" } }).G;
  if (graph === undefined) throw new Error("no graph");
  const run = graph.run({});
  expect(await run.output).toEqual({ b: "mended" });
  expect(run.steps.map(({ node }) => node)).toEqual(["y"]);
  const traces = await session.traces();
  const rows = await traces.query(
    "SELECT node, status, error_code FROM node_runs ORDER BY ts, node",
  );
  expect(rows).toMatchObject([
    { node: "x", status: "failed", error_code: "M8301" },
    { node: "y", status: "succeeded" },
  ]);
});
