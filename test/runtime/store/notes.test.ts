/** What people say to a run is kept until whoever drives it has taken it in. */
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { memoryRunStore, openRunStore } from "../../../runtime/store/open-store.ts";
import type { RunStore } from "../../../runtime/store/run-store.ts";
import { temporaryFolder } from "./fixtures.ts";
import { meta, owner } from "./runs.ts";

const yes = { verb: "answer", interrupt: "q-1", answer: { kind: "approve" } } as const;
const no = { verb: "answer", interrupt: "q-1", answer: { kind: "deny" } } as const;
const stop = { verb: "abort", reason: "enough" } as const;

const stores: Readonly<Record<string, () => () => RunStore>> = {
  memory: () => {
    const store = memoryRunStore();
    return () => store;
  },
  disk: () => {
    const file = join(temporaryFolder(), "runs.sqlite");
    return () => {
      const store = openRunStore(file);
      onTestFinished(() => store.close());
      return store;
    };
  },
};

describe.each(Object.entries(stores))("notes in a store on %s", (_, make) => {
  test("come in the order in which they were said, of their run alone, also to another process", () => {
    const open = make();
    const store = open();
    store.create(meta("a"), owner("one"));
    store.create(meta("b"), owner("one"));
    const first = store.notes.leave("a", yes, "shell-1");
    store.notes.leave("b", stop, "shell-1");
    store.notes.leave("a", stop, "shell-2");
    const found = open().notes.pending("a");
    expect(found.map(({ body, by }) => [body, by])).toEqual([
      [yes, "shell-1"],
      [stop, "shell-2"],
    ]);
    expect(found[0]?.number).toBe(first);
  });

  test("a question has one answer that waits; once that is settled, it is nobody's any more", () => {
    const open = make();
    const store = open();
    store.create(meta("a"), owner("one"));
    const number = store.notes.leave("a", yes, "x") ?? -1;
    expect(open().notes.leave("a", no, "y")).toBeUndefined();
    expect(store.notes.leave("a", { ...no, interrupt: "q-2" }, "y")).toBeGreaterThan(number);
    expect(store.notes.outcome(number)).toBeUndefined();
    store.notes.settle(number, "taken");
    store.notes.settle(number, "refused");
    expect(open().notes.outcome(number)).toBe("taken");
    expect(store.notes.pending("a").map((note) => note.body)).toEqual([
      { ...no, interrupt: "q-2" },
    ]);
    expect(store.notes.leave("a", no, "y")).toBeGreaterThan(number);
  });
});
