/** Serves graphs of a test over HTTP, and asks the server as a client of each role does. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type ServeParts, serveRuns } from "../../../kernel/http-server/serve-runs.ts";
import { type FunctionContext, type Graph, Session } from "../../../runtime/index.ts";

/** The token of each role. */
export const TOKENS = {
  read: "the token of readers in a test",
  run: "the token of runners in a test",
  answer: "the token of answerers in a test",
  admin: "the token of admins in a test",
};

export type TestRole = keyof typeof TOKENS;

const program = `model fast = "rules"
type Part = { name: string, parts?: Part[] }
graph Shout(text: string, part?: Part) returns loud "shouts" {
  state { loud: string }
  run shout = shout(text) writes loud
  start -> shout -> end
}
graph Check(what: string) returns said, size "asks a person" {
  state { said: string  size: int }
  human person { ask \`Is \${what} right?\`; writes said }
  run count = lengthOf(said) writes size
  start -> person -> count -> end
}
graph Tell(question: string) returns answer {
  state { answer: string }
  agent tell "tells" { model fast; prompt \`Say: \${question}\`; writes answer; limit 1m, 3 turns }
  start -> tell -> end
}
graph Flood(letters: int) returns text {
  state { text: string }
  run pour = pour(letters) writes text
  start -> pour -> end
}
graph Upload() returns papers {
  state { papers: Artifact[] = [] }
  human upload { ask "Which papers?"; writes papers }
  start -> upload -> end
}
graph Hang() returns loud {
  state { loud: string }
  run wait = forever() writes loud
  run after = shout(loud) writes loud
  start -> wait -> after -> end
}`;

export interface ServedRuns {
  readonly url: string;
  readonly session: Session;
  readonly streams: { readonly size: number };
  readonly lines: readonly string[];
  readonly auditPath: string;
  /** Ends the function that waits. */
  readonly release: () => void;
  readonly begun: Promise<void>;
  close(): Promise<void>;
  /** Asks with the token of a role: `admin` unless said. */
  ask(path: string, asked?: AskedHow): Promise<Answered>;
}

export interface AskedHow {
  readonly as?: TestRole;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text read as JSON, where it is some. */
  readonly json: AnsweredJson;
}

/** The members that tests look at in what the server answers; each answer has some of them. */
interface AnsweredJson {
  readonly [member: string]: unknown;
  readonly run_id: string;
  readonly thread_id: string;
  readonly status: string;
  readonly output: unknown;
  readonly error: { readonly code: string };
  readonly interrupts: readonly [{ readonly id: string }];
  readonly artifacts: readonly [{ readonly id: string }];
  readonly program: { readonly name: string };
  readonly runs: readonly { readonly run_id: string }[];
  readonly next: string | null;
  readonly threads: readonly unknown[];
  readonly run_list: readonly unknown[];
}

export async function served(
  more: Partial<ServeParts> = {},
  home = mkdtempSync(join(tmpdir(), "madrigal-http-server-")),
): Promise<ServedRuns> {
  const session = more.session ?? new Session({ env: { MADRIGAL_HOME: home }, cwd: home });
  const waits = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const scope = {
    pour: (letters: number) => "la ".repeat(letters / 3),
    lengthOf: (said: string) => said.length,
    shout: async (said: string, { artifact }: FunctionContext) => {
      if (said === "bad") throw new Error("no voice");
      await artifact({ name: "score.md", kind: "report", data: `# ${said}` });
      return said.toUpperCase();
    },
    forever: ({ signal }: { readonly signal: AbortSignal }) => {
      begun.resolve();
      return Promise.race([
        waits.promise,
        new Promise((_, reject) => signal.addEventListener("abort", reject)),
      ]);
    },
  };
  const graphs = Object.values(session.compile(program, { scope })) as Graph[];
  const lines: string[] = [];
  const auditPath = join(home, "audit.jsonl");
  const serving = await serveRuns({
    ...{ session, graphs, tokens: TOKENS, auditPath, address: "127.0.0.1", port: 0 },
    ...{ publicUrls: [], rate: 100_000, tell: (line) => void lines.push(line) },
    ...more,
  });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await serving.close();
    await session.close();
  };
  onTestFinished(async () => {
    await close();
    rmSync(home, { recursive: true, force: true });
  });
  return {
    ...{
      url: serving.url,
      streams: serving.streams,
      session,
      lines,
      auditPath,
      begun: begun.promise,
      close,
    },
    release: () => waits.resolve("at last"),
    ask: (path, asked) => ask(serving.url, path, asked),
  };
}

async function ask(
  url: string,
  path: string,
  { as = "admin", body, method = body === undefined ? "GET" : "POST", headers }: AskedHow = {},
): Promise<Answered> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKENS[as]}`,
      ...(body === undefined || body instanceof FormData
        ? {}
        : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : {},
  };
}
