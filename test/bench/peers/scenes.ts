/** One scene of each system: what goes in, what the voices in place of the models say, and what comes out on both sides. */
import type { ServerAnswer } from "../../support/openai-server.ts";

/** One answer of a voice; `when` is a text of the request that it is for, where several ask at once. */
export type VoiceLine = ServerAnswer & { readonly when?: string };

export interface PeerScene {
  /** The name of the folder in `notebooks/systems`, of its program, and of the peer in this folder. */
  readonly system: string;
  readonly graph: string;
  /** The export of the peer that makes its graph. */
  readonly create: string;
  /** The programs of the library that the system imports: their lines count, as the peer has to write them. */
  readonly library?: readonly string[];
  /** Further files of the peer whose lines count. */
  readonly files: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
  /** The answers of a person, by question. */
  readonly answer?: unknown;
  /** The answers of each model, by the name that the program gives it. */
  readonly voices: Readonly<Record<string, readonly VoiceLine[]>>;
  /** The voices that are models of the program; the others are strong agents. */
  readonly models?: readonly string[];
  /** The output that both sides must have. */
  readonly output: Readonly<Record<string, unknown>>;
}

const go = (id: string, tool: string, args: object, isDone = false) => ({ id, tool, args, isDone });
const did = (text: string, worked: boolean) => ({ json: { outcome: { text, worked } } });
const next = (...names: string[]) => names.map((name) => ({ json: { next: name } }));
const found = (name: string, quote: string) => ({
  package: name,
  file: `${name}/README.md`,
  heading: "Errors",
  quote,
});
const PLAN = `Both at once.
<root><name>Lamps</name><agents>
<agent name="Mail" id="list"><task>List the letters</task><nodes><node output="letters">list them</node></nodes></agent>
<agent name="Mail" id="prices" dependsOn="list"><task>Read the letters</task><nodes><forEach items="letters"><node>read the price</node></forEach></nodes></agent>
<agent name="Writer" id="say" dependsOn="prices"><task>Compare the prices</task><nodes><node input="prices">name the least</node></nodes></agent>
</agents></root>`;

const entry = (said: object) => ({
  json: { isDone: false, needsReplan: false, reason: "", progress: "", instruction: "", ...said },
});
const explanation = "the step needs it";

export const PEER_SCENES: readonly PeerScene[] = [
  {
    system: "shared-state",
    graph: "SharedState",
    create: "createSharedState",
    files: [],
    input: { description: "a house", goal: "the lamp is on" },
    voices: {
      router: next(
        ...["planning", "acting", "acting", "analysing", "planning", "acting", "acting"],
        "analysing",
      ),
      planner: [
        {
          json: {
            plan: [go("a", "house.go", { to: "kitchen" }), go("b", "house.use", { thing: "lamp" })],
          },
        },
        {
          json: {
            plan: [
              go("a", "house.go", { to: "kitchen" }, true),
              go("c", "house.take", { thing: "key" }),
            ],
          },
        },
      ],
      actor: [
        { calls: [{ tool: "house_go", input: { to: "kitchen" } }] },
        did("in the kitchen", true),
        { calls: [{ tool: "house_use", input: { thing: "lamp" } }] },
        did("of no use", false),
        { calls: [{ tool: "house_take", input: { thing: "key" } }] },
        did("I have the key", true),
      ],
      analyst: [
        { json: { status: "in progress", errors: ["there is no lamp here"] } },
        { json: { status: "completed" } },
      ],
    },
    output: {
      status: "completed",
      observation: [
        { action: "reset", text: "You are in the hall.", worked: true },
        { action: "a", text: "in the kitchen", worked: true },
        { action: "b", text: "of no use", worked: false },
        { action: "c", text: "I have the key", worked: true },
      ],
      errors: ["there is no lamp here"],
    },
  },
  {
    system: "eko",
    graph: "Eko",
    create: "createEko",
    files: ["eko-plan.js"],
    input: { task: "Which lamp is cheaper?" },
    answer: true,
    voices: {
      talker: [
        { calls: [{ tool: "handoff", input: { to: "planning_it", task: "Plan it." } }] },
        { text: "The one of Bruges." },
      ],
      planner: [{ text: PLAN }],
      worker: [
        { when: "List the letters", calls: [{ tool: "mail_list", input: {} }] },
        { when: "List the letters", text: "Ghent\nBruges" },
        {
          when: "This time for: Ghent",
          calls: [{ tool: "mail_read", input: { name: "Ghent" } }],
        },
        {
          when: "This time for: Bruges",
          calls: [{ tool: "mail_read", input: { name: "Bruges" } }],
        },
        { when: "This time for: Ghent", text: "30" },
        { when: "This time for: Bruges", text: "25" },
        {
          when: "Compare the prices",
          calls: [{ tool: "Checked", input: { claim: "25 is the least" } }],
        },
        { when: "Compare the prices", text: "Bruges." },
      ],
      checker: [{ text: "Yes." }],
    },
    output: {
      answer: "The one of Bruges.",
      results: { list: "Ghent\nBruges", prices: ["30", "25"], say: "Bruges." },
    },
  },
  {
    system: "aworld-deep-search",
    graph: "DeepSearch",
    create: "createDeepSearch",
    files: [],
    input: { question: "How are inputs checked?", site: "http://127.0.0.1:9/", rounds: 2 },
    voices: {
      planner: [
        {
          json: {
            tasks: [
              { query: "safeParse", why: "the library", place: "index" },
              { query: "bad input", why: "the house", place: "site" },
            ],
          },
        },
        { json: { tasks: [] } },
      ],
      searcher: [
        {
          when: "Why: the library",
          calls: [{ tool: "docs_search", input: { query: "safeParse" } }],
        },
        { when: "Why: the library", json: { found: [found("zod", "safeParse")], learned: [] } },
        {
          when: "Why: the house",
          calls: [{ tool: "docs_search", input: { query: "bad input" } }],
        },
        { when: "Why: the house", json: { found: [], learned: [] } },
        {
          when: "Look at the site",
          calls: [{ tool: "browser_visit", input: { url: "http://127.0.0.1:9/" } }],
        },
        { when: "Look at the site", json: { found: [found("handbook", "Answer 422.")] } },
      ],
      writer: [
        { text: "safeParse, and 422." },
        { json: { kept: ["answers 422"], profile: { works: "with zod" } } },
      ],
    },
    output: {
      report: "safeParse, and 422.",
      found: [found("zod", "safeParse"), found("handbook", "Answer 422.")],
      missed: [],
    },
  },
  {
    system: "agent-world",
    graph: "AgentWorld",
    create: "createAgentWorld",
    files: [],
    input: { task: "a leaflet" },
    models: ["router"],
    answer: true,
    voices: {
      router: next("build"),
      plan: [{ json: ["write it", "check it"] }],
      code: [
        { json: "Five voices sing on Sunday." },
        { json: "Five voices sing on Sunday at the library." },
      ],
      review: [
        { json: { isAccepted: false, findings: ["it names no place"] } },
        { json: { isAccepted: true, findings: [] } },
      ],
    },
    output: { text: "Five voices sing on Sunday at the library.", tray: "tray 1" },
  },
  {
    system: "magentic",
    graph: "Desk",
    create: "createMagentic",
    library: ["magentic", "web-surfer", "coder", "file-surfer"],
    files: ["magentic/team.js", "magentic/guard.js", "magentic/repeat.js"],
    input: { message: "Compare two phones" },
    answer: true,
    voices: {
      orchestrator: [
        {
          json: {
            kind: "plan",
            response: "I look, then compute.",
            source: "none",
            summary: "look, compute",
            steps: [
              { id: "look", title: "Look", details: "both prices", agent: "web_surfer" },
              { id: "sum", title: "Compute", details: "the difference", agent: "coder_agent" },
            ],
          },
        },
        entry({ instruction: "find both prices", next: "web_surfer" }),
        entry({ isDone: true, progress: "300 and 250", instruction: "go on", next: "coder_agent" }),
        entry({ isDone: true, progress: "50", next: "nobody" }),
        { text: "The difference is 50." },
      ],
      surfer: [
        { calls: [{ tool: "web_read", input: { url: "http://127.0.0.1:9/", explanation } }] },
        { text: "300 and 250" },
      ],
      programmer: [
        {
          calls: [
            { tool: "code_run", input: { code: "300-250", explanation, require_approval: false } },
          ],
        },
        { text: "50" },
      ],
      judge: [{ json: { decision: "approve", reason: "it only computes" } }],
    },
    output: { answer: "The difference is 50.", why: "Plan completed." },
  },
];
