/** One row of the store: `store-probe.ts NAME RUNS` prints what both sides took, in milliseconds, one after the other. */
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { GraphRun } from "../../../runtime/run/run.ts";
import { Session } from "../../../runtime/session/session.ts";
import { currentOwner } from "../../../runtime/store/lease.ts";
import { openRunStore } from "../../../runtime/store/open-store.ts";
import type { Durability, RunLog } from "../../../runtime/store/run-store.ts";
import { openTraces } from "../../../runtime/trace/trace-store.ts";
import { meta, record, running } from "../../runtime/store/runs.ts";

export interface StoreFigures {
  readonly ours: readonly number[];
  readonly base: readonly number[];
}

export type StoreProbe =
  | "async"
  | "sync"
  | "100 threads"
  | "open 10000"
  | "due 10000"
  | "recall 100000"
  | "recall vectors"
  | "blocked"
  | "blocked, processor";

type Side = (folder: string) => Promise<number>;

const [name = "", runs = "5"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "madrigal-bench-"));
const owner = currentOwner("bench");
const words = "what a tool has found on the page that it was told to read".split(" ");
/** 2 kB that no other record has. */
function textOf(seq: number): string {
  let drawn = seq + 1;
  const word = () => {
    drawn = (drawn * 48_271) % 2_147_483_647;
    return words[drawn % words.length];
  };
  return Array.from({ length: 450 }, word).join(" ");
}
const texts = Array.from({ length: 4_096 }, (_, seq) => textOf(seq));

/** What the last log wrote. */
let written: readonly (string | Uint8Array)[] = [];

const counting = `graph Count(to: int = 5) returns count {
  state {
    count: int = 0
    ok: boolean = false
  }
  run up = more(count) writes count
  human last { ask "go on?"; writes ok }
  limit 100000 steps
  start -> up -> { count < to -> up max 99999, else -> last }
  last -> end
}
`;
const scope = { more: (count: number) => count + 1 };
const napping = (name: string, time: string) => `graph ${name}() returns seen {
  state { seen: string }
  run first = look() writes seen
  run second = look() writes seen
  start -> first -> second after ${time} -> end
}
`;
const SLEEPING = 10_000;
let sleeping: string | undefined;

const DAY_MS = 86_400_000;

const probes: Readonly<Record<StoreProbe, { readonly ours: Side; readonly base?: Side }>> = {
  async: {
    ours: (at) => logged(at, "async", 4_096),
    base: (at) => bare(at, "NORMAL", 4_096 / 256),
  },
  sync: { ours: (at) => logged(at, "sync", 200), base: (at) => bare(at, "FULL", 200) },
  "open 10000": { ours: () => opened() },
  "due 10000": { ours: () => found() },
  "recall 100000": { ours: () => recalled() },
  "recall vectors": { ours: () => recalled(384) },
  blocked: { ours: (at) => blocked(at, () => performance.now()) },
  "blocked, processor": { ours: (at) => blocked(at, processorMs) },
  "100 threads": { ours: (at) => threads(at, "together"), base: (at) => threads(at, "in turn") },
};

await measure();

async function measure(): Promise<void> {
  const probe = probes[name as StoreProbe];
  const [ours, base]: [number[], number[]] = [[], []];
  for (let round = 0; round <= Number(runs); round += 1) {
    const own = await probe.ours(join(folder, `ours-${round}`));
    const other = await probe.base?.(join(folder, `base-${round}`));
    if (round === 0) continue;
    ours.push(own);
    if (other !== undefined) base.push(other);
  }
  rmSync(folder, { recursive: true });
  process.stdout.write(`${JSON.stringify({ ours, base } satisfies StoreFigures)}\n`);
}

/** Finds the hundred of ten thousand sleeping runs that are due, and when the next one is. */
async function found(): Promise<number> {
  sleeping ??= await asleep();
  const session = new Session({ cwd: sleeping, name: "bench" });
  const begun = performance.now();
  const later = Date.now() + DAY_MS / 2;
  const due = session.due.at(later);
  const next = session.due.next(later);
  const ms = performance.now() - begun;
  if (due.length !== 100 || next === undefined) throw new Error(`${due.length} are due`);
  await session.close();
  return ms;
}

async function asleep(): Promise<string> {
  const at = join(folder, "sleeping");
  const session = new Session({ cwd: at, name: "bench" });
  const options = { scope: { look: () => "x" } };
  const { Short } = session.compile(napping("Short", "1h"), options);
  const { Long } = session.compile(napping("Long", "1d"), options);
  for (let run = 0; run < SLEEPING; run += 1) {
    const graph = run % 100 === 0 ? Short : Long;
    await nap(graph?.run({}, { durability: "exit" }) as GraphRun);
  }
  await session.close();
  return at;
}

async function nap(run: GraphRun): Promise<void> {
  while (run.sleepsUntil === undefined) await new Promise((resolve) => setImmediate(resolve));
  run.output.catch(() => {});
  await run.leave("sleeping");
}

/** Records of 2 kB, flushed one by one in `sync`, and as it comes in `async`. */
async function logged(at: string, durability: Durability, count: number): Promise<number> {
  const store = openRunStore(join(at, "runs.sqlite"));
  const log = store.create(meta("a", { durability }), owner);
  const begun = performance.now();
  for (let seq = 0; seq < count; seq += 1) {
    log.append(record(seq, texts[seq]), running);
    if (durability === "sync") await log.flush();
    // As between the steps of a run: others have their turn.
    else if (seq % 256 === 255) await new Promise((resolve) => setImmediate(resolve));
  }
  await log.flush();
  const took = performance.now() - begun;
  await log.close();
  written = bytesIn(at);
  store.close();
  return took;
}

function bytesIn(at: string): readonly (string | Uint8Array)[] {
  const database = new DatabaseSync(join(at, "runs.sqlite"), { readOnly: true });
  const rows = database.prepare("SELECT records FROM segments ORDER BY last_seq").all();
  database.close();
  return rows.map((row) => row.records as string | Uint8Array);
}

/** The same texts as rows of a table, one transaction each. */
async function bare(at: string, synchronous: "NORMAL" | "FULL", count: number): Promise<number> {
  const database = new DatabaseSync(`${at}.sqlite`);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
  database.exec("CREATE TABLE segments (run_id TEXT, last_seq INTEGER, records ANY)");
  const insert = database.prepare("INSERT INTO segments VALUES ('a', ?, ?)");
  if (written.length !== count) throw new Error(`${written.length} segments, and not ${count}`);
  const begun = performance.now();
  for (const [index, records] of written.entries()) {
    database.exec("BEGIN IMMEDIATE");
    insert.run(index, records);
    database.exec("COMMIT");
  }
  const took = performance.now() - begun;
  database.close();
  return took;
}

/** From a session without runs to the end of a stored one that waited for an answer behind 10,000 steps. */
async function opened(): Promise<number> {
  const home = mkdtempSync(join(folder, "open-"));
  cpSync(await waiting(), home, { recursive: true });
  const session = counterIn(home);
  session.compile(counting, { scope });
  const begun = performance.now();
  const run = session.open("last");
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: true });
  await run.output;
  const took = performance.now() - begun;
  await session.close();
  return took;
}

function counterIn(home: string): Session {
  return new Session({ cwd: home, env: { MADRIGAL_HOME: home } });
}

/**
 * A recall of five entries among 100,000 by eight words, some of them common, in the median of 200; with `dimensions` also by a
 * vector, which is near those of a two-thousandth of the entries.
 */
async function recalled(dimensions = 0): Promise<number> {
  const home = join(folder, "memories");
  const isThere = existsSync(home);
  const store = openRunStore(join(home, "runs.sqlite"));
  let drawn = 1;
  const draw = () => {
    drawn = (drawn * 48_271) % 2_147_483_647;
    return drawn / 2_147_483_647;
  };
  // As often as words of a language are: the n-th most common one every n-th time.
  const texted = (length: number) =>
    Array.from({ length }, () => `word${Math.floor(30_000 ** draw()).toString(36)}`).join(" ");
  const space = { memory: "notes", scope: "user", owner: "ann" } as const;
  if (!isThere) {
    const log = store.create(meta("a"), owner);
    for (let seq = 0; seq < 100; seq += 1) {
      const memories = Array.from({ length: 1_000 }, (_, place) => ({
        kind: "put" as const,
        write: {
          ...space,
          value: texted(20),
          at: 1,
          source: { runId: "a", seq, place, node: "n" },
        },
      }));
      log.append(record(seq), { ...running, memories });
      await log.flush();
    }
    await log.close();
  }
  const centers = Array.from({ length: dimensions === 0 ? 0 : 2_000 }, () =>
    Float32Array.from({ length: dimensions }, () => draw() - 0.5),
  );
  const drawVector = () => {
    const center = centers[Math.floor(draw() * centers.length)] ?? [];
    const values = Float32Array.from(center, (one) => one + (draw() - 0.5) / 2);
    const length = Math.hypot(...values);
    return values.map((one) => one / length);
  };
  const unembedded = () =>
    dimensions === 0 ? [] : store.memories.unembedded(space, "bench", 5_000);
  for (let some = unembedded(); some.length > 0; some = unembedded())
    store.memories.embed(
      "bench",
      some.map(({ id }) => ({ id, values: drawVector() })),
    );
  const times = Array.from({ length: 200 }, () => {
    const vector = { model: "bench", values: drawVector() };
    const query = {
      ...{ ...space, text: texted(8), top: 5, now: 2 },
      ...(dimensions === 0 ? {} : { vector }),
    };
    const begun = performance.now();
    store.memories.recall(query);
    return performance.now() - begun;
  });
  store.close();
  return times.toSorted((a, b) => a - b)[100] ?? 0;
}

/** The folder in which the run waits, made once. */
async function waiting(): Promise<string> {
  const home = join(folder, "long");
  if (existsSync(home)) return home;
  const session = counterIn(home);
  const { Count } = session.compile(counting, { scope });
  await Count?.run({ to: 10_000 }).settled();
  await session.close();
  return home;
}

/** How long nobody else had the thread at most: while 16 MB and a checkpoint, 200 synced records and a trace were written. */
async function blocked(at: string, clock: () => number): Promise<number> {
  const store = openRunStore(join(at, "runs.sqlite"));
  const [loose, synced] = (["async", "sync"] as const).map((durability) =>
    store.create(meta(durability, { durability }), owner),
  );
  const home = mkdtempSync(join(folder, "traced-"));
  cpSync(await waiting(), home, { recursive: true });
  const session = counterIn(home);
  const traces = await openTraces(join(home, "traces"), "bench");
  const longest = await longestTurn(clock, async () => {
    for (let seq = 0; seq < 8_192 && loose !== undefined; seq += 1) {
      loose.append(record(seq, texts[seq % texts.length]), running);
      if (seq % 64 === 63) await new Promise((resolve) => setImmediate(resolve));
    }
    for (let seq = 0; seq < 200 && synced !== undefined; seq += 1) await flushed(synced, seq);
    await traces.ingest(session.store);
  });
  await traces.close();
  await session.close();
  store.close();
  return longest;
}

/** What this thread has taken of its processor. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** How long each turn of the event loop took at most while something was done. */
async function longestTurn(clock: () => number, work: () => Promise<void>): Promise<number> {
  let [longest, last, isOver] = [0, clock(), false];
  const turn = () => {
    longest = Math.max(longest, clock() - last);
    last = clock();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return longest;
}

/** A hundred runs of one process, ten flushes each, in `sync`. */
async function threads(at: string, how: "together" | "in turn"): Promise<number> {
  const store = openRunStore(join(at, "runs.sqlite"));
  const logs = Array.from({ length: 100 }, (_, index) =>
    store.create(meta(`r${index}`, { durability: "sync" }), owner),
  );
  const begun = performance.now();
  for (let seq = 0; seq < 10; seq += 1) {
    if (how === "together") await Promise.all(logs.map((log) => flushed(log, seq)));
    else for (const log of logs) await flushed(log, seq);
  }
  const took = performance.now() - begun;
  await Promise.all(logs.map((log) => log.close()));
  store.close();
  return took;
}

function flushed(log: RunLog, seq: number): Promise<void> {
  log.append(record(seq, texts[seq]), running);
  return log.flush();
}
