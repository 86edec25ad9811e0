/** Memories with an embedding model: entries found by their meaning, by model calls that are in the log and made once. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { expect, onTestFinished, test, vi } from "vitest";
import { Session } from "../../../runtime/index.ts";
import { newSession, runWith } from "../scoped-run.ts";

const program = (settings: string, more = "") => `model e = "openai/text-embedding-3-small"
memory notes: string ${settings}
graph Note(text: string, about: string) returns seen {
  state { seen: string[] = [] }
  run keep = same(notes) writes seen { recall notes top 2 by about; store text into notes ${more} }
  start -> keep
}`;
const EMBEDDED = program("{ embed: e }");
const scope = { same: (values: unknown) => values };

/** A scripted embedding model: words of one meaning have one number. */
function meanings(asked: string[] = []): EmbeddingModelV4 {
  const ALIKE = [/car|automobile|vehicle/, /red|crimson|colour/, /tea|drink/, /sleep|night/];
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "meanings",
    maxEmbeddingsPerCall: 2,
    supportsParallelCalls: true,
    doEmbed: async ({ values }) => {
      asked.push(...values);
      return {
        embeddings: values.map((text) => ALIKE.map((words) => (words.test(text) ? 1 : 0))),
        usage: { tokens: values.length },
        warnings: [],
      };
    },
  };
}

function noting(
  session: Session,
  input: { text: string; about: string },
  {
    text = EMBEDDED,
    models = { e: meanings() },
    ...options
  }: { text?: string; models?: object } & object = {},
) {
  return runWith(text, scope, { input, session, models, ...options } as never);
}

test("an entry is found that shares no word with what is asked, and comes before one that shares a common word", async () => {
  const session = newSession();
  for (const text of ["My automobile is crimson.", "Ann asks for tea.", "The what is a word."])
    await noting(session, { text, about: "" }).run.output;
  const { seen } = await noting(session, { text: "x", about: "what colour has the car" }).run
    .output;
  expect(seen).toEqual(["My automobile is crimson.", "The what is a word."]);
});

test("without an embedding model nothing is embedded, and words alone count", async () => {
  const session = newSession();
  const text = program("");
  await noting(session, { text: "My automobile is crimson.", about: "" }, { text, models: {} }).run
    .output;
  const { run, records } = noting(
    session,
    { text: "x", about: "the colour of the car" },
    { text, models: {} },
  );
  expect((await run.output).seen).toEqual([]);
  expect(records().filter((one) => one.kind === "intent" && one.effect === "model")).toEqual([]);
});

test("a query and the entries without a vector are one model call: in the log without the texts of entries, and counted", async () => {
  const session = newSession();
  const asked: string[] = [];
  const models = { e: meanings(asked) };
  await noting(session, { text: "My automobile is crimson.", about: "" }, { models }).run.output;
  await noting(session, { text: "Ann drinks tea.", about: "" }, { models }).run.output;
  expect(asked).toEqual([]);
  const { run, records } = noting(session, { text: "x", about: "the car" }, { models });
  await run.output;
  expect(asked).toEqual(["the car", "Ann drinks tea.", "My automobile is crimson."]);
  const made = records().flatMap((one) =>
    one.kind === "intent" && one.effect === "model" ? [one] : [],
  );
  expect(made).toMatchObject([
    {
      name: "scripted/meanings",
      request: { purpose: "embedding", entries: [expect.any(String), expect.any(String)] },
    },
  ]);
  expect(JSON.stringify(made)).not.toContain("tea");
  expect(run.usage).toMatchObject({ inputTokens: 3, modelCalls: 0 });
  asked.length = 0;
  await noting(session, { text: "y", about: "the tea" }, { models }).run.output;
  expect(asked).toEqual(["the tea", "x"]);
});

test("a run again is served what was recalled, and embeds nothing", async () => {
  const session = newSession();
  const asked: string[] = [];
  const models = { e: meanings(asked) };
  await noting(session, { text: "My automobile is crimson.", about: "" }, { models }).run.output;
  const { run, ir } = noting(session, { text: "x", about: "the car" }, { models });
  await run.output;
  asked.length = 0;
  const plan = await session.graph(ir, { scope }).rerun(run, { models } as never);
  expect((await plan.run().output).seen).toEqual(["My automobile is crimson."]);
  expect(asked).toEqual([]);
});

test("a memory whose model is not configured or answers nonsense is searched by words, and no run fails", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  onTestFinished(() => warned.mockRestore());
  const session = newSession();
  const answering = (embeddings: number[][]) => ({
    e: { ...meanings(), doEmbed: async () => ({ embeddings, warnings: [] }) },
  });
  await noting(session, { text: "My automobile is crimson.", about: "" }).run.output;
  const wrong = [
    [],
    [[]],
    [[Number.NaN, 1]],
    [[1, 2], [3]],
    [
      [0, 0],
      [0, 0],
      [0, 0],
    ],
  ];
  for (const models of [{}, ...wrong.map(answering)]) {
    const { run } = noting(
      session,
      { text: "My automobile is crimson.", about: "automobile" },
      { models },
    );
    expect((await run.output).seen).toEqual(["My automobile is crimson."]);
  }
  expect(warned).toHaveBeenCalledTimes(1);
});

test("texts and requests stay within what servers of embeddings take", async () => {
  const session = newSession();
  const asked: string[] = [];
  const long = "绿茶".repeat(4_000);
  const lines = Array.from({ length: 40 }, (_, at) => {
    const source = { runId: "a", seq: at, place: 0, node: "keep" };
    return JSON.stringify({
      ...{ memory: "notes", scope: "user", owner: "", at, source },
      value: `${at} ${long}`,
    });
  });
  session.stored.memories.import(lines.join("\n"));
  const input = { text: "tea", about: long };
  await noting(session, input, { models: { e: meanings(asked) } }).run.output;
  const bytes = asked.map((text) => Buffer.byteLength(text));
  expect(Math.max(...bytes)).toBeLessThanOrEqual(8_000);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(260_000);
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.join("")).not.toContain("\ufffd");
});

test("`rules` finds misspelt words without any server", async () => {
  const session = newSession();
  const text = program('{ embed: "rules", min: 0.15 }');
  for (const note of ["We receive invoices on Monday.", "The sea is blue."])
    await noting(session, { text: note, about: "" }, { text, models: {} }).run.output;
  const { seen } = await noting(
    session,
    { text: "x", about: "recieve invoces" },
    { text, models: {} },
  ).run.output;
  expect(seen).toEqual(["We receive invoices on Monday."]);
});

test("a limit of turns counts no embedding", async () => {
  const session = newSession();
  const text = `memory notes: string { embed: "rules" }
model m = "rules"
graph Ask(q: string) returns answer {
  state { answer: string = "" }
  agent reply { model m; recall notes by q; prompt \`\${q} \${notes}\`; writes answer; limit 1 turns }
  start -> reply -> end
}`;
  const { run } = runWith(text, {}, { input: { q: "what is blue" }, session });
  await run.output;
  expect(run.status).toBe("succeeded");
  expect(run.usage.modelCalls).toBe(1);
});

test("two memories of one node are embedded at once, and a resumed attempt has each of them", async () => {
  const session = newSession();
  const text = `memory cars: string { embed: e }
memory teas: string { embed: e }
model e = "openai/text-embedding-3-small"
graph Note(q: string) returns seen {
  state { seen: Json = null }
  run keep = both(cars, teas) writes seen { recall cars by q; recall teas by q; store "a vehicle" into cars; store "a drink" into teas }
  start -> keep
}`;
  const both = (one: unknown, other: unknown) => [one, other];
  const ask = () =>
    runWith(
      text,
      { both },
      { input: { q: "car and tea" }, session, models: { e: meanings() } as never },
    );
  await ask().run.output;
  expect((await ask().run.output).seen).toEqual([["a vehicle"], ["a drink"]]);
});

test("a server of embeddings is asked as its provider says", async () => {
  const bodies: { model: string; input: string[] }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    bodies.push(JSON.parse(body));
    const { input } = bodies.at(-1) ?? { input: [] };
    const data = input.map((text, index) => ({
      object: "embedding",
      index,
      embedding: [text.includes("car") ? 1 : 0, 1],
    }));
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        object: "list",
        data,
        model: "small",
        usage: { prompt_tokens: 3, total_tokens: 3 },
      }),
    );
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((ready) => server.once("listening", ready));
  const { port } = server.address() as AddressInfo;
  const env = { OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1` };
  const session = new Session({ store: "memory", env });
  onTestFinished(() => session.close());
  const text = program('{ embed: "openai-compatible/small" }');
  await noting(session, { text: "a car", about: "" }, { text, models: {} }).run.output;
  const { run } = noting(session, { text: "x", about: "car" }, { text, models: {} });
  expect((await run.output).seen).toEqual(["a car"]);
  expect(bodies).toMatchObject([{ model: "small", input: ["car", "a car"] }]);
});

test("a search finds what another process has embedded since the one before, and not what it has deleted", () => {
  const cwd = mkdtempSync(join(tmpdir(), "madrigal-memories-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const open = () => newSession({ cwd, store: "disk", env: {} }).store.memories;
  const [mine, theirs] = [open(), open()];
  const of = { memory: "notes", scope: "user", owner: "ann" } as const;
  const vector = { model: "m", values: Float32Array.of(1, 0, 0, 0) };
  const put = (memories: typeof mine, value: string, seq: number) => {
    const source = { runId: "r", seq, place: 0, node: "n" };
    const { id } = memories.add({ ...of, value, at: 1, source });
    memories.embed("m", [{ id, values: vector.values }]);
    return id;
  };
  const found = () =>
    mine.recall({ ...of, text: "zzz", top: 5, now: 2, vector }).map(({ value }) => value);
  put(mine, "first", 1);
  expect(found()).toEqual(["first"]);
  const id = put(theirs, "second", 2);
  expect(found().toSorted()).toEqual(["first", "second"]);
  theirs.forget([id]);
  expect(found()).toEqual(["first"]);
  put(mine, "third", 3);
  expect(found().toSorted()).toEqual(["first", "third"]);
});
