/** Magentic's desk in LangGraph JS: a message goes to the whole team, or to one agent of it. */
import { END, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import { createGuard } from "./magentic/guard.js";
import { createTeam, Found, Message } from "./magentic/team.js";
import { createRole } from "./role.js";

const State = new StateSchema({
  message: z.string(),
  to: z.enum(["team", "web_surfer", "coder", "file_surfer"]).default("team"),
  answer: z.string().default(""),
  why: z.string().default(""),
  talk: z.array(Message).default(() => []),
  found: z.array(Found).default(() => []),
});

// Not written, as it can't be: what a person says to a run under way; a step whose wait of a day outlives the process; plans that
// outlive it without a server of a database, and a person who approves what is learned by a command; a server of tools that is
// optional and named by a setting; one limit of a day, of 30 minutes or of 40 turns that a new process keeps to.
export function createMagentic({ model, scope, checkpointer, store }) {
  const guarded = createGuard({ model, scope, approve: "conservative" });
  const magentic = createTeam({ model, guarded, store });
  const surfer = createRole({
    llm: model("surfer"),
    tools: guarded("permissive", "browser.visit", "web.search", "web.read"),
    turns: 40,
  });
  const reader = createRole({
    llm: model("reader"),
    tools: guarded("never", "folder.open", "folder.list", "folder.find", "folder.grep"),
    turns: 40,
  });
  const coder = createCoder({ model, guarded });

  async function team({ message, talk, found }) {
    const ended = await magentic.invoke({ task: message, talk, found });
    return { answer: ended.answer, why: ended.why, talk: ended.talk, found: ended.found };
  }

  async function webSurfer({ message }) {
    return { answer: await surfer({ prompt: message }) };
  }

  async function code({ message }) {
    const { report } = await coder.invoke({ task: message });
    return { answer: report };
  }

  async function fileSurfer({ message }) {
    return { answer: await reader({ prompt: message }) };
  }

  return new StateGraph(State)
    .addNode("team", team)
    .addNode("web_surfer", webSurfer)
    .addNode("coder", code)
    .addNode("file_surfer", fileSurfer)
    .addConditionalEdges(START, ({ to }) => to, ["team", "web_surfer", "coder", "file_surfer"])
    .addEdge("team", END)
    .addEdge("web_surfer", END)
    .addEdge("coder", END)
    .addEdge("file_surfer", END)
    .compile({ checkpointer, store })
    .withConfig({ recursionLimit: 5_000 });
}

/** Writes code, has its run approved, and mends it until it ends well. */
function createCoder({ model, guarded }) {
  const Outcome = z.object({ exitCode: z.number(), blocks: z.number(), text: z.string() });
  const Coding = new StateSchema({
    task: z.string(),
    rounds: z.number().default(3),
    round: z.number().default(0),
    summarize: z.boolean().default(false),
    answers: z.array(z.string()).default(() => []),
    outcome: Outcome.default({ exitCode: 0, blocks: 0, text: "" }),
    report: z.string().default(""),
  });
  const writer = createRole({ llm: model("coder") });
  const teller = createRole({ llm: model("coder") });
  const [run] = guarded("always", "code.runBlocks");

  async function write({ task, outcome, answers, round }) {
    const mend = `It was run. Mend it, and give all of the blocks again. ${outcome.text}`;
    const answer = await writer({
      system:
        "Solve the task by code in fenced blocks (py, sh, js, ts), which are run in their order in one new folder. Files that they write there are kept. Where no code is needed, answer without a block.",
      prompt: `Task: ${task} ${outcome.blocks === 0 ? "" : mend}\nYour answers before: ${JSON.stringify(answers)}`,
    });
    return { answers: [...answers, answer], round: round + 1 };
  }

  async function execute({ answers, round, rounds, summarize }) {
    const answer = answers.at(-1);
    const call = { text: answer, explanation: "It is run.", require_approval: true };
    const result = await run.invoke(call);
    if (result.startsWith("this call was not approved"))
      return { report: "The user did not approve the code execution." };
    const outcome = Outcome.parse(JSON.parse(result));
    if (outcome.exitCode !== 0 && round > rounds) throw new Error("the code was mended too often");
    const isTold = outcome.exitCode === 0 && outcome.blocks > 0 && summarize;
    const report = outcome.blocks === 0 ? answer : outcome.text;
    return { outcome, report: isTold ? "" : report };
  }

  async function tell({ task, outcome }) {
    const report = await teller({
      prompt: `Task: ${task} Say in a few sentences what came of this, and nothing that does not stand there: ${outcome.text}`,
    });
    return { report };
  }

  function next({ outcome, report }) {
    if (outcome.exitCode !== 0) return "write";
    return report === "" ? "tell" : END;
  }

  return new StateGraph(Coding)
    .addNode("write", write)
    .addNode("execute", execute)
    .addNode("tell", tell)
    .addEdge(START, "write")
    .addEdge("write", "execute")
    .addConditionalEdges("execute", next, ["write", "tell", END])
    .addEdge("tell", END)
    .compile();
}
