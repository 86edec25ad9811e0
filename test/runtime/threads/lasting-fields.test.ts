/** Fields that outlive their run, and those of one agent alone. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Run, Session, shortRunId } from "../../../runtime/index.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { shownState } from "../../../runtime/scheduler/lookup.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { report } from "../../dsl/report.ts";
import { ofKind } from "../../support/run-graph.ts";
import { newSession, runWith as runScoped } from "../scoped-run.ts";

/** All runs here are of one user, unless they say another. */
const runWith: typeof runScoped = (text, scope, options) =>
  runScoped(text, scope, { user: "me", ...options });

const chat = `graph Chat(question: string) returns answer, asked, facts {
  state { answer: string }
  state thread { asked: string[] = [] via append
    turns: int = 0 }
  state user { facts: string[] = [] via union }
  run reply = answer(question, asked, facts) writes answer, facts { set asked = [question], turns = turns + 1 }
  start -> reply
}`;

const answer = (question: string, asked: readonly string[], facts: readonly string[]) => ({
  answer: `${question} after ${asked.join(",")} knowing ${facts.join(",")}`,
  facts: [`asked ${question}`],
});

function diskSession(at: string): Session {
  const session = new Session({ cwd: at, env: { MADRIGAL_HOME: at } });
  onTestFinished(() => session.close());
  return session;
}

function folder(): string {
  const at = mkdtempSync(join(tmpdir(), "madrigal-kept-"));
  onTestFinished(() => rmSync(at, { recursive: true, force: true }));
  return at;
}

const places: [string, () => () => Session][] = [
  [
    "memory",
    () => {
      const session = newSession();
      return () => session;
    },
  ],
  [
    "disk, each run in a session of its own",
    () => {
      const at = folder();
      return () => diskSession(at);
    },
  ],
];

test.each(places)(
  "M51 E30 a follow-up on the thread sees what the runs before it left: %s",
  async (_, place) => {
    const session = place();
    const ask = async (question: string, thread: string) => {
      const { run } = runWith(
        chat,
        { answer },
        { session: session(), thread, input: { question } },
      );
      return (await run.output) as { answer: string };
    };
    expect((await ask("one", "t")).answer).toBe("one after  knowing ");
    expect((await ask("two", "t")).answer).toBe("two after one knowing asked one");
    expect((await ask("three", "u")).answer).toBe("three after  knowing asked one,asked two");
    expect((await ask("four", "t")).answer).toBe(
      "four after one,two knowing asked one,asked two,asked three",
    );
  },
);

test("E22 a run's own fields begin anew each time, and one user's facts are not another's", async () => {
  const session = newSession();
  const ask = (user: string) =>
    runWith(chat, { answer }, { session, user, thread: "t", input: { question: user } });
  const first = ask("ann");
  await first.run.output;
  const second = ask("bob");
  expect(await second.run.output).toEqual({
    answer: "bob after ann knowing ",
    asked: ["ann", "bob"],
    facts: ["asked bob"],
  });
  expect(ofKind(second.records(), "run")[0]).toMatchObject({
    kept: { asked: ["ann"], turns: 1 },
    state: { asked: ["ann"], turns: 1, facts: [] },
  });
});

test("the log has what was kept: folding and replaying it need no store", async () => {
  const session = newSession();
  await runWith(chat, { answer }, { session, thread: "t", input: { question: "one" } }).run.output;
  const { run, records, ir } = runWith(
    chat,
    { answer },
    { session, thread: "t", input: { question: "two" } },
  );
  await run.output;
  const program = link(ir);
  expect(shownState(program, foldLog(program, records()))).toEqual(run.state);
  expect(run.replay()).toMatchObject({ ok: true, state: { turns: 2 } });
});

test("one run a thread: another says which one holds it, until that one is over", async () => {
  const session = newSession();
  const wait = Promise.withResolvers<void>();
  const slow = async (...args: Parameters<typeof answer>) => {
    await wait.promise;
    return answer(...args);
  };
  const first = runWith(
    chat,
    { answer: slow },
    { session, thread: "t", input: { question: "one" } },
  );
  const next = () =>
    runWith(chat, { answer }, { session, thread: "t", input: { question: "two" } });
  expect(next).toThrow(
    expect.objectContaining({
      code: "M5350",
      message: expect.stringContaining(first.run.id.slice(-8)),
    }),
  );
  wait.resolve();
  await first.run.output;
  expect(await next().run.output).toMatchObject({ asked: ["one", "two"] });
});

test("a run that failed does not go on over what its thread has become since", async () => {
  const session = newSession();
  const fails = () => {
    throw new Error("no");
  };
  const first = runWith(
    chat,
    { answer: fails },
    { session, thread: "t", input: { question: "one" } },
  );
  await first.run.output.catch(() => {});
  await runWith(chat, { answer }, { session, thread: "t", input: { question: "two" } }).run.output;
  const again = session.open(first.run.id, { scope: { answer } });
  await expect(again.resume()).rejects.toMatchObject({ code: "M5352" });
});

test("a value of another type is told, not taken", async () => {
  const session = newSession();
  const graph = (type: string, value: string) =>
    `graph G() returns kept { state thread { kept: ${type} = ${value} }\nrun x = give() writes kept\nstart -> x }`;
  await runWith(graph("string", '""'), { give: () => "b" }, { session, thread: "t" }).run.output;
  expect(() => runWith(graph("int", "0"), { give: () => 1 }, { session, thread: "t" })).toThrow(
    expect.objectContaining({ code: "M5351" }),
  );
});

test("runs of one user side by side lose nothing: each write is applied to what is stored", async () => {
  const session = newSession();
  const ask = (question: string) =>
    runWith(chat, { answer }, { session, input: { question } }).run.output;
  await Promise.all(["a", "b", "c"].map(ask));
  expect(session.store.kept({ scope: "user", owner: "me" })[0]?.value).toHaveLength(3);
});

test("a user's field needs a reducer that merges", () => {
  const text =
    'graph G() returns a { state user { a: string = "" }\nrun x = f() writes a\nstart -> x }';
  expect(report(text, {})).toMatchInlineSnapshot(
    `"M3301 2:20 two runs of a user can replace \`a\` at the same time (say how writes merge: \`via append\`, \`union\`, \`merge\`, \`sum\`, \`max\` or \`min\`)"`,
  );
});

test("what a person edits of a user's or a thread's field is there in the next run", async () => {
  const session = newSession();
  const first = chatOnce(session, "q1", async (run) => {
    await run.edit({ facts: ["told by hand"], asked: ["before"] });
  });
  await first.output;
  expect(first.replay()).toMatchObject({ ok: true });
  expect(await chatOnce(session, "q2").output).toMatchObject({
    answer: "q2 after before,q1 knowing told by hand,asked q1",
  });
});

test("a write with a reducer of its own reaches the store by that one", async () => {
  const session = newSession();
  const text = `graph Notes(note: string) returns notes {
    state user { notes: string[] = [] via append }
    run keep = keep(note) writes notes via union
    start -> keep -> end
  }`;
  const once = (note: string) =>
    runWith(text, { keep: (said: string) => [said] }, { session, input: { note } }).run.output;
  await once("a");
  await once("a");
  expect(await once("b")).toEqual({ notes: ["a", "b"] });
});

function chatOnce(session: Session, question: string, meanwhile?: (run: Run) => Promise<void>) {
  const scope = {
    answer: async (...args: Parameters<typeof answer>) => {
      await meanwhile?.(run);
      return answer(...args);
    },
  };
  const { run }: { readonly run: Run } = runWith(chat, scope, {
    session,
    thread: "edited",
    input: { question },
  });
  return run;
}

const P = (name: string, type: string, value: string) => `graph ${name}(text: Json) returns known {
  state user { known: ${type} = ${value} via ${value === "[]" ? "append" : "sum"} }
  run say = echo(text) writes known
  start -> say
}`;
const echo = (text: unknown) => text;

test("a run without a user has no fields of a user: it is told to say whose", () => {
  const text = P("P", "string[]", "[]");
  expect(() => runScoped(text, { echo }, { input: { text: "I am Ann" } })).toThrow(
    expect.objectContaining({
      code: "M5359",
      message: "`P` keeps fields of a user (`known`), and the run has no user",
      hint: 'say whose they are: `--user ID`, or `run(input, { user: "ID" })`',
    }),
  );
});

test("graphs share a user's field of one type; where the types differ each has its own", async () => {
  const session = newSession();
  const ask = async (text: string, said: unknown) =>
    await runWith(text, { echo }, { session, input: { text: said } }).run.output;
  expect(await ask(P("A", "string[]", "[]"), "one")).toEqual({ known: ["one"] });
  expect(await ask(P("B", "int", "0"), 2)).toEqual({ known: 2 });
  expect(await ask(P("C", "string[]", "[]"), "three")).toEqual({ known: ["one", "three"] });
  expect(await ask(P("D", "Json[]", "[]"), 4)).toEqual({ known: [4] });
  expect(await ask(P("B", "int", "0"), 2)).toEqual({ known: 4 });
  expect(session.stored.users.show("me").values).toEqual({
    "A.known": ["one", "three"],
    "B.known": 4,
    "D.known": [4],
  });
});

test("a graph whose own field is of another type by now says which run wrote it, and what mends it", async () => {
  const session = newSession();
  const ask = (text: string, said: unknown) =>
    runWith(text, { echo }, { session, input: { text: said } }).run;
  const first = ask(P("A", "string[]", "[]"), "one");
  await first.output;
  const { message, hint } = errorOf(() => ask(P("A", "int[]", "[]"), 2));
  expect(message).toBe(
    `what is kept of \`known\` for user \`me\` does not fit the field: at \`[0]\`: expected an integer, found the string "one"; run \`${shortRunId(first.id)}\` wrote it, at \`say\``,
  );
  expect(hint).toContain("madrigal threads reset --user me known");
  const graph = session.compile(P("A", "int[]", "[]")).A;
  if (graph === undefined) throw new Error("no graph");
  expect(() => session.stored.users.edit("me", { known: ["x"] }, { graph })).toThrow(
    expect.objectContaining({ code: "M5358" }),
  );
  session.stored.users.edit("me", { known: [1] }, { graph });
  expect(await ask(P("A", "int[]", "[]"), 2).output).toEqual({ known: [1, 2] });
});

function errorOf(work: () => unknown): { readonly message: string; readonly hint?: string } {
  try {
    work();
  } catch (thrown) {
    return thrown as Error;
  }
  throw new Error("it went well");
}

const talking = (type: string) => `graph Talk(text: Json) returns talk {
  state thread { talk: ${type}[] = [] via append }
  run say = echo(text) writes talk
  start -> say
}`;

test("a thread that an earlier program left something else goes on once somebody has reset, edited or migrated it", async () => {
  const session = newSession();
  const ask = (type: string, said: unknown, thread: string) =>
    runWith(talking(type), { echo }, { session, thread, input: { text: said } }).run;
  const first = ask("string", "hello", "t");
  await first.output;
  const mended = "type Line = { who: string }\n";
  const now = (said: unknown) =>
    runWith(mended + talking("Line"), { echo }, { session, thread: "t", input: { text: said } })
      .run;
  const { message } = errorOf(() => now({ who: "me" }));
  expect(message).toBe(
    `what is kept of \`talk\` for thread \`t\` does not fit the field: at \`[0]\`: expected an object, found the string "hello"; run \`${shortRunId(first.id)}\` wrote it, at \`say\``,
  );
  const graph = session.compile(mended + talking("Line")).Talk;
  if (graph === undefined) throw new Error("no graph");
  const { threads } = session.stored;
  await expect(threads.migrate("t", ({ talk }) => ({ talk }), { graph })).rejects.toMatchObject({
    code: "M5358",
    message:
      'the value of `talk` does not fit: at `[0]`: expected an object, found the string "hello"',
  });
  const migrate = ({ talk }: { readonly talk?: unknown }) => ({
    talk: (talk as string[]).map((who) => ({ who })),
  });
  expect((await threads.migrate("t", migrate, { graph })).values).toEqual({
    talk: [{ who: "hello" }],
  });
  expect(await now({ who: "me" }).output).toEqual({ talk: [{ who: "hello" }, { who: "me" }] });
  expect(threads.reset("t", ["talk"]).values).toEqual({});
  expect(await now({ who: "me" }).output).toEqual({ talk: [{ who: "me" }] });
});

test("what a thread keeps is not changed while a run of it is under way, nor what nobody keeps", async () => {
  const session = newSession();
  const wait = Promise.withResolvers<void>();
  const slow = async (text: unknown) => {
    await wait.promise;
    return text;
  };
  const { threads } = session.stored;
  await runWith(talking("string"), { echo }, { session, thread: "t", input: { text: "a" } }).run
    .output;
  const { run } = runWith(
    talking("string"),
    { echo: slow },
    { session, thread: "t", input: { text: "b" } },
  );
  expect(() => threads.edit("t", { talk: [] })).toThrow(
    expect.objectContaining({
      code: "M5350",
      message: expect.stringContaining(shortRunId(run.id)),
    }),
  );
  wait.resolve();
  await run.output;
  expect(threads.edit("t", { talk: ["c"] }).fields).toMatchObject([{ name: "talk", value: ["c"] }]);
  expect(() => threads.reset("t", ["tale"])).toThrow(
    expect.objectContaining({ code: "M5358", hint: "did you mean `talk`?" }),
  );
  expect(() => threads.show("x")).toThrow(
    expect.objectContaining({ code: "M5358", message: "thread `x` keeps nothing" }),
  );
  await expect(
    threads.migrate("t", () => {
      threads.edit("t", { talk: ["meanwhile"] });
      return { talk: [] };
    }),
  ).rejects.toMatchObject({ code: "M5358" });
  expect(threads.list().map(({ owner, values }) => [owner, values])).toEqual([
    ["t", { talk: ["meanwhile"] }],
  ]);
});
