/** Sentinels: a node with `every` runs again and again, until what it waits for holds. */
import type { NodeIr } from "../../dsl/index.ts";
import { evaluate } from "./evaluate.ts";
import { EvaluationError } from "./evaluation-error.ts";
import { countOf, type Departure, type Draft, emit } from "./flow.ts";
import { lookupAt } from "./lookup.ts";
import type { NodeRun } from "./snapshot.ts";

/** Activates a committed node run's node anew, in the same line, if its `every` says so; whether it did. */
export function runAgain(draft: Draft, run: NodeRun, at: Omit<Departure, "outlet">): boolean {
  const { program } = draft;
  const every = program.nodes[run.node]?.ir.every;
  if (every === undefined) return false;
  const lookup = lookupAt(program, draft.snapshot, at);
  const iteration = (run.iteration ?? 0) + 1;
  if (every.max !== undefined && iteration >= countOf(program, draft.snapshot, every.max))
    return false;
  if (isOver(every, iteration, every.until && evaluate(every.until, lookup))) return false;
  const { frame, seq, scope, args } = at;
  emit(draft, {
    op: "activate",
    id: draft.snapshot.next.run,
    node: run.node,
    ordinal: (draft.snapshot.ordinals.get(run.node) ?? 0) + 1,
    frame,
    seq: seq + 1,
    scope,
    ...(args === undefined ? {} : { args }),
    notBefore: draft.at + millisecondsOf(evaluate(every.interval, lookup), every),
    iteration,
  });
  return true;
}

/** Words would be judged by a model; where nobody judges, they are taken to hold. What is not written yet does not. */
function isOver(every: Every, iteration: number, until: unknown): boolean {
  if (every.until === undefined) return false;
  return typeof until === "number" ? iteration >= until : until === true || isText(until);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

type Every = NonNullable<NodeIr["every"]>;

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A duration, or a text like `5m` from the state. */
function millisecondsOf(value: unknown, { interval }: Every): number {
  if (typeof value === "number") return value;
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)(ms|[smhd])$/.exec(String(value).trim()) ?? [];
  const unitMs = UNITS_MS[unit];
  if (count !== undefined && unitMs !== undefined) return Number(count) * unitMs;
  const shown = JSON.stringify(value) ?? "nothing";
  throw new EvaluationError(`\`every\` needs a time like 5m, not ${shown}`, interval.span);
}
