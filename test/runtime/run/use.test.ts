import { afterEach, expect, onTestFinished, test } from "vitest";
import { Session, scripted, tool } from "../../../runtime/index.ts";
import { openAiServer } from "../../support/openai-server.ts";
import { drive, gate } from "../driven-run.ts";

const text = `model m = "scripted"
graph G() returns notes {
  state { notes: string[] = [] via append }
  agent write { model m; prompt \`Write.\`; writes notes; history none }
  start -> write -> { notes.length > 1 -> end, else -> write max 3 }
}`;

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

function graph() {
  const session = new Session({ store: "memory", env: {} });
  sessions.push(session);
  const search = tool(() => "seen", { effect: "none" });
  const { G } = session.compile(text, { scope: { search } });
  if (G === undefined) throw new Error("no G");
  return G;
}

test("a node uses another model, tools and prompt from its next attempt on, and the log says so", async () => {
  const first = scripted({ write: ["a"] });
  const second = scripted({
    write: [
      { calls: [{ tool: "search" }], when: "Again." },
      { says: "b", when: "Again." },
    ],
  });
  const run = graph().debug({}, { models: { m: first } });
  await run.step();
  await run.use("write", { model: second, tools: ["search"], prompt: "Again." });
  await run.continue();
  expect(await run.output).toEqual({ notes: ["a", "b"] });
  const kinds: string[] = [];
  run.events$.subscribe((event) => {
    if (event.kind === "node.used") kinds.push(`${event.node} ${event.tools} ${event.prompt}`);
    if (event.kind === "tool.call") kinds.push(event.tool);
  });
  expect(kinds).toEqual(["write search Again.", "search"]);
  expect(run.replay()).toMatchObject({ ok: true });
});

test("a run whose model failed goes on with another one", async () => {
  const run = graph().run({}, { models: { m: scripted({ write: [{ fails: "down" }] }) } });
  await expect(run.output).rejects.toMatchObject({ code: "M8110" });
  await run.use("write", { model: scripted({ write: ["a", "b"] }) });
  await run.resume();
  expect(await run.output).toEqual({ notes: ["a", "b"] });
});

test("an attempt that goes on keeps what it had; what is said again replaces that alone", async () => {
  const seen: unknown[] = [];
  const wait = gate(["a"]);
  const { run } = drive(text, {
    goal: "end",
    does: async ({ node, prompt, label }, { signal }) => {
      seen.push([label, node.model, prompt]);
      return label === "write#1" && seen.length === 1 ? await wait.pass(signal) : [label];
    },
  });
  await wait.entered;
  await run.use("write", { model: "rules" });
  await run.use("write", { prompt: "Again." });
  await run.pause({ now: true });
  await run.resume();
  expect(await run.output).toEqual({ notes: ["write#1", "write#2"] });
  const own = expect.objectContaining({ kind: "name", name: "m" });
  const other = { kind: "literal", value: "rules" };
  expect(seen).toEqual([
    ["write#1", own, "Write."],
    ["write#1", own, "Write."],
    ["write#2", other, "Again."],
  ]);
});

test.each([
  ["writ", {}, "M5361", "did you mean `write`?"],
  ["write", { tools: ["serch"] }, "M8201", "search"],
  ["write", { model: "nobody/none" }, "M8103", ""],
] as const)("use(%s, %j) is refused", async (node, change, code, hint) => {
  const run = graph().debug({}, { models: { m: scripted({ write: ["a", "b"] }) } });
  const error = await run.use(node, change).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code });
  expect(String((error as { hint?: string }).hint)).toContain(hint);
  await run.abort();
});

test("a run that has succeeded needs no other model", async () => {
  const run = graph().run({}, { models: { m: scripted({ write: ["a", "b"] }) } });
  await run.output;
  await expect(run.use("write", { prompt: "x" })).rejects.toMatchObject({ code: "M5361" });
});

test("M124 one agent's model is swapped during a run: scripted before, a server on loopback after", async () => {
  const server = await openAiServer([{ text: "from the server" }]);
  onTestFinished(() => server.close());
  const env = { OPENAI_COMPATIBLE_BASE_URL: server.url };
  const session = new Session({ store: "memory", env });
  sessions.push(session);
  const { G } = session.compile(text);
  if (G === undefined) throw new Error("no G");
  const run = G.debug({}, { models: { m: scripted({ write: ["scripted"] }) } });
  await run.step();
  await run.use("write", { model: "openai-compatible/small" });
  await run.continue();
  expect((await run.output).notes).toEqual(["scripted", "from the server"]);
  const models: string[] = [];
  run.events$.subscribe((event) => {
    if (event.kind === "model.response") models.push(`${event.model} ${event.modelSource}`);
    if (event.kind === "node.used") models.push(`use ${event.model}`);
  });
  expect(models).toEqual([
    "scripted scripted",
    "use openai-compatible/small",
    "openai-compatible/small live",
  ]);
  expect(run.replay()).toMatchObject({ ok: true });
});
