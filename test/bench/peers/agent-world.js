/** AgentWorld in LangGraph JS: three patterns of strong agents that tell each other messages, and a desk that chooses one. */
import {
  Command,
  END,
  interrupt,
  ReducedValue,
  Send,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { z } from "zod";
import { createRole } from "./role.js";

const Review = z.object({ isAccepted: z.boolean(), findings: z.array(z.string()) });
const Part = z.object({ name: z.string(), details: z.string() });
const Note = z.object({ at: z.number(), part: z.string(), text: z.string() });
const Fact = z.object({ text: z.string(), source: z.string() });
const Message = z.object({ from: z.string(), to: z.string(), kind: z.string(), payload: z.any() });

const append = (all, more) => [...all, ...more];
const listOf = (item, reducer = append) =>
  new ReducedValue(
    z.array(item).default(() => []),
    { reducer },
  );
const byText = (all, more) => [
  ...new Map([...all, ...more].map((one) => [one.text, one])).values(),
];
const inboxOf = (told, to) => JSON.stringify(told.filter((one) => one.to === to));

// Not written, as it can't be: controllers of Claude Code and Codex, with their sessions, limits, approvals, files and events (`strong`
// is given on both sides, and its lines are counted for neither); a session that outlives the process; skills; artifacts by
// name; that nobody is told what nobody may be told, before a run; the desk as an agent for others over A2A.
export function createAgentWorld({ model, scope, checkpointer }) {
  const next = z.enum(["build", "split", "report"]);
  const router = createRole({ llm: model("router"), shape: z.object({ next }) });

  async function route({ task }) {
    const { next } = await router({
      prompt: `Choose build for one text, split for several texts that wait for nothing of each other, report for a question.
${task}`,
    });
    return new Command({ goto: next });
  }

  function sign({ text }) {
    const isGood = interrupt({ ask: `Print this? ${text}` });
    return new Command({ goto: isGood ? "print" : END });
  }

  async function print({ text }) {
    return { tray: await scope.press.print(text) };
  }

  const output = new StateSchema({ text: z.string() });
  const State = new StateSchema({
    task: z.string(),
    text: z.string().default(""),
    tray: z.string().default(""),
  });
  return new StateGraph(State)
    .addNode("route", route, { ends: ["build", "split", "report"] })
    .addNode("build", createBuild(scope, output))
    .addNode("split", createSplit(scope, output))
    .addNode("report", createReport(scope, output))
    .addNode("sign", sign, { ends: ["print", END] })
    .addNode("print", print)
    .addEdge(START, "route")
    .addEdge("build", "sign")
    .addEdge("split", "sign")
    .addEdge("report", "sign")
    .addEdge("print", END)
    .compile({ checkpointer });
}

/** Planner, coder, reviewer. */
function createBuild({ strong, check }, output) {
  const State = new StateSchema({
    task: z.string(),
    rounds: z.number().default(2),
    round: z.number().default(0),
    text: z.string().default(""),
    faults: z.array(z.string()).default(() => []),
    review: Review.default({ isAccepted: false, findings: [] }),
    told: listOf(Message),
  });

  async function plan({ task }) {
    const steps = await strong("plan", {
      prompt: `Say in a few steps how this is done: ${task}`,
      shape: z.array(z.string()).min(1),
    });
    return { told: [{ from: "plan", to: "code", kind: "plan", payload: { steps } }] };
  }

  async function code({ task, told, round }) {
    const text = await strong("code", {
      prompt: `Do this and answer with the whole text: ${task}\nWhat others told you: ${inboxOf(told, "code")}`,
      shape: z.string(),
    });
    const artifact = { from: "code", to: "review", kind: "artifact", payload: { text } };
    return { text, round: round + 1, told: [artifact] };
  }

  async function inspect({ text }) {
    return { faults: await check(text) };
  }

  async function reviewing({ text, faults }) {
    const review = await strong("review", {
      prompt: `Accept this text or say what is wrong with it: ${text}\nA check has found: ${JSON.stringify(faults)}`,
      shape: Review,
    });
    return { review, told: [{ from: "review", to: "code", kind: "review", payload: review }] };
  }

  const isOver = ({ review, round, rounds }) => review.isAccepted || round > rounds;
  return new StateGraph(State, { output })
    .addNode("plan", plan)
    .addNode("code", code, { retryPolicy: { maxAttempts: 2 } })
    .addNode("inspect", inspect)
    .addNode("reviewing", reviewing)
    .addEdge(START, "plan")
    .addEdge("plan", "code")
    .addEdge("code", "inspect")
    .addEdge("inspect", "reviewing")
    .addConditionalEdges("reviewing", (state) => (isOver(state) ? END : "code"), ["code", END])
    .compile();
}

/** Planner, parallel workers, reducer. */
function createSplit({ strong, joined }, output) {
  const State = new StateSchema({
    task: z.string(),
    width: z.number().default(4),
    parts: z.array(Part).default(() => []),
    notes: listOf(Note),
    missed: listOf(z.string()),
    text: z.string().default(""),
  });

  async function split({ task, width }) {
    const parts = await strong("split", {
      prompt: `Split this into at most ${width} parts that wait for nothing of each other: ${task}`,
      shape: z.array(Part).min(1).max(width),
    });
    return { parts };
  }

  async function work({ part, at }) {
    const text = await strong("work", {
      prompt: `Do this part and answer with its text: ${part.name}. ${part.details}`,
      shape: z.string(),
    });
    return { notes: [{ at, part: part.name, text }] };
  }

  async function merge({ notes }) {
    return { text: await joined(notes.toSorted((a, b) => a.at - b.at)) };
  }

  const missed = ({ part }) => new Command({ update: { missed: [part.name] }, goto: "merge" });
  return new StateGraph(State, { output })
    .addNode("split", split)
    .addNode("work", work, { errorHandler: missed, ends: ["merge"] })
    .addNode("merge", merge)
    .addEdge(START, "split")
    .addConditionalEdges(
      "split",
      ({ parts }) => parts.map((part, at) => new Send("work", { part, at })),
      ["work"],
    )
    .addEdge("work", "merge")
    .addEdge("merge", END)
    .compile();
}

/** Researcher, critic, writer. */
function createReport({ strong }, output) {
  const State = new StateSchema({
    task: z.string(),
    facts: listOf(Fact, byText),
    told: listOf(Message),
    text: z.string().default(""),
  });
  const Verdict = z.union([
    z.object({ goto: z.enum(["research", "write"]), task: z.string() }),
    z.object({ answer: z.string() }),
  ]);

  async function research({ task, told }) {
    const facts = await strong("research", {
      prompt: `Find facts on this, each with where it stands, and keep them in a file: ${task}\nWhat others told you: ${inboxOf(told, "research")}`,
      shape: z.array(Fact),
    });
    const observation = { from: "research", kind: "observation", payload: { facts } };
    const both = ["criticize", "write"].map((to) => ({ ...observation, to }));
    return { facts, told: both };
  }

  async function criticize({ task, facts }) {
    const verdict = await strong("criticize", {
      prompt: `Look for what is missing in these facts: ${JSON.stringify(facts)}
Hand over to research with what is missing, or to write. Where nothing is known, answer so.
The task: ${task}`,
      shape: Verdict,
    });
    if ("answer" in verdict) return new Command({ update: { text: verdict.answer }, goto: END });
    const { goto, task: payload } = verdict;
    const handoff = { from: "criticize", to: goto, kind: "handoff", payload };
    return new Command({ update: { told: [handoff] }, goto });
  }

  async function write({ facts, told }) {
    const text = await strong("write", {
      prompt: `Write from these facts alone and name their sources: ${JSON.stringify(facts)}\nWhat others told you: ${inboxOf(told, "write")}`,
      shape: z.string(),
    });
    return { text };
  }

  return new StateGraph(State, { output })
    .addNode("research", research)
    .addNode("criticize", criticize, { ends: ["research", "write", END] })
    .addNode("write", write)
    .addEdge(START, "research")
    .addEdge("research", "criticize")
    .addEdge("write", END)
    .compile();
}
