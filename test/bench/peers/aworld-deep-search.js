/** AWorld's DeepSearch in LangGraph JS: a planner makes tasks, searchers do them side by side, and a writer makes the report. */
import {
  Command,
  END,
  Overwrite,
  ReducedValue,
  Send,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { z } from "zod";
import { createRole } from "./role.js";
import { toolsOf } from "./tools-of.js";

const Task = z.object({ query: z.string(), why: z.string(), place: z.enum(["index", "site"]) });
const Finding = z.object({
  package: z.string(),
  file: z.string(),
  heading: z.string(),
  quote: z.string(),
});
const Lesson = z.object({ skill: z.string(), actions: z.array(z.string()) });
const Profile = z.record(z.string(), z.string());

const byPlace = ({ file, quote }) => file + quote;
function union(all, more) {
  return [...new Map([...all, ...more].map((finding) => [byPlace(finding), finding])).values()];
}
const append = (all, more) => [...all, ...more];
const listOf = (item, reducer) =>
  new ReducedValue(
    z.array(item).default(() => []),
    { reducer },
  );

const State = new StateSchema({
  question: z.string(),
  site: z.string().default(""),
  width: z.number().default(3),
  rounds: z.number().default(1),
  round: z.number().default(0),
  tasks: z.array(Task).default(() => []),
  found: listOf(Finding, union),
  missed: listOf(z.string(), append),
  kept: z.array(z.string()).default(() => []),
  report: z.string().default(""),
  asked: listOf(z.string(), append),
});

/** The context of one task. */
const Found = { found: listOf(Finding, union), missed: listOf(z.string(), append) };
const Searching = new StateSchema({ task: Task, question: z.string(), site: z.string(), ...Found });

// Not written, as it can't be: memories and a profile that outlive the process without a server of a database (the packages
// have a store in memory, and one for Postgres), and their search without a model of vectors; a budget of tokens that a new
// process keeps to; one limit of four searchers at once that holds for these nodes alone (`maxConcurrency` is of the whole
// run); sub-contexts that are listed, looked at and merged.
export function createDeepSearch({ model, scope, checkpointer, store }) {
  const planner = createRole({
    llm: model("planner"),
    shape: z.object({ tasks: z.array(Task) }),
  });
  const searcher = createRole({
    llm: model("searcher"),
    tools: toolsOf(scope, "docs.search", "docs.read"),
    shape: z.object({ found: z.array(Finding), learned: z.array(Lesson) }),
  });
  const surfer = createRole({
    llm: model("searcher"),
    tools: toolsOf(scope, "browser.visit", "browser.read", "browser.click"),
    shape: z.object({ found: z.array(Finding) }),
    turns: 12,
  });
  const writer = createRole({ llm: model("writer") });
  const learner = createRole({
    llm: model("writer"),
    shape: z.object({ kept: z.array(z.string()), profile: Profile }),
  });

  // A thread keeps all of its state: what is of one run alone begins anew.
  function begin() {
    return {
      ...{ round: 0, tasks: [], kept: [], report: "" },
      ...{ found: new Overwrite([]), missed: new Overwrite([]) },
    };
  }

  async function plan({ question, site, width, round, asked, found }, config) {
    const facts = await config.store.search(["facts", userOf(config)], {
      query: question,
      limit: 5,
    });
    const isSite = site !== "";
    const { tasks } = await planner({
      prompt: `Split the question into at most ${width} searches. The first has all its telling words; each other one
narrows it to a part, and says why that matters. Give none if no search could help, or if enough is found.
Question: ${question}
Each searches the documents of the installed packages${isSite ? `, and one with the place site the pages of ${site} as well` : ""}.
Asked before in this session: ${JSON.stringify(asked)}
Known: ${JSON.stringify(facts.map(({ value }) => value.fact))}
Found so far: ${JSON.stringify(found)}`,
      wrong: ({ tasks }) => {
        if (question.trim() === "") return "the question is empty; ask something";
        if (tasks.length > width) return "too many searches";
        const isLost = tasks.some(({ place }) => place === "site" && !isSite);
        return isLost ? "there is no site to look at" : undefined;
      },
    });
    return { tasks, round: round + 1 };
  }

  function spread({ tasks, question, site }) {
    if (tasks.length === 0) return "write";
    return tasks.map((task) => new Send("searching", { task, question, site }));
  }

  async function search({ task, question }, config) {
    const lessons = await config.store.search(["lessons", "searcher"], {
      query: task.query,
      limit: 3,
    });
    const { found, learned } = await searcher({
      prompt: `Find up to 4 sentences that help to answer the question. Copy each literally from a document that you have
searched or read, and say where it stands. Give none if nothing there answers it.
Search for: ${task.query}
Why: ${task.why}
Whole question: ${question}
What worked before: ${JSON.stringify(lessons.map(({ value }) => value))}`,
      wrong: ({ found }) =>
        found.some(({ quote }) => quote.trim() === "")
          ? "a finding has no quote; leave it out"
          : undefined,
    });
    for (const lesson of learned)
      await config.store.put(["lessons", "searcher"], lesson.skill, lesson);
    return { found };
  }

  async function browse({ task, site }) {
    const { found } = await surfer({
      prompt: `Look at the site in the browser and find up to 4 sentences on this. Copy each literally; its file is the address
of its page.
Site: ${site}
Search for: ${task.query}`,
    });
    return { found };
  }

  const missed = ({ task }) => new Command({ update: { missed: [task.query] }, goto: END });

  async function check({ found }) {
    return { found: new Overwrite(await scope.checkQuotes(found)) };
  }

  async function write({ question, found }, config) {
    const profile = await config.store.get(["profile"], userOf(config));
    const report = await writer({
      prompt: `Answer the question from these findings alone. Quote them literally, the most telling first, and cite package,
file and heading of each. If they do not answer it, say that nothing was found.
Question: ${question}
Findings: ${JSON.stringify(found)}
Who asks: ${JSON.stringify(profile?.value ?? {})}`,
    });
    return { report, asked: [question] };
  }

  async function learn({ question, report }, config) {
    const { kept, profile } = await learner({
      prompt: `Say in a sentence each what is worth knowing in later questions of this person, and what the question tells of them.
Question: ${question}
Report: ${report}`,
    });
    const user = userOf(config);
    for (const fact of kept) await config.store.put(["facts", user], fact, { fact });
    const before = await config.store.get(["profile"], user);
    await config.store.put(["profile"], user, { ...before?.value, ...profile });
    return { kept };
  }

  // A graph of its own for each task: a node with `defer` does not wait for what a `Send` starts.
  const policies = { timeout: 180_000, errorHandler: missed, ends: [END] };
  const retryPolicy = { maxAttempts: 2, initialInterval: 1_000, maxInterval: 20_000 };
  const searching = new StateGraph(Searching, { output: new StateSchema(Found) })
    .addNode("search", search, { ...policies, retryPolicy })
    .addNode("browse", browse, policies)
    .addEdge(START, "search")
    .addConditionalEdges("search", ({ task }) => (task.place === "site" ? "browse" : END))
    .addEdge("browse", END)
    .compile();

  return new StateGraph(State)
    .addNode("begin", begin)
    .addNode("plan", plan)
    .addNode("searching", searching)
    .addNode("check", check)
    .addNode("write", write)
    .addNode("learn", learn)
    .addEdge(START, "begin")
    .addEdge("begin", "plan")
    .addConditionalEdges("plan", spread, ["searching", "write"])
    .addEdge("searching", "check")
    .addConditionalEdges("check", ({ round, rounds }) => (round < rounds ? "plan" : "write"), [
      "plan",
      "write",
    ])
    .addEdge("write", "learn")
    .addEdge("learn", END)
    .compile({ checkpointer, store })
    .withConfig({ recursionLimit: 200, maxConcurrency: 4 });
}

const userOf = ({ configurable }) => configurable.user_id ?? "someone";
