/** Offers graphs of a test over MCP by HTTP, and connects the client's package to them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { SkillCatalog } from "@modelcontextprotocol/server/ext/skills";
import { onTestFinished } from "vitest";
import { serverFactory } from "../../../kernel/mcp-server/offered-graphs.ts";
import { serveHttp } from "../../../runtime/agents/mcp/serve-http.ts";
import { type Graph, Session } from "../../../runtime/index.ts";

export const TOKEN = "a token of the test";

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

export const hanging: { begun: () => void; signal?: AbortSignal } = { begun: () => {} };
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

/** Serves the graphs of a text over HTTP, with a token, until the test is over. */
export async function served(
  text = program,
  { answers = false, skills = undefined as SkillCatalog | undefined } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-mcp-server-"));
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: folder } });
  const graphs = Object.values(session.compile(text, { scope })) as Graph[];
  const factory = serverFactory({ session, graphs, answers, skills });
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
  /** The content of the form that the person sends; undefined closes the form. */
  readonly answer?: (params: unknown) => object | undefined;
}

export async function connected(url: string, { mode = "auto", answer }: Connecting = {}) {
  const capabilities = answer === undefined ? {} : { elicitation: { form: {} } };
  const versionNegotiation = { mode } as const;
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation, capabilities });
  if (answer !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const content = answer(params);
      return (
        content === undefined ? { action: "cancel" } : { action: "accept", content }
      ) as never;
    });
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}
