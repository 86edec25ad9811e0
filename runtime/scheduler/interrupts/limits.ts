/** Compares what a run and its nodes have spent with their limits. The tightest limit wins; reaching one is never a success. */
import { LIMITS, type LimitIr, type LimitUnit, type QuantityIr } from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import type { EffectKind } from "../../records/call-records.ts";
import type { Usage } from "../../usage.ts";
import type { Timer } from "../completion.ts";
import type { Program } from "../program/program.ts";
import { activeAt } from "../snapshot/draft.ts";
import type { NodeRun, Snapshot } from "../snapshot/snapshot.ts";

/** The name of a limit, as in `limit:tokens`. */
export type LimitName = LimitUnit | "time" | "usd" | "max";

export interface ReachedLimit {
  readonly name: LimitName;
  /** The node's own, or the whole run's. */
  readonly of: "node" | "run";
}

/** The limit that forbids a node run's next call, if one does. */
export function limitReached(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  effect: EffectKind,
): ReachedLimit | undefined {
  const own = spent(nodeLimit(program, run), run, effect);
  if (own !== undefined) return { name: own, of: "node" };
  const whole = spent(runLimit(program, snapshot), snapshot, effect);
  return whole === undefined ? undefined : { name: whole, of: "run" };
}

/** The limit of time that was passed while the process was blocked and no timer could ring. */
export function timeSpent(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  at: number,
): ReachedLimit | undefined {
  const own = limitOf(nodeLimit(program, run), "ms");
  if (own !== undefined && activeAt(run, at) > own) return { name: "time", of: "node" };
  const whole = limitOf(runLimit(program, snapshot), "ms");
  return whole !== undefined && activeAt(snapshot, at) > whole
    ? { name: "time", of: "run" }
    : undefined;
}

/** Tells whether a deadline has really passed: one that was kept before a hold rings too early. */
export function isDue(
  program: Program,
  snapshot: Snapshot,
  { id, at }: { readonly id: number | undefined; readonly at: number },
): boolean {
  const run = id === undefined ? undefined : snapshot.open.get(id);
  const limit = run === undefined ? runLimit(program, snapshot) : nodeLimit(program, run);
  if (id !== undefined && run === undefined) return false;
  const limitMs = limitOf(limit, "ms");
  // Sums of fractions of a millisecond are not exact.
  return limitMs !== undefined && activeAt(run ?? snapshot, at) > limitMs - 1;
}

/** Commits, and failures that an arrow led on from: neither may go round for ever. */
export function stepsTaken({ steps, detours }: Snapshot): number {
  return steps + detours;
}

/** Tells whether the run has used up its steps; those of the graphs that it calls are among them. */
export function stepsSpent(program: Program, snapshot: Snapshot): boolean {
  const limit = limitOf(runLimit(program, snapshot), "steps");
  return limit !== undefined && stepsTaken(snapshot) + snapshot.innerSteps >= limit;
}

/** Tells whether the graph says how many steps a run may take. */
export function limitsSteps(program: Program): boolean {
  return limitOf(program.ir.limit, "steps") !== undefined;
}

export function limitFailure(limit: ReachedLimit | LimitName, node: string): Failure {
  const name = typeof limit === "string" ? limit : limit.name;
  const whose = typeof limit === "object" && limit.of === "run" ? "the run" : `\`${node}\``;
  return {
    class: "limit",
    code: "M5010",
    limit: name,
    message: `${node === "the run" ? node : whose} has reached its limit of ${limitWords(name)}`,
    hint: name === "max" ? RAISE_MAX : "raise the limit in the graph and resume the run",
  };
}

/** A resume goes on behind what was decided, and here it was decided that no arrow leads on. */
const RAISE_MAX =
  "raise the `max` in the graph and run it again (`madrigal rerun`, `graph.rerun(run)`): what is unchanged is served";

/** A limit as people call it. */
export function limitWords(name: LimitName): string {
  return name in LIMITS
    ? LIMITS[name as LimitUnit].counts
    : OTHER_WORDS[name as keyof typeof OTHER_WORDS];
}

const OTHER_WORDS: Readonly<Record<Exclude<LimitName, LimitUnit>, string>> = {
  time: "time",
  usd: "cost",
  max: "uses or rounds (max)",
};

/** Deadlines of what has just begun to run, and of the run itself when it begins or goes on. */
export function timersOf(
  program: Program,
  after: Snapshot,
  news: { readonly resumed: boolean; readonly running: readonly NodeRun[]; readonly at: number },
): readonly Timer[] {
  const timers: Timer[] = [];
  const whole = news.resumed ? limitOf(runLimit(program, after), "ms") : undefined;
  if (whole !== undefined) timers.push({ due: news.at + Math.max(0, whole - after.activeMs) });
  for (const run of news.running) {
    const { id, status, activeMs, runningSince } = run;
    const limit = limitOf(nodeLimit(program, run), "ms");
    if (status !== "running" || runningSince !== news.at || limit === undefined) continue;
    timers.push({ id, due: news.at + Math.max(0, limit - activeMs) });
  }
  return timers;
}

/** The limit of errors in a row that one more failed attempt reaches. */
export function errorsReached(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
): ReachedLimit | undefined {
  const own = limitOf(nodeLimit(program, run), "errors");
  if (own !== undefined && run.errors + 1 >= own) return { name: "errors", of: "node" };
  const whole = limitOf(runLimit(program, snapshot), "errors");
  const isOver = whole !== undefined && snapshot.errors + 1 >= whole;
  return isOver ? { name: "errors", of: "run" } : undefined;
}

function nodeLimit(program: Program, { node, asks }: NodeRun): LimitIr | undefined {
  return withGrants(program.nodes[node]?.ir.limit, asks?.grants);
}

function runLimit({ ir }: Program, { grants }: Snapshot): LimitIr | undefined {
  return withGrants(ir.limit, grants);
}

/** Each time that somebody said to go on, the same amount again. */
function withGrants(
  limit: LimitIr | undefined,
  grants: Readonly<Record<string, number>> = {},
): LimitIr | undefined {
  if (limit === undefined || !limit.elseAsk) return limit;
  const quantities = limit.quantities.map(({ unit, value }) => {
    const more = grants[unit === "ms" ? "time" : unit] ?? 0;
    return { unit, value: value * (1 + more) };
  });
  return { ...limit, quantities };
}

interface Spent {
  readonly usage: Usage;
  readonly errors: number;
}

function spent(
  limit: LimitIr | undefined,
  soFar: Spent,
  effect: EffectKind,
): LimitName | undefined {
  const found = limit?.quantities.find((quantity) => isSpent(quantity, soFar, effect));
  return found === undefined || found.unit === "ms" ? undefined : (found.unit as LimitName);
}

function isSpent(
  { unit, value }: QuantityIr,
  { usage, errors }: Spent,
  effect: EffectKind,
): boolean {
  if (unit === "ms") return false;
  // A model without a known price can't be charged; its cost stays unknown and this limit does not bind it.
  if (unit === "usd")
    return usage.costUsd !== null && usage.costUsd >= value && usage.modelCalls > 0;
  return IS_SPENT[unit]({ usage, errors }, value, effect);
}

/** Of each unit, whether it is used up before a call; steps and repeats are counted with each commit. */
const IS_SPENT: Readonly<
  Record<LimitUnit, (soFar: Spent, value: number, effect: EffectKind) => boolean>
> = {
  tokens: ({ usage }, value) => usage.inputTokens + usage.outputTokens >= value,
  turns: ({ usage }, value, effect) =>
    (effect === "model" || effect === "controller") && usage.modelCalls >= value,
  calls: ({ usage }, value, effect) =>
    (effect === "tool" || effect === "controller") && usage.toolCalls >= value,
  errors: ({ errors }, value) => errors >= value,
  steps: () => false,
  repeats: () => false,
};

/** Returns the amount that a limit allows of one unit. */
export function limitOf(limit: LimitIr | undefined, unit: QuantityIr["unit"]): number | undefined {
  return limit?.quantities.find((quantity) => quantity.unit === unit)?.value;
}
