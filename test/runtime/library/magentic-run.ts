/** Runs `Magentic` with scripted models, and tools that touch nothing. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plan } from "../../../dsl/index.ts";
import { programsBeside } from "../../../kernel/programs/programs-beside.ts";
import {
  type Graph,
  type Run,
  type RunOptions,
  type Session,
  scripted,
  tool,
} from "../../../runtime/index.ts";
import { projectRoot } from "../../support/child.ts";
import { newSession } from "../scoped-run.ts";

const input = { type: "object" } as const;
const none = { effect: "none", description: "does nothing", input } as const;

/** The tools of the team, unless a test says otherwise. */
const tools: Readonly<Record<string, object>> = {
  browser: { visit: tool(() => "a page", none) },
  web: {
    search: tool(() => ({ hits: [] }), none),
    read: tool(() => ({ text: "a page" }), none),
  },
  code: { run: tool(() => ({ exitCode: 0, text: "" }), none) },
  folder: Object.fromEntries(
    ["open", "list", "find", "grep"].map((name) => [name, tool(() => "a file", none)]),
  ),
};

const ALIASES = ["orchestrator", "surfer", "programmer", "reader", "caller", "learner"];

export interface LibraryOptions {
  readonly session?: Session;
  readonly scope?: Readonly<Record<string, object>>;
  /** Changes the text of the program. */
  readonly edit?: (text: string) => string;
}

/** The graphs of a program of the library, with those tools. */
export function libraryGraph(
  name: string,
  graph: string,
  { session = newSession(), scope = {}, edit = (text) => text }: LibraryOptions = {},
): Graph {
  const groups = Object.fromEntries(
    Object.entries(scope).map(([group, own]) => [group, { ...tools[group], ...own }]),
  );
  const file = join(projectRoot, `runtime/library/${name}.madrigal`);
  const text = edit(readFileSync(file, "utf8"));
  const programs = programsBeside({ source: { file, text }, path: file }).open;
  const graphs = session.compile(text, { file, programs, scope: { ...tools, ...groups } });
  const found = graphs[graph];
  if (found === undefined) throw new Error(`no graph ${graph}`);
  return found;
}

export interface MagenticOptions extends Omit<RunOptions, "models" | "scope"> {
  /** By node. */
  readonly script: Readonly<Record<string, readonly unknown[]>>;
  readonly session?: Session;
  readonly scope?: Readonly<Record<string, object>>;
  /** Changes the text of the program. */
  readonly edit?: LibraryOptions["edit"];
  /** Held before its first step. */
  readonly isDebugged?: boolean;
}

/** Starts a run; one scripted model speaks for all nodes. */
export function magentic(
  given: Readonly<Record<string, unknown>>,
  { script, session, scope, edit, isDebugged = false, ...options }: MagenticOptions,
): Run {
  const graph = libraryGraph("magentic", "Magentic", {
    ...(session === undefined ? {} : { session }),
    ...(scope === undefined ? {} : { scope }),
    ...(edit === undefined ? {} : { edit }),
  });
  const noted: ModelCall[] = [];
  const m = noting(scripted(script as Parameters<typeof scripted>[0]), noted);
  const models = Object.fromEntries(ALIASES.map((alias) => [alias, m]));
  const input = { task: "Compare two phones", ...given };
  const run = graph[isDebugged ? "debug" : "run"](input, { ...options, models });
  calls.set(run, noted);
  return run;
}

/** The answer of a planner that makes a plan. */
export function planned(...steps: readonly Plan["steps"][number][]) {
  return { kind: "plan", response: "I have a plan.", source: "none", summary: "a plan", steps };
}

/** The answer of a planner that answers at once, or asks. */
export function replied(kind: "answer" | "question", response: string, source = "none") {
  return { kind, response, source, summary: "", steps: [] };
}

export function step(id: string, agent: string, more: object = {}): Plan["steps"][number] {
  return { id, title: `Title ${id}`, details: `details of ${id}`, agent, ...more };
}

const quiet = { isDone: false, needsReplan: false, reason: "", progress: "", instruction: "" };

/** Entries of the ledger: somebody goes on; the step is done; the plan is made anew. */
export const next = (who: string, instruction = "go on") => ({ ...quiet, next: who, instruction });
export const done = (progress: string, who = "nobody", instruction = "") => ({
  ...quiet,
  ...{ isDone: true, progress, next: who, instruction },
});
export const replan = (reason: string) => ({ ...quiet, needsReplan: true, reason, next: "nobody" });

export const pathOf = (run: Run) => run.steps.map(({ node }) => node).join(" ");

/** Returns the messages of each call of the scripted model for a node, as one text. */
export function askedOf(run: Run, node: string): readonly string[] {
  return (calls.get(run) ?? []).filter((call) => call.node === node).map(({ text }) => text);
}

interface ModelCall {
  readonly node: string;
  readonly text: string;
}

const calls = new WeakMap<Run, ModelCall[]>();

/** The model, which notes each call. */
function noting(model: ReturnType<typeof scripted>, noted: ModelCall[]): typeof model {
  const note = ({ prompt, providerOptions }: ModelCallOptions) =>
    noted.push({
      node: String(providerOptions?.madrigal?.node),
      text: prompt.map(messageText).join("\n\n"),
    });
  return {
    ...model,
    doGenerate: (call) => {
      note(call as ModelCallOptions);
      return model.doGenerate(call);
    },
    doStream: (call) => {
      note(call as ModelCallOptions);
      return model.doStream(call);
    },
  };
}

interface ModelCallOptions {
  readonly prompt: readonly RequestMessage[];
  readonly providerOptions?: { readonly madrigal?: { readonly node?: unknown } };
}

interface RequestMessage {
  readonly role: string;
  readonly content: string | readonly { readonly text?: string }[];
}

function messageText({ role, content }: RequestMessage): string {
  const text =
    typeof content === "string"
      ? content
      : content.map((part) => part.text ?? JSON.stringify(part)).join("\n");
  return `[${role}] ${text}`;
}

/** The state of a run that goes on or has ended. */
export const stateOf = (run: Run) => run.state as Readonly<Record<string, unknown>>;
