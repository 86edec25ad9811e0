/** The words of the script in the notebook: plans, entries of the ledger, and calls of tools with their reasons. */
import { scripted } from "madrigal";

export const step = (id: string, agent: string, details: string, more: object = {}) => ({
  id,
  title: `Step ${id}`,
  details,
  agent,
  ...more,
});

/** The planner makes a plan. */
export const planned = (summary: string, ...steps: readonly object[]) => ({
  kind: "plan",
  response: summary,
  source: "none",
  summary,
  steps,
});

const open = {
  isDone: false,
  needsReplan: false,
  reason: "",
  progress: "",
  instruction: "",
  next: "nobody",
};

/** The ledger has somebody go on. */
export const goes = (next: string, instruction: string) => ({ ...open, next, instruction });

/** The ledger finds the step done, and says who does the next one. */
export const done = (progress: string, next = "nobody", instruction = "") => ({
  ...open,
  ...{ isDone: true, progress, next, instruction },
});

/** The ledger wants another plan. */
export const anew = (reason: string) => ({ ...open, needsReplan: true, reason });

/** A call of a tool, with its reason and, where the tool leaves that to the caller, whether a person should approve it. */
export const calls = (tool: string, input: object, explanation: string) => ({
  calls: [{ tool, input: { ...input, explanation } as Record<string, string> }],
});
export const reads = (url: string) =>
  calls("web.read", { url, require_approval: false }, "The step needs this page.");
export const computes = (code: string, language = "javascript") =>
  calls("code.run", { language, code, require_approval: false }, "The step needs this computed.");

/** A judge of one round of a step that looks again and again. */
export const judged = (condition_met: boolean, reason: string) => ({
  ...{ condition_met, reason, error_encountered: false, sleep_duration: 1 },
  sleep_duration_reason: "",
});

/** One script speaks for all, each node by its name. */
export function speaks(script: object) {
  const model = scripted(script as Parameters<typeof scripted>[0]);
  return {
    orchestrator: model,
    surfer: model,
    programmer: model,
    reader: model,
    caller: model,
    learner: model,
  };
}
