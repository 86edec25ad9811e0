/** The contract of memories, for every store: entries are found by words, have one owner, stand once, and are gone once forgotten. */
import { describe, expect, test } from "vitest";
import type {
  MemoryQuery,
  MemorySpace,
  MemoryWrite,
} from "../../../runtime/store/memories/memory.ts";
import { noUsage } from "../../../runtime/usage.ts";
import { meta, owner, record } from "../../runtime/store/runs.ts";
import type { Setting } from "./setting.ts";

const ANN = { memory: "notes", scope: "user", owner: "ann" } as const;
const BOB = { ...ANN, owner: "bob" };

let last = 0;

function write(value: unknown, more: Partial<MemoryWrite> = {}): MemoryWrite {
  last += 1;
  const source = { runId: "a", seq: last, place: 0, node: "learn" };
  return { ...ANN, value, source, at: 1_000, ...more };
}

function found(
  { store }: Pick<Setting, "store">,
  text: string,
  more: Partial<MemorySpace & Pick<MemoryQuery, "top" | "now" | "min" | "vector">> = {},
): readonly unknown[] {
  const entries = store.memories.recall({ ...ANN, top: 5, now: 2_000, text, ...more });
  return entries.map(({ value }) => value);
}

export function memoryContract(name: string, setting: () => Setting): void {
  describe(`${name}: memories`, () => {
    test.each([
      ["case, accents and plurals", "The café sells LAMPS", "cafe lamp"],
      ["the beginning of a long word", "deployment of the kernel", "deploying"],
      ["German", "Die Straße führt nach München", "munchen strasse".replace("strasse", "straße")],
      ["Greek", "Η Αθήνα είναι πόλη", "αθηνα"],
      ["Russian", "Лампа стоит десять рублей", "лампа"],
      ["Chinese", "我喜欢喝绿茶", "绿茶"],
      ["one character of Chinese", "我喜欢喝绿茶", "茶"],
      ["Japanese", "東京は日本の首都です", "東京"],
      ["Thai", "ฉันชอบชาเขียว", "ชาเขียว"],
      ["Arabic", "أحب الشاي الأخضر", "الشاي"],
      ["numbers", "invoice 4711", "4711"],
      ["a broken character", "left \ud800 right", "right"],
    ])("finds %s", (_what, stored, asked) => {
      const { store } = setting();
      store.memories.add(write("something else entirely"));
      store.memories.add(write(stored));
      expect(found({ store }, asked)).toEqual([JSON.parse(JSON.stringify(stored))]);
    });

    test("the best come first, as many as are wanted, none below the least share", () => {
      const { store } = setting();
      for (const text of ["red lamp", "red lamp from Hell", "a red door", "the sea"])
        store.memories.add(write({ text }));
      expect(found({ store }, "red lamp Hell")).toEqual([
        { text: "red lamp from Hell" },
        { text: "red lamp" },
        { text: "a red door" },
      ]);
      expect(found({ store }, "red lamp Hell", { top: 1 })).toHaveLength(1);
      expect(found({ store }, "red lamp Hell", { min: 0.9 })).toEqual([
        { text: "red lamp from Hell" },
      ]);
      expect(found({ store }, "nothing of it")).toEqual([]);
    });

    test("without words, the newest", () => {
      const { store } = setting();
      for (const text of ["one", "two", "three"]) store.memories.add(write(text));
      expect(found({ store }, " ?! ", { top: 2 })).toEqual(["three", "two"]);
    });

    test("of a query of many words those count that few entries have, wherever they stand in it", () => {
      const { store } = setting();
      store.memories.add(write("the quokka sleeps"));
      for (let at = 0; at < 80; at += 1)
        for (const more of ["and", "or"]) store.memories.add(write(`common${at} ${more}`));
      const many = Array.from({ length: 80 }, (_, at) => `common${at} other${at}`).join(" ");
      expect(found({ store }, `${many} quokka`, { top: 100 })).toContain("the quokka sleeps");
    });

    test("of one key the last ten values stay, without `keep` too, and a rewind has them back", () => {
      const { store } = setting();
      for (let at = 0; at < 40; at += 1) store.memories.add(write(`tea ${at}`, { key: "1" }));
      store.memories.add(write("another key", { key: "2" }));
      expect(store.memories.list({ state: "superseded" }).map(({ value }) => value)).toEqual(
        Array.from({ length: 10 }, (_, at) => `tea ${38 - at}`),
      );
      expect(found({ store }, "tea")).toEqual(["tea 39"]);
    });

    /** A vector of length 1 near an axis. */
    const near = (axis: number, dimensions = 40) =>
      Float32Array.from({ length: dimensions }, (_, at) => (at === axis ? 1 : 0));
    const embedAll = ({ store }: Pick<Setting, "store">, axisOf: (text: string) => number) => {
      const open = store.memories.unembedded(ANN, "m", 5_000);
      store.memories.embed(
        "m",
        open.map(({ id, text }) => ({ id, values: near(axisOf(text)) })),
      );
      return open.length;
    };
    const like = (axis: number) => ({ vector: { model: "m", values: near(axis) } });

    test("entries with vectors are found by likeness, also behind the first thousand, and by their words beside it", async () => {
      const { store } = setting();
      const log = store.create(meta("a"), owner("one"));
      const puts = Array.from({ length: 1_500 }, (_, at) => ({
        kind: "put" as const,
        write: write(`entry ${at}`),
      }));
      log.append(record(0), { ...{ status: "running", steps: 1, usage: noUsage }, memories: puts });
      await log.close();
      expect(embedAll({ store }, (text) => Number(text.slice(6)) % 30)).toBe(1_500);
      expect(embedAll({ store }, () => 0)).toBe(0);
      const all = found({ store }, "nothing", { ...like(7), top: 20 });
      expect(all.every((text) => Number(String(text).slice(6)) % 30 === 7)).toBe(true);
      expect(all).toHaveLength(20);
      expect(found({ store }, "1207", like(7))[0]).toBe("entry 1207");
      expect(found({ store }, "1207", { ...like(7), min: 0.9 })).toEqual(["entry 1207"]);
      expect(found({ store }, "nothing", { ...like(7), ...BOB })).toEqual([]);
      const other = { vector: { model: "other", values: near(7) } };
      expect(found({ store }, "nothing", other)).toEqual([]);
      expect(found({ store }, "nothing", { vector: { model: "m", values: near(7, 12) } })).toEqual(
        [],
      );
    });

    test("the vector of an entry goes with it: superseded, expired and deleted ones are not found", () => {
      const { store } = setting();
      const first = store.memories.add(write("tea", { key: "1" }));
      const kept = store.memories.add(write("coffee", { expiresAt: 1_800 }));
      embedAll({ store }, () => 3);
      const { id } = store.memories.add(write("water", { key: "1" }));
      store.memories.embed("m", [
        { id: first.id, values: near(3) },
        { id: "gone", values: near(3) },
      ]);
      expect(found({ store }, "x", { ...like(3), now: 1_700 })).toEqual(["coffee"]);
      expect(found({ store }, "x", { ...like(3), now: 1_900 })).toEqual([]);
      embedAll({ store }, () => 3);
      store.memories.forget([kept.id]);
      expect(found({ store }, "x", like(3))).toEqual(["water"]);
      store.memories.edit(id, { value: "milk" }, 1_500);
      expect(found({ store }, "x", like(3))).toEqual([]);
    });

    test("nobody finds what is another owner's, whatever is asked", () => {
      const { store } = setting();
      store.memories.add(write("the code is 4711"));
      store.memories.add(write("the sea is blue", BOB));
      for (const text of [
        "code",
        "4711",
        '"1xcode"',
        "1xcode OR 1x4711",
        "*",
        "words:code",
        "NEAR(code)",
      ])
        expect([
          text,
          found({ store }, text, BOB).filter((one) => one !== "the sea is blue"),
        ]).toEqual([text, []]);
      expect(found({ store }, "code", { scope: "thread" })).toEqual([]);
      expect(found({ store }, "code", { memory: "other" })).toEqual([]);
    });

    test("A98 one fact is one entry, and a newer one of its key takes the place of the older, which stays with a link", () => {
      const { store } = setting();
      const first = store.memories.add(write("Ann likes tea.", { key: '"drink"' }));
      const again = store.memories.add(write("ann likes  TEA", { key: '"drink"' }));
      expect(again.id).toBe(first.id);
      const newer = store.memories.add(write("Ann likes coffee now", { key: '"drink"' }));
      expect(found({ store }, "Ann likes")).toEqual(["Ann likes coffee now"]);
      expect(store.memories.find(first.id)).toMatchObject({
        state: "superseded",
        supersededBy: newer.id,
        value: "Ann likes tea.",
      });
    });

    test("what is proposed is not found before it is approved, and supersedes nothing until then", () => {
      const { store } = setting();
      store.memories.add(write("old plan", { key: "1" }));
      const { id, state } = store.memories.add(write("new plan", { key: "1", isProposed: true }));
      expect([state, found({ store }, "plan")]).toEqual(["proposed", ["old plan"]]);
      store.memories.approve(id.slice(0, 6));
      expect(found({ store }, "plan")).toEqual(["new plan"]);
    });

    test("what is stored after it was proposed is kept once", () => {
      const { store } = setting();
      const proposed = store.memories.add(write("tea at five", { isProposed: true }));
      const kept = store.memories.add(write("Tea at five."));
      expect([kept.id, kept.state]).toEqual([proposed.id, "kept"]);
      store.memories.approve(proposed.id);
      expect(found({ store }, "tea")).toEqual(["tea at five"]);
    });

    test("an edit may change the case and the punctuation alone", () => {
      const { store } = setting();
      const { id } = store.memories.add(write("tea at hell", { key: "1" }));
      store.memories.edit(id, { value: "Tea at Hell.", key: "1" }, 1_500);
      expect(store.memories.list().map(({ value }) => value)).toEqual(["Tea at Hell."]);
      expect(found({ store }, "hell")).toEqual(["Tea at Hell."]);
    });

    test("an edit supersedes", () => {
      const { store } = setting();
      const { id } = store.memories.add(write("lamps at Hell"));
      store.memories.edit(id, { value: "lamps at Dunkel" }, 1_500);
      expect(found({ store }, "lamps")).toEqual(["lamps at Dunkel"]);
      expect(store.memories.find(id).state).toBe("superseded");
    });

    test("what has expired is not found, and goes with the next write", () => {
      const { store } = setting();
      store.memories.add(write("short lived", { expiresAt: 1_500 }));
      expect(found({ store }, "short", { now: 1_400 })).toHaveLength(1);
      expect(found({ store }, "short", { now: 1_500 })).toEqual([]);
      store.memories.add(write("later", { at: 1_600 }));
      expect(store.memories.list().map(({ value }) => value)).toEqual(["later"]);
    });

    test("as many as are wanted are found, and no number of expired ones stands before them", () => {
      const { store } = setting();
      for (let at = 0; at < 250; at += 1)
        store.memories.add(write("lamp", { key: `${at}`, expiresAt: 1_500 }));
      for (let at = 0; at < 250; at += 1)
        store.memories.add(write(`a lamp far down the long hall, number ${at}`));
      expect(found({ store }, "lamp", { top: 240 })).toHaveLength(240);
    });

    test("what is forgotten is gone, and what it had superseded does not come back by itself", () => {
      const { store } = setting();
      store.memories.add(write("first", { key: "1" }));
      const { id } = store.memories.add(write("second word", { key: "1" }));
      store.memories.forget([id]);
      expect(found({ store }, "second first word")).toEqual([]);
      expect(() => store.memories.find(id)).toThrow(expect.objectContaining({ code: "M7871" }));
    });

    test("an entry is taken out by the beginning of its id, and what others have is no part of the question", () => {
      const { store } = setting();
      const by = { runId: "a", seq: 9 };
      const mine = store.memories.add(write("tea"));
      const theirs = store.memories.add(write("coffee", BOB));
      const refused = (id: string) =>
        expect(() => store.memories.retire(ANN, id, by)).toThrow(
          expect.objectContaining({ code: "M7871" }),
        );
      refused("");
      refused(theirs.id);
      store.memories.retire(ANN, "m", by);
      store.memories.retire(ANN, "m", by);
      expect([mine, theirs].map(({ id }) => store.memories.find(id).state)).toEqual([
        "forgotten",
        "kept",
      ]);
      store.memories.forget([mine.id.slice(0, 7), mine.id]);
      expect(store.memories.list().map(({ id }) => id)).toEqual([theirs.id]);
    });

    test("a flush stores once what its records say, whoever repeats it, and a rewind takes it back", async () => {
      const { store, again } = setting();
      const log = store.create(meta("a"), owner("one"));
      const put = (seq: number, value: string) =>
        ({
          kind: "put",
          write: write(value, { key: "1", source: { runId: "a", seq, place: 0, node: "n" } }),
        }) as const;
      const summary = { status: "running", steps: 1, usage: noUsage } as const;
      log.append(record(0), { ...summary, memories: [put(0, "tea")] });
      log.append(record(1), { ...summary, memories: [put(1, "coffee")] });
      await log.flush();
      store.memories.add(put(1, "coffee").write);
      const values = () =>
        again()
          .memories.list()
          .map(({ value, state }) => [value, state]);
      expect(values()).toEqual([
        ["coffee", "kept"],
        ["tea", "superseded"],
      ]);
      log.append(record(2), {
        ...summary,
        memories: [{ kind: "withdraw", runId: "a", afterSeq: 0 }],
      });
      await log.close();
      expect(values()).toEqual([["tea", "kept"]]);
      expect(found({ store }, "tea")).toEqual(["tea"]);
    });

    test("a rewind brings back no entry that another run has superseded since", async () => {
      const { store } = setting();
      const put = (runId: string, value: string) => {
        const source = { runId, seq: 1, place: 0, node: "n" };
        return store.memories.add(write(value, { key: "1", source })).id;
      };
      put("a", "tea");
      put("b", "coffee");
      const newest = put("c", "water");
      const log = store.create(meta("b"), owner("one"));
      log.append(record(0), {
        ...{ status: "running", steps: 1, usage: noUsage },
        memories: [{ kind: "withdraw", runId: "b", afterSeq: 0 }],
      });
      await log.close();
      expect(store.memories.list().map(({ value, state }) => [value, state])).toEqual([
        ["water", "kept"],
        ["tea", "superseded"],
      ]);
      expect(store.memories.list({ state: "superseded" })[0]?.supersededBy).toBe(newest);
    });

    test("a rewind takes back nothing that another run has stored, too", async () => {
      const { store } = setting();
      const of = (runId: string) => ({ source: { runId, seq: 3, place: 0, node: "n" } });
      for (const runId of ["a", "b"]) store.memories.add(write("tea", of(runId)));
      store.memories.add(write("coffee", of("a")));
      const log = store.create(meta("a"), owner("one"));
      log.append(record(0), {
        ...{ status: "running", steps: 1, usage: noUsage },
        memories: [{ kind: "withdraw", runId: "a", afterSeq: 0 }],
      });
      await log.close();
      expect(store.memories.list().map(({ value }) => value)).toEqual(["tea"]);
    });

    test.each([
      ["a sign", "the balance is 5", "the balance is -5"],
      ["a comparison", "x < 5", "x > 5"],
      ["a name with a sign", "She likes C", "She likes C#"],
      ["an emoji", "It feels 👍", "It feels 👎"],
      ["the end of a long word", `key ${"a".repeat(64)}1`, `key ${"a".repeat(64)}2`],
      ["the end of a long text", `${"on ".repeat(6_000)}one`, `${"on ".repeat(6_000)}two`],
    ])("texts that differ in %s are two facts", (_what, one, other) => {
      const { store } = setting();
      for (const text of [one, other]) store.memories.add(write(text));
      expect(store.memories.list()).toHaveLength(2);
    });

    test("entries of another type do not stand before those that fit, where nothing is asked for", () => {
      const { store } = setting();
      store.memories.add(write({ text: "fits" }));
      for (let at = 0; at < 30; at += 1) store.memories.add(write(`note ${at}`));
      const fits = (value: unknown) => typeof value === "object";
      const query = { ...ANN, text: "", top: 3, now: 2_000, fits };
      expect(store.memories.recall(query).map(({ value }) => value)).toEqual([{ text: "fits" }]);
    });

    test("a memory that can't be written harms no log", async () => {
      const { store } = setting();
      const log = store.create(meta("a"), owner("one"));
      const circle: { self?: unknown } = {};
      circle.self = circle;
      log.append(record(0), {
        ...{ status: "running", steps: 1, usage: noUsage },
        memories: [{ kind: "put", write: write(circle) }],
      });
      await log.close();
      expect(store.read("a")).toHaveLength(1);
      expect(store.memories.list()).toEqual([]);
    });
  });
}
