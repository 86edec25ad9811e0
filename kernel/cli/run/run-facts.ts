/** Collects from a run's events what the commands report of it. */
import { type Ir, positionAt } from "../../../dsl/index.ts";
import {
  type DrivenRun,
  type RunEvent,
  type RunStatus,
  redaction,
} from "../../../runtime/index.ts";
import type { TextPosition } from "../../command-error.ts";

/** A run with the program it runs; of `graph.run()` as of `session.open()`. */
export type KnownRun = Pick<
  DrivenRun,
  | "id"
  | "thread"
  | "graph"
  | "graphHash"
  | "ir"
  | "status"
  | "reason"
  | "state"
  | "steps"
  | "usage"
  | "failure"
  | "activeMs"
  | "unended"
  | "interrupts"
  | "events$"
  | "output"
  | "settled"
  | "pause"
>;

/** Returns all events of a run so far, also those before this process. */
export function eventsOf(run: KnownRun): readonly RunEvent[] {
  const events: RunEvent[] = [];
  // The run replays its past while we subscribe.
  run.events$.subscribe((event) => events.push(event)).unsubscribe();
  return events;
}

/**
 * Returns whether a stored run is under way while no process drives it, because the one that did
 * has ended.
 */
export function isLost(run: {
  readonly status: RunStatus;
  readonly owner?: string | undefined;
}): boolean {
  const { status, owner } = run;
  return (status === "running" || status === "created") && owner === undefined;
}

/**
 * Returns the time in milliseconds that a run was under way, by its events: up to the last one
 * before each gap.
 */
export function eventfulMs(events: readonly RunEvent[]): number {
  let total = 0;
  let last: number | undefined;
  for (const { kind, at } of events) {
    if (last !== undefined && kind !== "run.resumed") total += Math.max(0, at - last);
    last = at;
  }
  return total;
}

/** The error of a run that failed or was aborted, with its place. */
export interface ShownRunFault {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly node?: string | undefined;
  readonly attempt?: number | undefined;
  readonly place?: TextPosition | undefined;
  /** Of an exception in a user's function. */
  readonly stack?: string | undefined;
}

export function faultOf(run: KnownRun, ir: Ir): ShownRunFault | undefined {
  if (run.status !== "failed" && run.status !== "aborted") return undefined;
  const end = eventsOf(run).findLast((event) => event.kind === "run.finished");
  if (run.failure === undefined) {
    return { code: "M5005", message: `the run was aborted${why(run.reason)}` };
  }
  const { code, message, hint, stack } = redaction.shownValue(run.failure, run);
  const place = end?.node === undefined ? undefined : placeOfNode(ir, end.node);
  return { code, message, hint, node: end?.node, attempt: end?.attempt, place, stack };
}

function why(reason: string | undefined): string {
  return reason === undefined ? "" : `: ${reason}`;
}

/** Returns the place of a node in the program's text; undefined if the text is not known. */
export function placeOfNode({ source, nodes }: Ir, name: string): TextPosition | undefined {
  const span = nodes.find((node) => node.name === name)?.span;
  if (source === undefined || span === undefined) return undefined;
  return { file: source.file, ...positionAt(source, span[0]) };
}

/** Returns the sources of the run's model answers, sorted: live models, rules, a script. */
export function modelSourcesOf(events: readonly RunEvent[]): readonly string[] {
  const sources = events.flatMap((event) =>
    event.kind === "model.response" ? (event.modelSource ?? []) : [],
  );
  return [...new Set(sources)].sort();
}

/** The returned fields of a run that succeeded, for people: nothing private or secret is among them. */
export function outputOf(run: KnownRun): Readonly<Record<string, unknown>> | undefined {
  const end = eventsOf(run).findLast((event) => event.kind === "run.finished");
  return run.status === "succeeded" ? redaction.shownValue(end?.output ?? {}, run) : undefined;
}
