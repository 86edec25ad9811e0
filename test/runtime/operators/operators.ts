/** Runs graphs whose operators stand behind controllers of the test: the one place that knows how they get there. */
import { onTestFinished } from "vitest";
import type { RunEvent, Scope } from "../../../runtime/index.ts";
import { type Graph, Session } from "../../../runtime/index.ts";

/** The only graph of a text, in memory. */
export function graphWith(text: string, scope: Scope): { graph: Graph; session: Session } {
  const session = new Session({ store: "memory", env: {} });
  onTestFinished(() => session.close());
  const [graph] = Object.values(session.compile(text, { scope }));
  if (graph === undefined) throw new Error("the text has no graph");
  return { graph, session };
}

/** One operator `code` behind `agent`, which writes `patch`. */
export function oneOperator(clauses = "", type = "string"): string {
  return `graph Change(task: string) returns patch {
    state { patch: ${type} }
    operator code "changes the files" { controller agent; prompt \`Do \${task}.\`; writes patch; ${clauses} }
    limit 20 steps
    start -> code -> end
  }`;
}

/** The events of a run of these kinds, without the times and names that differ from run to run. */
export async function eventsOf<K extends RunEvent["kind"]>(
  events: AsyncIterable<unknown>,
  ...kinds: readonly K[]
): Promise<Extract<RunEvent, { readonly kind: K }>[]> {
  const found: Extract<RunEvent, { readonly kind: K }>[] = [];
  for await (const event of events as AsyncIterable<RunEvent>) {
    if (kinds.some((kind) => kind === event.kind))
      found.push(event as Extract<RunEvent, { readonly kind: K }>);
  }
  return found;
}
