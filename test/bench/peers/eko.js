/** Eko's way of working in LangGraph JS: a chat answers or hands over; a plan in XML is confirmed by a person, and its agents work. */

import { trimMessages } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  Command,
  END,
  interrupt,
  MessagesValue,
  ReducedValue,
  Send,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import { readPlan, readyWork, resultsOf } from "./eko-plan.js";
import { createRole } from "./role.js";
import { toolsOf } from "./tools-of.js";

const Check = z.object({ thought: z.string(), isWrong: z.boolean() });
const list = () =>
  new ReducedValue(
    z.array(z.any()).default(() => []),
    { reducer: (all, more) => [...all, ...more] },
  );

const State = new StateSchema({
  task: z.string(),
  mode: z.enum(["normal", "expert"]).default("normal"),
  replans: z.number().default(3),
  answer: z.string().default(""),
  xml: z.string().default(""),
  plan: z.any().default({ thought: "", steps: [] }),
  verdict: z.any().default(""),
  entries: list(),
  check: Check.default({ thought: "", isWrong: false }),
  revisions: z.number().default(0),
  replanned: z.number().default(0),
});

// Not written, as it can't be: a plan as a graph that is checked, drawn and stepped through; a step that begins when its own
// sources are done while another of its level still works; a plan that streams in; a step that a person changes while others
// work; a question of an agent that a person answers in the page.
export function createEko({ model, scope: { mail }, checkpointer }) {
  const handoff = tool(async () => "", {
    name: "handoff",
    description: "hands over what needs letters or several steps",
    schema: z.object({ to: z.literal("planning_it"), task: z.string() }),
  });
  const talker = model("talker").bindTools([handoff]);
  const planner = createRole({ llm: model("planner") });
  const concluder = createRole({ llm: model("talker") });
  const checker = createRole({ llm: model("checker"), shape: z.object({ check: Check }) });
  const checked = createChecked({ model });
  const doubt = tool(async ({ claim }) => (await checked.invoke({ claim })).verdict, {
    name: "Checked",
    description: "an agent that doubts a claim",
    schema: z.object({ claim: z.string() }),
  });
  const team = {
    Mail: {
      description: "reads letters and waits for them",
      tools: toolsOf({ mail }, "mail.list", "mail.read", "mail.wait"),
    },
    Writer: { description: "thinks and writes, and has sums checked", tools: [doubt] },
  };
  const workers = Object.fromEntries(
    Object.entries(team).map(([name, { tools }]) => [
      name,
      createRole({ llm: model("worker"), tools }),
    ]),
  );

  async function chat({ task }) {
    const answer = await talker.invoke(
      `Answer what you can answer yourself. Hand over what needs letters or several steps.\n${task}`,
    );
    if (answer.tool_calls.length > 0) return new Command({ goto: "planning_it" });
    return new Command({ update: { answer: answer.text }, goto: END });
  }

  async function planIt({ task, entries, check, verdict, plan: before }) {
    const results = resultsOf(entries);
    const members = Object.entries(team).map(
      ([name, { description, tools }]) =>
        `${name}: ${description} (${tools.map((one) => one.name).join(", ")})`,
    );
    const xml = await planner({
      system: `You plan the work of agents as XML: <root> with <name>, <thought> and <agents>. Each <agent name id dependsOn> has a
<task> and <nodes>; a <node> says a part of it, what it writes with output and what it reads with input. <forEach items>
does its nodes for each item, <watch event loop> those of its <trigger> when its <description> comes true.
The agents:
${members.join("\n")}`,
      prompt: `Task: ${task}
${Object.keys(results).length === 0 ? "" : `These agents are done, and stay; plan only what is left: ${JSON.stringify(results)}`}
${check.isWrong ? `It is planned anew: ${check.thought}` : ""}
${verdict === "" ? "" : `The person wants it otherwise: ${verdict}`}`,
      wrong: (text) => readPlan(text, before, results).fault,
    });
    return { xml, plan: readPlan(xml, before, results).plan, verdict: "" };
  }

  function confirm({ plan, revisions }) {
    const verdict = interrupt({ ask: "Run this plan?", plan });
    if (verdict === false)
      return new Command({ update: { answer: "The plan was not confirmed." }, goto: END });
    if (verdict === true) return new Command({ goto: "go" });
    if (typeof verdict === "object") return new Command({ update: verdict, goto: "go" });
    if (revisions === 10) throw new Error("the plan was changed ten times");
    return new Command({ update: { verdict, revisions: revisions + 1 }, goto: "planning_it" });
  }

  function spread({ plan, entries }) {
    return readyWork(plan, resultsOf(entries)).map((work) => new Send("work", work));
  }

  async function work({ step, before, item, index, isEmpty }) {
    if (isEmpty) return { entries: [{ id: step.id, text: [] }] };
    const text = await workers[step.agent]({
      prompt: `Do this and say what came of it.
${step.task}
${step.nodes}
${item === undefined ? "" : `This time for: ${item}`}
What others wrote before: ${JSON.stringify(before)}`,
    });
    return { entries: [{ id: step.id, index, text }] };
  }

  function goOn({ mode, plan, entries }) {
    const results = resultsOf(entries);
    if (plan.steps.every(({ id }) => id in results)) return "conclude";
    return mode === "expert" ? "check_it" : "go";
  }

  async function checkIt({ task, xml, entries, replans, replanned }) {
    const { check } = await checker({
      prompt: `Say whether the rest of this plan still leads to the task, after what came of the agents that are done.
Task: ${task}
Plan: ${xml}
Done: ${JSON.stringify(resultsOf(entries))}`,
    });
    if (!check.isWrong) return new Command({ update: { check }, goto: "go" });
    if (replanned === replans) throw new Error("the plan was made anew too often");
    return new Command({ update: { check, replanned: replanned + 1 }, goto: "planning_it" });
  }

  async function conclude({ task, entries }) {
    const answer = await concluder({
      prompt: `Answer the task from what the agents came to.
Task: ${task}
${JSON.stringify(resultsOf(entries))}`,
    });
    return { answer };
  }

  return new StateGraph(State)
    .addNode("chat", chat, { ends: ["planning_it", END] })
    .addNode("planning_it", planIt)
    .addNode("confirm", confirm, { ends: ["planning_it", "go", END] })
    .addNode("go", () => ({}))
    .addNode("work", work)
    .addNode("behind", () => ({}))
    .addNode("check_it", checkIt, { ends: ["planning_it", "go"] })
    .addNode("conclude", conclude)
    .addEdge(START, "chat")
    .addEdge("planning_it", "confirm")
    .addConditionalEdges("go", spread, ["work"])
    .addEdge("work", "behind")
    .addConditionalEdges("behind", goOn, ["go", "check_it", "conclude"])
    .addEdge("conclude", END)
    .compile({ checkpointer })
    .withConfig({ recursionLimit: 200 });
}

/** An agent as a tool of another one. */
function createChecked({ model }) {
  const doubter = createRole({ llm: model("checker") });
  const state = new StateSchema({ claim: z.string(), verdict: z.string().default("") });
  return new StateGraph(state)
    .addNode("doubt", async ({ claim }) => ({
      verdict: await doubter({ prompt: `Is this right? ${claim}` }),
    }))
    .addEdge(START, "doubt")
    .addEdge("doubt", END)
    .compile();
}

/** A conversation whose agent gives whole tasks to Eko. */
export function createDesk({ model, scope, checkpointer }) {
  const eko = createEko({ model, scope });
  const whole = tool(async ({ task }) => JSON.stringify((await eko.invoke({ task })).answer), {
    name: "Eko",
    description: "plans a task and has agents carry it out",
    schema: z.object({ task: z.string() }),
  });
  const options = { strategy: "last", maxTokens: 15, tokenCounter: (all) => all.length };
  return createReactAgent({
    llm: model("talker"),
    tools: [whole],
    stateSchema: new StateSchema({ messages: MessagesValue }),
    preModelHook: async ({ messages }) => ({
      llmInputMessages: await trimMessages(messages, options),
    }),
    checkpointer,
  });
}
