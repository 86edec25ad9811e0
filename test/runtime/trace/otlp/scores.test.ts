/** What people think of a run goes out and comes in with its spans. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Session, scripted } from "../../../../runtime/index.ts";
import { newFolder } from "../store.ts";
import { otlpFaults } from "./otlp-shape.ts";

const text = `model m = "scripted"
graph G() returns a {
  state { a: string = "" }
  agent x { model m; prompt "Go"; writes a }
  start -> x -> end
}`;

function newSession(): Session {
  const session = new Session({ store: "disk", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  return session;
}

/** A run that was judged: as a whole, one node run of it, and one that it does not have. */
async function judged() {
  const session = newSession();
  const run = session.compile(text).G?.run({}, { models: { m: scripted({ x: ["done"] }) } });
  if (run === undefined) throw new Error("no graph");
  await run.output;
  const traces = await session.traces();
  const [{ node_run_id } = {}] = await traces.query("SELECT node_run_id FROM node_runs");
  await traces.ask(
    `INSERT INTO scores VALUES
      ($run, NULL, 'useful', 0.75, 'good', 'the table is missing', 'human', '2026-03-01 12:00:00.123456'),
      ($run, $node, 'right', 1, NULL, NULL, NULL, NULL),
      ($run, 'elsewhere', 'odd', 'inf', '<b>''; DROP', NULL, 'judge', NULL),
      ('other', NULL, 'useful', 0, NULL, NULL, NULL, NULL)`,
    { run: run.id, node: String(node_run_id) },
  );
  return { session, run, node: node_run_id };
}

const ALL = "FROM scores WHERE run_id <> 'other' ORDER BY name";

test("exported and imported, scores are the same, and imported twice they are there once", async () => {
  const { session, run } = await judged();
  const before = await (await session.traces()).query(ALL);
  expect(before).toHaveLength(3);
  const file = join(newFolder(), "run.spans");
  await session.spans.export(run.id, file, { content: true });
  const other = newSession();
  await other.spans.import(file);
  await other.spans.import(file);
  const traces = await other.traces();
  expect(await traces.query(ALL)).toEqual(before);
  expect(await traces.query("SELECT max(reward) AS reward FROM trajectory")).toEqual([
    { reward: 1 },
  ]);
  // On from there they go out again.
  const again = join(newFolder(), "run.spans");
  await other.spans.export(run.id, again, { content: true });
  const third = newSession();
  await third.spans.import(again);
  expect(await (await third.traces()).query(ALL)).toEqual(before);
});

test("each is the conventions' event, in the span that it judges; what was written about it goes with --content", async () => {
  const { session, run, node } = await judged();
  const file = join(newFolder(), "run.spans");
  await session.spans.export(run.id, file);
  const body = JSON.parse(readFileSync(file, "utf8"));
  expect(otlpFaults(body)).toEqual([]);
  const spans: { name: string; events: { name: string; attributes: unknown[] }[] }[] =
    body.resourceSpans[0].scopeSpans[0].spans;
  const found = spans.flatMap(({ name, events }) =>
    events
      .filter((event) => event.name === "gen_ai.evaluation.result")
      .map(({ attributes }) => [name, ...attributes]),
  );
  const said = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const value = (doubleValue: unknown) => ({
    key: "gen_ai.evaluation.score.value",
    value: { doubleValue },
  });
  expect(found).toHaveLength(3);
  expect(found).toContainEqual([
    "invoke_agent x",
    said("gen_ai.evaluation.name", "right"),
    value(1),
    said("madrigal.score.node_run_id", String(node)),
  ]);
  expect(found).toContainEqual([
    "invoke_workflow G",
    said("gen_ai.evaluation.name", "useful"),
    value(0.75),
    said("gen_ai.evaluation.score.label", "good"),
    said("madrigal.score.source", "human"),
    { key: "madrigal.score.ts", value: { doubleValue: Date.UTC(2026, 2, 1, 12) + 123.456 } },
  ]);
  expect(readFileSync(file, "utf8")).not.toContain("the table is missing");
});

test("an evaluation in a span of another program is a score of its run, without its secrets", async () => {
  const session = newSession();
  const endpoint = await session.spans.listen();
  onTestFinished(() => endpoint.close());
  const attributes = (of: Record<string, string | number>) =>
    Object.entries(of).map(([key, one]) => ({
      key,
      value: typeof one === "number" ? { doubleValue: one } : { stringValue: one },
    }));
  const span = {
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: "b7ad6b7169203331",
    name: "chat gpt",
    kind: 3,
    startTimeUnixNano: "1772366400000000000",
    endTimeUnixNano: "1772366401000000000",
    attributes: attributes({ "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt" }),
    events: [
      {
        name: "gen_ai.evaluation.result",
        timeUnixNano: "1772366402000000000",
        attributes: attributes({
          "gen_ai.evaluation.name": "relevance",
          "gen_ai.evaluation.score.value": 0.5,
          "gen_ai.evaluation.score.label": "half",
          "gen_ai.evaluation.explanation":
            "asked with sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789",
        }),
      },
    ],
  };
  const resource = { attributes: attributes({ "service.name": "bot" }) };
  const response = await fetch(`${endpoint.url}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "any" }, spans: [span] }] }],
    }),
  });
  expect(await response.json()).toEqual({});
  const [row] = await (await session.traces()).query(
    "SELECT s.*, r.origin FROM scores s JOIN runs r USING (run_id)",
  );
  expect(row).toMatchObject({ name: "relevance", value: 0.5, label: "half", source: "otlp:bot" });
  expect(row?.origin).toBe("otlp:bot");
  expect(String(row?.comment)).not.toContain("abcdefghijkl");
});
