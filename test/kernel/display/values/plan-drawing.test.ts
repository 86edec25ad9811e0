/** The graph that a run has made of a plan is drawn within the drawing of the run, with the states of its steps. */
import { expect, test } from "vitest";
import type { CellOutput } from "../../../../kernel/cell-output.ts";
import { drawingsReady, nodeDetailsInRun } from "../../../../kernel/display/index.ts";
import { runBundle } from "../../../../kernel/display/run/run-bundle.ts";
import { type DrivenRun, scripted } from "../../../../runtime/index.ts";
import { bundleIn, follow, graphOf } from "../runs.ts";

const TEAM = `graph Team(plan: Plan) returns results {
  state { results: Json }
  agent worker(step: Step) { model m; prompt \`\${step.title}\` }
  human boss(step: Step) { ask step.details }
  graph go = planGraph(plan) writes results
  start -> go -> end
}`;

const PLAN = {
  steps: [
    { id: "look", title: "Look", details: "at both", agent: "worker" },
    { id: "sign", title: "Sign", details: "Do you sign?", agent: "boss", depends: ["look"] },
    { id: "say", title: "Say", details: "it", agent: "worker", depends: ["sign"] },
  ],
};

/** Returns the status of each node of a drawing, by its name. */
function statusesIn(output: CellOutput | undefined): Readonly<Record<string, string>> {
  const svg = String(bundleIn(output).data["image/svg+xml"]);
  const found = svg.matchAll(/data-node="([^"]+)" data-status="([^"]+)"/g);
  return Object.fromEntries([...found].map(([, node = "", status = ""]) => [node, status]));
}

async function started(
  text: string,
  input: Readonly<Record<string, unknown>>,
  says: readonly string[],
) {
  const graph = await graphOf(text);
  const models = { m: scripted([...says]) };
  const run = graph.run(input, { models }) as unknown as DrivenRun;
  const { outputs, tick } = follow(run);
  const shown = () => outputs.at(-1);
  const settled = async () => {
    await run.settled();
    tick();
    await drawingsReady();
  };
  return { run, shown, settled };
}

test("the steps of a plan are drawn with their states, within the drawing of the run that follows", async () => {
  const { run, shown, settled } = await started(TEAM, { plan: PLAN }, ["seen", "said"]);
  await settled();
  const steps = { "go/look": "succeeded", "go/sign": "waiting", "go/say": "idle" };
  const waiting = { worker: "idle", boss: "idle", go: "waiting", ...steps };
  expect(statusesIn(shown())).toEqual(waiting);
  expect(String(bundleIn(shown()).data["image/svg+xml"])).toContain("the plan of go#1");
  // The same where the run is shown once more.
  const { data } = await runBundle(run);
  expect(statusesIn({ kind: "display", bundle: { data, metadata: {} } })).toEqual(waiting);
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: "yes" });
  await run.output;
  await settled();
  const { worker: _, boss: __, ...ran } = statusesIn(shown());
  expect(Object.values(ran)).toEqual(Array(4).fill("succeeded"));
  expect(run.child("go#1")?.ir.nodes.map(({ name }) => name)).toEqual(["look", "sign", "say"]);
  const { title, program, place } = nodeDetailsInRun(run, "go/say") ?? {};
  expect([title, place]).toEqual(["say(step) · agent · m", "step 3 in go#1: say#1"]);
  expect(program).toContain("Say");
});

test("a plan that takes another one's place is drawn there, with what goes on of it", async () => {
  const { run, shown, settled } = await started(TEAM, { plan: PLAN }, ["seen", "written"]);
  await settled();
  const write = { id: "write", title: "Write", details: "it", agent: "worker", depends: ["sign"] };
  await run.modify({ steps: [...PLAN.steps.slice(0, 2), write] });
  await settled();
  expect(statusesIn(shown())).toMatchObject({ "go/sign": "waiting", "go/write": "idle" });
  expect(statusesIn(shown())).not.toHaveProperty("go/say");
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: "yes" });
  await run.output;
  await settled();
  expect(statusesIn(shown())).toMatchObject({ "go/sign": "succeeded", "go/write": "succeeded" });
});

test("the plan of a graph that the run calls is drawn, too, and graphs that are no plans are not", async () => {
  const around = `graph Around(plan: Plan) returns results {
  state { results: Json }
  graph team = Team(plan) writes results
  start -> team -> end
}
${TEAM}`;
  const { run, shown, settled } = await started(around, { plan: PLAN }, ["seen"]);
  await settled();
  const steps = { "team/go/look": "succeeded", "team/go/sign": "waiting", "team/go/say": "idle" };
  expect(statusesIn(shown())).toEqual({ team: "waiting", ...steps });
  await run.abort();
  await settled();
  expect(statusesIn(shown())).toMatchObject({ ...steps, "team/go/sign": "aborted" });
});
