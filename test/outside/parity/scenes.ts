/** The scenes that both engines play: one task, one set of scripted voices, and what must come of it on each side. */
import type { ServerAnswer } from "../../support/openai-server.ts";

export interface Scene {
  readonly name: string;
  /** Rows of the systems' tables that it is about. */
  readonly rows: string;
  /** What the planner says, in turn; the last one repeats. */
  readonly plans: readonly ServerAnswer[];
  /** What each agent says, by the id of its step, in turn; the last one repeats. */
  readonly says: Readonly<Record<string, readonly ServerAnswer[]>>;
  /** Settings of Eko. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** What a person does once the step begins, and whether the run is then executed, or resumed. */
  readonly person?: { readonly does: "abort" | "pause"; readonly at: string };
  readonly again?: boolean;
  /** What must come of it there, and here. */
  readonly eko: string;
  readonly ours: string;
  /** Why the two differ on purpose. */
  readonly reason?: string;
}

interface Step {
  readonly id: string;
  readonly agent?: string;
  readonly after?: string;
  readonly nodes?: string;
}

/** A plan as Eko's XML; a step's task is told by its id. */
function planOf(...steps: readonly Step[]): ServerAnswer {
  const agents = steps.map(
    ({ id, agent = "Worker", after = "", nodes = "<node>do it</node>" }) =>
      `<agent name="${agent}" id="${id}" dependsOn="${after}"><task>Step ${id}</task><nodes>${nodes}</nodes></agent>`,
  );
  const text = `<root><name>x</name><thought>t</thought><agents>${agents.join("")}</agents></root>`;
  return { text };
}

const call = (tool: string): ServerAnswer => ({ calls: [{ tool, input: { key: "alpha" } }] });
const says = (text: string): readonly ServerAnswer[] => [{ text }];
const two = [planOf({ id: "0" }, { id: "1", agent: "Writer", after: "0" })];
const beside = [planOf({ id: "0" }, { id: "1", agent: "Writer" })];
const one = [planOf({ id: "0" })];

export const SCENES: readonly Scene[] = [
  {
    name: "one agent behind the other; the second one is told what the first one came to",
    rows: "E03 E26 E44",
    plans: two,
    says: { 0: says("alpha is 7"), 1: says("it is 7") },
    eko: "done; 0, 1 (told of 0); 3 model calls; it is 7",
    ours: "done; 0, 1 (told of 0); 3 model calls; it is 7",
  },
  {
    name: "agents that wait for nothing, with Eko's `agentParallel`",
    rows: "E44 E90",
    plans: beside,
    says: { 0: says("seven"), 1: says("eight") },
    config: { agentParallel: true },
    eko: "done; 0 beside 1; 3 model calls; seven eight",
    ours: "done; 0 beside 1; 3 model calls; eight",
    reason:
      "there the texts are joined; here each step has its result by its id (E13), of which the last one is shown",
  },
  {
    name: "the same without that setting",
    rows: "E90",
    plans: beside,
    says: { 0: says("seven"), 1: says("eight") },
    eko: "done; 0, 1 (told of 0); 3 model calls; seven eight",
    ours: "done; 0 beside 1; 3 model calls; eight",
    reason: "the plan says what waits for what; nothing else holds a step up",
  },
  {
    name: "a tool",
    rows: "E60 E65",
    plans: one,
    says: { 0: [call("look"), { text: "alpha is 7" }] },
    eko: "done; 0; 3 model calls; 1 tool call; 1 result; alpha is 7",
    ours: "done; 0; 3 model calls; 1 tool call; 1 result; alpha is 7",
  },
  {
    name: "a tool that does not exist is told to the model",
    rows: "E63",
    plans: one,
    says: { 0: [call("guess"), { text: "there is none" }] },
    eko: "done; 0; 3 model calls; 1 result; there is none",
    ours: "done; 0; 3 model calls; 1 result; there is none",
  },
  {
    name: "a tool that fails is told to the model",
    rows: "E62",
    plans: one,
    says: { 0: [call("fail"), { text: "it is broken" }] },
    eko: "done; 0; 3 model calls; 1 tool call; 1 result; it is broken",
    ours: "done; 0; 3 model calls; 1 tool call; 1 result; it is broken",
  },
  {
    name: "a tool that fails ten times in a row",
    rows: "E62 E93",
    plans: one,
    says: { 0: [call("fail")] },
    eko: "error; 0; 11 model calls; 10 tool calls; 9 results",
    ours: "error; 0; 11 model calls; 10 tool calls; 10 results",
    reason: "each call has a result in the log, the last one too",
  },
  {
    name: "a model that never answers, with a limit of 4 turns",
    rows: "E60",
    plans: one,
    says: { 0: [call("look")] },
    config: { maxReactNum: 4 },
    eko: "done; 0; 5 model calls; 4 tool calls; 4 results; Unfinished",
    ours: "error; 0; 5 model calls; 4 tool calls; 4 results",
    reason: "a limit that is reached is no success",
  },
  {
    name: "agents that wait for each other",
    rows: "E45",
    plans: [planOf({ id: "0", after: "1" }, { id: "1", after: "0" }), ...two],
    says: { 0: says("seven"), 1: says("eight") },
    eko: "done; 0, 1 (told of 0); 3 model calls; seven eight",
    ours: "done; 0, 1 (told of 0); 4 model calls; eight",
    reason:
      "a circle goes back to the planner with the reason; nobody guesses which arrow was meant",
  },
  {
    name: "an agent that waits for one that is not there",
    rows: "E45",
    plans: [planOf({ id: "0", after: "7" }), ...one],
    says: { 0: says("seven") },
    eko: "done; 0; 2 model calls; seven",
    ours: "done; 0; 3 model calls; seven",
    reason: "the planner is told, instead of dropping what it said",
  },
  {
    name: "an agent that nobody is",
    rows: "E46",
    plans: [planOf({ id: "0", agent: "Surfer" }), ...one],
    says: { 0: says("seven") },
    eko: "error; 1 model call",
    ours: "done; 0; 3 model calls; seven",
    reason:
      "the plan is checked before anything runs, and the planner is told which agents there are",
  },
  {
    name: "a planner that writes no plan",
    rows: "E01",
    plans: [{ text: "I shall look." }, ...one],
    says: { 0: says("seven") },
    eko: "error, Cannot read properties of null (reading 'taskPrompt'); 1 model call",
    ours: "done; 0; 3 model calls; seven",
    reason: "a text without a plan goes back to the model that wrote it",
  },
  {
    name: "a planner's server that fails once",
    rows: "E48 E66",
    plans: [{ status: 500 }, ...one],
    says: { 0: says("seven") },
    eko: "done; 0; 3 model calls; seven",
    ours: "done; 0; 3 model calls; seven",
  },
  {
    name: "aborted in the second agent, then executed, or resumed",
    rows: "E98",
    plans: two,
    says: { 0: says("seven"), 1: says("eight") },
    person: { does: "abort", at: "1" },
    again: true,
    eko: "abort, then done; 0, 1 (told of 0), 0, 1 (told of 0); 4 model calls; eight",
    ours: "abort, then done; 0, 1 (told of 0); 3 model calls; eight",
    reason: "what is done stays done; only what was cut off is done again",
  },
  {
    name: "paused before the second agent, then resumed",
    rows: "E06 E97",
    plans: two,
    says: { 0: says("seven"), 1: says("eight") },
    person: { does: "pause", at: "1" },
    eko: "done; 0, 1 (told of 0); 3 model calls; eight",
    ours: "done; 0, 1 (told of 0); 3 model calls; eight",
  },
];
