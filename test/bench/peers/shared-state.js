/** The shared state in LangGraph JS: four roles work on one state, and a router chooses after each who goes on. */
import { Command, END, ReducedValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import { createRole } from "./role.js";
import { toolsOf } from "./tools-of.js";

const Action = z.object({
  id: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.string()),
  isDone: z.boolean(),
});
const Outcome = z.object({ text: z.string(), worked: z.boolean() });
const Seen = z.object({ action: z.string(), text: z.string(), worked: z.boolean() });
const listOf = (item) =>
  new ReducedValue(
    z.array(item).default(() => []),
    { reducer: (all, more) => [...all, ...more] },
  );

const State = new StateSchema({
  description: z.string(),
  goal: z.string(),
  plan: z.array(Action).default(() => []),
  current_step: z.number().default(0),
  observation: listOf(Seen),
  tools: z.record(z.string(), z.string()).default(() => ({})),
  rules: z.string().default(""),
  status: z.enum(["in progress", "completed"]).default("in progress"),
  errors: listOf(z.string()),
  outcome: Outcome.default({ text: "", worked: true }),
});

// Not written, as it can't be: that the planner and the analyst have tools without effects only; that nobody writes the task; a
// warning of a key that is never read, or of a plan that is replaced while the step stays; a limit of 30 minutes that a new
// process keeps to.
export function createSharedState({ model, scope: { house }, checkpointer }) {
  const next = z.enum(["planning", "acting", "analysing"]);
  const router = createRole({ llm: model("router"), shape: z.object({ next }), turns: 10 });
  const planner = createRole({
    llm: model("planner"),
    tools: toolsOf({ house }, "house.look"),
    shape: z.object({ plan: z.array(Action) }),
    turns: 10,
  });
  const actor = createRole({
    llm: model("actor"),
    tools: toolsOf({ house }, "house.go", "house.take", "house.use"),
    shape: z.object({ outcome: Outcome }),
    turns: 10,
  });
  const analyst = createRole({
    llm: model("analyst"),
    shape: z.object({
      status: State.fields.status,
      errors: z.array(z.string()).optional(),
    }),
    turns: 10,
  });

  async function begin() {
    const text = await house.reset();
    return { observation: [{ action: "reset", text, worked: true }] };
  }

  async function learn() {
    return await house.manual();
  }

  async function route({ plan, current_step, status, errors }) {
    const isOver = current_step >= plan.length;
    const { next } = await router({
      prompt: `Choose who goes on. Without a plan, the planner. With an action before the current step that is not done, the analyst
until an error tells why, then the planner. With a step that is not done, the actor. With no step left, the analyst.
plan: ${JSON.stringify(plan)}
current_step: ${current_step}
status: ${status}
errors: ${JSON.stringify(errors)}`,
      wrong: ({ next }) => (next === "acting" && isOver ? "the plan has no step left" : undefined),
    });
    return new Command({ goto: next });
  }

  async function planning({ description, goal, tools, rules, plan: before, errors }) {
    const { plan } = await planner({
      prompt: `Plan the actions that reach the goal. The plan so far is replaced as a whole: leave in it what is done.
Background: ${description}
Goal: ${goal}
Tools: ${JSON.stringify(tools)}
Rules: ${rules}
Plan so far: ${JSON.stringify(before)}
Errors so far: ${JSON.stringify(errors)}`,
      wrong: ({ plan }) =>
        plan.some(({ isDone }) => !isDone) ? undefined : "a plan needs an action that is not done",
    });
    return { plan, current_step: plan.findIndex(({ isDone }) => !isDone) };
  }

  async function acting({ plan, current_step }) {
    const action = plan[current_step];
    const { outcome } = await actor({
      prompt: `Do this action with its tool, once, and say what came of it and whether it worked: ${JSON.stringify(action)}`,
    });
    return {
      outcome,
      observation: [{ action: action.id, ...outcome }],
      plan: plan.map((one, at) => (at === current_step ? { ...one, isDone: outcome.worked } : one)),
      current_step: current_step + 1,
    };
  }

  async function analysing({ goal, outcome, observation }) {
    return await analyst({
      prompt: `Say whether the goal is reached. If the last action went wrong, say so as an error, with the action; else leave
the errors out.
Goal: ${goal}
Last action: ${JSON.stringify(outcome)}
Observations: ${JSON.stringify(observation)}`,
    });
  }

  return new StateGraph(State)
    .addNode("begin", begin)
    .addNode("learn", learn)
    .addNode("route", route, { ends: ["planning", "acting", "analysing"] })
    .addNode("planning", planning)
    .addNode("acting", acting)
    .addNode("analysing", analysing)
    .addEdge(START, "begin")
    .addEdge("begin", "learn")
    .addEdge("learn", "route")
    .addEdge("planning", "route")
    .addEdge("acting", "route")
    .addConditionalEdges("analysing", ({ status }) => (status === "completed" ? END : "route"))
    .compile({ checkpointer })
    .withConfig({ recursionLimit: 100 });
}
