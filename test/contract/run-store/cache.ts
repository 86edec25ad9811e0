/** What nodes with `cache` came to is there for all runs of a store, also when it is opened again. */
import { describe, expect, test } from "vitest";
import type { Setting } from "./setting.ts";

export function cacheContract(name: string, setting: () => Setting): void {
  describe(`${name}: what is kept of nodes with a cache`, () => {
    test("nothing is there that was not put", () => {
      expect(setting().store.cache.get("a key")).toBeUndefined();
    });

    test("the last one counts, with its time, also when the store is opened again", async () => {
      const { store, again, clock } = setting();
      store.cache.put("a key", { output: "old" });
      await clock.advance(500);
      store.cache.put("a key", { output: ["new", null] });
      store.cache.put("another", { output: 1 });
      const storedAt = clock.now();
      expect(again().cache.get("a key")).toEqual({ value: { output: ["new", null] }, storedAt });
      expect(again().cache.get("another")?.value).toEqual({ output: 1 });
    });
  });
}
