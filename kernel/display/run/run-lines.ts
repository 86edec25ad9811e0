/** Writes what is said of a run, a line each: what it lacks, which run it is, its cost so far. */
import {
  answerCall,
  type DrivenRun,
  redaction,
  shortRunId,
  type ToolProgress,
} from "../../../runtime/index.ts";
import { shortCount, timeText } from "../numbers.ts";
import { counted, cut, visibleLine } from "../visible.ts";
import { sourceText } from "./model-source.ts";
import { countNodeRuns, type StatusTally } from "./tally.ts";

/** The parts of a run that its drawing shows. */
export type ShownRun = Pick<
  DrivenRun,
  | "id"
  | "graph"
  | "status"
  | "reason"
  | "failure"
  | "events$"
  | "ir"
  | "state"
  | "output"
  | "interrupts"
  | "usage"
>;

/**
 * Returns lines about a failure, or about open questions and the calls that answer them; empty for
 * a run without either.
 */
export function troubleLines(
  run: ShownRun,
  isShown: (interrupt: ShownRun["interrupts"][number]) => boolean = () => true,
): readonly string[] {
  const { status, failure, interrupts } = redaction.shownValue(
    { status: run.status, failure: run.failure, interrupts: run.interrupts },
    run,
  );
  if (status === "failed" && failure !== undefined) {
    // The output of a failed run may not be awaited, so its drawing shows the error.
    return [shortLine(`failed: ${failure.code} ${failure.message}`)];
  }
  const open = interrupts.filter(isShown);
  const shown = open.slice(0, QUESTIONS_SHOWN).map((interrupt) => {
    const { node, question, by } = interrupt;
    const judge = by === undefined ? "" : ` (${by} looks at it first)`;
    return shortLine(`\`${node}\` asks${judge}: ${question} · await run.${answerCall(interrupt)}`);
  });
  const more = open.length - shown.length;
  return more > 0 ? [...shown, `… and ${more} more questions`] : shown;
}

/** The questions of a run that stand as forms below its drawing, by id. */
const forms = new WeakMap<object, ReadonlySet<string>>();

export function noteForms(run: object, ids: ReadonlySet<string>): void {
  forms.set(run, ids);
}

/** Returns whether a question stands below the drawing of its run, which need not tell it once more. */
export function hasFormBelow(run: object, { id }: { readonly id: string }): boolean {
  return forms.get(run)?.has(id) === true;
}

const QUESTIONS_SHOWN = 5;
const LINE_CHARACTERS = 200;

function shortLine(text: string): string {
  return cut(visibleLine(text), LINE_CHARACTERS);
}

/** `run a9c8f35d of DeepSearch · succeeded · answers by rules, not a model`; one that is not over says as of when that is. */
export function runCaption(
  { id, graph, status, reason }: Pick<ShownRun, "id" | "graph" | "status" | "reason">,
  { modelSources, isOver, lastAt }: Pick<StatusTally, "modelSources" | "isOver" | "lastAt">,
): string {
  const why = reason === undefined || reason === "done" ? "" : ` (${reason})`;
  // A picture may be looked at long after it was kept.
  const asOf = isOver || lastAt === undefined ? "" : ` as of ${timeText(lastAt)} UTC`;
  return visibleLine(
    `run ${shortRunId(id)} of ${graph} · ${status}${why}${asOf} · ${sourceText(modelSources)}`,
  );
}

/** `4 of 6 node runs done · 3 model calls · 1.2k tokens · $0.0021 · 1 question open`; empty before anything happened. */
export function countersLine({ usage, interrupts }: ShownRun, tally: StatusTally): string {
  const done = [...tally.nodeRuns.values()].filter(({ status }) => status === "succeeded").length;
  const all = countNodeRuns(tally, new Set(interrupts.map(({ id }) => id)));
  const { inputTokens, outputTokens, modelCalls, toolCalls } = usage;
  const tokens = inputTokens + outputTokens;
  return [
    ...(all === 0 ? [] : [`${done} of ${counted(all, "node run")} done`]),
    ...(modelCalls === 0 ? [] : [counted(modelCalls, "model call")]),
    ...(toolCalls === 0 ? [] : [counted(toolCalls, "tool call")]),
    ...(tokens === 0 ? [] : [`${shortCount(tokens)} tokens`, costText(usage.costUsd)]),
    ...(interrupts.length === 0 ? [] : [`${counted(interrupts.length, "question")} open`]),
  ].join(" · ");
}

/** A line for each node run that waits for a tool which says how far it is: `fetch#1 calls docs.search: 2 of 5, reading`. */
export function progressLines(
  run: ShownRun,
  { progress, nodeRuns }: StatusTally,
): readonly string[] {
  const under = [...progress].filter(([id]) => nodeRuns.get(id)?.status === "running");
  return under.slice(0, PROGRESS_SHOWN).map(([, event]) => {
    const path = [...(event.path ?? []), event.label].join(" › ");
    const { text } = event;
    const shown = text === undefined ? {} : { text: redaction.shownOutput(text, event.node, run) };
    return shortLine(`${path} ${progressText({ ...event, ...shown })}`);
  });
}

const PROGRESS_SHOWN = 5;

/** `calls docs.search: 2 of 5, reading` */
export function progressText({ tool, done, total, text }: ToolProgress): string {
  const words = text === undefined || text === "" ? "" : `, ${text}`;
  return `calls ${tool}: ${done}${total === undefined ? "" : ` of ${total}`}${words}`;
}

/** Four digits that count: models are cheap, and `$0.00` would say that they cost nothing. */
export function costText(costUsd: number | null): string {
  if (costUsd === null) return "cost not known";
  return costUsd === 0 ? "no cost" : `$${Number(costUsd.toPrecision(4))}`;
}
