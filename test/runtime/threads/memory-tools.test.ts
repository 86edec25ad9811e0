/** Memories as tools of agents: what a model stores, finds and forgets of its own accord, inside the run's own scope. */
import { describe, expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { type RunOptions, type Session, scripted } from "../../../runtime/index.ts";
import { newSession } from "../scoped-run.ts";

const PROGRAM = `type Note = { topic: string, text: string }
memory notes: Note by topic
model m = "scripted"
graph Talk(task: string) returns answer {
  state { answer: string = "" }
  agent reply { model m; tools notes.*; prompt \`\${task}\`; writes answer; limit 9 turns }
  start -> reply -> end
}`;

interface AskedTool {
  readonly tool: string;
  readonly input: { readonly [name: string]: Json };
}

type Json = string | number | { readonly [name: string]: Json };

/** Runs the agent with these calls, one a turn; what each came to, as its model was told. */
async function talk(
  session: Session,
  calls: readonly AskedTool[],
  { program = PROGRAM, ...options }: RunOptions & { readonly program?: string } = {},
) {
  const { Talk } = session.compile(program);
  const turns = [...calls.map((call) => ({ calls: [call] })), "done"];
  const run = Talk?.run(
    { task: "go" },
    { ...options, models: { m: scripted({ reply: turns }), ...options.models } },
  );
  if (run === undefined) throw new Error("no graph");
  await run.output;
  return { run, results: resultsIn(session, run.id) };
}

function resultsIn(session: Session, runId: string): readonly unknown[] {
  return session.store
    .read(runId)
    .flatMap((one) =>
      one.kind === "outcome" && one.effect === "tool" ? [one.value ?? one.failure?.message] : [],
    );
}

const store = (text: string, topic = "lamp") => ({
  tool: "notes.store",
  input: { value: { topic, text } },
});
const recall = (query: string) => ({ tool: "notes.recall", input: { query } });

describe("an agent with the tools of a memory", () => {
  test("stores an entry and finds it at once, and in a later run of its user", async () => {
    const session = newSession();
    const { results } = await talk(session, [store("at Hell"), recall("lamp")]);
    expect(results).toEqual([
      { id: expect.any(String), state: "kept" },
      { entries: [{ id: expect.any(String), value: { topic: "lamp", text: "at Hell" } }] },
    ]);
    const later = await talk(session, [recall("where is the lamp?")]);
    expect(later.results).toEqual(results.slice(1));
  });

  test("stores in the place of the entry of the same key", async () => {
    const session = newSession();
    const { results } = await talk(session, [store("at Hell"), store("at Rome"), recall("lamp")]);
    expect(results[2]).toMatchObject({ entries: [{ value: { text: "at Rome" } }] });
    expect(session.stored.memories.list().map(({ state }) => state)).toEqual([
      "kept",
      "superseded",
    ]);
  });

  test("forgets an entry by its id: it is found no more, and a person can take it back", async () => {
    const session = newSession();
    const { results } = await talk(session, [store("at Hell")]);
    const { id } = results[0] as { readonly id: string };
    const forget = { tool: "notes.forget", input: { id } };
    const { results: later } = await talk(session, [forget, recall("lamp"), forget]);
    expect(later).toEqual([
      { forgotten: id },
      { entries: [] },
      expect.stringContaining("no entry of a memory has an id"),
    ]);
    expect(session.stored.memories.list()).toMatchObject([{ id, state: "forgotten" }]);
    session.stored.memories.approve(id);
    const again = await talk(session, [recall("lamp")]);
    expect(again.results).toMatchObject([{ entries: [{ id }] }]);
  });

  test("a rewind brings no forgotten entry back in the place of a newer one", async () => {
    const session = newSession();
    const { results } = await talk(session, [store("at Hell")]);
    const { id } = results[0] as { readonly id: string };
    const { run } = await talk(session, [{ tool: "notes.forget", input: { id } }]);
    await talk(session, [store("at Aurora")]);
    await run.rewind(0);
    const { results: found } = await talk(session, [recall("lamp")]);
    expect(found).toMatchObject([{ entries: [{ value: { text: "at Aurora" } }] }]);
    expect(session.stored.memories.list({ state: "superseded" })).toMatchObject([{ id }]);
  });

  test("a rewind takes back what the calls behind it stored and forgot", async () => {
    const session = newSession();
    const first = await talk(session, [store("at Hell")]);
    const { id } = first.results[0] as { readonly id: string };
    const { run } = await talk(session, [
      { tool: "notes.forget", input: { id } },
      store("a red one", "door"),
    ]);
    expect(session.stored.memories.list({ state: "kept" })).toMatchObject([{ key: '"door"' }]);
    await run.rewind(0);
    expect(session.stored.memories.list()).toMatchObject([{ id, state: "kept" }]);
  });

  test("what it stores of another type is refused, and it is told why", async () => {
    const session = newSession();
    const { results } = await talk(session, [
      { tool: "notes.store", input: { value: { topic: 1 } } },
    ]);
    expect(results[0]).toContain("do not fit");
    expect(session.stored.memories.list()).toEqual([]);
  });

  test("with `review: true` a person looks first", async () => {
    const session = newSession();
    const program = PROGRAM.replace("by topic", "by topic { review: true }");
    const { results } = await talk(session, [store("at Hell"), recall("lamp")], { program });
    expect(results).toEqual([{ id: expect.any(String), state: "proposed" }, { entries: [] }]);
  });

  test.each([
    ["a user", "notes user: Note"],
    ["a thread", "notes thread: Note"],
    ["an agent", "notes agent: Note"],
  ])("of %s reaches no entry of another user: not by words, not by an id", async (_, declared) => {
    const session = newSession();
    const program = PROGRAM.replace("notes: Note", declared);
    const ann = { program, user: "ann", thread: "t" };
    const { results } = await talk(session, [store("at Hell")], ann);
    const { id } = results[0] as { readonly id: string };
    const bob = await talk(session, [recall("lamp"), { tool: "notes.forget", input: { id } }], {
      ...ann,
      user: "bob",
    });
    expect(bob.results).toEqual([
      { entries: [] },
      expect.stringContaining("no entry of a memory has an id"),
    ]);
    expect(session.stored.memories.list({ user: "ann" })).toMatchObject([{ id, state: "kept" }]);
  });

  test("a tool node calls them without a model", async () => {
    const session = newSession();
    const { Keep } = session.compile(`memory notes: string
graph Keep(text: string) returns kept, found {
  state { kept: Json = null found: Json = null }
  tool keep = notes.store(value: text) writes kept
  tool find = notes.recall(query: text, top: 3) writes found
  start -> keep -> find -> end
}`);
    const output = await Keep?.run({ text: "the lamp is red" }).output;
    expect(output).toMatchObject({ found: { entries: [{ value: "the lamp is red" }] } });
  });

  test("a question is embedded by a call of its own, which stands in the log before the tool's", async () => {
    const session = newSession();
    const program = PROGRAM.replace("by topic", 'by topic { embed: "rules" }');
    const { run, results } = await talk(session, [store("a window"), recall("windwo")], {
      program,
    });
    expect(results[1]).toMatchObject({ entries: [{ value: { text: "a window" } }] });
    const effects = session.store
      .read(run.id)
      .flatMap((one) => (one.kind === "intent" ? [`${one.effect} ${one.name}`] : []));
    expect(effects).toEqual([
      "model scripted",
      "tool notes.store",
      "model scripted",
      "model rules",
      "tool notes.recall",
      "model scripted",
    ]);
  });
});

test.each([
  ["notes.recal", "M4914", "did you mean `notes.recall`?"],
  ["notes", "M4914", "it has `notes.recall`"],
])("`tools %s` is %s", (tool, code, hint) => {
  const { diagnostics } = check({ file: "a.madrigal", text: PROGRAM.replace("notes.*", tool) });
  expect(diagnostics).toMatchObject([{ code }]);
  expect(diagnostics[0]?.hint).toContain(hint);
});

test("what stores touches the workspace", () => {
  const bound = (tools: string) =>
    check({
      file: "a.madrigal",
      text: PROGRAM.replace("notes.*;", `${tools}; effects none;`),
    }).diagnostics.map(({ code }) => code);
  expect(bound("notes.recall")).toEqual([]);
  expect(bound("notes.store")).toEqual(["M4105"]);
  expect(bound("notes.*")).toEqual(["M4105"]);
});
