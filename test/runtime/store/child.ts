/** A second process for the tests: `child.ts WHAT FILE …` says what it did line by line on stdout. */
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { RunError } from "../../../runtime/failure.ts";
import { currentOwner } from "../../../runtime/store/lease.ts";
import { openRunStore } from "../../../runtime/store/open-store.ts";
import type { Durability, RunStore } from "../../../runtime/store/run-store.ts";
import { meta, mixedRecord, record, running } from "./runs.ts";

const counting = `graph Count(to: int = 5) returns count {
  state { count: int = 0 }
  run up = more(count) writes count
  limit 1000 steps
  start -> up -> { count < to -> up max 999, else -> end }
}
`;

const [what = "", file = "", ...rest] = process.argv.slice(2);

try {
  await perform();
} catch (error) {
  if (!(error instanceof RunError)) throw error;
  say(`${error.code} ${error.message} (${error.hint})`);
}

async function perform(): Promise<void> {
  switch (what) {
    case "create":
      return create();
    case "append":
      return appendForEver(rest[0] === "sync" ? "sync" : "async");
    case "fill":
      return fill(rest[0] === "large");
    case "lock":
      return lock();
    case "session":
      return session();
    default:
      throw new Error(`no such child: ${what}`);
  }
}

/** Makes a run and holds its lease until the parent says something. */
async function create(): Promise<void> {
  const store = openRunStore(file);
  const log = store.create(meta("a"), currentOwner("child"));
  log.append(record(0), running);
  await log.flush();
  say("created");
  await heard();
  await log.close();
  store.close();
  say("closed");
}

/** Appends and acknowledges record after record, going on where the one before was killed. */
async function appendForEver(durability: Durability): Promise<void> {
  const store = openRunStore(file);
  const owner = currentOwner(`child-${process.pid}`);
  const isNew = store.list().length === 0;
  const log = isNew ? store.create(meta("a", { durability }), owner) : store.open("a", owner);
  for (let seq = log.flushedSeq + 1; ; seq += 1) {
    log.append(mixedRecord(seq), running);
    // Some records are on the way, unacknowledged, when the kill comes.
    if (seq % 3 === 2) continue;
    await log.flush();
    say(`ack ${log.flushedSeq}`);
  }
}

/** Appends until the disk takes no more, says so and what is stored, makes room, and goes on with the run. */
async function fill(isLarge: boolean): Promise<void> {
  const ballast = join(dirname(file), "ballast");
  writeFileSync(ballast, Buffer.alloc(300_000, 1));
  let acknowledged = await fillUntilFull(isLarge);
  const between = openRunStore(file);
  say(`stored ${between.read("a").length} of ${acknowledged + 1}`);
  between.close();
  rmSync(ballast);
  const store = openRunStore(file);
  const log = store.open("a", currentOwner("child"));
  for (let count = 0; count < 3; count += 1) {
    acknowledged = log.flushedSeq + 1;
    log.append(record(acknowledged), running);
    await log.flush();
  }
  await log.close();
  const wrong = store.read("a").findIndex(({ seq }, index) => seq !== index);
  say(`went on to ${store.read("a").length} of ${acknowledged + 1}, gap at ${wrong}`);
  store.close();
}

/** The last record that was acknowledged. */
async function fillUntilFull(isLarge: boolean): Promise<number> {
  const store = openRunStore(file);
  const log = store.create(meta("a"), currentOwner("child"));
  for (let seq = 0; ; seq += 1) {
    try {
      log.append(record(seq, `${seq} `.repeat(isLarge ? 100_000 : 5_000)), running);
      await log.flush();
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      say(`${error.code} ${error.message} (${error.hint})`);
      const { flushedSeq } = log;
      await log.close().catch(() => {});
      closed(store);
      return flushedSeq;
    }
  }
}

/** What failed fails once more when it is closed. */
function closed(store: RunStore): void {
  try {
    store.close();
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
  }
}

/** Runs a graph twice, traces both, and dies with everything in the write-ahead logs: `file` is the workspace. */
async function session(): Promise<void> {
  // Loaded only here: the other children start without the engine.
  const { Session } = await import("../../../runtime/session/session.ts");
  const own = new Session({ cwd: file, env: { MADRIGAL_HOME: file }, name: "kernel" });
  const { Count } = own.compile(counting, { scope: { more: (count: number) => count + 1 } });
  await Count?.invoke({ to: 40 }, { durability: "sync" });
  await own.traces();
  await Count?.invoke({ to: 30 }, { durability: "sync" });
  await own.traces();
  process.kill(process.pid, "SIGKILL");
}

/** Holds a write transaction until the parent says something. */
async function lock(): Promise<void> {
  const database = new DatabaseSync(file);
  database.exec("BEGIN IMMEDIATE");
  say("locked");
  await heard();
  database.exec("COMMIT");
  database.close();
  say("unlocked");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function heard(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once("data", () => {
      process.stdin.destroy();
      resolve();
    });
  });
}
