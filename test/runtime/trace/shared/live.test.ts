/** Runs that another process drives: those with a stored log are seen while they run, those in memory are their owner's. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { type RunOptions, Session } from "../../../../runtime/index.ts";
import { newFolder } from "../store.ts";

const child = join(import.meta.dirname, "live-child.ts");

const RUNS = "SELECT graph, status, steps FROM runs ORDER BY graph";

test("another process's run is seen while it runs, as far as its log is stored, and nothing twice", async () => {
  const home = newFolder();
  const owner = spawn(process.execPath, [child, home]);
  onTestFinished(() => void owner.kill("SIGKILL"));
  const said = createInterface({ input: owner.stdout })[Symbol.asyncIterator]();
  expect((await said.next()).value).toBe("waiting");
  const other = new Session({ env: { MADRIGAL_HOME: home }, name: "other" });
  onTestFinished(() => other.close());
  const seen = async (sql: string) => await (await other.traces()).query(sql);
  // The log is written in groups, a moment after it is made.
  await expect
    .poll(() => seen("SELECT node FROM open_spans WHERE kind = 'attempt'"), { timeout: 20_000 })
    .toEqual([{ node: "second" }]);
  expect(await seen(RUNS)).toEqual([{ graph: "Slow", status: "running", steps: 1 }]);
  const commits = "SELECT step, node FROM steps ORDER BY step";
  expect(await seen(commits)).toEqual([{ step: 1, node: "first" }]);
  owner.stdin.write("go\n");
  expect((await said.next()).value).toBe("ended");
  await expect
    .poll(() => seen(RUNS), { timeout: 20_000 })
    .toEqual([{ graph: "Slow", status: "succeeded", steps: 2 }]);
  // Its file is read in the place of its log from now on.
  owner.stdin.end();
  await once(owner, "exit");
  expect(await seen(commits)).toEqual([
    { step: 1, node: "first" },
    { step: 2, node: "second" },
  ]);
  expect((await other.traces()).warnings).toEqual([]);
});

const text = `graph Slow returns n {
  state { n: int = 0 }
  run wait = held() writes n
  start -> wait -> end
}`;

/** A run in one session that is held at its only node, and another session of the same folder. */
function heldRun(options: RunOptions) {
  const env = { MADRIGAL_HOME: newFolder() };
  const [owner, other] = [
    new Session({ env, name: "kernel" }),
    new Session({ env, name: "other" }),
  ];
  onTestFinished(() => other.close());
  let release = () => {};
  const gate = new Promise<number>((resolve) => {
    release = () => resolve(1);
  });
  const run = owner.compile(text, { scope: { held: () => gate } }).Slow?.run({}, options);
  if (run === undefined) throw new Error("no graph");
  const seenBy = async (session: Session) => await (await session.traces()).query(RUNS);
  return { owner, other, run, release: () => release(), seenBy };
}

test("a run in memory is seen by its own process alone, and by the others once it has ended", async () => {
  const { owner, other, run, release, seenBy } = heldRun({ store: "memory" });
  const isRunning = [{ graph: "Slow", status: "running", steps: 0 }];
  await expect.poll(() => seenBy(owner), { timeout: 20_000 }).toEqual(isRunning);
  expect(await seenBy(other)).toEqual([]);
  expect(() => other.open(run.id)).toThrow(
    expect.objectContaining({
      code: "M5107",
      hint: "`madrigal runs` lists them; a run in memory is known to its own process alone",
    }),
  );
  release();
  await run.output;
  await owner.close();
  expect(await seenBy(other)).toEqual([{ graph: "Slow", status: "succeeded", steps: 1 }]);
});

test("a run that is stored at its end is seen to be running until then, and no step of it", async () => {
  const { owner, other, run, release, seenBy } = heldRun({ durability: "exit" });
  const ofNone = [{ graph: "Slow", status: "running", steps: 0 }];
  expect(await seenBy(other)).toEqual(ofNone);
  expect(await (await other.traces()).query("FROM open_spans WHERE kind = 'attempt'")).toEqual([]);
  release();
  await run.output;
  expect(await seenBy(other)).toEqual([{ graph: "Slow", status: "succeeded", steps: 1 }]);
  await owner.close();
});
