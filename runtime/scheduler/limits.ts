/** Finds which limits an arrow, a node run or the run has reached, and asks whether to go on. */
import {
  type CountIr,
  type Ir,
  LIMITS,
  type LimitIr,
  type LimitUnit,
  type QuantityIr,
  type RouteIr,
} from "../../dsl/index.ts";
import type { Failure } from "../failure.ts";
import type { CallFacts, CallRequest, EffectKind } from "../records/call-records.ts";
import type { RecordBody } from "../records/records.ts";
import { isJsonEqual } from "../state/json.ts";
import { grown, plain } from "../state/persistent.ts";
import type { Usage } from "../usage.ts";
import type { Timer } from "./completion.ts";
import { question, wholeQuestion } from "./interrupts.ts";
import { countIn, lookupAt } from "./lookup.ts";
import type { Program } from "./program/program.ts";
import { activeAt, changeScope, type SnapshotDraft } from "./snapshot/draft.ts";
import type { Idle } from "./snapshot/parts.ts";
import { must, type NodeRun, type Snapshot } from "./snapshot/snapshot.ts";

// Compares what a run and its nodes have spent with their limits. The tightest limit wins; reaching one is never a
// success.

/** The name of a limit, as in `limit:tokens`. */
export type LimitName = LimitUnit | "time" | "usd" | "price" | "max";

export interface ReachedLimit {
  readonly name: LimitName;
  /** The node's own, or the whole run's. */
  readonly of: "node" | "run";
  /** For a limit of cost: the amount spent and the estimate of the next call; for an unknown price: the model. */
  readonly why?: string;
}

/** A call that is about to be made, as far as limits count it. */
export type LimitedCall = Pick<CallFacts, "effect" | "name"> &
  Pick<CallRequest, "estimateUsd" | "unpriced">;

/** The limit that forbids a node run's next call, if one does. */
export function limitReached(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  call: LimitedCall,
): ReachedLimit | undefined {
  const { usage, errors, asks } = run;
  const before = { usage, errors, grants: asks?.grants, underWay: () => [run] };
  const own = spent(nodeLimit(program, run), before, call);
  if (own !== undefined) return { ...own, of: "node" };
  const { usage: all, errors: failed, grants, open } = snapshot;
  const whole = { usage: all, errors: failed, grants, underWay: () => open.values() };
  const reached = spent(runLimit(program, snapshot), whole, call);
  return reached === undefined ? undefined : { ...reached, of: "run" };
}

/** Returns what the calls that node runs have under way are taken to cost, in US dollars. */
function inFlight(runs: Iterable<NodeRun>): number {
  let usd = 0;
  for (const { calling = {} } of runs) for (const each of Object.values(calling)) usd += each;
  return usd;
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

/** Returns whether the `max` of an arrow lets it be taken once more; the uses of an arrow are counted in its scope. */
export function hasUsesLeft(
  program: Program,
  snapshot: Snapshot,
  { scope, route }: { readonly scope: number; readonly route: RouteIr },
): boolean {
  const number = program.routeNumbers.get(route);
  if (route.max === undefined || number === undefined) return true;
  const used = must(snapshot.scopes, scope, "scope").counts.get(number) ?? 0;
  return used < countOf(program, snapshot, route.max);
}

/** Returns a count of the program: a number, or the parameter or config value of that name. */
export function countOf(program: Program, snapshot: Snapshot, count: CountIr): number {
  if (typeof count === "number") return count;
  return countIn(count, lookupAt(program, snapshot, { frame: 0, scope: 0 }));
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
  const why = typeof limit === "string" ? undefined : limit.why;
  if (name === "price") return unknownPrice(why);
  const whose = typeof limit === "object" && limit.of === "run" ? "the run" : `\`${node}\``;
  return {
    class: "limit",
    code: "M5010",
    limit: name,
    message: `${node === "the run" ? node : whose} has reached its limit of ${limitWords(name)}${why === undefined ? "" : `: ${why}`}`,
    hint: name === "max" ? RAISE_MAX : "raise the limit in the graph and resume the run",
  };
}

function unknownPrice(why = "a model has no known price"): Failure {
  return { class: "limit", code: "M8151", limit: "price", message: why, hint: SAY_PRICE };
}

const SAY_PRICE =
  "write `price in $3, out $15` in its `model`, give `prices` to the run, or a row to `model_prices`, and resume the run; or write `limit $… else ask`";

/** A resume goes on behind what was decided, and here it was decided that no arrow leads on. */
const RAISE_MAX =
  "raise the `max` in the graph and run it again (`madrigal rerun`, `graph.rerun(run)`): what is unchanged is served";

/** A limit as people call it. */
function limitWords(name: LimitName): string {
  return name in LIMITS
    ? LIMITS[name as LimitUnit].counts
    : OTHER_WORDS[name as keyof typeof OTHER_WORDS];
}

const OTHER_WORDS: Readonly<Record<Exclude<LimitName, LimitUnit>, string>> = {
  time: "time",
  usd: "cost",
  price: "cost without a known price",
  max: "uses or rounds (max)",
};

/** Never added to: `grown` puts the first into a list of its own. */
const NO_TIMERS: never[] = [];

/** Deadlines of what has just begun to run, and of the run itself when it begins or goes on. */
export function timersOf(
  program: Program,
  after: Snapshot,
  news: { readonly resumed: boolean; readonly running: readonly NodeRun[]; readonly at: number },
): readonly Timer[] {
  let timers: Timer[] = NO_TIMERS;
  const whole = news.resumed ? limitOf(runLimit(program, after), "ms") : undefined;
  if (whole !== undefined) timers = [{ due: news.at + Math.max(0, whole - after.activeMs) }];
  for (const run of news.running) {
    const { id, status, activeMs, runningSince } = run;
    const limit = limitOf(nodeLimit(program, run), "ms");
    if (status !== "running" || runningSince !== news.at || limit === undefined) continue;
    timers = grown(timers, { id, due: news.at + Math.max(0, limit - activeMs) });
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

interface SpentBefore extends Spent {
  /** The number of times that somebody has said to go on, by the name of the limit. */
  readonly grants: Readonly<Record<string, number>> | undefined;
  /** The node runs whose calls under way count. */
  readonly underWay: () => Iterable<NodeRun>;
}

function spent(
  limit: LimitIr | undefined,
  soFar: SpentBefore,
  call: LimitedCall,
): Omit<ReachedLimit, "of"> | undefined {
  for (const { unit, value } of limit?.quantities ?? []) {
    if (unit === "ms") continue;
    if (unit === "usd") {
      const reached = costReached(value, soFar, call);
      if (reached !== undefined) return reached;
    } else if (IS_SPENT[unit](soFar, value, call.effect)) return { name: unit };
  }
  return undefined;
}

/**
 * Returns whether a limit of cost forbids a call: what is spent, what the calls under way are taken to cost, and what this
 * one is, must not be more than it. A model without a known price can't be counted: it is asked for once.
 */
function costReached(
  value: number,
  { usage, grants, underWay }: SpentBefore,
  { effect, name, estimateUsd = 0, unpriced }: LimitedCall,
): Omit<ReachedLimit, "of"> | undefined {
  const { price: granted = 0 } = grants ?? {};
  if (unpriced === true && granted === 0)
    return {
      name: "price",
      why: `\`${name}\` has no known price, so \`limit ${dollars(value)}\` can't count it`,
    };
  const { costUsd, modelCalls } = usage;
  if (costUsd === null) return undefined;
  if (costUsd >= value && modelCalls > 0) return { name: "usd" };
  // Tools cost nothing by themselves.
  if (effect !== "model") return undefined;
  const inFlightUsd = inFlight(underWay());
  if (costUsd + inFlightUsd + estimateUsd <= value) return undefined;
  const others = inFlightUsd === 0 ? "" : `, calls under way take about ${dollars(inFlightUsd)}`;
  const next = `the next call of \`${name}\` takes about ${dollars(estimateUsd)}`;
  return { name: "usd", why: `${dollars(costUsd)} are spent${others}, and ${next}` };
}

function dollars(usd: number): string {
  return `$${Number(usd.toPrecision(3))}`;
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
function limitOf(limit: LimitIr | undefined, unit: QuantityIr["unit"]): number | undefined {
  return limit?.quantities.find((quantity) => quantity.unit === unit)?.value;
}

// Asks whether to go on when a limit with `else ask` is reached.

/** The question whether to go on; nothing where the graph wants none, or somebody has said no to it. */
export function limitQuestion(
  program: Program,
  snapshot: Snapshot,
  { run, limit, at }: { readonly run: NodeRun; readonly limit: ReachedLimit; readonly at: number },
): readonly RecordBody[] | undefined {
  const node = program.nodes[run.node]?.ir;
  const name = node?.name ?? "";
  if (limit.of === "run") {
    if (program.ir.limit?.elseAsk !== true) return undefined;
    return askGoOn(program, snapshot, { limit: limit.name, why: limit.why, at, run, node: name });
  }
  if (node?.limit?.elseAsk !== true || run.asks?.refused === limit.name) return undefined;
  const text = questionText(limit, `\`${name}\``);
  const { withinMs } = node.limit;
  const asked = { question: text, limit: limit.name, at };
  return question(program, snapshot, run, {
    ask: "limit",
    ...asked,
    ...(withinMs === undefined ? {} : { withinMs }),
  });
}

/** Asks once whether the run may exceed a limit. Later node runs that reach the limit wait for the same answer. */
export function askGoOn(
  { ir }: Program,
  snapshot: Snapshot,
  reached: {
    readonly limit: LimitName;
    readonly why?: string | undefined;
    readonly at: number;
    readonly node: string;
    readonly run?: NodeRun;
  },
): readonly RecordBody[] {
  if (snapshot.whole !== undefined) return [];
  const { limit, why, at, ...asking } = reached;
  const { withinMs } = ir.limit ?? {};
  const expiry = withinMs === undefined ? {} : { expiresAt: at + withinMs };
  const question = questionText({ name: limit, why }, "The run");
  return wholeQuestion(snapshot, { limit, question, ...asking, ...expiry });
}

function questionText(
  { name, why }: { readonly name: LimitName; readonly why?: string | undefined },
  whose: string,
): string {
  if (name === "price")
    return `${why ?? "A model has no known price"}. Go on without a limit of cost?`;
  const so = why === undefined ? "" : `: ${why}`;
  return `${whose} has reached its limit of ${limitWords(name)}${so}. Go on?`;
}

// Detects loops that do nothing: one node, or two in turn, that commit again and leave the state as it was.

/** Notes a commit in its scope, before the token moves on; nothing where no limit asks for it. */
export function noteCommit(
  program: Program,
  draft: SnapshotDraft,
  run: Pick<NodeRun, "node" | "scope">,
): void {
  const idle = idleBehind(program, draft, run);
  if (idle !== undefined) changeScope(draft, run.scope, () => ({ idle }));
}

function idleBehind(
  program: Program,
  { scopes, shown }: Snapshot,
  { node, scope }: Pick<NodeRun, "node" | "scope">,
): Idle | undefined {
  // A node with `every` is there to come round.
  if (!program.countsRepeats || program.nodes[node]?.ir.every !== undefined) return undefined;
  const { idle = NEVER } = must(scopes, scope, "scope");
  return next(idle, { node, shown });
}

/** The limit of repeats that a commit of this node reaches, if it does: then it is none. */
export function repeatsReached(
  program: Program,
  snapshot: Snapshot,
  { node, scope, asks }: Pick<NodeRun, "node" | "scope" | "asks">,
): ReachedLimit | undefined {
  const idle = idleBehind(program, snapshot, { node, scope });
  if (idle === undefined) return undefined;
  const repeats = Math.max(idle.alone, Math.floor(idle.inTurn / 2));
  const own = program.nodes[node]?.ir.limit;
  // Who has said to go on with this commit is asked about later ones, after as many repeats again.
  const { repeats: ofThis = 0 } = asks?.grants ?? {};
  if (
    repeats >= mostOf(own) &&
    !(own?.elseAsk === true && (ofThis > 0 || repeats % mostOf(own) > 0))
  )
    return { name: "repeats", of: "node" };
  const { repeats: granted = 0 } = snapshot.grants;
  const isOver = repeats >= mostOf(program.ir.limit) * (1 + granted);
  return isOver ? { name: "repeats", of: "run" } : undefined;
}

function mostOf(limit: LimitIr | undefined): number {
  return limitOf(limit, "repeats") ?? Number.POSITIVE_INFINITY;
}

const NEVER: Idle = { latest: [], alone: 0, inTurn: 0 };

function next({ latest, alone, inTurn }: Idle, now: Idle["latest"][number]): Idle {
  const [one, two] = latest;
  return {
    latest: one === undefined ? [now] : [now, one],
    alone: isAgain(one, now) ? alone + 1 : 0,
    inTurn: one?.node !== now.node && isAgain(two, now) ? inTurn + 1 : 0,
  };
}

function isAgain(before: Idle["latest"][number] | undefined, now: Idle["latest"][number]): boolean {
  if (before?.node !== now.node) return false;
  return now.shown
    .changedFrom(before.shown)
    .every((field) =>
      isJsonEqual(plain(before.shown.get(field)?.value), plain(now.shown.get(field)?.value)),
    );
}

/** Tells whether a graph or any of its nodes limits repeats. */
export function countsRepeats({ limit, nodes }: Pick<Ir, "limit" | "nodes">): boolean {
  const limits = [limit, ...nodes.map((node) => node.limit)];
  return limits.some((one) => limitOf(one, "repeats") !== undefined);
}
