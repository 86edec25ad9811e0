/** Runs scripted agents with a real browser on pages of loopback, for tests. */
import { readdirSync, readFileSync } from "node:fs";
import { onTestFinished, vi } from "vitest";
import {
  type BrowserToolsOptions,
  createBrowserTools,
  type RunOptions,
  Session,
  scripted,
} from "../../../../runtime/index.ts";
import { newFolder } from "../../trace/store.ts";

/** A call of a tool of the browser. */
export const call = (tool: string, input: object = {}) => ({ tool: `browser.${tool}`, input });

type ScriptedCall = ReturnType<typeof call>;

export interface AgentOfTest {
  /** The answers of the model in their order: one call, several at once, or its answer. */
  readonly says: readonly (string | ScriptedCall | readonly ScriptedCall[])[];
  readonly options?: BrowserToolsOptions;
  readonly guard?: object;
  /** Clauses of the agent. */
  readonly clauses?: string;
  /** The whole program, with an agent `work` in a graph `Work`. */
  readonly text?: string;
  readonly scope?: object;
  readonly run?: RunOptions;
}

const program = (clauses: string) => `model m = "scripted"
graph Work(task: string) returns answer {
  state { answer: string }
  agent work { model m; tools browser.*; prompt \`\${task}\`; writes answer; limit 40 turns; ${clauses} }
  start -> work -> end
}`;

/** A program whose agent has two turns; its scope has `plusOne`. */
export const TWO_TURNS = `model m = "scripted"
graph Work(task: string) returns answer {
  state {
    answer: string
    turns: number = 0
  }
  agent work { model m; tools browser.*; prompt \`\${task}\`; writes answer; limit 40 turns }
  run count = plusOne(turns) writes turns
  start -> work -> count
  count -> work when turns < 2 max 2
  count -> end
}`;

/** Starts a run of an agent with a browser, in a session of its own. */
export function startAgent({ says, options, guard, clauses = "", text, scope, run }: AgentOfTest) {
  const session = new Session({ env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const browser = createBrowserTools({ actionsMax: 20, ...options });
  const graph = session.compile(text ?? program(clauses), { scope: { browser, ...scope } }).Work;
  if (graph === undefined) throw new Error("no graph called Work");
  const steps = says.map((one) =>
    typeof one === "string" ? one : { calls: Array.isArray(one) ? one : [one as ScriptedCall] },
  );
  const started = graph.run(
    { task: "Do it." },
    {
      models: { m: scripted(steps) },
      ...(guard === undefined ? {} : { config: { guard } }),
      ...run,
    },
  );
  return { session, graph, run: started };
}

type RunOfTest = ReturnType<typeof startAgent>["run"];

/** Returns what the agent was told of each call: the text, or the failure. */
export async function toldBy(run: RunOfTest): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const event of run.stream("events"))
    if (event.kind === "tool.result") texts.push(event.failure?.message ?? shownIn(event.value));
  return texts;
}

function shownIn(value: unknown): string {
  const inner = (value as { readonly value?: unknown } | undefined)?.value ?? value;
  if (typeof inner === "string") return inner;
  const { content = [] } = inner as { readonly content?: readonly { readonly text?: string }[] };
  return content.map(({ text = "[picture]" }) => text).join("\n");
}

/** Calls the tools without a run; `end` is called when the test is over. */
export function ownBrowser(options: BrowserToolsOptions) {
  const browser = createBrowserTools(options);
  onTestFinished(() => browser.end());
  const use = async (tool: Exclude<keyof typeof browser, "end">, input: object = {}) =>
    shownIn(await (browser[tool] as (given: object) => Promise<unknown>)(input));
  return { browser, use };
}

/** The ref of the first element whose line has this text. */
export function refOf(text: string, shown: string): string {
  const line = shown.split("\n").find((one) => one.includes(text) && one.includes("[ref="));
  const ref = /\[ref=(\w+)\]/.exec(line ?? "")?.[1];
  if (ref === undefined) throw new Error(`no element ${text} in\n${shown}`);
  return ref;
}

/** The processes of browsers that this process has started, the first of each browser first. */
export function browserProcesses(): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [state = "", parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state !== "Z" && stat.includes("(chrom")) parents.set(Number(name), Number(parent));
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent === process.pid || (parent !== undefined && isOurs(parent));
  };
  const ours = [...parents.keys()].filter(isOurs);
  return ours.sort(
    (a, b) => Number(parents.get(b) === process.pid) - Number(parents.get(a) === process.pid),
  );
}

/** Resolves once no browser of this process is left. */
export async function browsersEnd(): Promise<void> {
  await vi.waitUntil(() => browserProcesses().length === 0, { timeout: 60_000, interval: 50 });
}
