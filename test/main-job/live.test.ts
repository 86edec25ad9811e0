/** DeepSearch on a live model: the same graph, a provider that speaks the OpenAI protocol, everything over HTTP. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDocsTools, type LogRecord, Session, scripted } from "../../runtime/index.ts";
import { madrigal, temporaryFolder } from "../support/child.ts";
import type { ServerAnswer, ServerRequest } from "../support/openai-server.ts";
import { answerDeepSearch, askedBy, isLastTurn } from "./live-model.ts";
import {
  deepSearch,
  documents,
  filesBelow,
  liveModel,
  packages,
  question,
  recordsOf,
  type Stored,
  secretKey,
  stored,
} from "./scene.ts";

const input = { question, width: 4 };
const nonsense = "Sure! { findings: [one, two";

/** Refuses the first call, breaks down at the report, and once gives a search no JSON, with the key in it. */
function moody(): (request: ServerRequest, index: number) => ServerAnswer {
  let reports = 0;
  let answers = 0;
  return (request, index) => {
    if (index === 0) return { status: 429, headers: { "retry-after": "0" } };
    if (askedBy(request) === "write" && reports++ === 0) {
      return { status: 500, body: { error: { message: `no ink for ${secretKey}` } } };
    }
    if (askedBy(request) === "search" && isLastTurn(request) && answers++ === 0) {
      return { text: `${nonsense} ${secretKey}` };
    }
    if (askedBy(request) === "write") {
      const { text = "" } = answerDeepSearch(request) as { text?: string };
      return { text: `${text}\nSigned: ${secretKey}` };
    }
    return answerDeepSearch(request);
  };
}

async function ran() {
  const home = temporaryFolder();
  const docs = documents();
  const { server, env } = await liveModel(moody());
  const args = ["run", deepSearch, "--input", JSON.stringify(input), "--json"];
  const ended = await madrigal(args, { home, env: { ...env, MADRIGAL_DOCS: docs } });
  return { home, docs, server, ended, ...stored(home) };
}

test("contract: run --json says how a live run went, with 429, 500 and broken JSON on its way", async () => {
  const { home, docs, server, ended, sql, records, session } = await ran();
  expect(ended.stderr).not.toContain("error[");
  const run = JSON.parse(ended.stdout);
  expect([ended.code, run.status, run.reason]).toEqual([0, "succeeded", "done"]);
  expect(run).toMatchObject({ version: 1, model_sources: ["live"], cost_usd: null });
  expectLiteralQuotes(run.output, docs);
  for (const request of server.requests) expectProtocol(request);
  await expectCounted(server.requests.length, sql);
  expectOneRepair(records());
  expect(session.open("last").state).toEqual(run.state);
  // The model said the key in broken JSON, in an error and in the report: it is nowhere.
  expect(run.output.report).toContain("Signed: ⟦secret:OPENAI_COMPATIBLE_API_KEY⟧");
  const files = filesBelow(home).map((file) => readFileSync(file));
  expect(files.length).toBeGreaterThan(1);
  for (const output of [ended.stdout, ended.stderr, ...files]) {
    expect(output.includes(secretKey)).toBe(false);
  }
});

interface Output {
  readonly findings: readonly { package: string; file: string; quote: string }[];
  readonly report: string;
}

function expectLiteralQuotes({ findings, report }: Output, docs: string): void {
  expect(findings.map((finding) => finding.package)).toEqual([...packages]);
  for (const { file, quote } of findings) {
    expect(readFileSync(join(docs, file), "utf8")).toContain(quote);
    expect(report).toContain(`“${quote}” — `);
  }
}

/** Streamed, with a key; tools offered to who has them, JSON asked of who owes it. */
function expectProtocol(request: ServerRequest): void {
  const { authorized, body } = request;
  const node = askedBy(request);
  expect([authorized, body.stream]).toEqual([true, true]);
  const offered = body.tools?.map((offer) => offer.function.name) ?? [];
  expect(offered).toEqual(node === "search" ? ["docs_search", "docs_read"] : []);
  const asked = body.response_format?.json_schema?.name;
  expect(asked).toBe(node === "write" ? undefined : node);
}

/** plan 1, four searches of 3, one repair, write 1; the refused and the broken call are tries of these. */
async function expectCounted(requests: number, sql: Stored["sql"]): Promise<void> {
  const calls = await sql(`
    SELECT node, count(*)::INTEGER AS calls, sum(transport_retries)::INTEGER AS retries
    FROM llm_calls
    GROUP BY node
    ORDER BY node`);
  expect(calls).toEqual([
    { node: "plan", calls: 1, retries: 1 },
    { node: "search", calls: 13, retries: null },
    { node: "write", calls: 1, retries: 1 },
  ]);
  const [sum] = await sql(`
    SELECT (count(*) + sum(transport_retries))::INTEGER AS requests
    FROM llm_calls`);
  expect(sum).toEqual({ requests });
  expect(await sql("SELECT DISTINCT model, model_source, cost_usd FROM llm_calls")).toEqual([
    { model: "openai-compatible/test-model", model_source: "live", cost_usd: null },
  ]);
}

/** Another try is no attempt; an answer that can't be read is one, and says why. */
function expectOneRepair(records: readonly LogRecord[]): void {
  const again = recordsOf(records, "start").filter(({ attempt }) => attempt > 1);
  expect(again.map(({ node, attempt, reason }) => ({ node, attempt, reason }))).toEqual([
    { node: "search", attempt: 2, reason: "repair" },
  ]);
  expect(recordsOf(records, "attempt")).toMatchObject([
    { node: "search", next: "repair", failure: { code: "M8120", class: "invalid" } },
  ]);
}

test("text arrives as events while the model writes, and adds up to what is stored", async () => {
  const { env } = await liveModel(answerDeepSearch);
  const session = new Session({ store: "memory", env });
  const scope = { docs: createDocsTools({ root: documents() }) };
  const graph = session.compile(readFileSync(deepSearch, "utf8"), { scope }).DeepSearch;
  const run = graph?.run(input);
  const written: string[] = [];
  const order: string[] = [];
  for await (const event of run?.stream("debug") ?? []) {
    const { kind, node, text } = event as { kind: string; node?: string; text?: string };
    if (node !== "write") continue;
    if (order.at(-1) !== kind) order.push(kind);
    if (kind === "model.delta") written.push(text ?? "");
  }
  await session.close();
  expect(written.length).toBeGreaterThan(5);
  expect(written.join("")).toBe(run?.state.report);
  expect(order.slice(0, 4)).toEqual([
    "attempt.started",
    "model.request",
    "model.delta",
    "model.response",
  ]);
});

describe("W29 a search owes the planner findings of their type", () => {
  const finding = { package: "p", file: "p/README.md", heading: "P", quote: "It is so.", score: 1 };
  const answers = {
    plan: [[{ query: "p", why: "asked" }]],
    search: ["I found a lot!", [finding]],
    write: "It is so.",
  };

  test("W29 [SM] no JSON once: attempt 2 is a repair of the same session", async () => {
    const session = new Session({ store: "memory", env: { MADRIGAL_HOME: temporaryFolder() } });
    const verify = (entries: readonly unknown[]) => entries;
    const docs = { ...createDocsTools({ root: documents() }), verify };
    const text = readFileSync(deepSearch, "utf8");
    const graph = session.compile(text, { scope: { docs } }).DeepSearch;
    const model = scripted(answers);
    const run = graph?.run({ question: "p?" }, { models: { smart: model, fast: model } });
    expect(await run?.output).toEqual({ report: "It is so.", findings: [finding] });
    const records = session.store.read(run?.id ?? "");
    await session.close();
    const starts = recordsOf(records, "start").filter(({ node }) => node === "search");
    expect(starts.map(({ attempt, reason, args }) => ({ attempt, reason, args }))).toEqual([
      { attempt: 1, reason: "first", args: { task: { query: "p", why: "asked" } } },
      { attempt: 2, reason: "repair", args: { task: { query: "p", why: "asked" } } },
    ]);
    // The second call adds the first answer and what was wrong with it to the same conversation.
    const asked = recordsOf(records, "intent").filter(({ node }) => node === "search");
    const second = asked[1]?.request as { messages: { role: string }[] };
    expect(second.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
    ]);
    expect(JSON.stringify(second)).toContain("Your answer could not be used");
  });
});
