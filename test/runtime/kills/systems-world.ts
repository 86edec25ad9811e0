/** The systems of `notebooks/systems` with worlds in files, so that what was done outside outlives a process and can be counted. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Answer,
  type Graph,
  type Interrupt,
  type RunOptions,
  type Session,
  scripted,
  tool,
} from "../../../runtime/index.ts";
import { projectRoot } from "../../support/child.ts";

export interface System {
  readonly graph: Graph;
  readonly input: Readonly<Record<string, unknown>>;
  /** Fresh ones for each process: an answer fits what is asked, and not how often somebody was asked before. */
  readonly options: () => Pick<RunOptions, "models" | "answers">;
}

/** What was done outside, in its order. */
export function doneIn(home: string): readonly string[] {
  const file = join(home, "did.txt");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}

/** A tool that leaves a line for each call: it acts on the world outside, which no kill takes back. */
function acting(home: string, name: string, answer: (input: Input) => string) {
  const call = (input: Input) => {
    appendFileSync(join(home, "did.txt"), `${name} ${Object.values(input).join()}\n`);
    return answer(input);
  };
  return tool(call, { effect: "external", description: name, input: { type: "object" } });
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

function compiled(session: Session, system: string, name: string, scope: object): Graph {
  const file = join(projectRoot, "notebooks/systems", system, `${system}.madrigal`);
  const text = readFileSync(file, "utf8").replace(/^import .*$/m, "");
  const graph = session.compile(text, { scope: scope as never })[name];
  if (graph === undefined) throw new Error("no graph");
  return graph;
}

function sharedState(session: Session, home: string): System {
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
      acting: plan.flatMap(({ id, tool: name, args }) => [
        { calls: [{ tool: name, input: args }], when: `"${id}"` },
        { says: outcome, when: `"${id}"` },
      ]) as never,
      analysing: [{ status: "completed" }],
    });
    const models = { router: m, planner: m, actor: m, analyst: m };
    return { models, answers: looking(home) };
  };
  return {
    graph: compiled(session, "shared-state", "SharedState", { house }),
    input: { description: "a house", goal: "the lamp is on" },
    options,
  };
}

function eko(session: Session, home: string): System {
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
      list: [{ calls: [{ tool: "mail.list" }] }, "Ghent\nBruges"],
      wait: [{ calls: [{ tool: "mail.wait" }] }, "Aalst"],
      read: ["Ghent", "Bruges"].flatMap((name) => [
        { calls: [{ tool: "mail.read", input: { name } }], when: `for: ${name}` },
        { says: `${name}: 30`, when: `for: ${name}` },
      ]),
      say: ["All the same."],
      conclude: ["30."],
    });
    const models = { talker: m, planner: m, worker: m, checker: m };
    return { models, answers: looking(home) };
  };
  return { graph: compiled(session, "eko", "Eko", { mail }), input: { task: "prices" }, options };
}

export const SYSTEMS: Readonly<Record<string, (session: Session, home: string) => System>> = {
  "shared-state": sharedState,
  eko,
};
