/** The hint for a cell that awaits a handle of a run, which is no promise. */
import { expect, test } from "vitest";
import { awaitedHandle } from "../../../../kernel/cells/kinds/awaited-handle.ts";
import { openTestNotebook, useTypes } from "../notebook.ts";

useTypes();

const GRAPH = `graph Say(text: string) returns out {
  state { out: string }
  run same = same(text) writes out
  start -> same -> end
}`;

test("a cell is told that `await Graph.run(…)` does not wait, and others are not", async () => {
  const { run, session } = openTestNotebook();
  await run("const same = (text: string) => text; const other = { run: async (_: object) => 1 };");
  await run(GRAPH);
  const hint =
    "`await Say.run(…)` does not wait for the run, which goes on behind this cell: `await Say.run(…).output` does";
  expect(await run('await Say.run({ text: "(a)" });')).toContain(hint);
  for (const code of [
    'await Say.run({ text: "a" }).output',
    'const one = await Say.run({ text: "a" });\nawait one.output;',
    "await other.run({})",
    '(await Say.run({ text: "b" })).status',
  ])
    expect(await run(code), code).not.toContain("does not wait");
  for (const { output } of session.underWay) await output;
});

test("names that are no graphs, and members of the handle, are left alone", () => {
  expect(awaitedHandle("await Gone.run({})", {})).toBeUndefined();
  expect(awaitedHandle("await constructor.run({})", {})).toBeUndefined();
});
