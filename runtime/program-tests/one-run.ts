/** Runs a `test` of the language once, on its prepared graph: without models, questions, storage or waiting. */
import {
  type CalledIr,
  type ConsentIr,
  calledFunctions,
  type ExprIr,
  type Ir,
  type NodeIr,
  nodeCounts,
  type TestIr,
} from "../../dsl/index.ts";
import { createFunctionCaller } from "../agents/functions/call-function.ts";
import type { Scope } from "../agents/scope/scope.ts";
import { OfferedStreams } from "../attempt/streams.ts";
import { type Failure, RunError } from "../failure.ts";
import { assertInput, copiedInput } from "../run/input.ts";
import { evaluate, type Lookup } from "../scheduler/expressions/evaluate.ts";
import { EvaluationError } from "../scheduler/expressions/evaluation-errors.ts";
import { lookupAt, ownMember, settingOf, shownFailure, shownState } from "../scheduler/lookup.ts";
import { ROOT } from "../scheduler/snapshot/snapshot.ts";
import { coveredArrows } from "./coverage.ts";
import type { CoveredArrow } from "./covered-arrow.ts";
import { unmet } from "./expectations.ts";
import { ScriptTurns, type TakenTurns } from "./script-turns.ts";
import { answerTo } from "./scripted-answers.ts";
import { type FinishedAttempt, ScriptedRun } from "./scripted-run.ts";
import {
  createScriptedPerformer,
  type GenerateResult,
  type ScriptFault,
  scriptedFunctions,
} from "./scripts.ts";
import { sentIn } from "./sent-messages.ts";
import type { EnteredGraph, TestFault } from "./test-result.ts";
import { testedCalls } from "./tested-calls.ts";

/** One run of a test: in one order, with one input. */
export interface OneRun {
  /** Nodes in the order of their commits, and `end` where the run got there. */
  readonly path: readonly string[];
  readonly arrows: readonly CoveredArrow[];
  readonly called: readonly EnteredGraph[];
  readonly faults: readonly TestFault[];
  /** The attempts in the order in which they ended; empty unless `choose` said which. */
  readonly ended: readonly FinishedAttempt[];
  readonly taken: TakenTurns;
}

export interface OneRunOptions {
  readonly scope?: Scope | undefined;
  readonly late: Lateness;
  /** The lines of scripts that an earlier run of the same test took. */
  readonly before?: TakenTurns | undefined;
  /** Of so many attempts that could end next, the index of the one that does. */
  readonly choose?: (count: number) => number;
  readonly generate?: GenerateResult | undefined;
}

/** Runs a test in one order with one input; what is wrong with the graph or the test is in the result. */
export async function runOnce(test: TestIr, options: OneRunOptions): Promise<OneRun> {
  const { late } = options;
  const { run, turns, fault } = createRun(test, options);
  const input = readInput(test);
  const come = (path: readonly string[], faults: readonly TestFault[]): OneRun => ({
    path,
    faults,
    arrows: coveredArrows(run.program, run.arrows),
    called: [...run.called.values()].map((program) => ({
      ir: program.ir,
      arrows: coveredArrows(program, run.arrows),
    })),
    ended: run.ended,
    taken: turns.taken,
  });
  if ("code" in input) return come([], [input]);
  try {
    await run.run(input.value);
  } catch (thrown) {
    if (!late.isLate()) throw thrown;
    return come(pathOf(run), [tooLate(test, run, late.timeoutMs)]);
  }
  const { snapshot } = run;
  const path = pathOf(run);
  const lookup = lookupOf(run, path);
  const sent = sentIn(run.records, run.program);
  const faults = unknownStep(test, run) ??
    stoppedBy(test, run, fault()) ?? [
      ...test.expects.flatMap((expect) => unmet(expect, test, { path, lookup, sent }) ?? []),
      ...unexpectedFailure(test, snapshot.failure),
    ];
  return come(path, faults);
}

/** The time that a test may take. */
export interface Lateness {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  isLate(): boolean;
}

function tooLate(test: TestIr, { records }: ScriptedRun, timeoutMs: number): TestFault {
  // One attempt at a time: the last that began is the one that was waited for.
  const last = records.findLast((record) => record.kind === "start");
  return {
    code: "M5707",
    message: `the test took longer than ${timeoutMs / 1000} s${last === undefined ? "" : `; \`${last.node}\` had not come back`}`,
    hint: "script the node, or let its function end",
    span: test.span,
  };
}

/** The input, or what is wrong with it: what is given may only turn out at run time not to fit. */
function readInput(test: TestIr): { readonly value: Record<string, unknown> } | TestFault {
  try {
    const value = inputOfTest(test);
    assertInput(test.ir, value);
    return { value: copiedInput(test.ir, value) };
  } catch (thrown) {
    const [{ span } = test] = test.givens;
    if (thrown instanceof EvaluationError) return { code: "M5704", message: thrown.message, span };
    if (!(thrown instanceof RunError)) throw thrown;
    const { code, message, hint } = thrown;
    return { code, message, span, ...(hint === undefined ? {} : { hint }) };
  }
}

/** The commits that a test may take where its graph has no `limit … steps`. */
const STEPS_MAX = 1000;

function createRun(
  test: TestIr,
  { scope = {}, late, before, choose, generate }: OneRunOptions,
): TestRun {
  const { scripts } = test;
  const turns = new ScriptTurns(scripts, before);
  let fault: ScriptFault | undefined;
  const offered = new OfferedStreams();
  const stop = (found: ScriptFault) => {
    fault ??= found;
  };
  const evaluateNow = (expression: ExprIr): unknown => evaluate(expression, lookupOf(run, []));
  const ir = graphOfTest(test, turns);
  const run: ScriptedRun = new ScriptedRun(ir, {
    functions: scriptedFunctions(calledFunctions(ir), {
      scripts,
      evaluate: evaluateNow,
      scope,
      stop,
      offered,
    }),
    call: createFunctionCaller({
      scope: () => scope,
      streamed: ({ key }, source) => offered.offer(key, source),
    }),
    offered,
    performerAt: createScriptedPerformer({
      turns,
      evaluate: evaluateNow,
      choicesOf: (_, { choices = [] }) => choices.map(({ name }) => name),
      generate,
      scope,
      stop,
    }),
    answerTo: (question, node) => answerTo(question, node, { turns, evaluate: evaluateNow, stop }),
    isEntered: (node) => turns.hasInside(node),
    isStopped: () => fault !== undefined,
    stepsMax: stepsOf(ir),
    ...(choose === undefined ? {} : { choose }),
    signal: late.signal,
  });
  return { run, turns, fault: () => fault };
}

interface TestRun {
  readonly run: ScriptedRun;
  readonly turns: ScriptTurns;
  /** Returns the fault that stops the run, if there is one. */
  fault(): ScriptFault | undefined;
}

/** One more than the limit, so that the limit itself is what ends the run. */
function stepsOf({ limit }: Ir): number {
  const own = limit?.quantities.find(({ unit }) => unit === "steps")?.value;
  return own === undefined ? STEPS_MAX : own + 1;
}

function pathOf({ records, snapshot, program }: ScriptedRun): readonly string[] {
  // Waits for a decision are no nodes that the graph has.
  const own = new Set(program.ir.nodes.map(({ name }) => name));
  const nodes = records.flatMap((record) =>
    record.kind === "commit" && own.has(record.node) ? [record.node] : [],
  );
  return snapshot.status === "succeeded" ? [...nodes, "end"] : nodes;
}

/** Returns the lookup of a test's names at the end of its run. */
function lookupOf(run: ScriptedRun, path: readonly string[]): Lookup {
  const { program, snapshot } = run;
  const state = shownState(program, snapshot);
  const root = lookupAt(program, snapshot, { frame: ROOT, scope: ROOT });
  const words = wordsOf(run, path);
  return (name, of) => {
    switch (of) {
      case "field":
        return state[name];
      case "param":
        return ownMember(snapshot.input, name);
      case "variable":
        return words[name];
      case "special":
        return name === "run"
          ? words
          : name === "state"
            ? { ...snapshot.input, ...state }
            : nodeCounts.has(name)
              ? root(name, of)
              : undefined;
      case "config":
        return settingOf(program.ir, name);
      default:
        return undefined;
    }
  };
}

function wordsOf(
  { records, snapshot }: ScriptedRun,
  path: readonly string[],
): Readonly<Record<string, unknown>> {
  const { status, failure, usage, steps, activeMs } = snapshot;
  const failedAt = records.findLast((record) => record.kind === "end")?.node ?? "";
  return {
    cost: usage.costUsd,
    steps,
    time: activeMs,
    path,
    // Scripts are evaluated many times, and few name it.
    get toolCalls() {
      return testedCalls(records);
    },
    status,
    error: failure === undefined ? null : shownFailure(failedAt, failure),
  };
}

// ── what goes wrong ─────────────────────────────────────────────────────────────────────────────

/** A script of a step that the plan does not have; its steps are known when the run comes to it. */
function unknownStep(
  { scripts }: TestIr,
  { plans }: ScriptedRun,
): readonly TestFault[] | undefined {
  for (const [place, steps] of plans) {
    for (const { node, span } of scripts) {
      const [step = ""] = node.startsWith(`${place}/`)
        ? node.slice(place.length + 1).split("/")
        : [];
      if (step === "" || steps.has(step)) continue;
      const known = [...steps].map((one) => `\`${one}\``).join(", ");
      return [
        {
          code: "M5708",
          message: `the plan of \`${place}\` has no step \`${step}\``,
          hint: known === "" ? "it has no steps" : `its steps are ${known}`,
          span,
        },
      ];
    }
  }
  return undefined;
}

/** Returns the reason why the run was not followed to its end; its expectations do not count then. */
function stoppedBy(
  test: TestIr,
  run: ScriptedRun,
  fault: ScriptFault | undefined,
): readonly TestFault[] | undefined {
  if (fault !== undefined) return [faultOfScript(test, fault)];
  if (!run.isEndless) return undefined;
  return [
    {
      code: "M5706",
      message: `the run does not end: it took ${run.snapshot.steps} steps`,
      hint: "the last value of a script is said again and again: let a node say something else in the end",
      span: test.span,
    },
  ];
}

function faultOfScript(test: TestIr, { code, node, message, hint, line }: ScriptFault): TestFault {
  const script = test.scripts.find((one) => one.node === node);
  return { code, message, hint, span: line?.span ?? script?.span ?? test.span };
}

/** An error that the test does not speak of; a limit is an ending like any other. */
function unexpectedFailure(test: TestIr, failure: Failure | undefined): readonly TestFault[] {
  if (failure === undefined || failure.class === "limit") return [];
  if (test.expects.some((expect) => expect.kind === "holds" && speaksOfEnding(expect.condition)))
    return [];
  const { code, message, hint } = failure;
  return [
    {
      code: "M5705",
      message: `the run failed: ${code} ${message}`,
      hint: hint ?? 'if it should, write `expect status == "failed"`',
      span: test.span,
      failure,
    },
  ];
}

/** Tells whether an expectation names the run's own `status` or `error`. */
function speaksOfEnding(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  if ("kind" in part && "name" in part && typeof part.name === "string") {
    const isWord = part.kind === "name" && "of" in part && part.of === "variable";
    const isMember = part.kind === "member" && "object" in part && isRun(part.object);
    if ((isWord || isMember) && ENDING.includes(part.name)) return true;
  }
  return Object.values(part).some(speaksOfEnding);
}

const ENDING: readonly string[] = ["status", "error"];

function isRun(part: unknown): boolean {
  return typeof part === "object" && part !== null && "name" in part && part.name === "run";
}

/**
 * Approvals approve and `else ask` goes on, but for nodes with a scripted answer; judges are content, breakpoints and caches
 * are passed over.
 */
function graphOfTest({ ir, givens, scripts }: TestIr, turns: ScriptTurns): Ir {
  const given = new Map(givens.map(({ name, of, value }) => [`${of} ${name}`, value]));
  // A called graph is prepared once for all nodes that call it: a scripted answer below any of them counts.
  const isAskedInside = (node: string) =>
    scripts.some((one) => one.node.endsWith(`/${node}`) && turns.answersAbout(one.node));
  const asked = askingOnly(ir, (node) => turns.answersAbout(node));
  return {
    ...asked,
    fields: ir.fields.map((field) => {
      const value = given.get(`field ${field.name}`);
      return value === undefined ? field : { ...field, default: value };
    }),
    ...(ir.graphs && { graphs: ir.graphs.map((graph) => askingOnly(graph, isAskedInside)) }),
  };
}

/** The graph that asks about these nodes only. */
function askingOnly<G extends CalledIr>(
  { limit, ...ir }: G,
  isAsked: (node: string) => boolean,
): G {
  const approvals = ir.approvals.map(({ nodes, consent, ...approval }) => ({
    ...approval,
    nodes: nodes.filter(isAsked),
    consent: byPeople(consent),
  }));
  return {
    ...ir,
    approvals: approvals.filter(({ nodes }) => nodes.length > 0),
    breaks: [],
    nodes: ir.nodes.map((node) => nodeOfTest(node, isAsked(node.name))),
    ...(limit === undefined || limit.elseAsk ? {} : { limit }),
  } as unknown as G;
}

function nodeOfTest({ limit, cache: _, ...node }: NodeIr, isAsked: boolean): NodeIr {
  return {
    ...node,
    approvals: isAsked
      ? node.approvals.map((one) => ({ ...one, consent: byPeople(one.consent) }))
      : [],
    ensures: node.ensures.filter(({ by, elseAsk }) => by === undefined && (isAsked || !elseAsk)),
    ...(limit === undefined || (limit.elseAsk && !isAsked) ? {} : { limit }),
  };
}

/** Without its judge, who is a model. */
function byPeople({ by: _, ...consent }: ConsentIr): ConsentIr {
  return consent;
}

/** The input of a test's run; a later value may name an earlier one. */
export function inputOfTest({
  ir,
  givens,
}: Pick<TestIr, "ir" | "givens">): Readonly<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  const lookup = (name: string): unknown => {
    if (Object.hasOwn(input, name)) return input[name];
    return settingOf(ir, name);
  };
  for (const { name, of, value } of givens) {
    if (of === "param") input[name] = evaluate(value, lookup);
  }
  return input;
}
