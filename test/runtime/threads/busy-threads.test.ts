/** The next turn of a thread whose run is under way: rejected, queued, in its place, without it, or told to it. */
import { expect, onTestFinished, test } from "vitest";
import { RunError, Session } from "../../../runtime/index.ts";

const CHAT = `graph Chat(text: string) returns talk {
  state thread { talk: string[] = [] via append }
  run hear = heard(text) writes talk
  run reply = said(text) writes talk
  start -> hear -> reply -> end
}`;

/** A chat whose replies wait until they are let go. */
function chat(text = CHAT) {
  const session = new Session({ store: "memory" });
  onTestFinished(() => session.close());
  const waiting = new Map<string, () => void>();
  const asked: string[] = [];
  const watchers = new Map<string, () => void>();
  const scope = {
    heard: (one: string) => `heard ${one}`,
    said: (one: string) =>
      new Promise<string>((resolve) => {
        asked.push(one);
        waiting.set(one, () => resolve(`said ${one}`));
        watchers.get(one)?.();
      }),
  };
  const { Chat } = session.compile(text, { scope });
  if (Chat === undefined) throw new Error("no graph");
  return {
    session,
    Chat,
    asked,
    reply: (one: string) => waiting.get(one)?.(),
    /** Resolves when the reply to a text is under way. */
    isReplying: (one: string) =>
      waiting.has(one)
        ? Promise.resolve()
        : new Promise<void>((resolve) => void watchers.set(one, resolve)),
  };
}

test("queue: turns follow each other in the order of their calls", async () => {
  const { Chat, reply, isReplying, asked } = chat();
  const first = Chat.run({ text: "a" }, { thread: "t" });
  await isReplying("a");
  const second = Chat.turn({ text: "b" }, { thread: "t" });
  const third = Chat.turn({ text: "c" }, { thread: "t" });
  // Another thread waits for nobody.
  const other = await Chat.turn({ text: "x" }, { thread: "u" });
  await isReplying("x");
  reply("x");
  await other.output;
  expect(asked).toEqual(["a", "x"]);
  for (const text of ["a", "b", "c"]) {
    await isReplying(text);
    reply(text);
  }
  expect((await (await third).output).talk).toEqual(
    ["a", "b", "c"].flatMap((text) => [`heard ${text}`, `said ${text}`]),
  );
  expect([first.status, (await second).status]).toEqual(["succeeded", "succeeded"]);
});

test.each([
  ["interrupt", ["heard a", "heard b", "said b"]],
  ["rollback", ["heard b", "said b"]],
] as const)("%s: the run under way ends, and what it wrote stays or goes", async (busy, talk) => {
  const { Chat, reply, isReplying } = chat();
  const first = Chat.run({ text: "a" }, { thread: "t" });
  await isReplying("a");
  const second = await Chat.turn({ text: "b" }, { thread: "t", busy });
  await isReplying("b");
  reply("b");
  expect((await second.output).talk).toEqual(talk);
  expect([first.status, first.reason]).toEqual(["aborted", "the next turn of its thread began"]);
});

test("merge: the run under way hears the texts, and is the result", async () => {
  const { Chat, reply, isReplying } = chat();
  const first = Chat.run({ text: "a" }, { thread: "t" });
  await isReplying("a");
  const same = await Chat.turn({ text: "shorter, please" }, { thread: "t", busy: "merge" });
  expect(same.id).toBe(first.id);
  const steered: unknown[] = [];
  first.events$.subscribe((event) => {
    if (event.kind === "run.steered") steered.push(event.message.payload);
  });
  expect(steered).toEqual(["shorter, please"]);
  reply("a");
  await first.output;
});

test("reject, a paused run and a call that is given up end with an error", async () => {
  const { Chat, isReplying } = chat();
  const first = Chat.run({ text: "a" }, { thread: "t" });
  await isReplying("a");
  const busy = { code: "M5350" };
  await expect(Chat.turn({ text: "b" }, { thread: "t", busy: "reject" })).rejects.toMatchObject(
    busy,
  );
  const given = new AbortController();
  const left = Chat.turn({ text: "b" }, { thread: "t", signal: given.signal });
  given.abort(new RunError("M5350", "given up"));
  await expect(left).rejects.toThrow("given up");
  const queued = Chat.turn({ text: "c" }, { thread: "t" });
  queued.catch(() => {});
  await first.pause({ now: true });
  await expect(queued).rejects.toMatchObject(busy);
});

test("a queued turn waits for the answer to a question of the one before", async () => {
  const ASKING = CHAT.replace(
    "run reply = said(text) writes talk",
    "human reply { ask `Well?`; writes talk = [result] }",
  );
  const { Chat } = chat(ASKING);
  const first = Chat.run({ text: "a" }, { thread: "t" });
  await first.settled();
  const queued = Chat.turn({ text: "b" }, { thread: "t", answers: { reply: "fine" } });
  await first.answer("reply-1", { kind: "value", value: "good" });
  expect((await (await queued).output).talk).toEqual(["heard a", "good", "heard b", "fine"]);
});
