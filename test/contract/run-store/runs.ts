/** Runs are listed, found and come back with what they were started with. */
import { describe, expect, test } from "vitest";
import { noUsage } from "../../../runtime/usage.ts";
import { errorOf } from "../../runtime/store/fixtures.ts";
import { meta, owner, record, records } from "../../runtime/store/runs.ts";
import { fill, type Setting } from "./setting.ts";

export function runsContract(name: string, setting: () => Setting): void {
  describe(`${name}: what is known of runs`, () => {
    test("a run is listed as it stood at its last flush, newest first", async () => {
      const { store } = setting();
      const usage = { ...noUsage, inputTokens: 12, costUsd: null };
      const first = store.create(meta("a"), owner("one"));
      store.create(meta("b", { createdAt: 2_000, threadId: "thread-2" }), owner("one"));
      first.append(record(0), { status: "running", steps: 1, usage: noUsage });
      const error = { code: "M9000", message: "it broke", node: "search" } as const;
      first.append(record(1), { status: "failed", reason: "error", steps: 2, usage, error });
      await first.close();
      expect(store.list().map((run) => run.runId)).toEqual(["b", "a"]);
      expect(store.list({ thread: "thread-1" })).toEqual([
        {
          runId: "a",
          threadId: "thread-1",
          graph: "Tiny",
          graphHash: "hash-of-Tiny",
          status: "failed",
          reason: "error",
          createdAt: 1_000,
          updatedAt: 1_001,
          steps: 2,
          usage,
          error,
        },
      ]);
      expect(store.list({ status: "created" }).map((run) => run.runId)).toEqual(["b"]);
      expect(store.list({ graph: "Other" })).toEqual([]);
      expect(store.list({ limit: 1 }).map((run) => run.runId)).toEqual(["b"]);
      expect(store.positions()).toEqual([
        { runId: "a", lastSeq: 1, logId: 1 },
        { runId: "b", lastSeq: -1, logId: 1 },
      ]);
    });

    test("what a run was started with comes back as it was", () => {
      const { store, again } = setting();
      const full = meta("a", {
        seed: "7",
        file: "a.madrigal",
        config: { depth: [1, { a: null }] },
      });
      store.create(full, owner("one"));
      expect(again().meta("a")).toEqual(full);
    });

    test("a run is found by its id, the beginning of it, or as the last one", async () => {
      const { store } = setting();
      expect(await errorOf(() => store.find("last"))).toContain("M5107 there is no run yet");
      const ids = ["deep-1a", "deep-1b", "deep", "wide-1"];
      for (const [index, id] of ids.entries()) {
        store.create(meta(id, { createdAt: index }), owner("one"));
      }
      expect(store.find("w").runId).toBe("wide-1");
      expect(store.find("deep").runId).toBe("deep");
      expect(store.find("last").runId).toBe("wide-1");
      expect(await errorOf(() => store.find("deep-1"))).toBe(
        "M5108 `deep-1` names 2 runs (write one of these: `deep-1b`, `deep-1a`)",
      );
      expect(await errorOf(() => store.find("deep-1ax"))).toBe(
        "M5107 no run is called `deep-1ax` (did you mean `deep-1a`?)",
      );
      expect(await errorOf(() => store.find("%"))).toBe(
        "M5107 no run is called `%` (`madrigal runs` lists them; a run in memory is known to its own process alone)",
      );
      for (const body of [
        () => store.read("x"),
        () => store.readAfter("x", 1),
        () => store.meta("x"),
        () => store.open("x", owner("one")),
      ]) {
        expect(await errorOf(body)).toContain("M5107");
      }
    });

    test("artifacts are kept by their content", async () => {
      const { store, again } = setting();
      const bytes = new TextEncoder().encode("a chart");
      const put = store.artifacts.put(bytes, {
        kind: "chart",
        mime: "image/svg+xml",
        producer: "a/1",
      });
      expect(put).toEqual({
        hash: "a8c938318041ff413b5be251f171ce9ea478b3b957e5fd20b00a9d4de73a541d",
        bytes: 7,
      });
      store.artifacts.put(bytes, { kind: "other", mime: "text/plain" });
      expect([...again().artifacts.get(put.hash)]).toEqual([...bytes]);
      expect(again().artifacts.info(put.hash)).toEqual({
        kind: "chart",
        mime: "image/svg+xml",
        producer: "a/1",
      });
      const missing = "0".repeat(64);
      expect(store.artifacts.info(missing)).toBeUndefined();
      expect(await errorOf(() => store.artifacts.get(missing))).toContain("M5109");
    });

    test("a store that closes stores what is pending and frees its runs", async () => {
      const { store, again } = setting();
      const after = again();
      const log = store.create(meta("a", { durability: "exit" }), owner("one"));
      fill(log, 0, 4);
      store.close();
      await log.close();
      expect(after.read("a")).toEqual(records(0, 4));
      expect(after.find("a").owner).toBeUndefined();
    });
  });
}
