import type { Ir, NodeIr } from "../../../dsl/index.ts";
import { Cancellation } from "../../../runtime/cancellation.ts";
import type { SleepClock } from "../../../runtime/clock.ts";
import { type Failure, FailureError } from "../../../runtime/failure.ts";
import type { Answer } from "../../../runtime/interrupt.ts";
import type {
  Attempt,
  EffectCall,
  EffectOutcome,
  EffectResult,
  PerformerContext,
} from "../../../runtime/performer.ts";

/** An effect as the log would have it. */
export interface LoggedEffect extends EffectResult {
  readonly toolCallId?: string;
  readonly modelSource?: string;
  readonly external?: boolean;
  readonly usage?: EffectOutcome<unknown>["usage"];
  readonly transportRetries?: number;
  readonly firstTokenMs?: number;
}

/** A context over a journal in memory: what is in `recorded` is served, the rest is performed and logged. */
export interface FakeContext extends PerformerContext {
  readonly log: LoggedEffect[];
  readonly performed: string[];
  readonly deltas: string[];
}

export function fakeContext(
  options: {
    readonly recorded?: readonly LoggedEffect[];
    readonly signal?: AbortSignal;
    readonly answer?: Answer;
  } = {},
): FakeContext {
  const { recorded = [], signal = new AbortController().signal } = options;
  const cancellation = Cancellation.of(signal);
  const log: LoggedEffect[] = [];
  const performed: string[] = [];
  const deltas: string[] = [];
  return {
    signal,
    cancellation,
    log,
    performed,
    deltas,
    delta: (text) => deltas.push(text),
    progress: () => {},
    ask: async () => options.answer ?? { kind: "approve" },
    consult: async () => ({ answer: options.answer ?? { kind: "approve" }, from: "person" }),
    effect: async <T>(call: EffectCall<T>) => {
      const index = log.length;
      // Its number is taken when it is called, as the engine does it.
      log.push({ effect: call.effect, name: call.name });
      const entry = recorded[index] ?? (await perform(call, { cancellation, performed, index }));
      log[index] = entry;
      if (entry.failure !== undefined) throw new FailureError(entry.failure);
      return entry.value as T;
    },
  };
}

async function perform<T>(
  call: EffectCall<T>,
  {
    cancellation,
    performed,
    index,
  }: {
    readonly cancellation: Cancellation;
    readonly performed: string[];
    readonly index: number;
  },
): Promise<LoggedEffect> {
  const { perform: _, hear: __, seen: ___, ...intent } = call;
  // What can't go through JSON would be lost in the store.
  const head = asJson(intent);
  performed.push(`${call.effect} ${call.name}`);
  try {
    return {
      ...head,
      ...asJson(
        await call.perform(
          cancellation,
          {},
          { idempotencyKey: `key ${index}`, askedAt: 0, seq: index },
          noGraphs,
        ),
      ),
    };
  } catch (thrown) {
    if (!(thrown instanceof FailureError)) throw thrown;
    return { ...head, failure: thrown.failure };
  }
}

async function noGraphs(): Promise<never> {
  throw new Error("there are no graphs here");
}

function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

/** The failure that `work` rejects with. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  try {
    await work;
  } catch (thrown) {
    if (thrown instanceof FailureError) return thrown.failure;
    throw thrown;
  }
  throw new Error("it did not fail");
}

/** A node with nothing but what a test says. */
export function nodeOf(node: Partial<NodeIr> = {}): NodeIr {
  return {
    name: "search",
    kind: "agent",
    params: [],
    tools: [],
    skills: [],
    edits: [],
    writes: [],
    sets: [],
    ensures: [],
    recalls: [],
    stores: [],
    approvals: [],
    ...node,
  };
}

/** A graph around it. */
export function irOf(nodes: readonly NodeIr[], fields: Ir["fields"] = []): Ir {
  return {
    irVersion: 1,
    hash: "0",
    name: "Test",
    imports: [],
    models: [],
    mcps: [],
    types: [],
    config: [],
    memories: [],
    params: [],
    returns: [],
    fields,
    nodes,
    edges: [],
    approvals: [],
    breaks: [],
    endWhen: [],
  };
}

/** The first attempt of a node. */
export function attemptOf(
  node: Partial<NodeIr> = {},
  attempt: Partial<Attempt> & { readonly fields?: Ir["fields"] } = {},
): Attempt {
  const { fields, ...rest } = attempt;
  const whole = nodeOf(node);
  return {
    ir: irOf([whole], fields),
    node: whole,
    runId: "run",
    nodeRunId: `run/${whole.name}`,
    label: `${whole.name}#1`,
    attempt: 1,
    reason: "first",
    prompt: "What is it?",
    ...rest,
  };
}

/** A clock whose sleeps are over at once, in order, and which knows how long they were. */
export interface FastClock extends SleepClock {
  readonly slept: number[];
}

export function fastClock(start = 1_000_000): FastClock {
  const slept: number[] = [];
  let now = start;
  return {
    slept,
    now: () => now,
    sleep: async (ms, cancellation) => {
      if (cancellation.isCancelled) throw cancellation.reason;
      slept.push(ms);
      now += ms;
    },
  };
}

/** A clock that stands still: its sleeps end only by their signal, or when `advance` reaches them. */
export interface StillClock extends SleepClock {
  advance(ms: number): void;
}

export function stillClock(start = 1_000_000): StillClock {
  let now = start;
  const sleepers = new Set<{ readonly due: number; readonly wake: () => void }>();
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
      for (const sleeper of [...sleepers]) if (sleeper.due <= now) sleeper.wake();
    },
    sleep: (ms, cancellation) =>
      new Promise((resolve, reject) => {
        if (cancellation.isCancelled) return reject(cancellation.reason);
        const sleeper = { due: now + ms, wake: () => finish(resolve) };
        const finish = (settle: () => void) => {
          sleepers.delete(sleeper);
          takeBack();
          settle();
        };
        sleepers.add(sleeper);
        const takeBack = cancellation.onCancel(() => finish(() => reject(cancellation.reason)));
      }),
  };
}
