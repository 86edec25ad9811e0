/** Fields of threads and users in graphs that others call. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { replayLog } from "../../../runtime/replay/replay.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { shownState } from "../../../runtime/scheduler/lookup.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { graphOf, ofKind, runText } from "../../support/run-graph.ts";
import { newSession, runWith as runScoped } from "../scoped-run.ts";

/** All runs here are of one user, unless they say another. */
const runWith: typeof runScoped = (text, scope, options) =>
  runScoped(text, scope, { user: "me", ...options });

const SEARCH = `
graph Search(topic: string) returns found {
  state { found: string }
  state thread { seen: string[] = ["nothing"] via append }
  state user { topics: string[] = [] via union }
  run look = look(topic, seen, topics) writes found { set seen = [topic], topics = [topic] }
  start -> look -> end
}`;

const TWICE = `graph Parent(topic: string) returns notes {
  state { notes: string[] = [] via append }
  graph one = Search(topic) writes notes
  graph two = Search(topic + "!") writes notes
  start -> one -> two -> end
}${SEARCH}`;

const look = (topic: string, seen: readonly string[], topics: readonly string[]) =>
  `${topic} after ${seen.join(",")} of ${topics.join(",")}`;

describe("`state thread` and `state user` of a called graph", () => {
  test("M51 last over the runs of its thread and its user, and from call to call", async () => {
    const session = newSession();
    const ask = async (text: string, topic: string, thread: string) =>
      await runWith(text, { look }, { session, thread, input: { topic } }).run.output;
    expect(await ask(TWICE, "a", "t")).toEqual({
      notes: ["a after nothing of ", "a! after nothing,a of a"],
    });
    expect(await ask(TWICE, "b", "t")).toEqual({
      notes: ["b after nothing,a,a! of a,a!", "b! after nothing,a,a!,b of a,a!,b"],
    });
    expect(await ask(TWICE, "c", "u")).toEqual({
      notes: ["c after nothing of a,a!,b,b!", "c! after nothing,c of a,a!,b,b!,c"],
    });
    // The thread has one field of a name, whichever graph it is.
    expect(await ask(SEARCH, "d", "t")).toEqual({
      found: "d after nothing,a,a!,b,b! of a,a!,b,b!,c,c!",
    });
  });

  test("are the run's: its log has them, folds and replays without a store", async () => {
    const session = newSession();
    await runWith(TWICE, { look }, { session, thread: "t", input: { topic: "a" } }).run.output;
    const { run, records, ir } = runWith(
      TWICE,
      { look },
      { session, thread: "t", input: { topic: "b" } },
    );
    await run.output;
    expect(ofKind(records(), "run")[0]).toMatchObject({
      kept: { "thread.seen": ["nothing", "a", "a!"], "user.topics": ["a", "a!"] },
    });
    expect(run.state).toMatchObject({ "thread.seen": ["nothing", "a", "a!", "b", "b!"] });
    expect(shownState(link(ir), foldLog(link(ir), records()))).toEqual(run.state);
    expect(run.replay()).toMatchObject({ ok: true });
  });

  test("calls side by side each begin with what was there, and land in the order of the graph", async () => {
    const text = `graph Parent(topics: string[]) returns notes {
      state { notes: string[] = [] via append }
      graph go(topic: string) = Search(topic) writes notes
      start -> each t of topics { go(t) } -> end
    }${SEARCH}`;
    const slow = async (topic: string, seen: readonly string[], topics: readonly string[]) => {
      if (topic === "a") await Promise.resolve();
      return look(topic, seen, topics);
    };
    const { run } = runWith(text, { look: slow }, { input: { topics: ["a", "b", "c"] } });
    expect(await run.output).toEqual({
      notes: ["a after nothing of ", "b after nothing of ", "c after nothing of "],
    });
    expect(run.state).toMatchObject({
      "thread.seen": ["nothing", "a", "b", "c"],
      "user.topics": ["a", "b", "c"],
    });
  });

  test("are one with the caller's own of that name, however deep the call is", async () => {
    const text = `graph Parent(topic: string) returns notes, seen {
      state { notes: string[] = [] via append }
      state thread { seen: string[] = ["nothing"] via append }
      run first = note(seen) writes notes { set seen = ["first"] }
      graph go = Middle(topic) writes notes
      run last = note(seen) writes notes
      start -> first -> go -> last -> end
    }
    graph Middle(topic: string) returns all {
      state { all: string }
      graph inner = Search(topic) writes all
      start -> inner -> end
    }${SEARCH}`;
    const note = (seen: readonly string[]) => seen.join(",");
    const { run } = runWith(text, { look, note }, { input: { topic: "x" } });
    expect(await run.output).toEqual({
      notes: ["nothing", "x after nothing,first of ", "nothing,first,x"],
      seen: ["nothing", "first", "x"],
    });
  });

  test("a call that fails and is made again leaves nothing twice", async () => {
    const text = `graph Parent(topic: string) returns notes {
      state { notes: string[] = [] via append }
      graph go = Search(topic) writes notes { retry 2 }
      start -> go -> end
    }
    graph Search(topic: string) returns found {
      state { found: string }
      state thread { seen: string[] = [] via append }
      run look = look(topic, seen) writes found { set seen = [topic] }
      run check = check() writes found
      start -> look -> check -> end
    }`;
    let checks = 0;
    const check = () => {
      checks += 1;
      if (checks === 1) throw new Error("not yet");
      return "checked";
    };
    const { run } = runWith(text, { look: () => "x", check }, { input: { topic: "x" } });
    await run.output;
    expect(run.state).toEqual({ notes: ["checked"], "thread.seen": ["x"] });
  });

  test("what is written past the reducer there is so here", async () => {
    const text = `graph Parent() returns out {
      state { out: string[] = [] via append }
      graph go = Search() writes out
      start -> go -> end
    }
    graph Search() returns seen {
      state thread { seen: string[] = [] via append }
      run a = say("a") writes seen
      run b = say("b") writes seen via union
      start -> a -> b -> end
    }`;
    const session = newSession();
    const say = (what: string) => [what, "c"];
    const once = () => runWith(text, { say }, { session, thread: "t" }).run;
    expect(await once().output).toEqual({ out: ["a", "c", "b"] });
    const again = once();
    await again.output;
    expect(again.state["thread.seen"]).toEqual(["a", "c", "b", "a", "c"]);
  });

  test("what a person edits there is the thread's", async () => {
    const session = newSession();
    const once = (edits: boolean) => {
      const { run } = runWith(
        TWICE,
        {
          look: async (topic: string, seen: readonly string[]) => {
            if (edits && topic === "a") await run.edit({ seen: ["edited"] }, { of: "one#1" });
            return seen.join(",");
          },
        },
        { session, thread: "t", input: { topic: "a" } },
      );
      return run;
    };
    const first = once(true);
    expect(await first.output).toEqual({ notes: ["nothing", "edited,a"] });
    expect(first.replay()).toMatchObject({ ok: true });
    expect(await once(false).output).toEqual({ notes: ["edited,a,a!", "edited,a,a!,a"] });
  });

  test("end alike after any crashes, fold like their log, and replay", () => {
    const text = `graph Parent(topics: string[]) returns notes {
      state { notes: string[] = [] via append }
      graph go(topic: string) = Search(topic) writes notes { retry 2 }
      graph last = Search("last") writes notes
      start -> each t of topics parallel 2 { go(t) } -> last -> end
    }${SEARCH}`;
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0, max: 0.2, noNaN: true }), (seed, crashes) => {
        const ran = runText(text, {
          input: { topics: ["a", "b", "c"] },
          says: { look: "found" },
          kept: { "thread.seen": ["before"] },
          calls: 1,
          seed,
          crashes,
        });
        expect([ran.status, ran.repeated]).toEqual(["succeeded", []]);
        expect(ran.state).toMatchObject({
          "thread.seen": ["before", "a", "b", "c", "last"],
          "user.topics": ["a", "b", "c", "last"],
        });
        expect(foldLog(ran.program, ran.records)).toEqual(ran.snapshot);
        const { divergence } = replayLog(ran.records, { recorded: graphOf(text) });
        expect(divergence).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  test("two graphs that keep something else under one name are refused before anything runs", () => {
    const text = `graph Parent(topic: string) returns notes {
      state { notes: string[] = [] via append }
      state thread { seen: int = 0 }
      graph one = Search(topic) writes notes
      run two = two() writes notes { set seen = 1 }
      start -> one -> two -> end
    }${SEARCH}`;
    expect(() => runWith(text, { look, two: () => "x" }, { input: { topic: "x" } })).toThrow(
      /`Parent` and `Search` both keep `seen` for the thread, and not alike/,
    );
  });

  test("a reducer in TypeScript folds them here and there, in calls side by side too", async () => {
    const text = `graph Parent(topics: string[]) returns notes {
      state { notes: string[] = [] via append }
      graph go(topic: string) = Search(topic) writes notes
      graph last = Search("last") writes notes
      start -> each t of topics { go(t) } -> last -> end
    }${SEARCH}`.replace('["nothing"] via append', "[] via longest");
    const longest = (before: readonly string[], ...more: readonly string[][]) =>
      [...before, ...more.flat()].toSorted((a, b) => b.length - a.length).slice(0, 2);
    const session = newSession();
    const input = { topics: ["a", "ccc", "bb"] };
    const once = () => runWith(text, { look, longest }, { session, thread: "t", input });
    const first = once();
    expect(await first.run.output).toMatchObject({
      notes: ["a after  of ", "ccc after  of ", "bb after  of ", "last after ccc,bb of a,ccc,bb"],
    });
    expect(first.run.state).toMatchObject({ "thread.seen": ["last", "ccc"] });
    expect(first.run.replay()).toMatchObject({ ok: true });
    expect(foldLog(link(first.ir), first.records()).shown.size).toBeGreaterThan(0);
    const second = once().run;
    expect(await second.output).toMatchObject({
      notes: expect.arrayContaining([
        "a after last,ccc of a,bb,ccc,last".replace("bb,ccc", "ccc,bb"),
      ]),
    });
  });

  test("two graphs whose reducers know items by something else are refused", () => {
    const by = (what: string) => `state thread { seen: string[] = [] via union(s => ${what}) }`;
    const text = `graph Parent(topic: string) returns notes {
      state { notes: string[] = [] via append }
      ${by("s")}
      graph one = Search(topic) writes notes
      run two = two() writes notes { set seen = ["x"] }
      start -> one -> two -> end
    }${SEARCH.replace('state thread { seen: string[] = ["nothing"] via append }', by("s.length"))}`;
    expect(() => runWith(text, { look, two: () => "x" }, { input: { topic: "x" } })).toThrow(
      /both keep `seen` for the thread, and not alike/,
    );
  });
});
