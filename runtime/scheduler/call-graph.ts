/** Decides what happens in a node run of kind `graph`: it begins its graph, passes completions to it, and ends with it. */
import type { Failure } from "../failure.ts";
import type { CalledGraphEnd } from "../performer.ts";
import type { RecordBody, ToolUse } from "../records/records.ts";
import { failAttempt, reachLimit } from "./attempts/fail-attempt.ts";
import { settingsForCalled } from "./called-settings.ts";
import {
  begunAnew,
  calledWith,
  keptOf,
  type Located,
  withCarried,
  withNext,
} from "./called-snapshots.ts";
import type { Completion } from "./completion.ts";
import { begin, control } from "./control.ts";
import { assertArgumentFits } from "./expressions/assert-fits.ts";
import { gathered } from "./expressions/calls.ts";
import { evaluate, evaluationFailure } from "./expressions/evaluate.ts";
import { isOfTheState } from "./expressions/evaluation-errors.ts";
import { readArgument } from "./expressions/written-messages.ts";
import { type Decision, decision } from "./flow/flow-draft.ts";
import { reachRunLimit } from "./flow/settle.ts";
import { foldRecord } from "./fold.ts";
import {
  type LimitedCall,
  limitReached,
  limitsSteps,
  type ReachedLimit,
  stepsSpent,
  timeSpent,
} from "./limits.ts";
import { keptForCalled, lookupAt } from "./lookup.ts";
import type { Called, Program, ProgramNode } from "./program/program.ts";
import type { Child, NodeRun, Snapshot } from "./snapshot/snapshot.ts";

export type Decide = (
  program: Program,
  snapshot: Snapshot,
  completion: Completion,
  /** The nodes that called the graphs around this one, outermost first. */
  around: readonly string[],
) => Decision;

/** The node run here that called the graph to which a completion belongs, if it is one of a called graph. */
export function homeOf({ homes, children }: Snapshot, completion: Completion): number | undefined {
  if (completion.kind === "timer") {
    const { id, sub } = completion.timer;
    if (sub !== undefined) return children.get(sub) === undefined ? homes.get(sub) : sub;
    return id === undefined ? undefined : homes.get(id);
  }
  if (isSaid(completion)) {
    const { sub } = completion;
    if (sub === undefined) return undefined;
    return children.get(sub) === undefined ? homes.get(sub) : sub;
  }
  return "id" in completion ? homes.get(completion.id) : undefined;
}

type CalledGraphNews = Completion & { readonly kind: "answer" | "opinion" | "edit" };

/** Returns whether a completion for a called graph as a whole names the node run that called it. */
function isSaid(completion: Completion): completion is CalledGraphNews {
  return ["answer", "opinion", "edit"].includes(completion.kind);
}

/** Decides on a completion inside a called graph, and checks the limits of all graphs around it. */
export function decideInside(
  position: { readonly program: Program; readonly snapshot: Snapshot },
  home: number,
  { completion, around, decide }: Inside,
): Decision {
  const { program, snapshot } = position;
  const child = snapshot.children.get(home);
  const run = snapshot.open.get(home);
  if (child === undefined || run === undefined) return decision([]);
  const node = nameOf(program, run);
  const within = withNext(child.snapshot, snapshot);
  const inside = calledWith(program, child.program);
  const inner = decide(inside, within, ownOf(completion, home), [...around, node]);
  if (inner.records.length === 0) return inner;
  const limited = overLimit(position, run, completion);
  if (limited !== undefined) return decision(limited);
  const records = inner.records.map((record) => subRecord(home, record));
  if (!limitsSteps(program)) return decision(records);
  const after = records.reduce(
    (folded, record) => foldRecord(program, folded, record, completion.at),
    snapshot,
  );
  const isSpent = after.innerSteps > snapshot.innerSteps && stepsSpent(program, after);
  const end = isSpent ? reachRunLimit(program, after, { limit: "steps", at: completion.at }) : [];
  return decision([...records, ...end]);
}

interface Inside {
  readonly completion: Completion;
  readonly around: readonly string[];
  readonly decide: Decide;
}

/** The deadline of the called graph as a whole is one of the run there. */
function ownOf(completion: Completion, home: number): Completion {
  if (isSaid(completion) && completion.sub === home) {
    const { sub: _, ...own } = completion;
    return own;
  }
  if (completion.kind !== "timer" || completion.timer.sub !== home) return completion;
  const { sub: _, ...timer } = completion.timer;
  return { ...completion, timer };
}

/** Called graphs spend what their callers may spend: each call is asked for all the way out. */
function overLimit(
  { program, snapshot }: { readonly program: Program; readonly snapshot: Snapshot },
  run: NodeRun,
  completion: Completion,
): readonly RecordBody[] | undefined {
  const reached =
    completion.kind === "intent"
      ? limitReached(program, snapshot, run, completion)
      : completion.kind === "succeeded"
        ? timeSpent(program, snapshot, run, completion.at)
        : undefined;
  if (reached === undefined) return undefined;
  return reachLimit(program, snapshot, { run, limit: reached, at: completion.at });
}

/** The limit that forbids a call made for a node run outside of its attempts: that of the node, of its graph, or of those around it. */
export function limitAround(
  program: Program,
  snapshot: Snapshot,
  id: number,
  call: LimitedCall,
): ReachedLimit | undefined {
  const home = snapshot.homes.get(id);
  const run = snapshot.open.get(home ?? id);
  const reached = run && limitReached(program, snapshot, run, call);
  const child = home === undefined ? undefined : snapshot.children.get(home);
  if (reached !== undefined || child === undefined) return reached;
  return limitAround(calledWith(program, child.program), child.snapshot, id, call);
}

/**
 * The depth to which graphs may call each other; beyond it a graph is taken to call itself without
 * end.
 */
const DEPTH_MAX = 64;

/** A called graph begins, or goes on where it stood when the whole run was stopped. */
export function startCalled(
  { program, snapshot }: { readonly program: Program; readonly snapshot: Snapshot },
  { run, node, start }: { readonly run: NodeRun; readonly node: ProgramNode; start: RecordBody },
  { at, around }: { readonly at: number; readonly around: readonly string[] },
): readonly RecordBody[] {
  const child = snapshot.children.get(run.id);
  if (child !== undefined && child.modified === undefined) {
    const resume = { kind: "control", verb: "resume", at } as const;
    const inside = calledWith(program, child.program);
    const records = control(inside, withNext(child.snapshot, snapshot), resume);
    return [start, ...records.map((record) => subRecord(run.id, record))];
  }
  const begun = beginCalled(program, snapshot, { run, node, at, around });
  if ("class" in begun) {
    const started = foldRecord(program, snapshot, start, at);
    return [start, ...failAttempt(program, started, run, begun, at)];
  }
  return [start, ...begun.map((record) => subRecord(run.id, record))];
}

/**
 * A graph begins that an attempt of an agent has called as a tool. It counts as a graph that the node run has called: with its
 * usage, its questions and its end.
 */
export function callAsTool(
  { program, snapshot }: { readonly program: Program; readonly snapshot: Snapshot },
  run: NodeRun,
  {
    completion: { tool: name, attempt, call, input, at },
    around,
  }: {
    readonly completion: Completion & { readonly kind: "graph-call" };
    readonly around: readonly string[];
  },
): readonly RecordBody[] {
  const node = program.nodes[run.node];
  const graph = node?.tools?.get(name)?.program(input);
  if (node === undefined || graph === undefined || "class" in graph) return [];
  const before = snapshot.children.get(run.id);
  if (isToolCall(before, { attempt, call })) return [];
  const earlier = before?.tool?.attempt === attempt ? before.tool.number : 0;
  const tool = { name, attempt, call, number: earlier + 1 };
  const begun = begunWith({ program, snapshot }, { run, graph, input, at, around, tool });
  if (!("class" in begun)) return begun.map((record) => subRecord(run.id, record));
  return failAttempt(program, snapshot, run, begun, at);
}

/** Returns whether a called graph is that of this call of a tool. */
export function isToolCall(
  child: Child | undefined,
  { attempt, call }: { readonly attempt: number; readonly call: number },
): boolean {
  return child?.tool?.attempt === attempt && child.tool.call === call;
}

/** The records behind the start of an agent's attempt that goes on: the graph that it had called as a tool goes on, too. */
export function toolGoesOn(
  { program, snapshot }: { readonly program: Program; readonly snapshot: Snapshot },
  run: NodeRun,
  at: number,
): readonly RecordBody[] {
  const child = snapshot.children.get(run.id);
  if (child?.tool?.attempt !== run.attempt || child.snapshot.status !== "paused") return [];
  const resume = { kind: "control", verb: "resume", at } as const;
  const inside = calledWith(program, child.program);
  const records = control(inside, withNext(child.snapshot, snapshot), resume);
  return records.map((record) => subRecord(run.id, record));
}

/** Returns what a graph that an agent has called as a tool came to; `undefined` while it goes on. */
export function endOfTool(child: Child): CalledGraphEnd | undefined {
  const { status, failure } = child.snapshot;
  if (status === "succeeded") return { output: outputOf(child) };
  if (status !== "failed" || failure === undefined) return undefined;
  return { failure: failureOf(child.tool?.name ?? "", failure, child.failedAt) };
}

function beginCalled(
  program: Program,
  snapshot: Snapshot,
  of: {
    readonly run: NodeRun;
    readonly node: ProgramNode;
    readonly at: number;
    readonly around: readonly string[];
  },
): readonly RecordBody[] | Failure {
  const { run, node, at, around } = of;
  const { called } = node;
  if (called === undefined) throw new Error(`M9000: \`${node.ir.name}\` calls no graph`);
  try {
    const before = snapshot.children.get(run.id);
    const given = { ...inputOf(called, program, snapshot, run), ...before?.modified };
    const graph = called.program(given);
    if ("class" in graph) return graph;
    const input = withReadArguments(graph.ir, given);
    return begunWith({ program, snapshot }, { run, graph, input, at, around });
  } catch (error) {
    if (!isOfTheState(error)) throw error;
    return evaluationFailure(program, error);
  }
}

function begunWith(
  { program, snapshot }: { readonly program: Program; readonly snapshot: Snapshot },
  of: {
    readonly run: NodeRun;
    readonly graph: Program;
    readonly input: Readonly<Record<string, unknown>>;
    readonly at: number;
    readonly around: readonly string[];
    readonly tool?: ToolUse;
  },
): readonly RecordBody[] | Failure {
  const { run, graph, input, at, around, tool } = of;
  const node = program.nodes[run.node];
  if (node === undefined) throw new Error(`M9000: no node ${run.node}`);
  if (around.length >= DEPTH_MAX) return tooDeep([...around, node.ir.name]);
  try {
    const before = snapshot.children.get(run.id);
    if (snapshot.isTyped) assertInputFits(node, graph, input);
    const isSameFile = (graph.ir.source ?? program.ir.source)?.file === program.ir.source?.file;
    const config = settingsForCalled(snapshot.config, { graph: graph.ir.name, isSameFile });
    const kept = keptForCalled(program, snapshot, { frame: run.frame, called: graph });
    const begun = {
      kind: "begin",
      input,
      at,
      ...(kept === undefined ? {} : { kept }),
      ...(config === undefined ? {} : { config }),
      ...(snapshot.isTyped ? {} : { isUntyped: true as const }),
    } as const;
    const fresh = withNext(begunAnew(before), snapshot);
    const records = begin(calledWith(program, graph), fresh, begun);
    return tool === undefined ? withCarried(before, graph, records) : usedBy(tool, records);
  } catch (error) {
    if (!isOfTheState(error)) throw error;
    return evaluationFailure(program, error);
  }
}

/** Says in the first record of a called graph which call of a tool it is. */
function usedBy(tool: ToolUse, records: readonly RecordBody[]): readonly RecordBody[] {
  return records.map((record) => (record.kind === "run" ? { ...record, tool } : record));
}

/** Another plan for a called graph: it takes over at once where that runs, else when the whole run goes on. */
export function modifyCalled(
  { program, snapshot }: { readonly program: Program; readonly snapshot: Snapshot },
  { id, plan, at }: Completion & { readonly kind: "modify" },
  around: readonly string[],
): readonly RecordBody[] {
  const run = snapshot.open.get(id);
  const child = snapshot.children.get(id);
  const node = program.nodes[run?.node ?? -1];
  if (run === undefined || child === undefined || node?.called?.isPlan !== true) return [];
  const { status, held } = child.snapshot;
  if (status === "succeeded") return [];
  const record = { kind: "modify", id, plan, ...keptOf(child, plan) } as const;
  if (status !== "running" && status !== "waiting" && !held) return [record];
  const modified = foldRecord(program, snapshot, record, at);
  const begun = beginCalled(program, modified, { run, node, at, around });
  if ("class" in begun) return [];
  const hold: RecordBody = { kind: "control", verb: "hold", reason: "caller" };
  const records = held ? [...begun, hold] : begun;
  const carriedRuns = begun.flatMap((one) => (one.kind === "run" ? (one.carried ?? []) : []));
  const extended =
    carriedRuns.length === 0 ? record : { ...record, goOn: carriedRuns.map(({ from }) => from) };
  return [extended, ...records.map((one) => subRecord(id, one))];
}

/**
 * Returns the input of a called graph. A value that is not written yet is left out, so that the
 * parameter's default counts.
 */
function inputOf(
  { args, params }: Called,
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
): Record<string, unknown> {
  const { frame, scope, node, args: own } = run;
  const at = { frame, scope, node, ...(own === undefined ? {} : { args: own }) };
  const lookup = lookupAt(program, snapshot, at);
  const { callArgs } = run.asks?.edited ?? {};
  const values = callArgs ?? gathered(args, ({ value }) => evaluate(value, lookup));
  return Object.fromEntries(
    args.flatMap(({ label }, index) => {
      const name = label ?? params[index];
      const value = values[index];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The input with the messages of its parameters in our form. */
function withReadArguments(
  ir: Program["ir"],
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const read = ir.params.flatMap((param) => {
    const value = input[param.name];
    const argument = readArgument(ir, param, { value });
    return argument === value ? [] : [[param.name, argument] as const];
  });
  return read.length === 0 ? input : { ...input, ...Object.fromEntries(read) };
}

/** Of each parameter that it says, and of those that it must; what is not given begins with its default. */
function assertInputFits(
  { ir: node, called }: ProgramNode,
  { ir }: Program,
  input: Readonly<Record<string, unknown>>,
): void {
  for (const param of ir.params) {
    const { name, default: otherwise } = param;
    const value = input[name];
    if (value === undefined && otherwise !== undefined) continue;
    const arg = called?.args.find(({ label }, index) => (label ?? called.params[index]) === name);
    const what = () => `\`${name}\`, which \`${node.name}\` gives to \`${ir.name}\`,`;
    assertArgumentFits(ir, param, { what, value, span: arg?.value.span });
  }
}

function tooDeep(chain: readonly string[]): Failure {
  const shown = [...chain.slice(0, 3), "…", ...chain.slice(-2)].join(" › ");
  return {
    class: "invalid",
    code: "M5030",
    message: `${shown}: graphs call each other ${DEPTH_MAX} deep`,
    hint: "let the graph that calls itself stop by a condition, a `max` or a `limit … steps`",
  };
}

/** Returns the end of a called graph as the result of its node run; `undefined` while it has not ended or must go on. */
export function endOfCalled(
  { program, snapshot }: { readonly program: Program; readonly snapshot: Snapshot },
  run: NodeRun,
): { readonly output: unknown } | Failure | undefined {
  const child = snapshot.children.get(run.id);
  if (child === undefined) return undefined;
  const { status, failure } = child.snapshot;
  if (status === "succeeded") return { output: outputOf(child) };
  if (failure === undefined || child.attempt !== run.attempt) return undefined;
  return failureOf(nameOf(program, run), failure, child.failedAt);
}

/** Returns the output of a called graph whose node run has started again only to judge it. */
export function outputToJudge({ program, snapshot, run }: Omit<Located, "callers">) {
  if (run.status !== "running") return undefined;
  const end = endOfCalled({ program, snapshot }, run);
  return end === undefined || "class" in end ? undefined : end;
}

/** The result itself of a graph that returns one, else all of them by name. */
function outputOf({ program, snapshot }: Child): unknown {
  const { output = {} } = snapshot;
  const [only, ...more] = program.ir.returns;
  return only === undefined || more.length > 0 ? output : output[only];
}

/** The failure of a called graph, with the way that leads to where it failed. */
function failureOf(node: string, failure: Failure, failedAt: string | undefined): Failure {
  const known = failure.path;
  const inner = known ?? (failedAt === undefined ? [] : [failedAt]);
  const ownMessage =
    known === undefined ? failure.message : failure.message.slice(prefix(known).length);
  const path = [node, ...inner];
  return { ...failure, path, message: `${prefix(path)}${ownMessage}` };
}

/** A long way is told by its ends. */
function prefix(path: readonly string[]): string {
  const shown = path.length > PATH_MAX ? [...path.slice(0, 3), "…", ...path.slice(-2)] : path;
  return `${shown.join(" › ")}: `;
}

const PATH_MAX = 8;

function nameOf(program: Program, { node }: NodeRun): string {
  return program.nodes[node]?.ir.name ?? "";
}

function subRecord(id: number, record: RecordBody): RecordBody {
  return { kind: "sub", id, record };
}
