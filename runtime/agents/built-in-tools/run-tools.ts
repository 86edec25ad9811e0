/** Makes tools by which an agent acts on its own run: steer, edit, plan. */
import type { Plan } from "../../../dsl/index.ts";
import { layeredScope } from "../scope/layered-scope.ts";
import type { Scope } from "../scope/scope.ts";
import { tool } from "../scope/tools.ts";
import { type AskTraces, traceTools } from "./trace-tools.ts";

/** The methods of a run that its agents may call. */
export interface RunVerbs {
  steer(text: string, options?: { readonly to?: string }): Promise<void>;
  pause(options?: { readonly reason?: string }): Promise<void>;
  modify(plan: Plan | string, options?: { readonly of?: string }): Promise<void>;
}

/** The groups `run` and `traces`, once for all attempts of a run. */
export function runTools(run: () => RunVerbs, ask: AskTraces): Scope {
  return { run: toolsOf(run), traces: traceTools(ask) };
}

/** A scope with those groups in it, but for what the program has of its own. */
export function withRunTools(scope: Scope, tools: Scope): Scope {
  const missing = Object.entries(tools).filter(([name]) => !Object.hasOwn(scope, name));
  return missing.length === 0 ? scope : layeredScope(scope, Object.fromEntries(missing));
}

const STEER = {
  type: "object",
  properties: {
    text: { type: "string", description: "What they are to hear with their next question." },
    to: { type: "string", description: "An agent's name; left out, whoever asks a model next." },
  },
  required: ["text"],
  additionalProperties: false,
} as const;

const PAUSE = {
  type: "object",
  properties: { reason: { type: "string", description: "What people are told." } },
  additionalProperties: false,
} as const;

const MODIFY = {
  type: "object",
  properties: {
    plan: {
      type: "object",
      description: "The whole new plan: steps that have ended stay as they are.",
      properties: { steps: { type: "array", items: { type: "object" } } },
      required: ["steps"],
    },
    of: { type: "string", description: "Of which node, where several plans run: `go#1`." },
  },
  required: ["plan"],
  additionalProperties: false,
} as const;

function toolsOf(run: () => RunVerbs): Scope {
  const workspace = { effect: "workspace" } as const;
  return {
    steer: tool(
      async ({ text, ...whom }: { text: string; to?: string }) => {
        await run().steer(text, whom);
        return "said";
      },
      { ...workspace, description: "Says something to the agents of this run.", input: STEER },
    ),
    pause: tool(
      async (why: { reason?: string }) => {
        await run().pause(why);
        return "it is held behind what is under way";
      },
      { ...workspace, description: "Holds this run until people let it go on.", input: PAUSE },
    ),
    modify: tool(
      async ({ plan, ...options }: { plan: Plan; of?: string }) => {
        await run().modify(plan, options);
        return "the new plan runs";
      },
      { ...workspace, description: "Replaces the plan that this run carries out.", input: MODIFY },
    ),
  };
}

/** In the place of a run where tools are only looked for, not called. */
export function noRun(): never {
  throw new Error("M9000: a tool of a run is called where there is none");
}
