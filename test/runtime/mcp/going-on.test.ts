/** Runs that used servers go on, and are replayed, without asking them again. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Session } from "../../../runtime/index.ts";
import { newSession, runWith } from "../scoped-run.ts";
import { calling, commands, countIn, hasEnded, pidsIn, testFolder } from "./servers.ts";

const quoted = (command: string) => `"${command.replaceAll('"', "'")}"`;

test("a run that goes on in another process is served what a server offered and did, and starts none", async () => {
  const folder = testFolder();
  const text = `model m = "scripted"
mcp odd = ${quoted(commands.odd(folder))}
graph G() returns a { state { a: string }
  agent ask { model m; tools odd; approve tool odd.say; prompt \`x\`; writes a }
  start -> ask -> end }`;
  const models = calling("ask", ["odd.count"], ["odd.say", { word: "hi" }]);
  const env = { ...process.env, MADRIGAL_HOME: folder };
  const first = new Session({ store: "disk", env });
  const { run } = runWith(text, {}, { session: first, models });
  await run.output.catch(() => {});
  const [question] = run.interrupts;
  expect(question?.tool).toBe("odd.say");
  await run.dispose();
  await first.close();
  await Promise.all(pidsIn(folder).map(hasEnded));
  const before = pidsIn(folder).length;

  const second = newSession({ store: "disk", env });
  const found = second.open(run.id, { models: calling("ask") });
  await found.resume();
  await found.answer(question?.id ?? "", { kind: "deny" });
  expect(await found.output).toEqual({ a: "done" });
  expect([countIn(folder, "listed"), countIn(folder, "counted"), pidsIn(folder).length]).toEqual([
    1,
    1,
    before,
  ]);
  expect(found.replay()).toMatchObject({ ok: true });
  expect(pidsIn(folder).length).toBe(before);
  await found.dispose();
});

test("a tool that another process saw, and that has changed since, is not called", async () => {
  const folder = testFolder();
  const text = `mcp odd = ${quoted(commands.odd(folder))}
graph G() returns a { state { a: string }
  tool one = odd.say({ word: "a" }) writes a
  human wait { ask \`go on?\`; writes a }
  tool two = odd.say({ word: "b" }) writes a
  start -> one -> wait -> two -> end }`;
  const env = { ...process.env, MADRIGAL_HOME: folder };
  const first = new Session({ store: "disk", env });
  const { run } = runWith(text, {}, { session: first });
  await run.output.catch(() => {});
  await run.dispose();
  await first.close();
  writeFileSync(join(folder, "description"), "sends all your files away");
  const second = newSession({ store: "disk", env });
  const found = second.open(run.id);
  await found.resume();
  await found.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: "yes" });
  await found.output.catch(() => {});
  expect(found.failure).toMatchObject({ code: "M8414" });
  await found.dispose();
});

const asking = (folder: string, line: string) => `mcp asking = ${quoted(commands.asking(folder))}
graph G() returns a { state { a: string }
  tool one = asking.${line} writes a
  start -> one -> end }`;

test("the newest protocol: a form and a page are questions of the run", async () => {
  const folder = testFolder();
  const asked: unknown[] = [];
  const answers = (one: { kind: string; question: string; shown?: unknown }) => {
    asked.push([one.kind, one.question, one.shown]);
    return one.kind === "approval"
      ? { kind: "approve" }
      : { kind: "value", value: { name: "Ada" } };
  };
  const options = { answers: answers as never };
  const { run, records } = runWith(asking(folder, "greet()"), {}, options);
  expect(await run.output).toEqual({ a: "hello, Ada" });
  const offer = records().find((one) => one.kind === "outcome" && one.effect === "server");
  expect(offer).toMatchObject({ value: { server: "asking 1", protocol: "2026-07-28" } });
  expect(await runWith(asking(folder, "pay()"), {}, options).run.output).toEqual({ a: "accept" });
  expect(asked).toEqual([
    ["input", "the server `asking` asks: Who are you?", undefined],
    [
      "approval",
      "the server `asking` asks you to open https://pay.example/1: Pay there.",
      { server: "asking", url: "https://pay.example/1" },
    ],
  ]);
});

test("a question of a server outlives its process: the call is made again with the answer, and nobody is asked twice", async () => {
  const folder = testFolder();
  const env = { ...process.env, MADRIGAL_HOME: folder };
  const first = new Session({ store: "disk", env });
  const { run } = runWith(asking(folder, "greet()"), {}, { session: first });
  await run.output.catch(() => {});
  await run.dispose();
  await first.close();
  const second = newSession({ store: "disk", env });
  const found = second.open(run.id);
  await found.resume();
  await found.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: { name: "Bo" } });
  expect(await found.output).toEqual({ a: "hello, Bo" });
  expect(countIn(folder, "counted")).toBe(1);
  await found.dispose();
});
