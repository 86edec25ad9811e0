/** Runs graphs whose operators stand behind controllers of the test: the one place that knows how they get there. */
import { onTestFinished } from "vitest";
import type { RunEvent, Scope } from "../../../runtime/index.ts";
import { type Graph, type Run, Session } from "../../../runtime/index.ts";

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

/** The part of its one turn that the log of a run has: all to the last word, the loss of the agent, or neither. */
export function turnIn(events: readonly RunEvent[]): "whole" | "lost" | "open" {
  const isWhole = events.some(
    (event) => event.kind === "controller.event" && event.event.kind === "completed",
  );
  if (isWhole) return "whole";
  const isLost = events.some(
    (event) => event.kind === "session.ended" && event.failure?.code === "M8502",
  );
  return isLost ? "lost" : "open";
}

/** The events that the log of a run has now. */
export function pastEvents({ events$ }: Pick<Run, "events$">): readonly RunEvent[] {
  const past: RunEvent[] = [];
  events$.subscribe((event) => past.push(event)).unsubscribe();
  return past;
}
