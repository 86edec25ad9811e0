/** Strong agents in the place of agents: one slot takes either, in the patterns of the library too. */
import { beforeEach, expect, onTestFinished, test } from "vitest";
import {
  PlanCodeReview,
  PlanWorkReduce,
  ResearchCritique,
} from "../../../kernel/library/programs.ts";
import { closeSession, useSession } from "../../../kernel/session.ts";
import { Session, scripted, scriptedController } from "../../../runtime/index.ts";
import { stubController } from "../../runtime/operators/stub-runs.ts";
import { temporaryFolder } from "../../support/child.ts";

beforeEach(() => {
  const home = temporaryFolder("madrigal-slots-");
  useSession(
    new Session({ cwd: home, store: "memory", env: { PATH: process.env.PATH, HOME: home } }),
  );
  onTestFinished(closeSession);
});

const BUILT = { answer: "code", report: "it runs", outcome: { exitCode: 0, blocks: 1, text: "" } };
const GOOD = { isAccepted: true, findings: [] };

test("A113 A03 planner, coder, reviewer: the coder is a strong agent, the others are the program's own", async () => {
  const coder = scriptedController([{ says: { ...BUILT, answer: "first" } }, { says: BUILT }]);
  const graph = PlanCodeReview.withAgents({
    code: "coder",
  });
  const models = {
    planner: scripted(["a plan"]),
    reviewer: scripted([{ isAccepted: false, findings: ["no test"] }, GOOD]),
  };
  const run = graph.run({ task: "add" }, { models, scope: { coder } });
  expect(await run.output).toMatchObject({ answer: "code", review: GOOD });
  // It is told the task of the graph in whose place it stands, and again what the review found.
  const [, again] = run.session("code").items.filter(({ kind }) => kind === "instruction");
  expect(again).toMatchObject({
    text: expect.stringMatching(/task: add Plan: a plan Findings of the review: .*no test/s),
  });
});

test("A113 the same with three strong agents behind one wire each", async () => {
  const say = (value: unknown) =>
    stubController("says", { set: { STUB_SAYS: JSON.stringify(value) } });
  const graph = PlanCodeReview.withAgents({
    decide: say("a plan"),
    code: say(BUILT),
    check: say(GOOD),
  });
  const output = await graph.run({ task: "add" }).output;
  expect(output).toMatchObject({ answer: "code", report: "it runs", review: GOOD });
});

test("A114 planner, workers side by side, reducer: each step is a turn of a strong agent", async () => {
  const steps = ["one", "two"].map((id) => ({ id, title: id, details: id, agent: "work" }));
  const worker = scriptedController([{ says: "done" }, { says: "done" }]);
  const graph = PlanWorkReduce.withAgents({
    work: "worker",
  });
  const models = { planner: scripted([{ steps }]), reducer: scripted(["both done"]) };
  const run = graph.run({ task: "it" }, { models, scope: { worker } });
  expect(await run.output).toMatchObject({ report: "both done" });
  expect(run.session("one").turns.map(({ label, controller }) => [label, controller])).toEqual([
    ["go#1 › one#1", "scripted"],
  ]);
});

test("A115 researcher, critic, writer: the researcher is a strong agent", async () => {
  const fact = { text: "it is so", source: "a.md" };
  const graph = ResearchCritique.withAgents({
    research: stubController("says", { set: { STUB_SAYS: JSON.stringify([fact]) } }),
  });
  const models = {
    critic: scripted([{ isEnough: true, missing: [] }]),
    writer: scripted(["It is so (a.md)."]),
  };
  const output = await graph.run({ question: "Is it so?" }, { models }).output;
  expect(output).toMatchObject({ report: "It is so (a.md).", facts: [fact] });
});

test.each([
  [{ coder: "claude_code()" }, /M8341|no agent `coder`/, /did you mean `code`/],
  [{ code: "claude_code(cwdd: 'app')" }, /no option `cwdd`|can't|expected/, /cwd/],
  [{ code: "1 + 1" }, /is no controller/, /claude_code/],
])("%j has no place in the graph", (slots, message, hint) => {
  const graph = PlanCodeReview;
  let thrown: unknown;
  try {
    graph.withAgents(slots);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: "M8341", message: expect.stringMatching(message) });
  expect(thrown).toMatchObject({ hint: expect.stringMatching(hint) });
});
