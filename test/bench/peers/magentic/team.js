/** Magentic's team: it plans a task with a person, carries the plan out under a ledger, plans anew where that is needed, and answers. */
import { setTimeout as sleep } from "node:timers/promises";
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
import { createRole } from "../role.js";
import { readRepeat } from "./repeat.js";

export const Message = z.object({ role: z.enum(["user", "assistant"]), content: z.string() });
export const Found = z.object({ step: z.string(), by: z.string(), text: z.string() });
const Step = z.object({
  id: z.string(),
  title: z.string(),
  details: z.string(),
  agent: z.string(),
  repeat: z.string().nullish(),
});
const Plan = z.object({
  task: z.string().optional(),
  summary: z.string().optional(),
  version: z.number().optional(),
  steps: z.array(Step),
});
const Draft = z.object({
  kind: z.enum(["plan", "answer", "question"]),
  response: z.string(),
  source: z.enum(["web", "own knowledge", "none"]),
  summary: z.string(),
  steps: z.array(Step),
});
const members = ["web_surfer", "coder_agent", "file_surfer", "mcp_agent", "user"];
const Ledger = z.object({
  isDone: z.boolean(),
  needsReplan: z.boolean(),
  reason: z.string(),
  progress: z.string(),
  instruction: z.string(),
  next: z.enum([...members, "nobody"]),
});
const Learned = z.object({ task: z.string(), summary: z.string(), steps: z.array(Step) });
const listOf = (item) =>
  new ReducedValue(
    z.array(item).default(() => []),
    { reducer: (all, more) => [...all, ...more] },
  );

const State = new StateSchema({
  task: z.string(),
  given: Plan.optional(),
  isAccepted: z.boolean().default(false),
  cooperative: z.boolean().default(true),
  autonomous: z.boolean().default(false),
  without: z.array(z.string()).default(() => []),
  sites: z.array(z.string()).default(() => []),
  approval: z.enum(["always", "never", "conservative", "permissive"]).default("permissive"),
  search: z.boolean().default(false),
  recalling: z.enum(["never", "hint", "reuse"]).default("never"),
  learns: z.boolean().default(false),
  replansMax: z.number().default(3),
  roundsMax: z.number().default(20),
  stopAt: z.string().default(""),
  finalPrompt: z.string().default(""),
  talk: listOf(Message),
  found: listOf(Found),
  absent: z.array(z.string()).default(() => []),
  plan: Plan.default({ steps: [] }),
  remembered: z.array(Learned).default(() => []),
  hits: z.array(z.any()).default(() => []),
  pages: listOf(z.string()),
  draft: z.any().default({ kind: "plan", summary: "" }),
  asked: z.number().default(0),
  reason: z.string().default(""),
  at: z.number().default(0),
  isNew: z.boolean().default(true),
  replans: z.number().default(0),
  rounds: z.number().default(0),
  ledger: z.any().default({ instruction: "", next: "nobody" }),
  seen: z.array(z.string()).default(() => []),
  why: z.string().default(""),
  source: z.string().default("own knowledge"),
  answer: z.string().default(""),
});

const TEAM = {
  web_surfer: "searches the web, reads pages and uses them in a browser",
  coder_agent: "writes code in Python, shell or JavaScript and runs it in a sandbox",
  file_surfer: "finds and reads files of this folder: texts, PDF, Word, Excel, slides",
  mcp_agent: "uses the tools of the server that this run was given",
  user: "the person: answers short questions, and does what nobody else can; the last resort",
};
const MODELS = {
  web_surfer: ["surfer", "browser.visit", "web.search", "web.read"],
  coder_agent: ["programmer", "code.run"],
  file_surfer: ["reader", "folder.open", "folder.list", "folder.find", "folder.grep"],
  mcp_agent: ["caller"],
};
const YES = /^(accept|accepted|approve|execute|run|yes|ok|do it|looks good|sounds good)( plan)?$/i;

const teamOf = (absent) =>
  Object.entries(TEAM)
    .filter(([name]) => !absent.includes(name))
    .map(([name, does]) => `${name}: ${does}`)
    .join("\n");
const sitesOf = (sites) =>
  sites.length === 0 ? "" : `Only these sites may be used: ${sites.join(", ")}.`;
const says = (role, content) => [{ role, content }];
const userOf = ({ configurable }) => configurable.user_id ?? "someone";
const today = () => new Date().toISOString().slice(0, 10);

export function createTeam({ model, guarded, store }) {
  const planner = createRole({ llm: model("orchestrator"), shape: Draft });
  const tracker = createRole({ llm: model("orchestrator"), shape: Ledger });
  const finisher = createRole({ llm: model("orchestrator") });
  const judge = createRole({ llm: model("orchestrator"), shape: z.object({ isMet: z.boolean() }) });
  const learner = createRole({ llm: model("learner"), shape: Learned });

  async function lookUp({ task, given, recalling, autonomous, without, plan: before }, config) {
    const absent = autonomous ? [...without, "user"] : without;
    const known = await store.search(["plans", userOf(config)], { query: task, limit: 1 });
    const remembered = known.map(({ value }) => value);
    const isFit = ({ steps }) =>
      steps.every(({ agent }) => agent in TEAM && !absent.includes(agent));
    const isReused = recalling === "reuse" && remembered.some(isFit);
    const { summary, steps } = remembered[0] ?? {};
    const plan = isReused ? { task, summary, steps } : (given ?? before);
    return { absent, remembered, plan, talk: says("user", task) };
  }

  function behindLookUp({ plan, isAccepted, cooperative, search }) {
    if (plan.steps.length > 0) return isAccepted || !cooperative ? "track" : "review";
    return search ? "search_web" : "planner";
  }

  const [searchTool, readTool] = guarded("never", "web.search", "web.read");

  async function searchWeb({ task }) {
    const explanation = "The plan needs it.";
    const { hits } = JSON.parse(await searchTool.invoke({ query: task, limit: 3, explanation }));
    return { hits };
  }

  function openEach({ hits }) {
    return hits.length === 0 ? "planner" : hits.map(({ url }) => new Send("open_page", { url }));
  }

  async function openPage({ url }) {
    const explanation = "The plan needs it.";
    return { pages: [await readTool.invoke({ url, length: 20_000, explanation })] };
  }

  async function planIt({ task, talk, absent, sites, pages, plan, at, found, reason, ...state }) {
    const { recalling, remembered } = state;
    const done = plan.steps.slice(0, at);
    const draft = await planner({
      system: `You plan what a team does for a person. Today is ${today()}.`,
      prompt: `Decide what the task needs. Where you can answer it yourself, do (kind "answer") and say whether the facts come
from the web or from your own knowledge. Where one thing that only the person knows is missing, ask for it (kind
"question"). Else make a plan (kind "plan"): steps, each with an id, a title, details and the one agent of the team
who does it, one after the other, as few as it needs. The task stays as it is.
A step that looks again and again until something holds, or so many times, has \`repeat\`: "every 30s until the price
is below 10 max 200", "every 1d 30 times". That is one step, however often it looks; other intervals are another one.
Task: ${task}
Team:
${teamOf(absent)}
${sitesOf(sites)}
The conversation so far: ${JSON.stringify(talk)}
${pages.length === 0 ? "" : `The web says:\n${pages.join("\n\n")}`}
${recalling === "hint" && remembered.length > 0 ? `A plan that worked for a similar task:\n${JSON.stringify(remembered[0].steps)}` : ""}
${plan.steps.length === 0 ? "" : `The plan so far:\n${JSON.stringify(plan.steps)}`}
${at === 0 ? "" : `Of it these steps are done and stay; plan only what is left, with other ids: ${done.map(({ id }) => id).join(", ")}.\nWhat is known:\n${JSON.stringify(found)}`}
${reason === "" ? "" : `It is planned anew: ${reason}`}`,
      wrong: ({ steps }) =>
        steps.every(({ agent }) => agent in TEAM && !absent.includes(agent))
          ? undefined
          : "a step is for nobody of the team",
    });
    const { kind, response, summary, steps } = draft;
    const version = (plan.version ?? 0) + 1;
    const next = kind === "plan" ? { task, summary, version, steps: [...done, ...steps] } : plan;
    return { draft, talk: says("assistant", response), plan: next };
  }

  function behindPlan({ draft, autonomous, asked, plan, at, cooperative }) {
    if (draft.kind === "question" && !autonomous && asked === 0)
      return new Command({ update: { asked: 1 }, goto: "clarify" });
    if (draft.kind !== "plan")
      return new Command({ update: { answer: draft.response, source: draft.source }, goto: END });
    if (plan.steps.length <= at)
      return new Command({ update: { why: "Nothing is left to plan." }, goto: "finish" });
    if (cooperative) return new Command({ goto: "review" });
    return new Command({ update: { isNew: true }, goto: "track" });
  }

  function clarify({ draft }) {
    const answer = interrupt({ ask: draft.response });
    return answer === false ? {} : { talk: says("user", answer) };
  }

  function review({ draft, plan }) {
    const verdict = interrupt({
      ask: `Accept the plan, change it, or say what is to be other: ${draft.summary}`,
      plan,
    });
    if (verdict === false) {
      const update = { answer: "The plan was cancelled.", why: "The person cancelled the plan." };
      return new Command({ update, goto: END });
    }
    if (typeof verdict === "object")
      return new Command({ update: { plan: Plan.parse(verdict) }, goto: "review" });
    if (verdict === true || YES.test(verdict.trim())) {
      const talk = says("user", `I accept this plan: ${JSON.stringify(plan.steps)}`);
      return new Command({ update: { isNew: true, talk }, goto: "track" });
    }
    return new Command({ update: { talk: says("user", verdict) }, goto: "planner" });
  }

  async function track({ task, plan, at, isNew, absent, sites, talk, found, rounds }) {
    const step = plan.steps[at];
    const ledger = await tracker({
      system: `You watch over a team that carries out a plan. Today is ${today()}.`,
      prompt: `Task: ${task}
Plan:
${JSON.stringify(plan.steps)}
We are at step ${at + 1} of ${plan.steps.length}, ${step.title}: ${step.details} (for ${step.agent}, ${step.repeat ?? "done once"}).
${isNew ? "It has not been begun." : ""}
Team:
${teamOf(absent)}
nobody: the step needs no action of anybody
${sitesOf(sites)}
What the person said: ${JSON.stringify(talk.filter(({ role }) => role === "user"))}
What is known: ${JSON.stringify(found)}

Say whether this step is done, whether the plan must be made anew (an obstacle, going in circles, the person wants
it otherwise), with the reason; in short what was found; and the instruction for who of the team goes on, for
the next step where this one is done.`,
      wrong: ({ next }) =>
        absent.includes(next) ? "the next one is nobody of the team" : undefined,
    });
    const { isDone, needsReplan, progress } = ledger;
    const isKept = !isNew && progress !== "";
    return {
      ledger,
      reason: ledger.reason,
      rounds: rounds + 1,
      found: isKept ? [{ step: step.id, by: "orchestrator", text: progress }] : [],
      at: at + (isDone && !isNew && !needsReplan ? 1 : 0),
    };
  }

  function behindTrack({ isNew, ledger, replans, replansMax, at, plan, rounds, found, ...state }) {
    const { roundsMax, stopAt } = state;
    const finish = (why) => new Command({ update: { why }, goto: "finish" });
    if (!isNew && ledger.needsReplan) {
      if (replans < replansMax)
        return new Command({ update: { replans: replans + 1 }, goto: "planner" });
      return finish(`The plan did not work, and it was planned anew ${replans} times.`);
    }
    if (at >= plan.steps.length) return finish("Plan completed.");
    if (rounds > roundsMax) return finish("Max rounds reached.");
    if (stopAt !== "" && found.some(({ text }) => text.includes(stopAt)))
      return finish(`It came to "${stopAt}".`);
    if (plan.steps[at].repeat) return new Command({ goto: "watch" });
    if (ledger.next === "nobody") return new Command({ update: { isNew: false }, goto: "track" });
    return new Command({ goto: ledger.next });
  }

  async function ask(name, prompt, { approval, sites }) {
    const [which, ...names] = MODELS[name];
    const member = createRole({ llm: model(which), tools: guarded(approval, ...names) });
    return await member({ prompt: `${prompt}\n${sitesOf(sites)}` });
  }

  const memberNode = (name) => async (state) => {
    const { plan, at, ledger, found } = state;
    const { id, title, details } = plan.steps[at];
    const known = name === "coder_agent" ? `\nWhat is known: ${JSON.stringify(found)}` : "";
    const prompt = `Step ${at + 1}: ${title}\n\n${details}\n\nInstruction for ${name}: ${ledger.instruction}${known}`;
    const text = await ask(name, prompt, state);
    return { found: [{ step: id, by: name, text }], isNew: false };
  };

  function failed({ plan, at }, { error }) {
    const text = `It failed: ${error.message}`;
    const found = [{ step: plan.steps[at].id, by: "orchestrator", text }];
    return new Command({ update: { isNew: false, seen: [], found }, goto: "track" });
  }

  function user({ plan, at, ledger }) {
    const step = plan.steps[at];
    const answer = interrupt({ ask: ledger.instruction || step.details });
    const text = answer === false ? "The person does not answer." : answer;
    const talk = answer === false ? [] : says("user", answer);
    return { talk, found: [{ step: step.id, by: "user", text }], isNew: false };
  }

  // One look is one step, so that a crash costs no more than one.
  async function watch(state) {
    const { plan, at, seen } = state;
    const { id, details, agent, repeat } = plan.steps[at];
    const { everyMs, rounds, until } = readRepeat(repeat);
    if (seen.length > 0) await sleep(everyMs);
    const look = await ask(agent, `${details}\n(Round ${seen.length + 1} of ${rounds}.)`, state);
    const all = [...seen, look];
    const isMet =
      until !== undefined && (await judge({ prompt: `Is it so: ${until}?\n${look}` })).isMet;
    const isLast = all.length === rounds;
    if (!isMet && !isLast) return new Command({ update: { seen: all }, goto: "watch" });
    if (until !== undefined && !isMet) {
      const found = [{ step: id, by: "orchestrator", text: "It looked as often as it may." }];
      return new Command({ update: { seen: [], isNew: false, found }, goto: "track" });
    }
    const found = [{ step: id, by: agent, text: JSON.stringify({ [id]: isMet ? look : all }) }];
    const update = { seen: [], found, at: at + 1, isNew: true };
    if (at + 1 < plan.steps.length) return new Command({ update, goto: "track" });
    return new Command({ update: { ...update, why: "Plan completed." }, goto: "finish" });
  }

  async function finish({ task, talk, found, why, finalPrompt }) {
    const usual = "Answer the task from what was found, and say what stayed open.";
    const answer = await finisher({
      prompt: `${finalPrompt === "" ? usual : finalPrompt.replaceAll("{task}", task)}
The conversation so far: ${JSON.stringify(talk)}
Task: ${task}
What was found: ${JSON.stringify(found)}
It ended because: ${why}`,
    });
    return { answer, talk: says("assistant", answer) };
  }

  async function learn({ task, plan, found }, config) {
    const learned = await learner({
      prompt: `Write the shortest plan that would have led to the answer of this task: steps with id, title, details and agent, for
any task of this kind. Nothing of the answer itself stands in it.
Task: ${task}
Plan: ${JSON.stringify(plan.steps)}
What was found: ${JSON.stringify(found)}`,
    });
    await store.put(["plans", userOf(config)], learned.task, learned);
    return {};
  }

  const toPlanner = () => new Command({ goto: "planner" });
  const toEnd = () => new Command({ goto: END });
  const failing = { errorHandler: failed, ends: ["track"] };
  const graph = new StateGraph(State)
    .addNode("look_up", lookUp)
    .addNode("search_web", searchWeb, { errorHandler: toPlanner, ends: ["planner"] })
    .addNode("open_page", openPage, { errorHandler: toPlanner, ends: ["planner"] })
    .addNode("planner", planIt)
    .addNode("behind_plan", behindPlan, { ends: ["clarify", "review", "track", "finish", END] })
    .addNode("clarify", clarify)
    .addNode("review", review, { ends: ["review", "track", "planner", END] })
    .addNode("track", track)
    .addNode("behind_track", behindTrack, {
      ends: [...members, "track", "planner", "watch", "finish"],
    })
    .addNode("user", user)
    .addNode("watch", watch, { ...failing, ends: ["watch", "track", "finish"] })
    .addNode("finish", finish)
    .addNode("learn", learn, { errorHandler: toEnd, ends: [END] })
    .addEdge(START, "look_up")
    .addConditionalEdges("look_up", behindLookUp, ["track", "review", "search_web", "planner"])
    .addConditionalEdges("search_web", openEach, ["open_page", "planner"])
    .addEdge("open_page", "planner")
    .addEdge("planner", "behind_plan")
    .addEdge("clarify", "planner")
    .addEdge("track", "behind_track")
    .addEdge("user", "track")
    .addConditionalEdges("finish", ({ learns }) => (learns ? "learn" : END), ["learn", END])
    .addEdge("learn", END);
  for (const name of Object.keys(MODELS))
    graph.addNode(name, memberNode(name), failing).addEdge(name, "track");
  return graph.compile().withConfig({ recursionLimit: 5_000 });
}
