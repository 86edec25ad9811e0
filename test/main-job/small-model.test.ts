/**
 * The parts of DeepSearch on a real language model on this machine: structured output, parallel searches, a streamed report,
 * a kill, an abort, a resume, a replay. DeepSearch itself asks for free texts inside JSON, which a model of 135M
 * parameters does not bring to an end. Nothing here depends on what the model says.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { test as baseTest, expect, vi } from "vitest";
import { type LogRecord, Session } from "../../runtime/index.ts";
import { misfits } from "../../runtime/state/json-schema.ts";
import { projectRoot, startNode } from "../support/child.ts";
import { missing } from "../support/python-env.ts";
import { smallModel } from "../support/small-model.ts";
import { written } from "./program.ts";
import { recordsOf, stored } from "./scene.ts";

vi.setConfig({ testTimeout: 180_000 });

const reason = await missing("small-model");
const test = baseTest.skipIf(reason !== undefined);

const text = `
model fast = "gguf/smollm2" { maxOutputTokens: 120 }
model writer = "gguf/smollm2" { maxOutputTokens: 160, stopSequences: ["."] }

type Plan = { first: "rxjs" | "immer", second: "minisearch" | "knip" }
type Finding = { helps: boolean }
type Findings = { rxjs?: Finding, immer?: Finding, minisearch?: Finding, knip?: Finding }

graph SmallSearch(question: string) returns findings, report {
  state {
    plan:     Plan
    findings: Findings = {} via merge
    report:   string
  }
  agent split { model fast; prompt \`Which of the packages help to answer: \${question}\`; writes plan }
  agent search(topic: string) {
    model fast
    prompt \`Does \${topic} help to answer: \${question}\`
    writes findings
    limit 5m
  }
  agent write { model writer; prompt \`Write a long sentence about a \${question}\`; writes report }
  start -> split -> each topic of [plan.first, plan.second] parallel 2 { search(topic) } -> write -> end
}
`;
const input = { question: "walk by the sea" };

const findingsType = {
  type: "object",
  additionalProperties: {
    type: "object",
    properties: { helps: { type: "boolean" } },
    required: ["helps"],
  },
};

/** How often each node began to ask a model, and how often it was answered. */
function modelCalls(records: readonly LogRecord[]): Record<string, string> {
  const calls = (kind: "intent" | "outcome") =>
    recordsOf(records, kind).filter(({ effect }) => effect === "model");
  const begun = Object.groupBy(calls("intent"), ({ node }) => node);
  const ended = Object.groupBy(calls("outcome"), ({ node }) => node);
  return Object.fromEntries(
    Object.entries(begun).map(([node, of = []]) => [
      node,
      `${of.length} begun, ${ended[node]?.length ?? 0} answered`,
    ]),
  );
}

const asOften = { split: "1 begun, 1 answered", search: "2 begun, 2 answered" };

/** Starts the graph in this process. */
function started() {
  const session = new Session({ store: "memory", env: { ...process.env, ...smallModel } });
  const graph = session.compile(text).SmallSearch;
  if (graph === undefined) throw new Error("no graph");
  const run = graph.run(input);
  return { session, run, records: () => session.store.read(run.id) };
}

test("it ends, its findings fit their type, its text comes as it is made, and tokens are counted at no cost", async () => {
  const { session, run, records } = started();
  const pieces: string[] = [];
  for await (const event of run.stream("debug")) {
    const { kind, node, text = "" } = event as { kind: string; node?: string; text?: string };
    if (kind === "model.delta" && node === "write") pieces.push(text);
  }
  const { findings, report } = await run.output;
  expect(misfits(findings, findingsType)).toEqual([]);
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.join("")).toBe(report);
  expect(modelCalls(records())).toEqual({ ...asOften, write: "1 begun, 1 answered" });
  const { usage } = run;
  expect(usage).toMatchObject({ modelCalls: 4, costUsd: 0 });
  expect(usage.inputTokens).toBeGreaterThan(100);
  expect(usage.outputTokens).toBeGreaterThan(pieces.length);

  const replay = run.replay();
  expect([replay.ok, modelCalls(records())]).toEqual([
    true,
    { ...asOften, write: "1 begun, 1 answered" },
  ]);
  await session.close();
});

test("aborted in the middle of its sentence, the run goes on and asks only for the report again", async () => {
  const { session, run, records } = started();
  for await (const event of run.stream("debug")) {
    const { kind, node } = event as { kind: string; node?: string };
    if (kind === "model.delta" && node === "write") break;
  }
  await run.abort("enough");
  await run.settled();
  expect(run.status).toBe("aborted");
  expect(modelCalls(records())).toMatchObject({ ...asOften, write: "1 begun, 0 answered" });
  await run.resume();
  await run.output;
  expect(modelCalls(records())).toMatchObject(asOften);
  expect(run.state.report).not.toBe("");
  await session.close();
});

test("killed in the middle of its sentence, another process asks only for the report again; the log replays", async () => {
  const { home, madrigal } = written(text, { env: smallModel });
  const runtime = JSON.stringify(pathToFileURL(join(projectRoot, "runtime", "index.ts")).href);
  writeFileSync(
    join(home, "ask.ts"),
    `
      import { readFileSync } from "node:fs";
      import { Session } from ${runtime};
      const session = new Session({ name: "cli" });
      const text = readFileSync("g.madrigal", "utf8");
      const run = session.compile(text).SmallSearch.run(${JSON.stringify(input)});
      for await (const { kind, node } of run.stream("debug")) {
        if (kind === "model.delta" && node === "write") console.log("in the middle");
      }
    `,
  );
  const child = startNode([join(home, "ask.ts")], { home, env: smallModel });
  await child.said("in the middle");
  const { records, session } = stored(home);
  // What is committed is on disk a little later.
  while (recordsOf(records(), "commit").length < 3) await nextTurn();
  await session.close();
  child.signal("SIGKILL");
  expect(await child.ended).toMatchObject({ code: null, signal: "SIGKILL" });

  const ended = await madrigal("resume", "last", "--json");
  const run = JSON.parse(ended.stdout);
  expect([ended.code, run.status, run.model_sources], ended.stderr).toEqual([
    0,
    "succeeded",
    ["live"],
  ]);
  const after = stored(home);
  expect(modelCalls(after.records())).toMatchObject(asOften);
  const calls = await after.sql(`
    SELECT DISTINCT model, model_source, cost_usd, input_tokens > 0 AS has_input, output_tokens > 0 AS has_output
    FROM llm_calls WHERE status = 'ok'`);
  expect(calls).toEqual([
    { model: "gguf/smollm2", model_source: "live", cost_usd: 0, has_input: true, has_output: true },
  ]);
  await after.session.close();
  const replayed = JSON.parse((await madrigal("replay", "last", "--json")).stdout);
  expect(replayed).toMatchObject({ ok: true });
});
