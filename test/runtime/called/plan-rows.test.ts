/** Plans as task systems have them: generated, executed, saved and executed again elsewhere. */
import { expect, test } from "vitest";
import { type Run, Session, scripted } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";
import { newSession, runWith } from "../scoped-run.ts";

const worker = `agent worker(step: Step) "does one thing" { model m; prompt \`\${step.title}: \${step.details}\` }`;

const generate = `model m = "scripted"
graph Generate(task: string) returns plan {
  state { plan: Plan }
  agent planner { model m; prompt \`Plan: \${task}\`; writes plan }
  start -> planner -> end
}`;

const team = `model m = "scripted"
graph Team(task: string) returns results {
  state {
    plan: Plan
    results: Json
  }
  agent planner { model m; prompt \`Plan: \${task}\`; writes plan }
  ${worker}
  graph go = planGraph(plan) writes results
  start -> planner -> go -> end
}`;

const execute = `model m = "scripted"
graph Execute(plan: Plan) returns results {
  state { results: Json }
  ${worker}
  graph go = planGraph(plan) writes results
  start -> go -> end
}`;

const steps = [
  { id: "read", title: "Read", details: "the scores", agent: "worker" },
  { id: "sing", title: "Sing", details: "them", agent: "worker", depends: ["read"] },
];
const models = () => ({
  m: scripted([
    { says: { steps }, when: "Plan: a concert" },
    { says: "two voices", when: "Read: the scores" },
    { says: "la, la", when: "Sing: them" },
  ]),
});
const results = { read: "two voices", sing: "la, la" };

test("E01 [SM] generate: a task becomes a plan that is checked and runs nothing; a planner that fails leaves nothing to execute", async () => {
  const { run } = runWith(generate, {}, { input: { task: "a concert" }, models: models() });
  expect(await run.output).toMatchObject({ plan: { steps } });
  const failing = { m: scripted({ planner: ["no plan", "still none", "none"] }) };
  const bad = runWith(generate, {}, { input: { task: "a concert" }, models: failing }).run;
  await expect(bad.output).rejects.toMatchObject({ node: "planner" });
  expect([bad.status, bad.steps.length, bad.children.length]).toEqual(["failed", 0, 0]);
});

test("E03 [SM] run: generated and executed in one", async () => {
  const { run } = runWith(team, {}, { input: { task: "a concert" }, models: models() });
  expect(await run.output).toEqual({ results });
});

test("E05 a plan that was saved is executed by another process, as it is", async () => {
  const cwd = temporaryFolder();
  const first = new Session({ cwd, env: {} });
  const made = runWith(
    generate,
    {},
    { session: first, input: { task: "a concert" }, models: models() },
  );
  const { plan } = (await made.run.output) as { readonly plan: unknown };
  const saved = JSON.stringify(plan);
  await first.close();
  const input = { plan: JSON.parse(saved) };
  const { run } = runWith(execute, {}, { session: newSession(), input, models: models() });
  expect(await run.output).toEqual({ results });
});

test("E06 a run is found by its id, paused, resumed and aborted there, and is in the list of all", async () => {
  const session = newSession();
  const { run } = runWith(team, {}, { session, input: { task: "a concert" }, models: models() });
  const found: Pick<Run, "id" | "abort" | "pause" | "resume"> = session.open(run.id);
  await found.pause();
  await found.resume();
  await run.output;
  expect(session.list().map(({ runId, status }) => [runId, status])).toEqual([
    [run.id, "succeeded"],
  ]);
  await found.abort();
  expect(run.status).toBe("succeeded");
});

test("M52 the agents of a plan have the models of the graph that runs it, also where another graph calls that one", async () => {
  const text = `model m = "rules"
graph Team(plan: Plan) returns results {
  state { results: Json }
  agent worker(step: Step) { model m; prompt \`\${step.title}\` }
  graph go = planGraph(plan) writes results
  start -> go -> end
}`;
  const around = `graph Around(plan: Plan) returns results {
  state { results: Json }
  graph team = Team(plan) writes results
  start -> team -> end
}`;
  const plan = { steps: [{ id: "a", title: "Do it", details: "", agent: "worker" }] };
  const { Around } = newSession().compile(`${text}\n${around}`);
  const output = await Around?.invoke({ plan }, { models: { "Team.m": scripted(["done"]) } });
  expect(output).toEqual({ results: { a: "done" } });
});
