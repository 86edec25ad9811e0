/** Makes the tool by which an agent asks the traces in SQL. */
import { messageOf } from "../../failure.ts";
import type { Scope } from "../scope/scope.ts";
import { tool } from "../scope/tools.ts";

/** Answers SQL about the traces; it is for its giver to see that nothing else is done with it. */
export type AskTraces = (question: {
  readonly sql: string;
  readonly signal: AbortSignal;
}) => Promise<unknown>;

const QUERY = {
  type: "object",
  properties: { sql: { type: "string", description: "One SELECT of DuckDB." } },
  required: ["sql"],
  additionalProperties: false,
} as const;

const DESCRIPTION =
  "Asks in SQL what runs have done: those that have ended, and this one. Views: runs, node_runs, llm_calls, " +
  "tool_calls, messages, state_changes, conversation_messages, steps, artifacts, interrupts, events; `DESCRIBE runs` lists columns.";

/** The group `traces`. */
export function traceTools(ask: AskTraces): Scope {
  return {
    query: tool(
      async ({ sql }: { sql: string }, { signal }) => {
        try {
          return await ask({ sql, signal });
        } catch (cause) {
          throw new Error(whatToDo(cause), { cause });
        }
      },
      { effect: "none", description: DESCRIPTION, input: QUERY },
    ),
  };
}

/** A model is told the hint as well: it is who can follow it. */
function whatToDo(cause: unknown): string {
  const { code, hint } = (cause ?? {}) as { readonly code?: string; readonly hint?: string };
  const what = code === undefined ? messageOf(cause) : `${code} ${messageOf(cause)}`;
  return hint === undefined ? what : `${what} (${hint})`;
}
