/**
 * Performs one attempt in a worker. All that it tells its run goes through the ingress to the object of the run, and counts once
 * that has taken it: an intent is stored before the call is made, its outcome behind it. A performance that comes later, after a
 * crash, is served what stands there, and asks about a call without an outcome.
 */
import { randomUUID } from "node:crypto";
import type { AttemptHost } from "../attempt/attempt-host.ts";
import { performAttempt } from "../attempt/perform-attempt.ts";
import { Cancellation } from "../cancellation.ts";
import { systemClock } from "../clock.ts";
import type { EngineParts } from "../engine/engine-parts.ts";
import { type Failure, messageOf, RunError } from "../failure.ts";
import { endOfTool } from "../scheduler/call-graph.ts";
import { locate } from "../scheduler/called-snapshots.ts";
import type { Completion } from "../scheduler/completion.ts";
import type { FollowedRun } from "./followed-run.ts";
import type { Ingress } from "./ingress.ts";
import type {
  AttemptName,
  ClaimMessage,
  ClaimReply,
  InvokedAttempt,
  PostReply,
} from "./messages.ts";
import type { WireValues } from "./wire-values.ts";

/** The end of a performance. */
export type PerformanceEnd =
  | { readonly kind: "finished"; readonly completion: Completion }
  | {
      readonly kind: "parked";
      readonly have: number;
      readonly isHeld: boolean;
    }
  | { readonly kind: "unwanted" }
  /** Another performance has the right to post, or nobody wants the attempt any more: to claim it again tells. */
  | { readonly kind: "superseded" };

export interface PerformanceParts {
  readonly runId: string;
  readonly ingress: Ingress;
  readonly values: WireValues;
  /** The run as this worker knows it, once it is claimed; makes it of the facts where it knows none. */
  readonly followed: (claim: ClaimReply) => FollowedRun;
  /** The last record that this worker has of the run, and of which run of that id. */
  readonly known: () => Pick<ClaimMessage, "have" | "createdAt">;
  readonly engine: (run: FollowedRun) => Pick<EngineParts, "performer" | "call" | "redact">;
}

/** One performance of an attempt, which goes on while the connection of its invocation comes and goes. */
export class AttemptPerformance {
  readonly end: Promise<PerformanceEnd>;
  readonly #parts: PerformanceParts;
  readonly #name: InvokedAttempt;
  readonly #token: string = randomUUID();
  readonly #cancellation = new Cancellation();
  #isClaimed = false;
  #posts = 0;
  /** Calls that were asked for and have no outcome, by their numbers. */
  readonly #open = new Set<number>();
  #calledGraph: number | undefined;
  #resolve: (end: PerformanceEnd) => void = () => {};

  constructor(name: InvokedAttempt, parts: PerformanceParts) {
    this.#name = name;
    this.#parts = parts;
    const { promise, resolve, reject } = Promise.withResolvers<PerformanceEnd>();
    this.end = promise;
    this.#resolve = resolve;
    this.#perform().catch(reject);
  }

  /** Ends it if nobody wants it any more; says whether somebody does. */
  async stillWanted(): Promise<boolean> {
    // Its claim is on the way, and tells.
    if (!this.#isClaimed) return true;
    const { ingress, runId } = this.#parts;
    const wanted = await ingress.run<boolean>(runId, "isWanted", this.#performance);
    if (!wanted) this.#leave({ kind: "superseded" });
    return wanted;
  }

  get #performance() {
    return { ...this.#name, token: this.#token };
  }

  async #perform(): Promise<void> {
    const { ingress, runId, known, followed, engine } = this.#parts;
    const claim = await ingress.run<ClaimReply>(
      runId,
      "claim",
      { ...this.#performance, ...known() },
      { idempotencyKey: `${this.#token}/claim` },
    );
    this.#isClaimed = true;
    if (!claim.isWanted) return this.#resolve({ kind: "unwanted" });
    const run = followed(claim);
    await run.take(claim);
    if (claim.wasParked) run.journal.outlived(this.#name.id);
    const ended = (completion: Completion | undefined) => this.#finish(completion);
    performAttempt(this.#host(run, engine(run)), this.#name, {
      cancellation: this.#cancellation,
      ended,
    });
    // It finds in the log what an earlier performance asked or called, and may wait for that without a word to the run.
    this.#calledGraph = openCallOf(run, this.#name);
    if (this.#calledGraph !== undefined) this.#open.add(this.#calledGraph);
    setTimeout(() => this.#parkIfIdle(run), IDLE_MS).unref();
  }

  #host(
    run: FollowedRun,
    { performer, call, redact }: ReturnType<PerformanceParts["engine"]>,
  ): AttemptHost {
    const { program, meta, journal } = run;
    return {
      program,
      runId: meta.runId,
      threadId: meta.threadId,
      clock: systemClock,
      journal,
      performer,
      snapshot: () => run.snapshot,
      post: (completion, answer) => {
        if (completion.kind === "started") return answer({ taken: true });
        this.#post(run, redact(completion)).then(answer, (error: unknown) => this.#fail(error));
      },
      flush: () => Promise.resolve(),
      call: async (one) => {
        if (call === undefined) throw new Error(`M9000: nobody calls \`${one.name}\``);
        return await call(one, this.#cancellation);
      },
      transient: () => {},
    };
  }

  /** Resolves with what the run says of it; never, where the performance is given up. */
  async #post(run: FollowedRun, completion: Completion) {
    const { ingress, runId } = this.#parts;
    this.#posts += 1;
    const number = this.#posts;
    const message = {
      ...this.#performance,
      have: run.lastSeq,
      completion: this.#sendable(completion),
    };
    const idempotencyKey = `${this.#token}/${number}`;
    const since = systemClock.now();
    let wasGone = false;
    const onGone = () => {
      wasGone = true;
    };
    const reply = await ingress.run<PostReply>(runId, "post", message, { idempotencyKey, onGone });
    await run.take(reply);
    // While the server was gone, or this process stood still, another one may have taken the attempt over and made its call.
    const isStale = wasGone || systemClock.now() - since > STALE_MS;
    if (reply.state === "taken" && isStale) await this.stillWanted();
    if (this.#cancellation.isCancelled) return await new Promise<never>(() => {});
    if (reply.state === "gone") this.#leave({ kind: "superseded" });
    if (reply.state === "later") this.#park(run, true);
    if (reply.state !== "taken") return await new Promise<never>(() => {});
    this.#note(completion);
    // Whatever goes on at once has asked for more by then.
    setTimeout(() => this.#parkIfIdle(run), IDLE_MS).unref();
    return reply.acknowledgement;
  }

  #note(completion: Completion): void {
    if (completion.kind === "intent") this.#open.add(completion.call);
    if (completion.kind === "outcome") this.#open.delete(completion.call);
    if (completion.kind === "graph-call") this.#calledGraph = completion.call;
  }

  /** An attempt that only waits for a person, or for a graph that it called, is given up, and begun again when that has come. */
  #parkIfIdle(run: FollowedRun): void {
    const { id, attempt } = this.#name;
    const others = [...this.#open].filter((call) => call !== this.#calledGraph);
    const isAsking = run.journal.isAsking(id, attempt);
    const isCalling = this.#calledGraph !== undefined && this.#open.has(this.#calledGraph);
    const [only, ...more] = others;
    // A call that asks while it is made is under way, and no other one may be.
    const isIdle =
      only === undefined || (more.length === 0 && run.journal.wasAsking(id, attempt, only));
    if (isIdle && (isAsking || isCalling)) this.#park(run, false);
  }

  #park(run: FollowedRun, isHeld: boolean): void {
    this.#leave({ kind: "parked", have: run.lastSeq, isHeld });
  }

  #finish(completion: Completion | undefined): void {
    if (completion === undefined) this.#resolve({ kind: "unwanted" });
    else this.#resolve({ kind: "finished", completion: this.#sendable(completion) });
  }

  /** The first end counts: what the cancelled attempt says of it does not. */
  #leave(end: PerformanceEnd): void {
    this.#resolve(end);
    this.#cancellation.cancel();
  }

  #fail(error: unknown): void {
    this.#cancellation.cancel(error);
    const { id, attempt } = this.#name;
    const failure = failureOfWorker(error);
    this.#finish({ kind: "failed", id, attempt, failure, at: systemClock.now() });
  }

  /** Fails the call, or the attempt, that came to something too large for Restate. */
  #sendable(completion: Completion): Completion {
    try {
      this.#parts.values.serialize(completion);
      return completion;
    } catch (error) {
      if (!(error instanceof RunError) || error.code !== "M5804") throw error;
      const failure = failureOfWorker(error);
      const { at } = completion;
      if (completion.kind === "outcome") {
        const { value: _, ...outcome } = completion;
        return { ...outcome, failure };
      }
      const { id, attempt } = this.#name;
      return { kind: "failed", id, attempt, failure, at };
    }
  }
}

/** A reply that took longer, in milliseconds, says nothing any more of who may go on. */
const STALE_MS = 1_000;

/** The time that an attempt has to go on before it counts as waiting, in milliseconds. */
const IDLE_MS = 50;

/** The call of an attempt by which it has begun a graph that is not over. */
function openCallOf({ program, snapshot }: FollowedRun, { id, attempt }: AttemptName) {
  const child = locate(program, snapshot, id)?.snapshot.children.get(id);
  const tool = child?.tool;
  if (child === undefined || tool?.attempt !== attempt) return undefined;
  return endOfTool(child) === undefined ? tool.call : undefined;
}

function failureOfWorker(error: unknown): Failure {
  const code = error instanceof RunError ? error.code : "M9000";
  const hint = error instanceof RunError ? error.hint : undefined;
  return {
    class: "tool",
    code,
    message: messageOf(error),
    ...(hint === undefined ? {} : { hint }),
  };
}
