/** A picture of the state in a prompt: its bytes reach a model that sees, a note one that does not, and the log its hash. */
import { afterEach, expect, test } from "vitest";
import { type FunctionContext, Session } from "../../../../runtime/index.ts";
import { type OpenAiServer, openAiServer } from "../../../support/openai-server.ts";

const sessions: Session[] = [];
const servers: OpenAiServer[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
  for (const server of servers.splice(0)) await server.close();
});

const bytes = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 1, 2, 3]);
const base64 = Buffer.from(bytes).toString("base64");

const program = (
  settings: string,
  prompt: string,
) => `model m = "openai-compatible/tiny" ${settings}
type Picture = { name: string, mime: string, hash: string }
graph G() returns answer {
  state {
    picture: Picture
    answer: string
  }
  run shoot = screenshot() writes picture
  agent look { model m; system "Look."; prompt ${prompt}; writes answer }
  start -> shoot -> look
}`;

/** Runs the program against a server, and gives the messages that it was sent. */
async function looked(text: string) {
  const server = await openAiServer([{ text: "a cat" }]);
  servers.push(server);
  const session = new Session({
    store: "memory",
    env: { OPENAI_COMPATIBLE_BASE_URL: server.url },
  });
  sessions.push(session);
  const screenshot = async (context: FunctionContext) => {
    const { name, mime, hash } = await context.artifact({
      name: "screen.png",
      kind: "image",
      data: bytes,
    });
    return { name, mime, hash };
  };
  const graph = session.compile(text, { scope: { screenshot } }).G;
  if (graph === undefined) throw new Error("no G");
  const run = graph.run({});
  expect(await run.output).toEqual({ answer: "a cat" });
  return { messages: server.requests[0]?.body.messages as readonly unknown[], session, run };
}

test("M12 a picture from a field of the state goes to the model as base64, once, behind the text of the prompt", async () => {
  const prompt = "`What is on ${picture}? And once more: ${picture}`";
  const { messages, session, run } = await looked(program("", prompt));
  expect(messages[1]).toEqual({
    role: "user",
    content: [
      { type: "text", text: expect.stringMatching(/^What is on \{\n {2}"name": "screen.png"/) },
      { type: "image_url", image_url: { url: `data:image/png;base64,${base64}` } },
    ],
  });
  expect(run.replay()).toMatchObject({ ok: true });
  const traced = await (await session.traces()).query(
    `SELECT request FROM llm_calls WHERE run_id = '${run.id}'`,
  );
  const [{ request }] = [...traced] as [{ request: unknown }];
  const logged = typeof request === "string" ? request : JSON.stringify(request);
  expect(logged).toContain("screen.png");
  expect(logged).not.toContain(base64);
});

test("M11 a picture is replaced by a note for a model that sees none", async () => {
  const { messages } = await looked(program("{ images: false }", "`What is on ${picture}?`"));
  const [, user] = messages as [unknown, { content: unknown }];
  expect(JSON.stringify(user.content)).toContain(
    "[screen.png, image/png, left out: this model takes no such files]",
  );
  expect(JSON.stringify(messages)).not.toContain(base64);
});

test("M12 an object that only looks like a picture of the run is a text", async () => {
  const text = program("", '`What is on ${{ hash: "00", mime: "image/png" }}?`');
  const { messages } = await looked(text);
  expect(messages[1]).toEqual({
    role: "user",
    content: expect.stringContaining('"mime": "image/png"'),
  });
});
