/** Explains each word of the language by one use and one sentence, for editors. */
import type { NodeCount } from "../vocabulary/node-counts.ts";
import type { Keyword } from "./words.ts";

export interface WordPage {
  readonly usage: string;
  readonly says: string;
}

const PAGES = {
  // ── reserved ────────────────────────────────────────────────────────────────────────────────
  true: ["ready == true", "A boolean."],
  false: ["done: boolean = false", "A boolean."],
  null: ["plan: string | null = null", "No value; a field is null only if its type says so."],
  else: [
    "a -> { ok -> b, else -> c }",
    "The way that is taken when no condition before it holds; behind a limit, what is done instead of failing; behind `within`, the answer where nobody has given one.",
  ],
  when: [
    "a -> b when score > 3",
    "A condition: of an arrow, an approval, a rule, an item of `each`.",
  ],
  each: [
    "each task of tasks parallel 4 { search(task) }",
    "One sub-flow for each item of a list, side by side; what follows waits for all of them.",
  ],
  match: ['a -> match kind { "bug" -> fix, else -> reply }', "Chooses the way by a value."],
  // ── in expressions ──────────────────────────────────────────────────────────────────────────
  visits: [
    "review -> { visits(review) < 3 -> write max 9, else -> end }",
    "How often a node has run to its end: in the run, or in the item whose line this is.",
  ],
  round: [
    "prompt `Round ${round(write)}: …`",
    "The round of its loop that a node is in, or was in last; from 1 again where the loop is entered anew.",
  ],
  // ── at the top of a file ────────────────────────────────────────────────────────────────────
  import: [
    'import { render } from "./render.ts"',
    "Takes functions, tools and types of TypeScript, or graphs of another program.",
  ],
  model: [
    'model fast = "openai/gpt-4o-mini"',
    "Names a model; in a node, says which one works there. `rules` needs no key.",
  ],
  mcp: [
    'mcp files = "npx server" optional',
    "A server of tools, started for the run or asked at its address.",
  ],
  openapi: [
    'openapi weather = "weather.yaml"',
    "An HTTP API by its OpenAPI description: each operation is a tool.",
  ],
  type: [
    "type Task = { query: string, why: string }",
    "Names a type, written as in TypeScript; `int` is a whole number.",
  ],
  memory: [
    "memory plans user: Plan by topic",
    "A store that outlives the run: `recall` reads it, `store` fills it.",
  ],
  config: [
    "config { width: 4 }",
    "Settings of the file: names for values that a run may be started with other ones of.",
  ],
  graph: [
    "graph Search(question: string) returns report { … }",
    "A graph: its parameters, fields, nodes and arrows; inside of one, a node that calls another graph.",
  ],
  test: [
    'test "it writes" of Search { given question = "x" … }',
    "A test of a graph, with scripted results of its nodes.",
  ],
  // ── in a graph ──────────────────────────────────────────────────────────────────────────────
  state: [
    "state { report: string  notes: string[] = [] via append }",
    "The fields that nodes read and write; `state thread` and `state user` outlive the run.",
  ],
  defaults: ["defaults { model fast; retry 2 }", "Clauses for every node that lacks them."],
  agent: [
    'agent plan "splits a question" { prompt `…`; writes tasks }',
    "A node in which a model works, with tools, and writes fields by their types.",
  ],
  operator: [
    "operator code { controller claude_code(); prompt `…` }",
    "A node in which a strong agent of its own works, behind a controller.",
  ],
  human: [
    "human review { ask `Is this good? ${patch}`; writes good }",
    "A node in which a person answers.",
  ],
  router: [
    "router boss { prompt `Who goes on?` }",
    "A node in which a model picks one of the targets behind its arrow.",
  ],
  run: ["run count = countWords(text) writes words", "A node that calls a function of TypeScript."],
  tool: [
    "tool look = docs.search(query) writes hits",
    "A node that calls a tool, without a model.",
  ],
  reduce: [
    "reduce best = pick(drafts) writes answer",
    "A node whose function brings results together.",
  ],
  limit: [
    "limit 3m, 12 turns, 40k tokens, $2",
    "The most that a node or the whole graph may use: time, turns, tokens, money, steps.",
  ],
  approve: ["approve before publish", "Asks a person before a node or a tool call."],
  break: ["break before write", "Holds a run there that somebody watches, as in a notebook."],
  end: ["write -> end", "Where the graph ends; `end when done` ends it early."],
  // ── clauses of a node ───────────────────────────────────────────────────────────────────────
  system: [
    "system `Use the dictionary. Never guess.`",
    "Instructions that the model gets once, before the prompt.",
  ],
  prompt: [
    "prompt `Find evidence for ${task.query}`",
    "The task of the model; `${…}` holds an expression over fields and parameters.",
  ],
  ask: [
    "ask `Is this good?` from editor within 2h else false",
    "A question to a person: `from` names the person, `within` the longest wait, `else` the answer after it; behind `else`, a person is asked instead of failing.",
  ],
  tools: ["tools docs.search, docs.read", "The tools that the model may call."],
  skills: [
    'skills ["./style.md"]',
    "Files of instructions that the agent may read when it needs them.",
  ],
  controller: [
    'controller claude_code(cwd: ".")',
    "The strong agent that performs an operator, with its options.",
  ],
  session: [
    "session reuse",
    "The session of a strong agent: a new one (`new`), the last one (`reuse`) or an earlier one (`resume id`).",
  ],
  reads: [
    "reads notes, plan",
    "The fields that the node sees; without it, those that its texts name.",
  ],
  edits: ["edits draft", "Fields that the node changes in place."],
  writes: [
    "writes report, notes?, count = result.n via replace",
    "The fields that the node's output goes to.",
  ],
  effects: [
    "effects external",
    "The effect of the node on the world: `none`, `workspace` or `external`.",
  ],
  tell: [
    "tell writer as review",
    "Sends the output, or an object behind the kind, as a message to other nodes.",
  ],
  retry: ["retry 2 on tool | timeout backoff 1s..20s", "Tries a failed node again."],
  cache: ["cache 1d by question", "Takes the result of an earlier, equal node run."],
  ensure: [
    'ensure tasks.length <= 4 "too many"',
    "A condition on the output; if it does not hold, the model gets the hint and tries again.",
  ],
  every: [
    "every 1h until price < target max 48",
    "Does the node again and again until something holds.",
  ],
  history: [
    "history own 4k tokens",
    "The earlier turns that the model sees: `own`, `inbox`, `none`, a list of nodes.",
  ],
  context: [
    "context { offload: 2k, keep: 10 }",
    "The rules for shortening a long conversation before the model sees it.",
  ],
  recall: ["recall plans top 3", "Shows the model the entries of a memory that fit best."],
  store: ["store plan into plans", "Keeps a value in a memory once the node has succeeded."],
  set: [
    "set round = round + 1, notes = [] via replace",
    "Writes a field with the node's commit, or where an arrow is taken.",
  ],
  // ── what joins them ─────────────────────────────────────────────────────────────────────────
  from: [
    'import { a } from "./a.ts"',
    "The file or package that names come from; behind `ask` and `approve`, the person who answers, or several.",
  ],
  as: [
    'import { a as b } from "./a.ts"',
    "Another name for it; behind `tell`, the kind of message.",
  ],
  of: ["each task of tasks { search(task) }", "Joins an item and its list, a test and its graph."],
  by: ['ensure "it is polite" by judge', "The model or person that judges; elsewhere, the key."],
  via: [
    "notes: string[] = [] via append",
    "The reducer that brings several writes of a field together; behind a written value, the one of this write.",
  ],
  in: [
    '"web" in tags',
    "Whether a list holds a value, an object a key, a text a part; `not in` is the opposite.",
  ],
  on: [
    "a -> b on error",
    "Only after a failure, a limit or a refusal; behind `retry`, of which kind.",
  ],
  after: [
    "a -> b after 5m",
    "Waits that long before it goes on; with `break` and `approve`, behind the node.",
  ],
  before: ["approve before publish", "Before that node starts."],
  max: ["a -> b max 3", "The greatest number of times that it may happen."],
  need: [
    "[a, b, c] need 2 -> d",
    'How many must have come; behind `from ["ann", "bob"]`, how many of these persons must say yes.',
  ],
  parallel: [
    "each t of tasks parallel 8 { search(t) }",
    "The greatest number of items that run at the same time.",
  ],
  top: ["recall plans top 3", "How many of the best."],
  none: ["history none", "Nothing of it."],
  summarize: ["history own 10k tokens summarize", "Puts what no longer fits into a summary."],
  backoff: ["retry 3 backoff 1s..20s", "The wait between tries: the first one, and the longest."],
  until: ["every 5m until ready", "The condition that ends it."],
  returns: ["graph G(a: string) returns report { … }", "The fields that a run gives back."],
  given: ['given question = "x"', "The parameters and fields that a test's run starts with."],
  says: ['plan says ["a", "b"]', "The results of a node in a test, one a visit."],
  fails: [
    'search fails { class: "timeout", message: "too slow" }',
    "The failure of a node in a test; a text alone is of class `model`.",
  ],
  denied: [
    'pay denied "too much"',
    "In a test, a no to the question that the run asks about the node.",
  ],
  answers: [
    'pay answers { account: "A" }',
    "In a test, the answer to the question that the run asks at the node.",
  ],
  expires: ["signoff expires", "In a test, nobody answers the node's question in time."],
  calls: [
    'front calls { tool: "bank.pay", input: { amount: 5 }, result: { ok: true } }',
    "In a test, a call of a tool by the node's model, with its result.",
  ],
  for: [
    "for any question, n when n > 0",
    "In a test, what follows holds for all values of these: they are generated from their types, `input` means all parameters.",
  ],
  any: ["for any input", "In a test, before what varies: `for any input`, `in any order`."],
  order: [
    "in any order",
    "In a test, what is expected holds in whichever order parallel attempts end.",
  ],
  expect: ['expect report == "done"', "A condition that must hold when a test's run has ended."],
  path: [
    "expect path plan -> search -> end",
    "The nodes that a test's run must take, in their order.",
  ],
  was: [
    'expect bob was told Attack { target: "Troy" }',
    "In a test, between a node and the message that it must have been sent.",
  ],
  told: [
    "expect critic was told review",
    "In a test, a message that a node must have been sent: its kind, and members of what it says.",
  ],
  within: [
    "approve before a within 1h",
    "The longest wait for an answer; then it is a no or, behind `ask`, the value behind `else`. `within 2h..1d` asks again every two hours.",
  ],
  then: [
    'ask `Pay?` from "ann" within 2h then ask "lead" within 1d else "no"',
    "Who is asked next where nobody has answered within the time.",
  ],
  optional: ['mcp files = "…" optional', "The graph runs without it too."],
  detached: ["a -> log detached", "Starts its target without waiting for it; nothing joins it."],
  new: ["session new", "Begins a new session each time."],
  reuse: ["session reuse", "Goes on with the session of the last time."],
  resume: ["session resume id", "Goes on with a session of before."],
  thread: ["state thread { … }", "Kept for the next run of the same thread."],
  user: ["state user { … }", "Kept for all runs of the same user."],
  own: ["history own", "The node's own earlier turns."],
  inbox: ["history inbox", "The messages that other nodes have sent it."],
  workspace: ["effects workspace", "It changes files of the workspace, nothing outside."],
  external: ["effects external", "It acts on the world outside, and is not done twice."],
  error: ["a -> b on error", "The arrow that a failure takes."],
  into: ["store plan into plans", "The memory that it goes to."],
  earlier: [
    "reads earlier board",
    "The field as it was before the branches split; what the others write meanwhile is not read.",
  ],
  not: ["not ready", "The opposite of a condition, as `!`."],
  skip: ["each x of xs on error skip { look(x) }", "Leaves the failed item out and goes on."],
} as const satisfies Record<Keyword | NodeCount, readonly [usage: string, says: string]>;

/** Returns the page of a word of the language; undefined for any other word. */
export function wordPage(word: string): WordPage | undefined {
  if (!Object.hasOwn(PAGES, word)) return undefined;
  const [usage, says] = PAGES[word as keyof typeof PAGES];
  return { usage, says };
}

/** All of them, reserved words first. */
export const languageWords: readonly string[] = Object.keys(PAGES);
