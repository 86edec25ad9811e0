import { join } from "node:path";
import { expect, test } from "vitest";
import { currentOwner } from "../../../runtime/store/lease.ts";
import { openRunStore, type StoreOptions } from "../../../runtime/store/open-store.ts";
import { errorOf, manualClock, promisesRun, temporaryFolder } from "./fixtures.ts";
import { meta, record, records, running } from "./runs.ts";
import { startChild } from "./start-child.ts";

test("a run that another process drives can be read, not driven", async () => {
  const file = join(temporaryFolder(), "runs.sqlite");
  const child = startChild(["create", file]);
  expect(await child.line()).toBe("created");
  const store = openRunStore(file);
  expect(store.read("a")).toEqual(records(0, 0));
  expect(await errorOf(() => store.open("a", currentOwner("test")))).toContain(
    `M5105 run \`a\` is driven by child (pid ${child.pid} on `,
  );
  child.tell();
  expect(await child.line()).toBe("closed");
  await store.open("a", currentOwner("test")).close();
  store.close();
});

test("the run of a killed process is free at once", async () => {
  const file = join(temporaryFolder(), "runs.sqlite");
  const child = startChild(["create", file]);
  expect(await child.line()).toBe("created");
  await child.kill();
  const store = openRunStore(file);
  expect(store.find("a")).toMatchObject({ runId: "a", status: "running" });
  expect(store.find("a").owner).toBeUndefined();
  const log = store.open("a", currentOwner("test"));
  log.append(record(1), running);
  await log.close();
  expect(store.read("a")).toEqual(records(0, 1));
  store.close();
});

test("a locked database is waited for", async () => {
  const { store, clock, file } = opened();
  const log = store.create(meta("a"), currentOwner("test"));
  const child = startChild(["lock", file]);
  expect(await child.line()).toBe("locked");
  log.append(record(0), running);
  const flushed = log.flush();
  await clock.advance(1_000);
  expect(log.flushedSeq).toBe(-1);
  log.append(record(1), running);
  child.tell();
  expect(await child.line()).toBe("unlocked");
  await clock.advance(1_000);
  await flushed;
  expect(store.read("a")).toEqual(records(0, 1));
  await log.close();
  store.close();
});

test("after 5 s of a locked database the log has failed, and says so at every call", async () => {
  const { store, clock, file } = opened();
  const log = store.create(meta("a"), currentOwner("test"));
  const child = startChild(["lock", file]);
  expect(await child.line()).toBe("locked");
  log.append(record(0), running);
  const flushed = errorOf(() => log.flush());
  await clock.advance(6_000);
  const expected = `M5104 \`${file}\` is locked by another process (find what holds it open for writing (a backup, a database browser) and try again)`;
  expect(await flushed).toBe(expected);
  expect(await errorOf(() => log.flush())).toBe(expected);
  expect(await errorOf(() => log.append(record(1), running))).toBe(expected);
  child.tell();
  expect(await child.line()).toBe("unlocked");
  expect(await errorOf(() => log.close())).toBe(expected);
  const again = store.open("a", currentOwner("test"));
  expect(again.flushedSeq).toBe(-1);
  await again.close();
  store.close();
});

test("a run that starts while the database is locked is stored when it is free", async () => {
  const { store, clock, file } = opened();
  const child = startChild(["lock", file]);
  expect(await child.line()).toBe("locked");
  const log = store.create(meta("a", { durability: "exit" }), currentOwner("test"));
  const put = store.artifacts.put(new Uint8Array([1]), { kind: "file", mime: "a/b" });
  await promisesRun();
  expect(store.list()).toEqual([]);
  expect(store.artifacts.info(put.hash)).toEqual({ kind: "file", mime: "a/b" });
  child.tell();
  expect(await child.line()).toBe("unlocked");
  await clock.advance(1_000);
  expect(store.find("a").owner).toContain("test");
  await log.close();
  store.close();
  const after = openRunStore(file);
  expect(after.artifacts.info(put.hash)).toEqual({ kind: "file", mime: "a/b" });
  after.close();
});

test("an idle log survives renewals that find the database locked", async () => {
  const { store, clock, file } = opened();
  const log = store.create(meta("a"), currentOwner("test"));
  const child = startChild(["lock", file]);
  expect(await child.line()).toBe("locked");
  await clock.advance(27_000);
  child.tell();
  expect(await child.line()).toBe("unlocked");
  log.append(record(0), running);
  await log.close();
  expect(store.read("a")).toEqual(records(0, 0));
  store.close();
});

function opened() {
  const clock = manualClock(Date.now());
  const file = join(temporaryFolder(), "runs.sqlite");
  const options: StoreOptions = { clock };
  return { store: openRunStore(file, options), clock, file };
}
