/** Replays: from the log alone, record by record; and where they leave it. */
import { expect, test } from "vitest";
import type { LogRecord } from "../../../runtime/records/records.ts";
import { replayLog } from "../../../runtime/replay/replay.ts";
import { graphOf, ofKind, type Ran, runText, type Script } from "../../support/run-graph.ts";
import { type Does, drive } from "../driven-run.ts";

const sums = `graph Sums(n: int = 3) returns log, total {
  state { log: string[] = [] via append
    total: int = 0 via sum }
  run a = f() writes log { retry 1 }
  run b = f() writes total
  run c(x: int) = f() writes total
  run d = f() writes log { ensure total < 100 "small" }
  limit 30 steps
  start -> a -> { total < n -> b max 5, else -> e }
  b -> a
  run e = f() writes log
  e -> each x of [1, 2, 3] parallel 2 { c(x) } -> d
}`;

const says = { a: ["a"], b: 1, c: 2, d: ["d"], e: ["e"] };

/** As the store gives it back. */
function stored(records: readonly LogRecord[]): LogRecord[] {
  return JSON.parse(JSON.stringify(records)) as LogRecord[];
}

function replayed({ records, program }: Ran, ir = program.ir) {
  return replayLog(stored(records), { recorded: program.ir, ir });
}

const ways: Readonly<Record<string, Script>> = {
  "that succeeds": {},
  "that dies again and again": { crashes: 0.2, calls: 2 },
  "whose attempts fail": {
    fails: (_, attempt) =>
      attempt === 1 ? { class: "tool", code: "M8301", message: "no" } : undefined,
  },
  "whose post-condition does not hold": { says: { ...says, b: 200 } },
  "whose output lacks a field": { says: { ...says, a: null } },
  "that can't read its input": { input: { n: null } },
};

test.each(Object.entries(ways))("a run %s replays to the same state", (_, script) => {
  const ran = runText(sums, { says, ...script });
  const replay = replayed(ran);
  expect(replay.divergence).toBeUndefined();
  expect(replay).toMatchObject({ ok: true, records: ran.records.length, status: ran.status });
  expect(replay.state).toEqual(ran.state);
});

const limits: Readonly<Record<string, string>> = {
  time: "limit 20ms",
  turns: "limit 3 turns",
  steps: "limit 2 steps",
  "a node's time": "run slow = f() writes log { limit 1ms }\n  start -> slow",
  "a node's turns": "run slow = f() writes log { limit 1 turns }\n  start -> slow",
};

test.each(Object.entries(limits))(
  "a run that %s ended replays: limits are asked again",
  (_, line) => {
    const text = sums.replace("limit 30 steps", line);
    const ran = runText(text, { says: { ...says, slow: ["s"] }, calls: 2, durationMs: 5 });
    expect(ran.reason).toMatch(/^limit:/);
    expect(replayed(ran)).toMatchObject({ ok: true, status: "failed" });
  },
);

const does: Does = ({ node: { name } }) => says[name as keyof typeof says];

test("a run that was held, stepped, rewound, paused and resumed replays, from memory and from what another process reads", async () => {
  const driven = drive(sums, { does });
  const { run } = driven;
  await run.step();
  await run.step();
  await run.back();
  await run.step();
  await run.pause({ now: true });
  await run.resume();
  await run.output;
  await run.settled();
  await run.rewind(3);
  await run.continue();
  await run.settled();
  expect(run.replay()).toMatchObject({ ok: true, status: "succeeded", state: run.state });
  expect(driven.found().replay()).toMatchObject({ ok: true, state: run.state });
  const verbs = ofKind(driven.store.read(run.id), "control").map(({ verb }) => verb);
  expect(new Set(verbs)).toEqual(new Set(["hold", "release", "rewind", "pause", "resume"]));
});

test("a process that died between two records of one decision leaves a log that replays", () => {
  const whole = runText(sums, { says });
  const torn = whole.records.slice(0, -1);
  expect(torn.at(-1)?.kind).toBe("commit");
  expect(replayLog(torn, { recorded: whole.program.ir }).ok).toBe(true);
});

test("a failure that an earlier version told in other words replays", () => {
  const ran = runText(sums.replace("limit 30 steps", "limit 2 steps"), { says });
  const log = stored(ran.records);
  const failures = log.flatMap((record) =>
    "failure" in record ? [(record as { failure?: unknown }).failure ?? {}] : [],
  );
  expect(failures.length).toBeGreaterThan(0);
  for (const failure of failures)
    Object.assign(failure, { message: "older words", hint: "older advice" });
  expect(replayLog(log, { recorded: ran.program.ir })).toMatchObject({
    ok: true,
    status: "failed",
  });
  for (const failure of failures) Object.assign(failure, { code: "M5011" });
  expect(replayLog(log, { recorded: ran.program.ir }).ok).toBe(false);
});

/** What is changed in the log, and where the replay leaves it. */
const forged: readonly [string, (records: LogRecord[]) => unknown][] = [
  ["the value of a write", (log) => Object.assign(commit(log, "b").writes[0] ?? {}, { value: 9 })],
  ["a patch", (log) => Object.assign(commit(log, "b").patches[0] ?? {}, { value: 9 })],
  ["where it went", (log) => Object.assign(commit(log, "a").flow[0] ?? {}, { node: 4 })],
  ["a record less", (log) => log.splice(4, 1)],
  ["a start less, numbered anew", (log) => renumbered(log.splice(4, 1) && log)],
  ["the end", (log) => Object.assign(log.at(-1) ?? {}, { status: "failed" })],
  ["the input", (log) => Object.assign(log[0] ?? {}, { input: { n: 1 } })],
  ["a commit of nobody", (log) => Object.assign(commit(log, "e"), { id: 77 })],
];

function commit(log: LogRecord[], node: string) {
  const found = ofKind(log, "commit").find((record) => record.node === node);
  if (found === undefined) throw new Error(`no commit of ${node}`);
  return found;
}

function renumbered(log: LogRecord[]): void {
  for (const [seq, record] of log.entries()) Object.assign(record, { seq });
}

test.each(forged)(
  "a log with %s changed is told with its record, node and cause",
  (name, forge) => {
    const ran = runText(sums, { says });
    const log = stored(ran.records);
    forge(log);
    const { divergence } = replayLog(log, { recorded: ran.program.ir });
    const told = `${divergence?.code} ${divergence?.message}\n${divergence?.cause}`;
    expect(told).toMatchSnapshot(name);
  },
);

const changes: readonly [string, string, string][] = [
  ["an arrow", "total < n", "total < n + 1"],
  ["a reducer", "total: int = 0 via sum", "total: int = 0 via max"],
  ["a limit", "limit 30 steps", "limit 4 steps"],
  ["a post-condition", "total < 100", "total < 5"],
  ["a default", "log: string[] = []", 'log: string[] = ["x"]'],
];

test.each(changes)(
  "replayed with a program in which %s is another, it says what the change does first",
  (name, from, to) => {
    const ran = runText(sums, { says });
    const { ok, divergence } = replayed(ran, graphOf(sums.replace(from, to)));
    expect(ok).toBe(false);
    expect(`${divergence?.message}\n${divergence?.cause.replace(/\(.*\)/, "(…)")}`).toMatchSnapshot(
      name,
    );
  },
);

test("a change that changes nothing for this run replays", () => {
  const ran = runText(sums, { says });
  expect(replayed(ran, graphOf(sums.replace("limit 30 steps", "limit 300 steps"))).ok).toBe(true);
});
