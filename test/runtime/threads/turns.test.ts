/** Turns of a conversation: forks of earlier ones, and branches of the thread that begin behind one of them. */
import { expect, onTestFinished, test } from "vitest";
import { type DrivenRun, Session, shortRunId } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";

const TEXT = `graph Chat(text: string) returns talk, count {
  state thread {
    talk: string[] = [] via append
    count: int = 0
    title: string = ""
  }
  run say = echo(text) writes talk { set count = count + 1 }
  run name = titled(text, title) writes title
  start -> { text.length > 9 -> name, else -> say }
  name -> say
}`;

const scope = {
  echo: (text: string) => text,
  titled: (text: string, title: string) => title + text,
};

interface Chat {
  readonly session: Session;
  say(text: string, options?: { readonly from?: string | DrivenRun }): Promise<DrivenRun>;
}

/** A conversation on a disk, each turn of which another process may have held. */
function chat(home = temporaryFolder()): Chat {
  const session = new Session({ cwd: home, env: {}, name: "turns" });
  onTestFinished(() => session.close());
  const { Chat: graph } = session.compile(TEXT, { scope });
  return {
    session,
    say: async (text, { from } = {}) => {
      const options = from === undefined ? { thread: "t" } : { from };
      const run = graph?.run({ text }, options) as unknown as DrivenRun;
      await run.output;
      return run;
    },
  };
}

async function threeTurns(home = temporaryFolder()) {
  const { session, say } = chat(home);
  const [one, two, three] = [await say("one"), await say("two"), await say("three")];
  return { session, say, one, two, three };
}

test("an earlier turn is forked whether it is at hand or opened from the store: the fork gets a thread of its own", async () => {
  const { session, one, two } = await threeTurns();
  for (const run of [one, session.open(one.id)]) {
    const fork = run.fork(1, { talk: ["edited"] });
    expect(await fork.output).toEqual({ talk: ["edited"], count: 1 });
    expect(fork.thread).toMatch(/^t~/);
  }
  const fork = session.open(two.id).fork(0);
  expect(await fork.output).toEqual({ talk: ["one", "two"], count: 2 });
  expect(session.open("last").id).toBe(fork.id);
});

test("a thread that a fork got goes on with all that the fork has, also what it did not write itself", async () => {
  const { session, one, say } = await threeTurns();
  await say("a title of some length", { from: one });
  const [titled] = session.list({ limit: 1 });
  const fork = session.open(titled?.runId ?? "").fork(2);
  await fork.output;
  const { Chat: graph } = session.compile(TEXT, { scope });
  const next = graph?.run({ text: "next" }, { thread: fork.thread });
  expect(await next?.output).toMatchObject({ count: 3 });
  expect(next?.state).toMatchObject({ title: "a title of some length" });
});

test("a turn goes on from an earlier one within the thread; later turns go on from that branch, and the other one stays", async () => {
  const home = temporaryFolder();
  const { one, three, say } = await threeTurns(home);
  await say("a title of some length");
  const branch = await say("zwei", { from: one.id.slice(0, 36) });
  expect([branch.thread, await branch.output]).toEqual(["t", { talk: ["one", "zwei"], count: 2 }]);
  const other = chat(home);
  const later = await other.say("drei");
  expect(later.state).toMatchObject({ talk: ["one", "zwei", "drei"], count: 3, title: "" });
  const back = await other.say("four", { from: three });
  expect(back.state).toMatchObject({ talk: ["one", "two", "three", "four"], count: 4 });
  expect(back.replay()).toMatchObject({ ok: true });
});

test("the tree of a thread has its branches below the turn that they go on from, and forks that got a thread of their own", async () => {
  const { session, one, two, three, say } = await threeTurns();
  const branch = await say("zwei", { from: one });
  const later = await say("drei");
  const fork = session.open(two.id).fork(0);
  await fork.output;
  const { Chat: graph } = session.compile(TEXT, { scope });
  const onFork = graph?.run({ text: "on" }, { thread: fork.thread });
  await onFork?.output;
  const names = { one, two, three, branch, later, fork, onFork };
  const named = (text: string) =>
    Object.entries(names).reduce(
      (said, [name, run]) => said.replaceAll(shortRunId(run?.id ?? ""), name),
      text,
    );
  const tree = session.tree("t");
  expect(named(String(tree))).toMatchInlineSnapshot(`
    "thread t
    one of Chat: succeeded, 1 step
    └─ after one: branch of Chat: succeeded, 1 step
    └─ after branch: later of Chat: succeeded, 1 step
    two of Chat: succeeded, 1 step
    └─ from step 0: fork of Chat: succeeded, 1 step
    └─ after fork: onFork of Chat: succeeded, 1 step
    three of Chat: succeeded, 1 step"
  `);
  for (const run of [one, fork, later]) expect(String(session.tree(run.id))).toBe(String(tree));
});

test("what can't be gone on from is told before there is a run", async () => {
  const { session, one, say } = await threeTurns();
  const { Chat: graph } = session.compile(TEXT, { scope });
  expect(() => graph?.run({ text: "x" }, { thread: "u", from: one })).toThrow(
    expect.objectContaining({ code: "M5357" }),
  );
  await expect(say("x", { from: "nowhere" })).rejects.toMatchObject({ code: "M5107" });
  const held = graph?.debug({ text: "x" }, { thread: "t" });
  await expect(say("x", { from: one })).rejects.toMatchObject({ code: "M5350" });
  await held?.abort();
  expect(session.list({ thread: "t" })).toHaveLength(4);
});
