/** Memories as runs have them: whose they are, when they are asked and written, and what a replay, a rewind and a fork make of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type RunOptions, Session, scripted } from "../../../runtime/index.ts";
import { newSession, runWith } from "../scoped-run.ts";

const LEARN = `type Note = { topic: string, text: string }
memory notes: Note by topic
graph Learn(topic: string, text: string) returns seen {
  state { seen: string[] = [] }
  run keep = texts(notes) writes seen { recall notes top 3 by topic; store { topic, text } into notes }
  start -> keep
}`;

const scope = {
  texts: (notes: readonly { readonly text: string }[]) => notes.map(({ text }) => text),
};

async function learn(
  session: Session,
  { program = LEARN, ...input }: { program?: string; topic: string; text: string },
  options: RunOptions = {},
) {
  const { run } = runWith(program, scope, { input, session, ...options });
  return (await run.output).seen;
}

function withScope(words: string): string {
  return LEARN.replace("notes: Note", `notes ${words}: Note`);
}

describe("whose a memory is", () => {
  const ann = { user: "ann", thread: "t1" };
  test.each([
    ["nothing said", LEARN, ann, { user: "ann", thread: "t2" }, { user: "bob", thread: "t1" }],
    [
      "W14 a user",
      withScope("user"),
      ann,
      { user: "ann", thread: "t2" },
      { user: "bob", thread: "t1" },
    ],
    ["W13 a thread of a user", withScope("thread"), ann, ann, { user: "ann", thread: "t2" }],
    ["a thread of the same name", withScope("thread"), ann, ann, { user: "bob", thread: "t1" }],
    ["no user", LEARN, {}, { thread: "t9" }, { user: "ann" }],
  ])("%s: who has it finds it, nobody else does", async (_what, program, first, same, other) => {
    const session = newSession();
    await learn(session, { program, topic: "lamp", text: "at Hell" }, first);
    expect(await learn(session, { program, topic: "door", text: "lamp" }, other)).toEqual([]);
    expect(await learn(session, { program, topic: "lamp", text: "new" }, same)).toEqual([
      "at Hell",
    ]);
  });

  test("the workspace: everybody finds it", async () => {
    const session = newSession();
    const program = withScope("workspace");
    await learn(session, { program, topic: "lamp", text: "at Hell" }, { user: "ann" });
    expect(await learn(session, { program, topic: "lamp", text: "x" }, { user: "bob" })).toEqual([
      "at Hell",
    ]);
  });

  test("W09 an agent: each node has its own, in later runs of the user too", async () => {
    const session = newSession();
    const program = `memory skills agent: string
graph Work(topic: string) returns first, second {
  state { first: string[] = [] second: string[] = [] }
  run one = same(skills) writes first { recall skills by topic; store topic into skills }
  run two = same(skills) writes second { recall skills by topic }
  start -> one -> two
}`;
    const work = async () => {
      const same = (values: readonly string[]) => values;
      return await runWith(program, { same }, { input: { topic: "sow" }, session }).run.output;
    };
    expect(await work()).toEqual({ first: [], second: [] });
    expect(await work()).toEqual({ first: ["sow"], second: [] });
  });

  test("W15 a node that does not recall a memory can't name it", () => {
    const text = LEARN.replace("recall notes top 3 by topic; ", "");
    const compile = () => newSession().compile(text, { scope });
    expect(compile).toThrow(/M4981/);
  });
});

test("W10 facts are kept once, with the commit that said them; a fact that is forgotten is in no later prompt", async () => {
  const session = newSession();
  const program = `model m = "scripted"
memory facts: string
graph Chat(said: string) returns answer, known {
  state { answer: string = "" known: string[] = [] }
  agent note { model m; prompt \`Facts in: \${said}\`; writes known; store known into facts }
  agent reply { model m; recall facts; prompt \`Answer \${said} knowing \${facts}\`; writes answer }
  start -> note -> reply -> end
}`;
  const chat = async (said: string, facts: readonly string[]) => {
    const m = scripted({ note: [JSON.stringify(facts)], reply: ["ok"] });
    const { run, records } = runWith(program, {}, { input: { said }, session, models: { m } });
    await run.output;
    return JSON.stringify(records().filter(({ kind }) => kind === "intent"));
  };
  await chat("I like green tea", ["Ann likes green tea.", "Ann has a dog."]);
  await chat("I like tea", ["ann likes green tea"]);
  const facts = session.store.memories.list();
  expect(facts.map(({ value }) => value).toSorted()).toEqual([
    "Ann has a dog.",
    "Ann likes green tea.",
  ]);
  expect(await chat("which tea", [])).toContain("Ann likes green tea.");
  session.store.memories.forget(facts.map(({ id }) => id));
  expect(await chat("which tea", [])).not.toContain("green tea");
});

test("M103 a memory that can't be asked or written fails no run, and what is missing stands in the log", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  onTestFinished(() => warned.mockRestore());
  const session = newSession();
  const broken = {
    ...session.store.memories,
    recall: () => {
      throw new Error("disk full");
    },
  };
  Object.defineProperty(session.store, "memories", { value: broken });
  const { run, records } = runWith(LEARN, scope, { input: { topic: "a", text: "b" }, session });
  expect(await run.output).toEqual({ seen: [] });
  expect(JSON.stringify(records())).toContain("disk full");
});

test("M100 a stored plan is a hint in the prompt, or taken as it is without a model", async () => {
  const session = newSession();
  const program = `model m = "scripted"
memory plans user: { task: string, steps: string[] } by task { min: 0.5 }
graph Go(task: string) returns steps {
  state { steps: string[] = [] }
  run adopt = stepsOf(plans) writes steps { recall plans top 1 by task }
  agent plan { model m; recall plans top 1 by task; prompt \`Plan \${task}. Relevant plan: \${plans}\`; writes steps
    store { task, steps } into plans }
  start -> adopt -> { steps.length > 0 -> end, else -> plan -> end }
}`;
  const stepsOf = (plans: readonly { readonly steps: readonly string[] }[]) =>
    plans[0]?.steps ?? [];
  const go = async (task: string) => {
    const m = scripted({ plan: ['["look", "buy"]'] });
    const { run, records } = runWith(
      program,
      { stepsOf },
      { input: { task }, session, models: { m }, user: "ann" },
    );
    const { steps } = await run.output;
    return {
      steps,
      asked: records().filter((one) => one.kind === "intent" && one.effect === "model").length,
    };
  };
  expect(await go("buy a lamp")).toEqual({ steps: ["look", "buy"], asked: 1 });
  expect(await go("buy a lamp")).toEqual({ steps: ["look", "buy"], asked: 0 });
  expect(await go("paint the door")).toEqual({ steps: ["look", "buy"], asked: 1 });
});

describe("what was recalled stays what it was", () => {
  async function learned() {
    const session = newSession();
    await learn(session, { topic: "lamp", text: "at Hell" });
    const { run, ir, records } = runWith(LEARN, scope, {
      input: { topic: "lamp", text: "at Dunkel" },
      session,
    });
    await run.output;
    const values = () =>
      session.store.memories
        .list({ state: "kept" })
        .map(({ value }) => (value as { text: string }).text);
    return { session, run, ir, records, values };
  }

  test("the log has the entries with their ids, and a replay asks nobody", async () => {
    const { session, run, records } = await learned();
    const asked = records().find((one) => one.kind === "outcome");
    expect(asked).toMatchObject({
      effect: "memory",
      value: {
        value: { entries: [{ id: expect.stringMatching(/^m/), value: { text: "at Hell" } }] },
      },
    });
    session.store.memories.forget(session.store.memories.list().map(({ id }) => id));
    expect(run.replay()).toMatchObject({ ok: true, state: { seen: ["at Hell"] } });
    expect(session.store.memories.list()).toEqual([]);
  });

  test("a rerun is served what was recalled, and stores nothing again", async () => {
    const { session, run, ir, values } = await learned();
    session.store.memories.add({
      ...{ memory: "notes", scope: "user", owner: "", value: { topic: "lamp", text: "third" } },
      ...{ at: Date.now(), source: { runId: "", seq: 1, place: 0, node: "" } },
    });
    const plan = await session.graph(ir, { scope }).rerun(run);
    const again = plan.run();
    expect(await again.output).toEqual({ seen: ["at Hell"] });
    expect(values().toSorted()).toEqual(["at Dunkel", "third"]);
  });

  test("a rewind takes back what later steps had stored; the step stores it again", async () => {
    const { run, values } = await learned();
    expect(values()).toEqual(["at Dunkel"]);
    await run.rewind(0);
    expect(values()).toEqual(["at Hell"]);
    await run.resume();
    expect(await run.output).toEqual({ seen: ["at Hell"] });
    expect(values()).toEqual(["at Dunkel"]);
  });

  test("a fork stores what it comes to itself, and leaves what its origin had stored", async () => {
    const { run, values } = await learned();
    const branch = run.fork(0);
    expect(values()).toEqual(["at Dunkel"]);
    expect(await branch.output).toEqual({ seen: ["at Dunkel"] });
    expect(values()).toEqual(["at Dunkel"]);
  });
});

test("an attempt that fails stores nothing, and a called graph stores with its own commit", async () => {
  const session = newSession();
  const program = `memory notes: string
graph Inner(word: string) returns done {
  state { done: string = "" }
  run say = echo(word) writes done { store word into notes }
  start -> say
}
graph Outer(word: string) returns seen {
  state { done: string = "" seen: string[] = [] }
  graph inner = Inner(word: word) writes done
  run look = same(notes) writes seen { recall notes by word }
  run fail = broken(word) writes done { store "never" into notes }
  start -> inner -> look -> fail
}`;
  const functions = {
    echo: (word: string) => word,
    same: (values: readonly string[]) => values,
    broken: () => {
      throw new Error("no");
    },
  };
  const graphs = session.compile(program, { scope: functions });
  const run = graphs.Outer?.run({ word: "lamp" });
  await run?.output.catch(() => {});
  expect(run?.state.seen).toEqual(["lamp"]);
  expect(session.store.memories.list().map(({ value }) => value)).toEqual(["lamp"]);
});

test("entries of another type are not recalled, and what does not fit can't be stored", async () => {
  const session = newSession();
  const program = (type: string) => `memory notes: ${type}
graph Keep(value: ${type}) returns seen {
  state { seen: int = 0 }
  run keep = count(notes) writes seen { recall notes by "lamp"; store value into notes }
  start -> keep
}`;
  const count = (values: readonly unknown[]) => values.length;
  const keep = async (type: string, value: unknown) =>
    (await runWith(program(type), { count }, { input: { value }, session }).run.output).seen;
  await keep("{ text: string }", { text: "lamp" });
  expect(await keep("string", "lamp")).toBe(0);
  expect(await keep("{ text: string }", { text: "lamp two" })).toBe(1);
});

test("memories of a session on disk are there in the next one", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "madrigal-memory-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const open = () => new Session({ cwd, env: { MADRIGAL_HOME: cwd } });
  const first = open();
  await learn(first, { topic: "lamp", text: "at Hell" });
  await first.close();
  const second = open();
  onTestFinished(() => second.close());
  expect(await learn(second, { topic: "lamps", text: "x" })).toEqual(["at Hell"]);
});

describe("what people do with entries", () => {
  const line = (more: object) =>
    JSON.stringify({
      ...{ memory: "notes", scope: "user", owner: "ann", value: "tea", at: 1 },
      source: { runId: "", seq: 1, place: 0, node: "" },
      ...more,
    });

  test("an import has the newest of each key, and nothing that had been corrected", () => {
    const { store, stored } = newSession();
    const add = (value: string, at: number, key?: string) =>
      store.memories.add({
        ...{ memory: "notes", scope: "user", owner: "ann", value, at },
        ...(key === undefined ? {} : { key }),
        source: { runId: "r", seq: at, place: 0, node: "n" },
      });
    add("old", 1, "1");
    add("new", 2, "1");
    store.memories.edit(add("wrong", 3).id, { value: "right" }, 4);
    const other = newSession();
    expect(other.stored.memories.import(stored.memories.export())).toBe(2);
    expect(other.stored.memories.list().map(({ value, state }) => [value, state])).toEqual([
      ["right", "kept"],
      ["new", "kept"],
    ]);
  });

  test.each([
    ["a thread of nobody's", { scope: "thread", owner: "ann" }],
    ["an agent without a name", { scope: "agent", owner: '["ann"]' }],
    ["half a millisecond", { at: 1.5 }],
    ["an end that is no time", { expiresAt: "soon" }],
  ])("an entry of %s is refused, and none is stored", (_what, wrong) => {
    const { memories } = newSession().stored;
    expect(() => memories.import(`${line({})}\n${line(wrong)}`)).toThrow(
      expect.objectContaining({ code: "M8760" }),
    );
    expect(memories.list()).toEqual([]);
  });

  test.each(["commit", "outcome", "keep", "seen", "notes", "memory"])(
    "the log of a run that had stored `%s` can be read when that is taken out of it",
    async (text) => {
      const session = newSession();
      const { run, records } = runWith(LEARN, scope, { input: { topic: "a", text }, session });
      await run.output;
      const kinds = records().map(({ kind }) => kind);
      const ids = session.stored.memories.list().map(({ id }) => id);
      session.stored.memories.forget(ids, { redactLogs: true });
      const after = session.store.read(run.id);
      expect(after.map(({ kind }) => kind)).toEqual(kinds);
      expect(JSON.stringify(after)).toContain("⟦forgotten⟧");
      expect(session.open(run.id).replay()).toMatchObject({ ok: true, state: { seen: [] } });
    },
  );

  test("nothing is left of a text that begins with another one", async () => {
    const session = newSession();
    const input = { topic: "lamp", text: "lamps at Hell" };
    const { run } = runWith(LEARN, scope, { input, session });
    await run.output;
    const ids = session.stored.memories.list().map(({ id }) => id);
    session.stored.memories.forget(ids, { redactLogs: true });
    expect(JSON.stringify(session.store.read(run.id))).not.toContain("Hell");
  });

  test("who stored a fact again, in other words, has it taken out of the log too, and another user with that fact has not", async () => {
    const session = newSession();
    const program = `memory facts: string
graph Keep(fact: string) returns kept {
  state { kept: string = "" }
  run keep = same(fact) writes kept { store fact into facts }
  start -> keep
}`;
    const same = (fact: string) => fact;
    const keep = async (fact: string, user: string) => {
      const { run } = runWith(program, { same }, { input: { fact }, session, user });
      await run.output;
      return run.id;
    };
    const first = await keep("Lamps at Hell.", "ann");
    const again = await keep("lamps at  HELL", "ann");
    const other = await keep("Lamps at Hell.", "bob");
    const ids = session.stored.memories.list({ user: "ann" }).map(({ id }) => id);
    const { entries, runIds } = session.stored.memories.forget(ids, { redactLogs: true });
    expect([entries, runIds.toSorted()]).toEqual([1, [first, again].toSorted()]);
    expect(JSON.stringify(session.store.read(again))).not.toContain("HELL");
    expect(JSON.stringify(session.store.read(other))).toContain("Hell");
  });
});
