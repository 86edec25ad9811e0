/** A run that was replaced by another of its id, length and times: the trace has what the log has now. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { LogRecord } from "../../../../runtime/records/records.ts";
import { openRunStore } from "../../../../runtime/store/open-store.ts";
import type { RunMeta } from "../../../../runtime/store/run-store.ts";
import { openTraces } from "../../../../runtime/trace/trace-store.ts";
import { running } from "../../store/runs.ts";
import { metaOf, searchRun } from "../sample.ts";
import { contents, newFolder, traced } from "../store.ts";

const sample = searchRun("r1");

/** The same log, with other words in it. */
function reworded(records: readonly LogRecord[]): readonly LogRecord[] {
  const text = JSON.stringify(records, (key, value: unknown) =>
    key === "value" && typeof value === "string" ? `${value} (hidden)` : value,
  );
  return JSON.parse(text);
}

function stored() {
  const store = openRunStore(join(newFolder(), "runs.sqlite"));
  onTestFinished(() => store.close());
  const meta: RunMeta = { durability: "async", createdAt: 0, ...metaOf("r1") } as RunMeta;
  return { store, run: { meta, summary: running, records: sample.records } };
}

test.each(["replaced", "deleted and brought in again"])("a run that was %s", async (how) => {
  const { store, run } = stored();
  const other = { ...run, records: reworded(run.records) };
  expect(other.records).not.toEqual(run.records);
  store.restore(run);
  const traces = await traced(store);
  const before = await contents(traces);
  if (how === "replaced") store.restore(other, { replace: true });
  else {
    store.delete("r1");
    store.restore(other);
  }
  expect(await traces.ingest(store)).toBe(run.records.length);
  const after = await contents(traces);
  expect(after).not.toEqual(before);
  expect(after).toEqual(await contents(await traced(store)));
  expect(await traces.ingest(store)).toBe(0);
});

test("a trace that was closed meanwhile finds it too", async () => {
  const { store, run } = stored();
  store.restore(run);
  const folder = newFolder();
  const first = await openTraces(folder, "kernel");
  await first.ingest(store);
  await first.close();
  store.restore({ ...run, records: reworded(run.records) }, { replace: true });
  const traces = await traced(store, folder);
  expect(await contents(traces)).toEqual(await contents(await traced(store)));
});
