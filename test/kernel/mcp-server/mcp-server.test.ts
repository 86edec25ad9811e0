/** Graphs offered over MCP: called by the client's package in both revisions of the protocol, and by our own client. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { serverFactory } from "../../../kernel/mcp-server/offered-graphs.ts";
import { serveHttp } from "../../../kernel/mcp-server/serve-http.ts";
import { type Graph, Session } from "../../../runtime/index.ts";
import { projectRoot } from "../../support/child.ts";

const TOKEN = "a token of the test";

const program = `graph Check(what: string, times: int = 1) returns said, size "asks a person" {
  state { said: string  size: int }
  human person { ask \`Is \${what} right?\`; writes said }
  run count = lengthOf(said, times) writes size
  start -> person -> count -> end
}
graph Count(text: string) returns size {
  state { size: int }
  run count = lengthOf(text, 1) writes size
  start -> count -> end
}
graph Hang() returns size {
  state { size: int }
  run wait = forever() writes size
  start -> wait -> end
}`;

const hanging: { begun: () => void; signal?: AbortSignal } = { begun: () => {} };
const scope = {
  lengthOf: (text: string, times: number) => {
    if (text === "bad") throw new Error("no length");
    return text.length * times;
  },
  forever: ({ signal }: { readonly signal: AbortSignal }) => {
    hanging.signal = signal;
    hanging.begun();
    return new Promise((_, reject) => signal.addEventListener("abort", reject));
  },
};

async function served() {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-mcp-server-"));
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: folder } });
  const graphs = Object.values(session.compile(program, { scope })) as Graph[];
  const factory = serverFactory({ session, graphs });
  const errors: string[] = [];
  const tell = (line: string) => void errors.push(line);
  const serving = await serveHttp(factory, { port: 0, token: TOKEN, tell });
  onTestFinished(async () => {
    await serving.close();
    await session.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { url: serving.url, session, errors };
}

interface Connecting {
  readonly mode?: "auto" | "legacy";
  readonly answer?: (params: unknown) => object;
}

async function connected(url: string, { mode = "auto", answer }: Connecting = {}) {
  const capabilities = answer === undefined ? {} : { elicitation: { form: {} } };
  const versionNegotiation = { mode } as const;
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation, capabilities });
  if (answer !== undefined)
    client.setRequestHandler(
      "elicitation/create",
      async ({ params }) => ({ action: "accept", content: answer(params) }) as never,
    );
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

const textOf = (result: { readonly content: unknown }) =>
  (result.content as readonly { readonly text: string }[])[0]?.text ?? "";

test.each(["auto", "legacy"] as const)("a graph is a tool with its schemas (%s)", async (mode) => {
  const { url } = await served();
  const client = await connected(url, { mode });
  const { tools } = await client.listTools();
  expect(tools[0]).toMatchObject({
    name: "Check",
    description: "asks a person",
    inputSchema: {
      properties: { what: { type: "string" }, times: { type: "integer" } },
      required: ["what"],
    },
    outputSchema: { properties: { said: { type: "string" }, size: { type: "integer" } } },
  });
  const messages: string[] = [];
  const result = await client.callTool(
    { name: "Count", arguments: { text: "abc" } },
    { onprogress: ({ message }) => void messages.push(message ?? "") },
  );
  expect(result.structuredContent).toEqual({ size: 3 });
  expect(messages[0]).toBe("count#1 started");
  const failing = await client.callTool({ name: "Count", arguments: { text: "bad" } });
  expect([failing.isError, textOf(failing)]).toEqual([
    true,
    expect.stringContaining("`lengthOf` threw: no length"),
  ]);
});

test("a question of the run is a form of the client, and its answer goes on with the run", async () => {
  const { url, session } = await served();
  const asked: unknown[] = [];
  const client = await connected(url, {
    answer: (params) => {
      asked.push(params);
      return { answer: "quite" };
    },
  });
  const result = await client.callTool({ name: "Check", arguments: { what: "it", times: 2 } });
  expect(result.structuredContent).toEqual({ said: "quite", size: 10 });
  expect(asked).toMatchObject([
    { message: "Is it right?", requestedSchema: { properties: { answer: { type: "string" } } } },
  ]);
  const { resources } = await client.listResources();
  expect(resources.length).toBe(1);
  const { contents } = await client.readResource({ uri: resources[0]?.uri ?? "" });
  const run = JSON.parse((contents[0] as { readonly text: string }).text);
  expect([run.run_id, run.status, run.output.size, run.step_list.length]).toEqual([
    session.list()[0]?.runId,
    "succeeded",
    10,
    2,
  ]);
});

test("a client without forms is told the run, its question, and how a person answers", async () => {
  const { url, session } = await served();
  const client = await connected(url);
  const result = await client.callTool({ name: "Check", arguments: { what: "it" } });
  const [run] = session.list();
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain(`The run ${run?.runId} waits`);
  expect(textOf(result)).toContain("It asks: Is it right?");
  expect(textOf(result)).toMatch(/madrigal answer \w+ person-0 ANSWER/);
  expect(run?.status).toBe("waiting");
});

test("a call that is cancelled ends its run", async () => {
  const { url, session } = await served();
  const client = await connected(url);
  const { promise, resolve } = Promise.withResolvers<void>();
  hanging.begun = resolve;
  const stop = new AbortController();
  const call = client.callTool({ name: "Hang", arguments: {} }, { signal: stop.signal });
  await promise;
  stop.abort();
  await expect(call).rejects.toThrow();
  while (hanging.signal?.aborted !== true) await new Promise((go) => setImmediate(go));
  while (session.list()[0]?.status !== "aborted") await new Promise((go) => setImmediate(go));
});

const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
const bearer = { authorization: `Bearer ${TOKEN}` };
const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };

test.each([
  ["no token", 401, {}, body],
  ["another token", 401, { authorization: "Bearer guessed" }, body],
  ["a page of another site", 403, { ...bearer, origin: "https://evil.example" }, body],
  ["a page without an origin of its own", 403, { ...bearer, origin: "null" }, body],
  ["a body of 5 MiB", 413, bearer, `"${"x".repeat(5 * 1024 * 1024)}"`],
])("attack on the HTTP server: %s is answered with %i", async (_, status, headers, sent) => {
  const { url } = await served();
  const response = await fetch(url, {
    method: "POST",
    headers: { ...json, ...headers },
    body: sent,
  });
  expect(response.status).toBe(status);
});

test("attack on the HTTP server: a name that a stranger's DNS leads here is refused", async () => {
  const { url } = await served();
  const { request } = await import("node:http");
  const status = await new Promise((resolve, reject) => {
    const headers = { ...json, ...bearer, host: "evil.example" };
    const asking = request(url, { method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asking.on("error", reject).end(body);
  });
  expect(status).toBe(403);
});

test.each(["madrigal://runs/..%2f..%2fetc%2fpasswd", "madrigal://runs/", "file:///etc/passwd"])(
  "attack on the resources: %s is none",
  async (uri) => {
    const { url } = await served();
    const client = await connected(url);
    await expect(client.readResource({ uri })).rejects.toThrow();
  },
);

test("attack on questions: an answer with a state that this server did not sign is refused", async () => {
  const { url, session } = await served();
  const client = await connected(url);
  await client.callTool({ name: "Check", arguments: { what: "it" } });
  const forged = Buffer.from(
    JSON.stringify({ run: session.list()[0]?.runId, interrupt: "person-0" }),
  ).toString("base64url");
  const params = {
    ...{ name: "Check", arguments: { what: "it" }, requestState: forged },
    inputResponses: { answer: { action: "accept", content: { answer: "mine" } } },
  };
  await expect(client.callTool(params as never)).rejects.toThrow(/requestState/);
  expect(session.list().map(({ status }) => status)).toEqual(["waiting"]);
});

test("our own client calls our own server over stdio, whose program prints to stdout", async () => {
  const folder = mkdtempSync(join(tmpdir(), "madrigal mcp "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, "count.madrigal"),
    `import { lengthOf } from "./count.ts"
graph Count(text: string) returns size { state { size: int }
  run count = lengthOf(text) writes size
  start -> count -> end }`,
  );
  writeFileSync(
    join(folder, "count.ts"),
    'export function lengthOf(text: string): number { console.log("noise"); return text.length; }',
  );
  const words = [process.execPath, join(projectRoot, "kernel/madrigal.js"), "mcp"];
  const command = [...words, join(folder, "count.madrigal")].map((word) => `"${word}"`).join(" ");
  const session = new Session({
    store: "memory",
    cwd: folder,
    env: { ...process.env, MADRIGAL_HOME: folder },
  });
  onTestFinished(() => session.close());
  const { Ask } = session.compile(`mcp far = ${JSON.stringify(command)}
graph Ask(text: string) returns found { state { found: { size: int } }
  tool count = far.Count({ text }) writes found
  start -> count -> end }`);
  expect(await Ask?.run({ text: "four" }).output).toEqual({ found: { size: 4 } });
});
