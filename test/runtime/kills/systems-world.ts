/** The systems of `notebooks/systems` with worlds in files, so that what was done outside outlives a process and can be counted. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { builtInController } from "../../../runtime/agents/operator/built-in.ts";
import { rules } from "../../../runtime/agents/rules/rules.ts";
import {
  type Answer,
  type Graph,
  type Interrupt,
  type RunOptions,
  type Session,
  scripted,
  tool,
} from "../../../runtime/index.ts";
import { type StubbedAgent, stubCommand } from "../../support/agents/agent-stubs.ts";
import { projectRoot } from "../../support/child.ts";

export interface System {
  readonly graph: Graph;
  readonly input: Readonly<Record<string, unknown>>;
  /** Fresh ones for each process: an answer fits what is asked, and not how often somebody was asked before. */
  readonly options: () => Pick<RunOptions, "models" | "answers">;
}

/** Returns the effects outside, in their order. */
export function doneIn(home: string): readonly string[] {
  const file = join(home, "did.txt");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}

/** A tool that leaves a line for each call: it acts on the world outside, which no kill takes back. */
function acting(home: string, name: string, answer: (input: Input) => string) {
  const call = leavingLine(home, name, answer);
  return tool(call, { effect: "external", description: name, input: { type: "object" } });
}

function leavingLine<I extends Input | string>(
  home: string,
  name: string,
  answer: (input: I) => string,
) {
  return async (input: I) => {
    await wait(4);
    const told = typeof input === "string" ? input : Object.values(input).join();
    appendFileSync(join(home, "did.txt"), `${name} ${told}\n`);
    await wait(4);
    return answer(input);
  };
}

type Input = Readonly<Record<string, unknown>>;

/** A person who looks at what was done: a call that left its line has happened. */
function looking(home: string) {
  return ({ node, shown }: Interrupt): Answer | undefined => {
    if (node === "confirm") return { kind: "approve" };
    const { call, request = {} } = shown as { readonly call: string; readonly request?: Input };
    const line = `${call.replace(/^.*[._]/, "")} ${Object.values(request).join()}`;
    return doneIn(home).includes(line) ? { kind: "value", value: "done" } : { kind: "approve" };
  };
}

/** A model that calls one tool and then answers, by what it is shown: another process goes on where the first one was. */
function acts(choose: (text: string) => { tool?: string; input?: Input; says: string }) {
  return rules(({ messages }) => {
    const { tool: name, input = {}, says } = choose(JSON.stringify(messages));
    if (name === undefined || messages.at(-1)?.role === "tool") return says;
    return { calls: [{ tool: name.replace(".", "_"), input }] };
  });
}

/** Another text of a program. */
export type Change = (text: string) => string;

const asItIs: Change = (text) => text;

interface Surroundings {
  readonly scope: object;
  readonly change?: Change;
  /** Changes the programs of the library. */
  readonly library?: Change;
}

/** Programs of the library, as `madrigal/library/magentic`. */
function libraryPrograms(change: Change) {
  return (from: string) => {
    const file = join(projectRoot, "runtime/library", `${basename(from, ".madrigal")}.madrigal`);
    return { file, text: change(readFileSync(file, "utf8")) };
  };
}

function compiled(
  session: Session,
  [system, name]: readonly [system: string, name: string],
  { scope, change = asItIs, library = asItIs }: Surroundings,
): Graph {
  const file = join(projectRoot, "notebooks/systems", system, `${system}.madrigal`);
  // The TypeScript that it imports is in the scope.
  const text = change(readFileSync(file, "utf8").replace(/^import .*\.ts"$/m, ""));
  // Skills are found from the folder of the program.
  const graph = session.compile(text, {
    file,
    scope: scope as never,
    programs: libraryPrograms(library),
  })[name];
  if (graph === undefined) throw new Error("no graph");
  return graph;
}

export function sharedState(session: Session, home: string): System {
  const house = {
    reset: tool(() => "in the hall", {
      effect: "none",
      description: "resets",
      input: { type: "object" },
    }),
    manual: tool(() => ({ tools: { go: "goes" }, rules: "none" }), {
      ...{ effect: "none", description: "informs", input: { type: "object" } },
    }),
    look: tool(() => "in the hall", {
      effect: "none",
      description: "looks",
      input: { type: "object" },
    }),
    go: acting(home, "go", ({ to }) => `in the ${to}`),
    take: acting(home, "take", ({ thing }) => `you have the ${thing}`),
    use: acting(home, "use", ({ thing }) => `you used the ${thing}`),
  };
  const action = (id: string, name: string, args: Readonly<Record<string, string>>) => ({
    id,
    tool: `house.${name}`,
    args,
    isDone: false,
  });
  const plan = [
    action("a", "go", { to: "kitchen" }),
    action("b", "take", { thing: "key" }),
    action("c", "go", { to: "cellar" }),
    action("d", "use", { thing: "lamp" }),
  ];
  const outcome = { outcome: { text: "it worked", worked: true } };
  const options = () => {
    const m = scripted({
      route: [
        { says: "planning", when: "plan: []" },
        ...[0, 1, 2, 3].map((step) => ({ says: "acting", when: `current_step: ${step}` })),
        { says: "analysing", when: "current_step: 4" },
      ],
      planning: [plan],
      analysing: [{ status: "completed" }],
    });
    const actor = acts((text) => {
      const next = plan.find(({ id }) => text.includes(`\\"id\\": \\"${id}\\"`));
      return { tool: next?.tool ?? "", input: next?.args ?? {}, says: JSON.stringify(outcome) };
    });
    const models = { router: m, planner: m, actor, analyst: m };
    return { models, answers: looking(home) };
  };
  return {
    graph: compiled(session, ["shared-state", "SharedState"], { scope: { house } }),
    input: { description: "a house", goal: "the lamp is on" },
    options,
  };
}

export function eko(session: Session, home: string): System {
  const mail = {
    list: acting(home, "list", () => "Ghent\nBruges"),
    read: acting(home, "read", ({ name }) => `${name} asks 30`),
    wait: acting(home, "wait", () => "Aalst"),
  };
  const agent = (id: string, name: string, after: string, nodes: string) =>
    `<agent name="${name}" id="${id}" dependsOn="${after}"><task>Do ${id}</task><nodes>${nodes}</nodes></agent>`;
  const agents = [
    agent("list", "Mail", "", `<node output="letters">list</node>`),
    agent("wait", "Mail", "", "<node>wait</node>"),
    agent("read", "Mail", "list", `<forEach items="letters"><node>read</node></forEach>`),
    agent("say", "Writer", "read,wait", "<node>compare</node>"),
  ];
  const options = () => {
    const m = scripted({
      chat: [{ calls: [{ tool: "handoff", input: { to: "planning_it", task: "Plan it." } }] }],
      planning_it: [`<root><agents>${agents.join("")}</agents></root>`],
      conclude: ["30."],
    });
    const worker = acts((text) => {
      const name = /for: (\w+)/.exec(text)?.[1];
      if (text.includes("Do say")) return { says: "All the same." };
      if (name !== undefined) return { tool: "mail.read", input: { name }, says: `${name}: 30` };
      if (text.includes("Do wait")) return { tool: "mail.wait", input: {}, says: "Aalst" };
      return { tool: "mail.list", input: {}, says: "Ghent\nBruges" };
    });
    const models = { talker: m, planner: m, worker, checker: m };
    return { models, answers: looking(home) };
  };
  return {
    graph: compiled(session, ["eko", "Eko"], { scope: { mail } }),
    input: { task: "prices" },
    options,
  };
}

/** Its agents are recorded wires. The coder does five things outside, slowly, and looks at what is done; the press is a sixth. */
export function agentWorld(session: Session, home: string): System {
  const wire = (agent: StubbedAgent, scene: string, said: unknown = "") =>
    builtInController(
      { controller: { name: [agent], args: [] } },
      [
        {
          command: stubCommand(agent),
          source: "scripted",
          set: { HOME: home, STUB_SCENE: scene, STUB_SAYS: JSON.stringify(said) },
        },
      ],
      { env: { PATH: process.env.PATH, HOME: home }, folder: home },
    );
  const scope = {
    plan_wire: () => wire("codex", "says", ["do five things"]),
    code_wire: () => wire("claude_code", "paced"),
    review_wire: () => wire("codex", "says", { isAccepted: true, findings: [] }),
    check: tool(() => [], { effect: "none" }),
    joined: () => "",
    judged: () => ({ isAccepted: true, findings: [] }),
    press: {
      print: tool(
        leavingLine(home, "print", () => "tray 1"),
        { effect: "external" },
      ),
    },
  };
  const options = () => ({
    models: { router: scripted({ route: ["build"] }) },
    answers: (question: Interrupt): Answer | undefined => {
      if (question.node === "sign") return { kind: "value", value: true };
      return question.kind === "doubt" ? looking(home)(question) : { kind: "approve" };
    },
  });
  // Each of these nodes has a wire of its own.
  const wired = (text: string) =>
    text.replaceAll(
      /(operator (plan|code|review) [^}]*?controller )\w+\([^)]*\)/g,
      (_, before: string, node: string) => `${before}${node}_wire()`,
    );
  return {
    graph: compiled(session, ["agent-world", "AgentWorld"], { scope, change: wired }),
    input: { task: "Do five things." },
    options,
  };
}

/** The desk's team reads a page, looks at two others in a step that is repeated, and runs code. */
export function magentic(session: Session, home: string, library: Change = asItIs): System {
  const nothing = acting(home, "nothing", () => "");
  const scope = {
    browser: { visit: nothing },
    web: { search: nothing, read: acting(home, "read", ({ url }) => `the page ${url}`) },
    code: { run: acting(home, "run", () => "6"), runBlocks: nothing },
    folder: { open: nothing, list: nothing, find: nothing, grep: nothing },
  };
  const step = (id: string, agent: string, more = {}) => ({
    id,
    title: id,
    details: id,
    agent,
    ...more,
  });
  const steps = [
    step("shop", "web_surfer"),
    step("watch", "web_surfer", { repeat: "2 times" }),
    step("sum", "coder_agent"),
  ];
  const entry = { isDone: false, needsReplan: false, reason: "", progress: "", instruction: "go" };
  const goes = (place: number, next: string) => ({
    says: { ...entry, next },
    when: new RegExp(`We are at step ${place} of.*It has not been begun`, "s"),
  });
  const done = (place: number, next: string) => ({
    says: { ...entry, isDone: true, next },
    when: new RegExp(`We are at step ${place} of(?!.*It has not been begun)`, "s"),
  });
  const explanation = "the step needs it";
  const options = () => {
    const m = scripted({
      planner: [{ kind: "plan", response: "", source: "none", summary: "read and add", steps }],
      track: [
        goes(1, "web_surfer"),
        done(1, "web_surfer"),
        goes(3, "coder_agent"),
        done(3, "nobody"),
      ],
      finish: ["6."],
    });
    const surfer = acts((text) => {
      const url = /\(Round (\d)/.exec(text)?.[1] ?? "shop";
      return { tool: "web.read", input: { url, explanation }, says: `read ${url}` };
    });
    const programmer = acts(() => ({
      tool: "code.run",
      input: { language: "shell", code: "sum", explanation },
      says: "6",
    }));
    return {
      models: { orchestrator: m, surfer, programmer },
      answers: (question: Interrupt): Answer | undefined =>
        question.kind === "doubt" ? looking(home)(question) : { kind: "approve" },
    };
  };
  return {
    graph: compiled(session, ["magentic", "Desk"], { scope, library }),
    input: { message: "What do the lamps cost together?" },
    options,
  };
}

export const SYSTEMS: Readonly<Record<string, (session: Session, home: string) => System>> = {
  "shared-state": sharedState,
  eko,
  "agent-world": agentWorld,
  magentic,
};
