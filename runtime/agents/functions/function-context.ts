/** Makes the context that a function of a `run` node gets as its last argument. */
import type { ArtifactOptions, Made } from "../../artifact.ts";
import type { Cancellation } from "../../cancellation.ts";
import { type SleepClock, systemClock } from "../../clock.ts";
import type { Envelope } from "../../envelope.ts";
import type { Answer, AskKind, Question } from "../../interrupt.ts";
import type { Attempt, CallIdentity, PerformerContext, Repeats } from "../../performer.ts";
import { abortFailure, untilCancelled } from "../abort.ts";
import type { Scope } from "../scope/scope.ts";
import { type KeepArtifact, makeArtifact } from "../values/make-artifact.ts";
import { assertJson, failureIn, failureOutside } from "./function-result.ts";

/** The last argument of a node's function: its way to the world, each use journalled. */
export interface FunctionContext {
  /** Aborted when the attempt is. */
  readonly signal: AbortSignal;
  /** Keeps bytes, a text or a value under its hash; with the commit of this attempt it is an artifact of the run. */
  artifact(options: ArtifactOptions): Promise<Made>;
  /** The messages that its node found when it started: the highest priority first, then in the order of their senders. */
  readonly inbox: readonly Envelope[];
  /**
   * Does `work` once: after a crash, and in a replay, its recorded result is served instead; where the function acts outside,
   * also in a retry. It must be JSON.
   */
  step<T>(name: string, work: (step: StepWorkContext) => T | Promise<T>): Promise<T>;
  /** Of a function that acts on the world outside: the key of its one call, as a tool's (`ToolContext`). */
  readonly idempotencyKey?: string | undefined;
  /** Milliseconds since the epoch. */
  now(): Promise<number>;
  /** From 0 up to 1, without 1. */
  random(): Promise<number>;
  /** Asks whoever answers the run, and waits; the answer is recorded, so the same question is never put twice. */
  ask(question: string | FunctionQuestion): Promise<Answer>;
  /** The change that a person wants, when this attempt is there because of it. */
  readonly feedback?: string | undefined;
}

/** The argument of the work of a step. */
export interface StepWorkContext {
  /** The same whenever this step is done again: after a crash, and in a retry of what failed. */
  readonly idempotencyKey: string;
}

/** A question of a function: in words, with what may be answered or what is shown. */
type FunctionQuestion = Omit<Question, "ask" | "by"> & { readonly ask?: AskKind };

/** The parts of a run that function nodes need. */
export interface FunctionOptions {
  /** Stores artifacts; without it only their hashes are recorded. */
  readonly keep?: KeepArtifact;
  /** For reducers: they get their arguments and nothing of the world. */
  readonly isPure?: boolean;
  /** Looked at anew at each attempt: a redefined function is the one that runs. */
  readonly scope: () => Scope;
  readonly clock?: SleepClock;
  readonly random?: () => number;
}

interface Calling {
  readonly attempt: Attempt;
  readonly context: PerformerContext;
  readonly options: FunctionOptions;
  /** True if the function acts on the world outside: then its steps do too. */
  readonly isExternal: boolean;
  readonly repeats?: Repeats | undefined;
  /** Of a function that acts on the world outside. */
  readonly identity?: CallIdentity | undefined;
}

/** The context of one call of a function. Made for each, and most look at little of it: its members come when they are asked for. */
export class CallContext implements FunctionContext {
  readonly #name: string;
  readonly #of: Calling;

  constructor(name: string, of: Calling) {
    this.#name = name;
    this.#of = of;
  }

  get signal(): AbortSignal {
    return this.#of.context.cancellation.signal;
  }

  get inbox(): readonly Envelope[] {
    return this.#of.attempt.inbox ?? [];
  }

  get feedback(): string | undefined {
    return this.#of.attempt.feedback;
  }

  get idempotencyKey(): string | undefined {
    return this.#of.identity?.idempotencyKey;
  }

  get ask(): FunctionContext["ask"] {
    return (asked) => {
      const question = typeof asked === "string" ? { question: asked } : asked;
      const json = assertJson(question, `the question of \`${this.#name}\``);
      return this.#of.context.ask({
        ask: "question",
        ...(json as unknown as FunctionQuestion),
      });
    };
  }

  get step(): FunctionContext["step"] {
    const name = this.#name;
    const { context, isExternal, repeats } = this.#of;
    return <T>(step: string, work: (step: StepWorkContext) => T | Promise<T>) =>
      context.effect<T>({
        effect: "function",
        name: step,
        ...(isExternal ? { external: true } : {}),
        ...(repeats === undefined ? {} : { repeats }),
        perform: async (cancellation, _, identity) => {
          const of = { name: `${name}: ${step}`, cancellation, isExternal };
          const value = await guarded(of, async () => work(identity));
          // What the journal can give back is also what the first run gets: the same in a replay.
          return { value: assertJson(value ?? null, `the step \`${step}\` of \`${name}\``) as T };
        },
      });
  }

  get now(): FunctionContext["now"] {
    const { context, options } = this.#of;
    const { clock = systemClock } = options;
    return () =>
      context.effect({
        effect: "clock",
        name: "now",
        perform: async () => ({ value: clock.now() }),
      });
  }

  get random(): FunctionContext["random"] {
    const { context, options } = this.#of;
    const { random = Math.random } = options;
    return () =>
      context.effect({
        effect: "random",
        name: "random",
        perform: async () => ({ value: random() }),
      });
  }

  get artifact(): FunctionContext["artifact"] {
    const { context, options } = this.#of;
    return (asked) =>
      context.effect<Made>({
        effect: "function",
        name: `artifact ${String(asked.name)}`,
        perform: async () => {
          const made = makeArtifact(asked, this.#name, options.keep);
          return { value: made, artifacts: [made] };
        },
      });
  }
}

interface StepSurroundings {
  readonly name: string;
  readonly cancellation: Cancellation;
  readonly isExternal: boolean;
}

// A step that pays no heed to its signal still ends here; what it goes on doing is nobody's result.
async function guarded<T>(
  { name, cancellation, isExternal }: StepSurroundings,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await untilCancelled(work, cancellation);
  } catch (thrown) {
    if (cancellation.isCancelled) throw abortFailure(cancellation);
    throw isExternal ? failureOutside(name, thrown) : failureIn(name, thrown);
  }
}
