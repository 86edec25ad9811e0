/** A long run that is opened again: from where it stood when that was stored last, which nobody can tell from its whole log. */
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { SNAPSHOT_LAYOUT } from "../../../runtime/scheduler/snapshot/snapshot-text.ts";
import { Session } from "../../../runtime/session/session.ts";
import { temporaryFolder } from "../store/fixtures.ts";

const text = `graph Count(to: int = 5) returns count {
  state {
    count: int = 0
    seen: int[] = [] via append
    ok: boolean = false
  }
  run up = more(count) writes count, seen
  human last { ask "go on?"; writes ok }
  limit 100000 steps
  start -> up -> { count < to -> up max 99999, else -> last }
  last -> end
}
`;
const scope = { more: (count: number) => ({ count: count + 1, seen: [count] }) };
const STEPS = 1_200;

function sessionIn(home: string): Session {
  const session = new Session({ cwd: home, env: { MADRIGAL_HOME: home } });
  onTestFinished(() => session.close());
  return session;
}

/** The same with ten items a step: lists of two chunks and more. */
const wide = {
  more: (count: number) => ({
    count: count + 1,
    seen: Array.from({ length: 10 }, (_, index) => count * 10 + index),
  }),
};

/** The id of a run that waits behind its steps, and the folder that it is in. */
async function waiting(functions = scope): Promise<{ readonly home: string; readonly id: string }> {
  const home = temporaryFolder();
  const session = sessionIn(home);
  const run = session.compile(text, { scope: functions }).Count?.run({ to: STEPS });
  await run?.settled();
  await session.close();
  return { home, id: run?.id ?? "" };
}

function stored(home: string, change = "SELECT 1"): Record<string, unknown> | undefined {
  const database = new DatabaseSync(`${home}/.madrigal/runs.sqlite`);
  database.exec(change);
  const row = database.prepare("SELECT * FROM snapshots").get();
  database.close();
  return row;
}

/** How often the whole log was read. */
function reads(session: Session): () => number {
  const { store } = session;
  const [read, readAfter] = [store.read.bind(store), store.readAfter.bind(store)];
  let count = 0;
  store.read = (runId) => {
    count += 1;
    return read(runId);
  };
  store.readAfter = (runId, seq, enough) => {
    if (seq < 0 && enough === undefined) count += 1;
    return readAfter(runId, seq, enough);
  };
  return () => count;
}

async function ended(home: string, id: string) {
  const session = sessionIn(home);
  session.compile(text, { scope });
  const count = reads(session);
  const run = session.open(id);
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: true });
  const output = await run.output;
  const readTimes = count();
  const told = { steps: run.steps.length, artifacts: run.artifacts, state: run.state };
  const snapshots = run.steps.slice(0, 3).map(({ state }) => state);
  await session.close();
  return { output, readTimes, told, snapshots };
}

/** A run of this process that is so long that it has let go of its first records, and how often its log was read. */
async function released(home: string) {
  const session = sessionIn(home);
  const run = session.compile(text, { scope }).Count?.run({ to: LONG });
  if (run === undefined) throw new Error("no run");
  const count = reads(session);
  await run.settled();
  return { run, count };
}

const LONG = 16_000;

describe("a run that has let go of its first records", () => {
  test("is rewound to a step among them, and goes on from there", async () => {
    const { run, count } = await released(temporaryFolder());
    expect(run.state.count).toBe(LONG);
    await run.rewind(3);
    expect(count()).toBe(0);
    expect(run.state).toMatchObject({ count: 3, seen: [0, 1, 2] });
    expect(await run.step()).toMatchObject({ step: 4, state: { count: 4 } });
    await run.pause({ now: true });
  });

  test("tells who asks all of it, in order and once", async () => {
    const { run, count } = await released(temporaryFolder());
    const heard: number[] = [];
    run.events$.subscribe((event) => {
      if (event.kind === "commit") heard.push(event.step);
    });
    expect(count()).toBeGreaterThan(0);
    expect(heard).toEqual(Array.from({ length: LONG }, (_, index) => index + 1));
    expect(run.steps[9]?.state).toMatchObject({ count: 10 });
    await run.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: true });
    await run.output;
    expect(heard.at(-1)).toBe(LONG + 1);
    expect(run.steps.length).toBe(LONG + 1);
  });
});

describe("a run of many steps", () => {
  test("goes on from where it was stored last, without its log; who asks for more is told all of it", async () => {
    const { home, id } = await waiting();
    expect(stored(home)).toMatchObject({ run_id: id, layout: SNAPSHOT_LAYOUT });
    const { output, readTimes, told, snapshots } = await ended(home, id);
    expect(output).toEqual({ count: STEPS });
    expect(readTimes).toBe(0);
    expect(told.steps).toBe(STEPS + 1);
    expect(told.state).toMatchObject({ count: STEPS, ok: true });
    expect(snapshots).toMatchObject([{ count: 1 }, { count: 2 }, { count: 3 }]);
  });

  test("is rewound to a step that is long gone", async () => {
    const { home, id } = await waiting();
    const session = sessionIn(home);
    session.compile(text, { scope });
    const run = session.open(id);
    const count = reads(session);
    await run.rewind(3);
    expect([run.stepCount, run.position.last]).toMatchObject([3, { step: 3, node: "up" }]);
    expect(count()).toBe(0);
    expect(run.state).toMatchObject({ count: 3, seen: [0, 1, 2] });
    expect(await run.step()).toMatchObject({ step: 4 });
    expect(run.state).toMatchObject({ count: 4 });
    await run.pause({ now: true });
    const again = session.store.read(id);
    expect(again.some(({ kind }) => kind === "control")).toBe(true);
  });

  test("has the places of its timeline by its log alone, with the values of its steps", async () => {
    const { home, id } = await waiting();
    const session = sessionIn(home);
    const run = session.open(id);
    const timeline = run.timeline();
    expect(timeline.length).toBe(STEPS + 1);
    const pages = [STEPS, 1, 700].map((index) => timeline.at(index));
    for (const { step, changes } of pages) {
      const [before, behind] = [run.steps[step - 2]?.state, run.steps[step - 1]?.state];
      expect(changes).toMatchObject([
        { path: "count", before: before?.count ?? 0, after: behind?.count },
        { path: `seen[${step - 1}]`, op: "add", after: step - 1 },
      ]);
    }
  });

  test.each([
    [
      "a bit of its text is another",
      "UPDATE snapshots SET content = substr(content, 1, 200) || char(unicode(substr(content, 201)) + 1) || substr(content, 202)",
    ],
    ["its number is another", "UPDATE snapshots SET seq = seq - 1"],
    ["it is of another layout", "UPDATE snapshots SET layout = 0"],
    ["it was folded by another program", "UPDATE snapshots SET graph_hash = 'x'"],
    ["its hash is another", "UPDATE snapshots SET hash = lower(hex(zeroblob(32)))"],
    ["it is cut off", "UPDATE snapshots SET content = substr(content, 1, 100)"],
    ["it is gone", "DELETE FROM snapshots"],
  ])("comes to the same from its log where the snapshot can't be used: %s", async (_, damage) => {
    const { home, id } = await waiting();
    stored(home, damage);
    const { output, readTimes, told } = await ended(home, id);
    expect(readTimes).toBeGreaterThan(0);
    expect(output).toEqual({ count: STEPS });
    expect(told.steps).toBe(STEPS + 1);
  });
});

function chunksOf(home: string): readonly string[] {
  const database = new DatabaseSync(`${home}/.madrigal/runs.sqlite`);
  const rows = database.prepare("SELECT hash FROM snapshot_chunks ORDER BY hash").all();
  database.close();
  return rows.map(({ hash }) => String(hash));
}

describe("a run with a long list", () => {
  const seen = Array.from({ length: STEPS * 10 }, (_, index) => index);

  test("is opened without its log, and its list is what it was", async () => {
    const { home, id } = await waiting(wide);
    expect(chunksOf(home).length).toBeGreaterThan(1);
    expect(String(stored(home)?.content).length).toBeLessThan(60_000);
    const session = sessionIn(home);
    const count = reads(session);
    const run = session.open(id);
    expect(run.stepCount).toBe(STEPS);
    expect(run.state.seen).toEqual(seen);
    expect(count()).toBe(0);
  });

  test.each([
    ["a chunk is damaged", "UPDATE snapshot_chunks SET content = zeroblob(20)"],
    ["a chunk is gone", "DELETE FROM snapshot_chunks WHERE rowid = 1"],
  ])("comes to the same from its log where %s", async (_, damage) => {
    const { home, id } = await waiting(wide);
    stored(home, damage);
    const { output, readTimes, told } = await ended(home, id);
    expect(readTimes).toBeGreaterThan(0);
    expect(output).toEqual({ count: STEPS });
    expect(told.state).toMatchObject({ seen });
  });

  test("goes with its chunks, and comes back without them", async () => {
    const { home, id } = await waiting(wide);
    const session = sessionIn(home);
    const file = `${home}/run.jsonl`;
    session.stored.export(id, file);
    session.stored.delete(id);
    expect(chunksOf(home)).toEqual([]);
    session.stored.import(file);
    expect(session.open(id).state.seen).toEqual(seen);
  });
});
