/** Performs the effects of an attempt: each is journalled, made once, and served when the attempt begins again. */

import type { Cancellation } from "../cancellation.ts";
import {
  DoubtfulEnd,
  type Failure,
  FailureError,
  messageOf,
  RunError,
  stackOf,
} from "../failure.ts";
import type { BegunCall } from "../history/journal.ts";
import type {
  Attempt,
  CallGraph,
  CallIdentity,
  EffectCall,
  PerformerContext,
} from "../performer.ts";
import type { EffectKind, OutcomeRecord } from "../records/call-records.ts";
import type { RecallRequest } from "../records/memory-records.ts";
import type { LoggedCall } from "../records/records.ts";
import { type FunctionCall, NOW, RECALL } from "../scheduler/expressions/calls.ts";
import { askQuestion } from "./ask-question.ts";
import type { AttemptHost, EffectScene, Scene } from "./attempt-host.ts";
import { callGraphIn } from "./call-graph-tool.ts";
import { settleDoubt } from "./doubt.ts";
import {
  type CallGate,
  type EndedEffect,
  gateOf,
  interceptedEnd,
  OPEN,
  recordedGate,
} from "./intercepted-call.ts";
import { keyAt, OutsideCalls } from "./outside-calls.ts";
import { aborted, postAndAwait } from "./post-completion.ts";

/** The context through which a performer works. Its members are made on demand, since a function's node needs few. */
export class AttemptContext implements PerformerContext {
  readonly #host: AttemptHost;
  readonly #given: Attempt;
  readonly #scene: Scene;

  constructor(host: AttemptHost, given: Attempt, scene: Scene) {
    this.#host = host;
    this.#given = given;
    this.#scene = scene;
  }

  get cancellation(): Cancellation {
    return this.#scene.cancellation;
  }

  get signal(): AbortSignal {
    return this.#scene.cancellation.signal;
  }

  get effect(): PerformerContext["effect"] {
    return (call) => effectIn(this.#host, this.#given, this.#scene, call);
  }

  get ask(): PerformerContext["ask"] {
    return async (question) => (await this.consult(question)).answer;
  }

  get consult(): PerformerContext["consult"] {
    return (question) => {
      const scene = this.#scene;
      const { id, attempt, cancellation } = scene;
      scene.questions += 1;
      const call = scene.questions - 1;
      return askQuestion(this.#host, { id, attempt, cancellation, call }, question);
    };
  }

  get delta(): PerformerContext["delta"] {
    return (text) => this.#host.transient(this.#scene.id, { kind: "model.delta", text });
  }

  get progress(): PerformerContext["progress"] {
    return (of) => this.#host.transient(this.#scene.id, { kind: "tool.progress", ...of });
  }
}

/** A call of the node's own expressions is an effect of the attempt: it is made once, whatever happens to the process. */
export function callIn(
  host: AttemptHost,
  given: Attempt,
  scene: Scene,
  call: FunctionCall,
): Promise<LoggedCall> {
  if (call.name === RECALL && host.embed !== undefined) return recallIn(host, given, scene, call);
  return effectIn<LoggedCall>(host, given, scene, expressionCall(host, given, call));
}

function expressionCall(
  host: AttemptHost,
  given: Attempt,
  call: FunctionCall,
): EffectCall<LoggedCall> {
  return {
    effect: EFFECTS[call.name] ?? "function",
    name: call.name,
    request: call.args,
    perform: async () => ({
      value: host.serving?.viewed(placeIn(given), call) ?? (await host.call(call)),
    }),
  };
}

/** Asks a memory; one with an embedding model gets the vector of the question, by a call of its own before. */
async function recallIn(
  host: AttemptHost,
  given: Attempt,
  scene: Scene,
  call: FunctionCall,
): Promise<LoggedCall> {
  const request = call.args[0] as RecallRequest;
  if (request.embed === undefined)
    return await effectIn(host, given, scene, expressionCall(host, given, call));
  // Both have their numbers at once: another recall may be under way at the same time.
  const first = scene.calls;
  scene.calls += 2;
  const { id, attempt, cancellation } = scene;
  const at = { id, attempt, cancellation };
  const isServed = host.serving?.viewed(placeIn(given), call) !== undefined;
  const vector = isServed
    ? undefined
    : await host.embed?.({ ir: given.ir, request }, (one) =>
        performEffect(host, given, { ...at, call: first }, one),
      );
  const asked = vector === undefined ? call : { ...call, vector };
  return await performEffect(
    host,
    given,
    { ...at, call: first + 1 },
    expressionCall(host, given, asked),
  );
}

/** The effects of what expressions ask for that is no function of TypeScript. */
const EFFECTS: Readonly<Record<string, EffectKind>> = { [NOW]: "clock", [RECALL]: "memory" };

/** A node run's name within its run. */
function placeIn({ nodeRunId, runId }: Attempt): string {
  return nodeRunId.slice(runId.length + 1);
}

/** Numbered in the order in which they are asked for, also where several are under way at once. */
export function effectIn<T>(
  host: AttemptHost,
  given: Attempt,
  scene: Scene,
  call: EffectCall<T>,
): Promise<T> {
  const { id, attempt, cancellation } = scene;
  const number = scene.calls;
  scene.calls += 1;
  const one = { id, attempt, cancellation, call: number };
  if (call.external !== true) return performEffect(host, given, one, call);
  scene.outside ??= new OutsideCalls(given, host.journal, scene);
  return performEffect(host, given, { ...one, outside: scene.outside.next(call, number) }, call);
}

async function performEffect<T>(
  host: AttemptHost,
  given: Attempt,
  scene: EffectScene,
  call: EffectCall<T>,
): Promise<T> {
  const { outside, cancellation } = scene;
  const recorded = served(host, scene, call);
  if (recorded !== undefined) {
    call.hear?.(heardIn(host, scene));
    return recorded.value as T;
  }
  const { clock } = host;
  if (outside?.earlier !== undefined) return serveEarlier(host, scene, call, outside.earlier);
  const of = callOf(scene, call);
  const key = outside === undefined ? {} : { key: outside.key };
  const settle = (begun: BegunCall, how?: string) =>
    settleDoubt(host, scene, { given, call, begun, ...(how === undefined ? {} : { how }) });
  const end = async (ended: EndedEffect<T>, durationMs: number) => {
    await postAndAwait(host, { ...of, kind: "outcome", ...ended, durationMs, at: clock.now() });
    if (ended.failure === undefined) return ended.value as T;
    outside?.failed();
    throw new FailureError(ended.failure);
  };
  let begun = host.journal.begun(scene.id, scene.attempt, scene.call);
  let inDoubt = begun !== undefined && isInDoubt(host, scene, call);
  let how: string | undefined;
  const gate =
    begun === undefined
      ? await gateIn(host, given, call, cancellation)
      : recordedGate(begun.intent, call);
  const around = {
    cancellation,
    identity: identityOf(host, given, scene),
    callGraph: callGraphIn(host, scene),
  };
  for (;;) {
    const happened = begun !== undefined && inDoubt ? await settle(begun, how) : undefined;
    if (happened !== undefined) return end(happened as EndedEffect<T>, 0);
    if (begun === undefined || inDoubt) {
      const asked = { ...askedOf(call, gate), ...key };
      await postAndAwait(host, { ...of, kind: "intent", ...asked, at: clock.now() });
      if (call.external === true) await host.flush();
    }
    call.hear?.(heardIn(host, scene));
    const began = clock.now();
    const { doubtful, ...ended } = await endOf(host, { given, call, gate }, around);
    inDoubt = doubtful === true;
    if (!inDoubt) return end(ended, clock.now() - began);
    begun = host.journal.begun(scene.id, scene.attempt, scene.call);
    how = ended.failure?.message;
  }
}

/** A retry or a repair makes no external call again that came back: what it came to is told once more, marked. */
async function serveEarlier<T>(
  host: AttemptHost,
  scene: EffectScene,
  call: EffectCall<T>,
  { attempt, call: number, value, artifacts }: OutcomeRecord,
): Promise<T> {
  const { id, outside } = scene;
  const at = host.clock.now();
  const from = { runId: host.runId, nodeRun: id, attempt, call: number };
  const of = { ...callOf(scene, call), served: from, at };
  if (host.journal.begun(id, scene.attempt, scene.call) === undefined) {
    const key = outside === undefined ? {} : { key: outside.key };
    await postAndAwait(host, { ...of, kind: "intent", ...askedOf(call, OPEN), ...key });
  }
  const made = artifacts === undefined ? {} : { artifacts };
  await postAndAwait(host, { ...of, kind: "outcome", value, ...made, durationMs: 0 });
  return value as T;
}

/** Worked out where it is asked for: few calls look at it. */
function identityOf(host: AttemptHost, given: Attempt, scene: EffectScene): CallIdentity {
  const { outside, call, id, attempt } = scene;
  return {
    get askedAt() {
      return host.journal.begun(id, attempt, call)?.at ?? host.clock.now();
    },
    get seq() {
      return host.journal.begun(id, attempt, call)?.seq ?? 0;
    },
    get idempotencyKey() {
      return outside?.key ?? keyAt(given, scene, call);
    },
  };
}

/**
 * An external call that was begun and has no outcome, unless a call within it was under way, which is then in doubt itself,
 * or it waited for a person.
 */
function isInDoubt<T>(
  { journal }: AttemptHost,
  { id, attempt, call: number }: EffectScene,
  { encloses, repeats, asks }: EffectCall<T>,
): boolean {
  if (repeats !== undefined) return false;
  if (journal.intent(id, attempt, number)?.external !== true) return false;
  if (asks === true && journal.wasAsking(id, attempt, number)) return false;
  return encloses !== true || !journal.hasOpenExternal(id, attempt, number);
}

/** Most runs have no interceptors, and wait for nobody. */
function gateIn<T>(
  host: AttemptHost,
  given: Attempt,
  call: EffectCall<T>,
  cancellation: Cancellation,
): CallGate | Promise<CallGate> {
  return host.interceptors === undefined ? OPEN : gateOf(host, given, call, cancellation);
}

/** The surroundings in which a call is made. */
interface CallScene {
  readonly cancellation: Cancellation;
  readonly identity: CallIdentity;
  readonly callGraph: CallGraph;
}

/** Makes the call as interceptors let it, and asks them about what came of it, unless a person is asked first. */
async function endOf<T>(
  host: AttemptHost,
  of: { readonly given: Attempt; readonly call: EffectCall<T>; readonly gate: CallGate },
  around: CallScene,
): Promise<MadeEffect<T>> {
  const { call, gate } = of;
  if (gate.failure !== undefined) return { failure: gate.failure };
  const { doubtful, ...ended } = await settled(call, gate, around);
  if (doubtful === true && call.external === true && call.repeats === undefined)
    return { ...ended, doubtful };
  if (host.interceptors === undefined) return ended;
  return await interceptedEnd(host, of, ended, around.cancellation);
}

const NOT_MADE: Pick<EffectCall<unknown>, "external" | "estimate"> = {};

function askedOf<T>(call: EffectCall<T>, { changed, made, failure }: CallGate) {
  const { request, toolCallId, explanation, hear, instead, guard } = call;
  // An effect that is not performed can't be in doubt, and costs nothing.
  const { external, estimate } = failure === undefined ? call : NOT_MADE;
  return {
    ...(made.length === 0 ? {} : { intercepted: made }),
    ...(request === undefined ? {} : { request }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(explanation === undefined ? {} : { explanation }),
    ...(external === undefined ? {} : { external }),
    ...(hear === undefined ? {} : { hears: true as const }),
    ...(instead === undefined ? {} : { instead }),
    ...(guard === undefined ? {} : { guard }),
    ...(estimate === undefined ? {} : estimateFacts(estimate(changed))),
  };
}

/** Returns the facts about the cost of a call; none of one that costs nothing. */
function estimateFacts({ usd }: { readonly usd: number | undefined }) {
  if (usd === undefined) return { unpriced: true as const };
  return usd === 0 ? {} : { estimateUsd: usd };
}

/** Returns the texts of people that this call hears, from its intent. */
function heardIn({ journal }: AttemptHost, { id, attempt, call }: EffectScene): readonly string[] {
  const { steers = [] } = journal.intent(id, attempt, call) ?? {};
  return steers.map(({ payload }) => String(payload));
}

/** Returns the recorded outcome of this call, if the journal has it. */
function served<T>(
  host: AttemptHost,
  { id, attempt, call: number, outside }: EffectScene,
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
  if (outcome.failure === undefined) return { value: outcome.value };
  outside?.failed();
  throw new FailureError(outcome.failure);
}

/** An effect that was made; doubtful where nobody knows whether it took effect. */
type MadeEffect<T> = EndedEffect<T> & { readonly doubtful?: true };

async function settled<T>(
  call: EffectCall<T>,
  { changed }: CallGate,
  { cancellation, identity, callGraph }: CallScene,
): Promise<MadeEffect<T>> {
  try {
    return await call.perform(cancellation, changed, identity, callGraph);
  } catch (thrown) {
    // A cancelled call has no outcome: it is made again when the attempt goes on.
    if (cancellation.isCancelled) throw thrown;
    const failure = failureOf(thrown, cancellation);
    return thrown instanceof DoubtfulEnd ? { failure, doubtful: true } : { failure };
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

/** Converts a thrown value into the failure of an attempt (L11: nothing escapes from a performer). */
export function failureOf(thrown: unknown, cancellation: Cancellation): Failure {
  if (thrown instanceof FailureError) return thrown.failure;
  if (cancellation.isCancelled) return aborted;
  return {
    class: "tool",
    code: thrown instanceof RunError ? thrown.code : "M9000",
    message: messageOf(thrown),
    ...(thrown instanceof RunError && thrown.hint !== undefined ? { hint: thrown.hint } : {}),
    ...stackOf(thrown),
  };
}
