/** Pain 4: no way to compare two runs, to find where they part, and what is to blame. */
import { expect, test } from "vitest";
import { Session } from "../../../runtime/index.ts";
import { replayLog } from "../../../runtime/replay/replay.ts";

const text = `graph Grade(n: int = 7) returns log, good {
  state { log: string[] = [] via append
    points: int = 0
    good: boolean = false }
  run count = points(n) writes points
  run praise = word("well done") writes log
  run scold = word("again") writes log
  run close = word("closed") writes log
  start -> count -> { points > 5 -> praise, else -> scold }
  praise -> close set good = true
  scold -> close
}`;

const scope = { points: (n: number) => n, word: (text: string) => [text] };

test("pain 4 where a change of the program makes a difference first is told with record, step, node and what changed", async () => {
  const session = new Session({ store: "memory" });
  const run = session.compile(text, { scope }).Grade?.run({ n: 7 });
  await run?.output;
  const stricter = session.compile(text.replace("points > 5", "points > 8"), { scope }).Grade;
  const replay = run?.replay(stricter === undefined ? {} : { ir: stricter.ir });
  expect(replay?.ok).toBe(false);
  expect(replay?.divergence).toMatchObject({
    code: "M5401",
    node: "count",
    attempt: 1,
    step: 0,
    field: "flow.0.node",
  });
  expect(replay?.divergence?.cause).toMatch(/^the graph has changed \(.{8} → .{8}\): edges$/);
  await session.close();
});

test("pain 4 two runs are compared by their steps: the first that differs, its node and its patches", async () => {
  const session = new Session({ store: "memory" });
  const { Grade } = session.compile(text, { scope });
  const runs = [Grade?.run({ n: 7 }), Grade?.run({ n: 2 })];
  for (const run of runs) await run?.output;
  const [seven, two] = runs.map((run) =>
    run?.steps.map(({ node, patches }) => ({ node, patches })),
  );
  const parted = seven?.findIndex((step, at) => JSON.stringify(step) !== JSON.stringify(two?.[at]));
  expect([seven?.[parted ?? -1], two?.[parted ?? -1]]).toEqual([
    { node: "count", patches: [{ op: "replace", path: ["points"], value: 7 }] },
    { node: "count", patches: [{ op: "replace", path: ["points"], value: 2 }] },
  ]);
  expect([seven?.[1]?.node, two?.[1]?.node]).toEqual(["praise", "scold"]);
  await session.close();
});

test("pain 4 an answer that was other is to blame with its own record", async () => {
  const session = new Session({ store: "memory" });
  const graph = session.compile(text, { scope }).Grade;
  const run = graph?.run({ n: 7 });
  await run?.output;
  const log = structuredClone(session.store.read(run?.id ?? ""));
  const commit = log.find((record) => record.kind === "commit" && record.node === "count");
  Object.assign(commit ?? {}, { output: 3 });
  if (graph === undefined) throw new Error("no graph");
  const { divergence } = replayLog(log, { recorded: graph.ir });
  expect(divergence).toMatchObject({ seq: commit?.seq, node: "count", recorded: 7, replayed: 3 });
  expect(divergence?.cause).toBe("an expression or a reducer gives another value");
  await session.close();
});
