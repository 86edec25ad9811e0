/** Performances of attempts in a worker, with a stub for the server: it is gone for a moment, and loses what a performance came to. */
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { type RunOptions, rules, Session, tool } from "../../../runtime/index.ts";
import type { LogRecord } from "../../../runtime/records/records.ts";
import { blobArtifacts } from "../../../runtime/restate/blob-artifacts.ts";
import { type DecidedTurn, decideTurn } from "../../../runtime/restate/decide.ts";
import { Ingress } from "../../../runtime/restate/ingress.ts";
import type { ClaimMessage, PostMessage } from "../../../runtime/restate/messages.ts";
import { AttemptPerformance } from "../../../runtime/restate/remote-host.ts";
import { ServedGraphs } from "../../../runtime/restate/served-graphs.ts";
import { wireValues } from "../../../runtime/restate/wire-values.ts";
import type { Completion } from "../../../runtime/scheduler/completion.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { emptySnapshot } from "../../../runtime/scheduler/snapshot/snapshot.ts";
import { fileBlobs } from "../../../runtime/store/artifacts/file-blobs.ts";
import { temporaryFolder } from "../../support/child.ts";

interface StubOptions {
  /** So many intents are taken, and the connection cut instead of an answer. */
  readonly cuts?: number;
  /** The answer to whether a performance is still wanted. */
  readonly isWanted?: boolean;
  readonly models?: RunOptions["models"];
}

/** A run of the graph `G` at its first attempt; each performance is one of another worker. */
async function performing(program: string, scope: object, options: StubOptions = {}) {
  const session = new Session({ store: "memory", env: {} });
  onTestFinished(() => session.close());
  const { G } = session.compile(program, { scope: { ...scope } });
  if (G === undefined) throw new Error("no graph");
  const { models = {} } = options;
  const { meta, input } = G.begins({}, { store: "none", models });
  const { ir, ...facts } = meta;
  const linked = link(ir);
  const records: LogRecord[] = [];
  let snapshot = emptySnapshot();
  const take = async (completion: Completion): Promise<DecidedTurn> => {
    const turn = await decideTurn(
      { program: linked, snapshot, next: records.length, waiting: [] },
      completion,
      { call: () => Promise.resolve([]), redact: (part) => part },
    );
    snapshot = turn.snapshot;
    records.push(...turn.records);
    return turn;
  };
  const [attempt] = (await take({ kind: "begin", input, at: 0 })).attempts;
  if (attempt === undefined) throw new Error("nothing has started");

  const values = wireValues(fileBlobs(temporaryFolder(), Date));
  const newsFor = ({ have }: ClaimMessage) => {
    return { news: records.slice(have + 1), lastSeq: records.length - 1 };
  };
  /** The answers by the keys of their requests: a request that is sent again has the same one. */
  const answers = new Map<unknown, unknown>();
  let { cuts = 0 } = options;
  const server = createServer(async (request, response) => {
    const message = JSON.parse(await text(request)) as PostMessage;
    const answer = (value: unknown) => void response.end(values.serialize(value));
    switch (request.url?.split("/").at(-1)) {
      case "claim":
        return answer({
          ...{ isWanted: true, wasParked: false, facts: { meta: facts, ir } },
          ...newsFor(message),
        });
      case "isWanted":
        return answer(options.isWanted ?? true);
      default: {
        const key = request.headers["idempotency-key"];
        if (!answers.has(key)) {
          const { acknowledgement } = await take(message.completion);
          answers.set(key, { acknowledgement, state: "taken", ...newsFor(message) });
        }
        if (message.completion.kind !== "intent" || cuts === 0) return answer(answers.get(key));
        cuts -= 1;
        return response.destroy();
      }
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };
  const ingress = new Ingress(`http://127.0.0.1:${port}`, values);
  const artifacts = blobArtifacts(fileBlobs(temporaryFolder(), Date));
  return {
    posts: () => answers.size,
    async performed(): Promise<string> {
      const served = new ServedGraphs([G], { ingress, artifacts, models: () => models });
      const parts = { runId: meta.runId, ingress, values, ...served.partsOf("G", meta.runId) };
      return (await new AttemptPerformance({ ...attempt, invocation: "i" }, parts).end).kind;
    },
  };
}

test.each([
  { cuts: 0, isWanted: false, made: 1 },
  { cuts: 1, isWanted: true, made: 1 },
  { cuts: 1, isWanted: false, made: 0 },
])(
  "a worker whose server is gone $cuts times while it asks for a call, and that is then wanted: $isWanted, makes $made calls",
  async ({ made, ...options }) => {
    let calls = 0;
    const doing = tool(
      () => {
        calls += 1;
        return "done";
      },
      { effect: "external", description: "acts", input: { type: "object" } },
    );
    const program = `graph G() returns done {
  state { done: string = "" }
  tool act = doing({}) writes done
  start -> act
}`;
    const { performed } = await performing(program, { doing }, options);
    expect(await performed()).toBe(made === 1 ? "finished" : "superseded");
    expect(calls).toBe(made);
  },
);

test.each([
  [
    "a person",
    `graph G() returns word {
  state { word: string = "" }
  human who { ask "Who?"; writes word }
  start -> who
}`,
  ],
  [
    "a graph that it has called",
    `model m = "rules"
graph G() returns said {
  state { said: string = "" }
  agent talk { model m; tools Slow; prompt "Say 1"; writes said }
  start -> talk
}
graph Slow(n: int) returns y "is slow" {
  state { y: int = 0 }
  human much { ask "How much?"; writes y }
  start -> much
}`,
  ],
])(
  "an attempt that waits for %s is given up again by whoever performs it next",
  async (_, program) => {
    const m = rules(() => ({ calls: [{ tool: "Slow", input: { n: 1 } }] }));
    const models = program.startsWith("model m ") ? { m } : {};
    const { performed, posts } = await performing(program, {}, { models });
    expect(await performed()).toBe("parked");
    const before = posts();
    // The server was killed before it had stored that the attempt is given up.
    expect(await performed()).toBe("parked");
    expect(posts()).toBe(before);
  },
);
