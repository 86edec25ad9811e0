/** What a strong agent asks leave for: whoever answers, the node's own rules, and what becomes of the turn. */
import { expect, test } from "vitest";
import type { Answer } from "../../../runtime/index.ts";
import { type RunOptions, scriptedController } from "../../../runtime/index.ts";
import { eventsOf, graphWith, oneOperator } from "./operators.ts";

const asking = (risk?: "low" | "high") =>
  scriptedController([
    {
      steps: [
        {
          tool: "shell",
          input: { run: "rm -r build" },
          ask: "May I delete build?",
          ...(risk === undefined ? {} : { risk }),
        },
      ],
      says: "done",
    },
  ]);

/** Runs one operator whose agent asks; what it was answered, and what its tool call came to. */
async function answered(
  answer: Answer | undefined,
  { clauses = "", risk }: { readonly clauses?: string; readonly risk?: "low" | "high" } = {},
) {
  const agent = asking(risk);
  const { graph } = graphWith(oneOperator(clauses), { agent });
  const questions: string[] = [];
  const answers: RunOptions["answers"] = ({ question }) => {
    questions.push(question);
    return answer;
  };
  const run = graph.run({ task: "x" }, { answers });
  const results = await eventsOf(run.stream("events"), "tool.call", "tool.result");
  await run.output;
  return {
    questions,
    calls: agent.calls.filter((call) => call.startsWith("answer")),
    asked: results.flatMap((event) => (event.kind === "tool.call" ? [event.request] : [])),
    failure: results.flatMap((event) =>
      event.kind === "tool.result" ? [event.failure?.code] : [],
    ),
  };
}

test("a breakpoint on a tool holds the run where a strong agent tells of its call", async () => {
  const agent = scriptedController([
    {
      steps: [
        { tool: "look", input: {} },
        { tool: "shell", input: {}, ask: true },
      ],
      says: "done",
    },
  ]);
  const { graph } = graphWith(oneOperator(), { agent });
  const run = graph.debug({ task: "x" }, { answers: () => ({ kind: "approve" }) });
  run.setBreakpoint({ on: "tool", name: "shell" });
  expect(await run.continue()).toMatchObject({
    kind: "breakpoint",
    node: "code",
    by: "tool shell",
  });
  expect(await run.continue()).toEqual({ kind: "end", status: "succeeded" });
});

test("an agent's own question is asked, approved, and told to the agent", async () => {
  expect(await answered({ kind: "approve" })).toEqual({
    questions: ['May `code` use `shell`?\nThe agent says: "May I delete build?"'],
    calls: ["answer scripted-1 approval-1 approve"],
    asked: [{ run: "rm -r build" }],
    failure: [undefined],
  });
});

test("a denied call is not made, and the agent goes on with its turn", async () => {
  const { calls, failure } = await answered({ kind: "deny", reason: "keep it" });
  expect(calls).toEqual(["answer scripted-1 approval-1 deny"]);
  expect(failure).toEqual(["M8508"]);
});

test("an edited call is made as it was edited", async () => {
  const { asked } = await answered({ kind: "edit", value: { run: "ls" } });
  expect(asked).toEqual([{ run: "ls" }]);
});

test.each([
  ["approve tool shell", "high", 1],
  ['approve tool shell when call.risk == "high"', "high", 1],
  ['approve tool shell when call.risk == "high"', "low", 0],
  ['approve tool web when call.risk == "high"', "low", 1],
] as const)("`%s`, risk %s: asked %i times", async (clauses, risk, times) => {
  const { questions, calls } = await answered({ kind: "approve" }, { clauses, risk });
  expect(questions).toHaveLength(times);
  expect(calls).toEqual(["answer scripted-1 approval-1 approve"]);
});

test("a run that waits for leave is paused, goes on, and asks the same question once more", async () => {
  const agent = asking();
  const { graph } = graphWith(oneOperator(), { agent });
  const run = graph.run({ task: "x" });
  await run.continue();
  const [first] = run.interrupts;
  expect(first).toMatchObject({ kind: "approval", node: "code", tool: "shell" });
  await run.pause({ now: true });
  await run.resume();
  await run.answer(first?.id ?? "", { kind: "approve" });
  expect(await run.output).toEqual({ patch: "done" });
  expect(agent.calls.filter((call) => !call.startsWith("close"))).toEqual([
    "start scripted-1",
    "interrupt scripted-1",
    "resume scripted-1 after 2",
    "answer scripted-1 approval-1 approve",
  ]);
});
