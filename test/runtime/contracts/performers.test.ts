import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { createAgentPerformer } from "../../../runtime/agents/agent.ts";
import { createFunctionPerformer } from "../../../runtime/agents/functions/function.ts";
import type { FunctionContext } from "../../../runtime/agents/functions/function-context.ts";
import { createHumanPerformer } from "../../../runtime/agents/human.ts";
import { resolveModel } from "../../../runtime/agents/models/model.ts";
import { createOperatorPerformer } from "../../../runtime/agents/operator/operator.ts";
import { createToolSet } from "../../../runtime/agents/scope/tools.ts";
import {
  cassette,
  type ModelChoice,
  type Scope,
  scripted,
  scriptedController,
  tool,
} from "../../../runtime/index.ts";
import type { Answer } from "../../../runtime/interrupt.ts";
import { performerContract } from "../../contract/performer.ts";
import { attemptOf, fakeContext, fastClock, stillClock } from "../agents/fake-context.ts";

const writes = [{ field: "notes", optional: false }] as const;
const output = { type: "string" } as const;

performerContract(
  "an agent",
  () => agent(["note a"]),
  () => agent([]),
);

performerContract(
  "an agent on a cassette",
  () => {
    const scene = agent(["note a"]);
    return { ...scene, performer: agentOn(cassette(tape)) };
  },
  () => {
    const { attempt } = agent([]);
    return { performer: agentOn(cassette(tape)), attempt: { ...attempt, prompt: "Another one?" } };
  },
);

const look = tool(({ at }: { at: string }) => `found ${at}`, {
  effect: "none",
  input: { type: "object", properties: { at: { type: "string" } } },
});

function agentOn(model: ModelChoice) {
  return createAgentPerformer({
    model: () => resolveModel(model, { env: {} }),
    tools: createToolSet(() => ({ look })),
    clock: fastClock(),
  });
}

const folder = mkdtempSync(join(tmpdir(), "madrigal-tape-"));
const tape = join(folder, "calls.jsonl");
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  const first = { calls: [{ tool: "look", input: { at: "a" } }] };
  const of = scripted([first, "note a"]);
  const { attempt } = agent([]);
  await agentOn(cassette(tape, { mode: "record", of })).perform(attempt, fakeContext());
});

function agent(says: readonly string[]) {
  const first = { calls: [{ tool: "look", input: { at: "a" } }] };
  const model = scripted([first, ...says.map((text) => ({ says: text }))]);
  const performer = createAgentPerformer({
    model: () => ({ id: "scripted", source: "scripted", model }),
    tools: createToolSet(() => ({ look })),
    clock: fastClock(),
  });
  return { performer, attempt: attemptOf({ tools: [["look"]], writes, output }), output: "note a" };
}

performerContract(
  "a function",
  () => calling(3),
  () => calling("x"),
);

function calling(times: unknown) {
  const work = async (count: number, context: FunctionContext) => {
    const made = await context.step("make", () => "x".repeat(count));
    const at = await context.now();
    return `${made} ${at}`;
  };
  const scope: Scope = { work: times === 3 ? work : () => Promise.reject(new Error("no")) };
  const performer = createFunctionPerformer({ scope: () => scope, clock: fastClock(7) });
  const call = { callee: ["work"], args: [] };
  const attempt = attemptOf({ kind: "run", call, writes, output }, { callArgs: [times] });
  return { performer, attempt, output: "xxx 7" };
}

performerContract(
  "an operator",
  () => operator("note a"),
  () => operator({ no: "text" }),
);

function operator(says: unknown) {
  const steps = [{ say: "I look." }, { tool: "shell", input: { run: "ls" }, result: "a" }];
  const fails = { class: "model", reason: "api_error", message: "500" } as const;
  const turn = typeof says === "string" ? { steps, says } : { steps, fails };
  const agents = { agent: scriptedController([turn]) };
  const performer = createOperatorPerformer({ scope: () => agents, clock: stillClock() });
  const controller = { name: ["agent"], args: [] };
  const attempt = attemptOf({ kind: "operator", controller, writes, output });
  return { performer, attempt, output: "note a" };
}

performerContract(
  "a person",
  () => person({ kind: "value", value: "note a" }),
  () => person({ kind: "deny", reason: "not now" }),
);

function person(answer: Answer) {
  const attempt = attemptOf({ kind: "human", writes, output }, { question: "What is it?" });
  return { performer: createHumanPerformer(), attempt, answer, output: "note a" };
}
