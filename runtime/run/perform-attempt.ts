/** One attempt from its start to the completion that ends it: prompts rendered, effects journalled, errors named. */

import type { Clock } from "../clock.ts";
import { envelopeOf } from "../envelope.ts";
import { type Failure, FailureError, messageOf, RunError } from "../failure.ts";
import {
  type Attempt,
  type EffectCall,
  type EffectOutcome,
  isDecided,
  isEdited,
  type Performer,
  type PerformerContext,
  partsOf,
} from "../performer.ts";
import type { Directions, LoggedCall, LogRecord } from "../records.ts";
import type { Start } from "../scheduler/advance.ts";
import { attemptView } from "../scheduler/attempt-view.ts";
import { type FunctionCall, KnownCalls, NOW } from "../scheduler/calls.ts";
import { offered } from "../scheduler/choice.ts";
import type { Completion } from "../scheduler/completion.ts";
import { evaluationFailure } from "../scheduler/condition.ts";
import { toolApproval } from "../scheduler/consent.ts";
import { EvaluationError } from "../scheduler/evaluation-error.ts";
import { countOf } from "../scheduler/flow.ts";
import { isJudged } from "../scheduler/judging.ts";
import { type Located, locate, placeOf } from "../scheduler/locate.ts";
import { keptFor } from "../scheduler/mail.ts";
import type { Program } from "../scheduler/program.ts";
import { roundNumber } from "../scheduler/run-again.ts";
import type { Snapshot } from "../scheduler/snapshot.ts";
import { remembers, talksOf } from "../scheduler/talks.ts";
import { nodeInUse } from "../scheduler/use.ts";
import { waitResult } from "../scheduler/waits.ts";
import { askQuestion } from "./ask-question.ts";
import { settleDoubt } from "./doubt.ts";
import type { Journal } from "./journal.ts";
import { judged } from "./judge-attempt.ts";
import { type Asked, aborted, taken } from "./taken.ts";
import { talksIn } from "./thread-talks.ts";
import { type MakeCall, withCalls } from "./with-calls.ts";

/** What an attempt needs of its run. */
export interface AttemptHost {
  readonly program: Program;
  readonly runId: string;
  readonly threadId?: string;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly performer: Performer;
  snapshot(): Snapshot;
  /** Posts a completion and says whether the scheduler took it: late and forbidden ones it does not, nor what `signal` called off. */
  ask(completion: Completion, signal?: AbortSignal): Promise<Asked>;
  /** Resolves when everything logged so far is stored. */
  flush(): Promise<void>;
  /** The logs of the earlier runs of the thread. */
  earlier?(): readonly (readonly LogRecord[])[];
  /** Calls a function that an expression of the node names. */
  readonly call: MakeCall;
  delta(id: number, attempt: number, text: string): void;
}

/** Performs one attempt; `undefined` when the scheduler no longer wants it. Never rejects. */
export async function performAttempt(
  host: AttemptHost,
  { id, attempt }: Start,
  signal: AbortSignal,
): Promise<Completion | undefined> {
  const { clock } = host;
  const started = await host.ask({ kind: "started", id, attempt, at: clock.now() }, signal);
  if (!started.taken) return undefined;
  const located = locate(host.program, host.snapshot(), id);
  // The graph that it calls has begun: its nodes have attempts of their own.
  if (located !== undefined && isCall(located)) return undefined;
  if (located !== undefined && isWait(located))
    return { kind: "succeeded", id, attempt, output: waitResult(located.run), at: clock.now() };
  try {
    const scene = { id, attempt, signal, calls: 0 };
    const given = await givenTo(host, located, scene);
    const context = createContext(host, given, scene);
    const said = await host.performer.perform(given, context);
    const came = cameTo(said);
    const call: MakeCall = (one) => callIn(context, host, one);
    // What is handed over is not this node's work any more.
    const judgement =
      "handoff" in came || !isJudged(given.node)
        ? {}
        : await judged(host, given, context, { id, output: came.output, call });
    return { kind: "succeeded", id, attempt, ...came, ...judgement, at: clock.now() };
  } catch (thrown) {
    return { kind: "failed", id, attempt, failure: failureOf(thrown, signal), at: clock.now() };
  }
}

function isCall({ program, run }: Located): boolean {
  return program.nodes[run.node]?.called !== undefined;
}

function isWait({ program, run }: Located): boolean {
  return program.nodes[run.node]?.isWait === true;
}

function cameTo(said: unknown): { readonly output: unknown } & Directions {
  if (isDecided(said)) return partsOf(said);
  return isEdited(said) ? { output: said.output, edits: said.edits } : { output: said };
}

/** What the attempt gets; an expression of the node that can't be evaluated is told with its place. */
async function givenTo(
  host: AttemptHost,
  located: Located | undefined,
  scene: Scene,
): Promise<Attempt> {
  if (located === undefined) throw new RunError("M9000", `no node run ${scene.id}`);
  try {
    return await attemptOf(host, located, scene);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    throw new FailureError(evaluationFailure(located.program, error), { cause: error });
  }
}

async function attemptOf(host: AttemptHost, located: Located, scene: Scene): Promise<Attempt> {
  const { program, snapshot, run } = located;
  const { runId, threadId = runId } = host;
  const of = program.nodes[run.node];
  if (of === undefined) throw new RunError("M9000", `no node ${run.node}`);
  const use = run.using?.use;
  const node = nodeInUse(of.ir, use);
  const choices = offered(program, of);
  const earlier = keptFor(located.snapshot, run).map((message) =>
    envelopeOf(message, { runId, threadId }),
  );
  const repair =
    run.reason === "repair" && run.feedback !== undefined
      ? {
          feedback: run.feedback,
          session: host.journal.session(run.id, run.sessionFrom, run.attempt),
        }
      : {};
  const bare: Attempt = {
    ir: program.ir,
    node,
    runId,
    nodeRunId: `${runId}/${placeOf(located)}`,
    label: `${node.name}#${run.ordinal}`,
    attempt: run.attempt,
    reason: run.reason,
    ...(choices.length === 0 ? {} : { choices }),
    inbox: (run.inbox ?? []).map((message) => envelopeOf(message, { runId, threadId })),
    ...(earlier.length === 0 ? {} : { earlier }),
    ...historyOf(host, located),
    ...repair,
    ...roundOf(located),
  };
  const context = createContext(host, bare, scene);
  const view = await withCalls(
    (known) => {
      const functions = new KnownCalls(known, { otherwise: program.functions });
      return attemptView({ ...program, functions }, snapshot, run);
    },
    (call) => callIn(context, host, call),
  );
  const prompt = use?.prompt === undefined ? {} : { prompt: use.prompt };
  return { ...bare, ...view, ...prompt, ...approvalsOf(host, { located, context }) };
}

/** Tool calls of a node may need consent; whether they do is decided on what the attempt has seen. */
function approvalsOf(
  host: AttemptHost,
  of: { readonly located: Located; readonly context: PerformerContext },
): Pick<Attempt, "approvalOf"> {
  const { located, context } = of;
  const { program, run, snapshot } = located;
  const node = program.nodes[run.node]?.ir;
  if (node?.approvals.some(({ when }) => when === "tool") !== true) return {};
  return {
    approvalOf: (call) =>
      withCalls(
        (known) => {
          const functions = new KnownCalls(known, { otherwise: program.functions });
          return toolApproval({ ...program, functions }, snapshot, { run, call });
        },
        (needed) => callIn(context, host, needed),
      ),
  };
}

/** A call of the node's own expressions is an effect of the attempt: it is made once, whatever happens to the process. */
function callIn(context: PerformerContext, host: AttemptHost, call: FunctionCall) {
  return context.effect<LoggedCall>({
    effect: call.name === NOW ? "clock" : "function",
    name: call.name,
    request: call.args,
    perform: async () => ({ value: await host.call(call) }),
  });
}

/** The conversations of earlier runs of the node, where its model sees them. */
function historyOf(host: AttemptHost, { program, snapshot, run, callers }: Located) {
  const node = program.nodes[run.node]?.ir;
  if (node === undefined || !remembers(node)) return {};
  const own = talksOf(snapshot, run).map(({ id, from, to }) =>
    host.journal.session(id, from, to + 1),
  );
  // A called graph is no run of the thread.
  const isOfThread = node.history?.source === "thread" && callers.length === 0;
  const logs = isOfThread ? (host.earlier?.() ?? []) : [];
  const history = [...logs.flatMap((log) => talksIn(log, node.name)), ...own];
  return history.length === 0 ? {} : { history };
}

/** Of a node with `every`: which round it is. */
function roundOf({ program, snapshot, run }: Located) {
  const every = program.nodes[run.node]?.ir.every;
  if (every === undefined) return {};
  const max = every.max && countOf(program, snapshot, every.max);
  return { round: { number: roundNumber(run), ...(max === undefined ? {} : { max }) } };
}

interface Scene {
  readonly id: number;
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** How many it has made so far. */
  calls: number;
}

function createContext(host: AttemptHost, given: Attempt, scene: Scene): PerformerContext {
  let questions = 0;
  return {
    signal: scene.signal,
    effect: (call) => {
      scene.calls += 1;
      return performEffect(host, given, { ...scene, call: scene.calls - 1 }, call);
    },
    ask: (question) => {
      questions += 1;
      return askQuestion(host, { ...scene, call: questions - 1 }, question);
    },
    delta: (text) => host.delta(scene.id, scene.attempt, text),
  };
}

/** One call, or one question, of an attempt. */
export type EffectScene = Scene & { readonly call: number };

async function performEffect<T>(
  host: AttemptHost,
  given: Attempt,
  scene: EffectScene,
  call: EffectCall<T>,
): Promise<T> {
  const recorded = served(host, scene, call);
  if (recorded !== undefined) {
    call.hear?.(heardIn(host, scene));
    return recorded.value as T;
  }
  const { id, attempt, signal } = scene;
  const of = callOf(scene, call);
  const before = host.journal.begun(id, attempt, scene.call);
  const inDoubt = before?.intent.external === true ? before : undefined;
  const happened = inDoubt && (await settleDoubt(host, scene, { given, call, begun: inDoubt }));
  if (happened !== undefined) {
    const at = host.clock.now();
    await taken(host.ask({ kind: "outcome", ...of, ...happened, durationMs: 0, at }));
    return happened.value as T;
  }
  if (before === undefined || inDoubt !== undefined) {
    const { request, external, toolCallId } = call;
    await taken(
      host.ask({
        kind: "intent",
        ...of,
        at: host.clock.now(),
        ...(request === undefined ? {} : { request }),
        ...(toolCallId === undefined ? {} : { toolCallId }),
        ...(external === undefined ? {} : { external }),
        ...(call.hear === undefined ? {} : { hears: true }),
      }),
    );
    if (external === true) await host.flush();
  }
  call.hear?.(heardIn(host, scene));
  const begun = host.clock.now();
  const ended = await settle(call, signal);
  const at = host.clock.now();
  await taken(host.ask({ kind: "outcome", ...of, ...ended, durationMs: at - begun, at }));
  if (ended.failure !== undefined) throw new FailureError(ended.failure);
  return ended.value as T;
}

/** What a person said that this call hears: its intent has it. */
function heardIn({ journal }: AttemptHost, { id, attempt, call }: EffectScene): readonly string[] {
  const { steers = [] } = journal.intent(id, attempt, call) ?? {};
  return steers.map(({ payload }) => String(payload));
}

/** What the journal has of this call, if it has its outcome. */
function served<T>(
  host: AttemptHost,
  { id, attempt, call: number }: EffectScene,
  call: EffectCall<T>,
): { readonly value: unknown } | undefined {
  const outcome = host.journal.outcome(id, attempt, number);
  if (outcome === undefined) return undefined;
  if (outcome.effect !== call.effect || outcome.name !== call.name) {
    throw new FailureError({
      class: "invalid",
      code: "M5020",
      message: `call ${number + 1} was \`${outcome.name}\` when it was recorded and is \`${call.name}\` now`,
      hint: "the node's code or tools changed since; retry the node run instead of resuming it",
    });
  }
  if (outcome.failure !== undefined) throw new FailureError(outcome.failure);
  return { value: outcome.value };
}

type Ended<T> = Partial<EffectOutcome<T>> & { readonly failure?: Failure };

async function settle<T>(call: EffectCall<T>, signal: AbortSignal): Promise<Ended<T>> {
  try {
    return await call.perform(signal);
  } catch (thrown) {
    // A cancelled call has no outcome: it is made again when the attempt goes on.
    if (signal.aborted) throw thrown;
    return { failure: failureOf(thrown, signal) };
  }
}

function callOf<T>({ id, attempt, call: number }: EffectScene, call: EffectCall<T>) {
  const { effect, name, modelSource } = call;
  return {
    id,
    attempt,
    call: number,
    effect,
    name,
    ...(modelSource === undefined ? {} : { modelSource }),
  };
}

/** What was thrown, as the failure of an attempt: L11, nothing escapes from a performer. */
function failureOf(thrown: unknown, signal: AbortSignal): Failure {
  if (thrown instanceof FailureError) return thrown.failure;
  if (signal.aborted) return aborted;
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  return {
    class: "tool",
    code: thrown instanceof RunError ? thrown.code : "M9000",
    message: messageOf(thrown),
    ...(thrown instanceof RunError && thrown.hint !== undefined ? { hint: thrown.hint } : {}),
    ...(stack === undefined ? {} : { stack }),
  };
}
