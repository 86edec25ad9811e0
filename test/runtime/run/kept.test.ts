/** Fields that outlive their run, and those of one agent alone. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Run, Session } from "../../../runtime/index.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { link } from "../../../runtime/scheduler/link.ts";
import { shownState } from "../../../runtime/scheduler/lookup.ts";
import { report } from "../../dsl/report.ts";
import { ofKind } from "../../support/run-graph.ts";
import { newSession, runWith } from "./scoped-run.ts";

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
    expect.objectContaining({ code: "M5350", message: expect.stringContaining(first.run.id) }),
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
