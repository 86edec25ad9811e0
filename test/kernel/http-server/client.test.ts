/** The client of the server: a run somewhere else, used as one of this process. */
import { lastValueFrom, toArray } from "rxjs";
import { expect, test } from "vitest";
import { runBundle } from "../../../kernel/display/run/run-bundle.ts";
import { connect } from "../../../kernel/http-client/connect.ts";
import { type Graph, Session } from "../../../runtime/index.ts";
import { served, TOKENS } from "./serving.ts";

test("a run of a server has an output, steps, states, events, artifacts and a drawing", async () => {
  const { url } = await served();
  const server = connect(url, { token: TOKENS.run });
  const run = await server.graph<{ text: string }, { loud: string }>("Shout").run({ text: "la" });
  expect((await run.output).loud).toBe("LA");
  const nodes: string[] = [];
  for await (const { step, node } of run) nodes.push(`${step} ${node}`);
  expect(nodes).toEqual(["1 shout"]);
  expect(await run.stateAt(1)).toMatchObject({ loud: "LA" });
  expect(await run.steps()).toMatchObject([{ step: 1, node: "shout" }]);
  const events = await lastValueFrom(run.events$.pipe(toArray()));
  expect([events[0]?.kind, events.at(-1)?.kind]).toEqual(["run.started", "run.finished"]);
  const [artifact] = await run.artifacts();
  expect(Buffer.from(await run.artifact(artifact?.id ?? "")).toString()).toBe("# la");
  const { data } = await run.toMimeBundle();
  expect(data["image/svg+xml"]).toContain("<svg");
  expect(data["text/plain"]).toMatch(/of Shout · succeeded/);
  expect((await server.list({ graph: "Shout" })).length).toBe(1);
  expect((await server.graphs()).map(({ name }) => name)).toContain("Hang");
});

test("a question is answered, and the output goes on from there", async () => {
  const { url } = await served();
  const run = await connect(url, { token: TOKENS.admin }).graph("Check").run({ what: "it" });
  await expect(run.output).rejects.toMatchObject({ code: "M5301", node: "person" });
  const [question] = run.interrupts;
  expect(question?.question).toBe("Is it right?");
  await run.answer(question?.id ?? "", { kind: "value", value: "yes" });
  expect(await run.output).toEqual({ said: "yes", size: 3 });
  await expect(run.answer(question?.id ?? "", "no")).rejects.toMatchObject({ code: "M5310" });
});

test("errors have their codes: of the run, of the call, of the server", async () => {
  const { url } = await served();
  const admin = connect(url, { token: TOKENS.admin });
  const failed = await admin.graph("Shout").run({ text: "bad" });
  await expect(failed.output).rejects.toMatchObject({
    message: expect.stringMatching("no voice"),
    node: "shout",
  });
  await expect(admin.graph("Shout").run({ txt: "la" })).rejects.toMatchObject({ code: "M5001" });
  await expect(admin.open("no-run")).rejects.toMatchObject({ code: "M5107" });
  const reader = connect(url, { token: TOKENS.read });
  await expect(reader.graph("Shout").run({ text: "la" })).rejects.toMatchObject({ code: "M7778" });
  const nobody = connect("http://127.0.0.1:9", { token: "x", reconnectMs: 0 });
  await expect(nobody.graphs()).rejects.toMatchObject({ code: "M7786" });
});

test("a run is cancelled, forked, steered and resumed", async () => {
  const { url, begun, release } = await served();
  const run = await connect(url, { token: TOKENS.run }).graph("Hang").run({});
  await begun;
  await run.steer("go");
  await run.cancel("enough");
  expect(run.status).toBe("aborted");
  await expect(run.output).rejects.toMatchObject({ runId: run.id });
  release();
  expect(await (await run.fork(0)).output).toEqual({ loud: "AT LAST" });
  await run.resume();
  expect(await run.output).toEqual({ loud: "AT LAST" });
});

test("a drawing keeps up with its run until that is over", async () => {
  const { url, begun, release } = await served();
  const run = await connect(url, { token: TOKENS.run }).graph("Hang").run({});
  await begun;
  const drawing = await run.drawing();
  const { promise: over, resolve } = Promise.withResolvers<unknown>();
  drawing.follow(({ data }) => {
    if (/succeeded/.test(String(data["text/plain"]))) resolve(data["image/svg+xml"]);
  });
  expect(drawing.toMimeBundle().data["text/plain"]).toMatch(/of Hang · running/);
  release();
  expect(await over).toContain("<svg");
});

const TEAM = `model m = "rules"
graph Team(plan: Plan) returns results {
  state { results: Json }
  agent worker(step: Step) { model m; prompt \`\${step.title}\` }
  human boss(step: Step) { ask step.details }
  graph go = planGraph(plan) writes results
  start -> go -> end
}
graph Around(plan: Plan) returns results {
  state { results: Json }
  graph team = Team(plan) writes results
  start -> team -> end
}`;

const STEPS = [
  { id: "look", title: "Look", details: "at both", agent: "worker" },
  { id: "sign", title: "Sign", details: "Do you sign?", agent: "boss", depends: ["look"] },
];

test("the plan that a run carries out is drawn within its drawing, as the run of this process draws it", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  const compiled = session.compile(TEAM);
  const graphs = Object.values(compiled) as Graph[];
  const { url } = await served({ session, graphs });
  const server = connect(url, { token: TOKENS.admin });
  const run = await server.graph("Around").run({ plan: { steps: STEPS } });
  await expect(run.output).rejects.toMatchObject({ code: "M5301" });
  const { data } = await run.toMimeBundle();
  const states = { "team/go/look": "succeeded", "team/go/sign": "waiting" };
  expect(statusesIn(data)).toEqual({ team: "waiting", ...states });
  expect(data["image/svg+xml"]).toContain("the plan of team#1 › go#1");
  const own = await runBundle(session.open(run.id));
  expect(statusesIn(data)).toEqual(statusesIn(own.data));

  // The drawing that follows has the plan that takes the place of this one, too.
  const drawing = await run.drawing();
  const { promise: drawn, resolve } = Promise.withResolvers<object>();
  drawing.follow((bundle) => {
    const now = statusesIn(bundle.data);
    if (now.team === "succeeded") resolve(now);
  });
  const last = { id: "say", title: "Say", details: "it", agent: "worker", depends: ["sign"] };
  await session.open(run.id).modify({ steps: [...STEPS, last] }, { of: "team#1 › go#1" });
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: "yes" });
  expect(await drawn).toMatchObject({ "team/go/sign": "succeeded", "team/go/say": "succeeded" });
  await expect(run.program(["go#9"])).rejects.toMatchObject({ code: "M7783" });
});

/** The status of each node of a drawing, by its name. */
function statusesIn(data: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const found = String(data["image/svg+xml"]).matchAll(
    /data-node="([^"]+)" data-status="([^"]+)"/g,
  );
  return Object.fromEntries([...found].map(([, node = "", status = ""]) => [node, status]));
}
