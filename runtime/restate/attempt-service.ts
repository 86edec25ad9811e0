/** The service that performs attempts, and makes the calls of TypeScript that decisions need, for one version of programs. */
import { setTimeout as sleep } from "node:timers/promises";
import type * as restate from "@restatedev/restate-sdk";
import { Cancellation } from "../cancellation.ts";
import type { LoggedCall } from "../records/records.ts";
import type { Ingress } from "./ingress.ts";
import type { LoadedSdk } from "./load-sdk.ts";
import {
  attemptService,
  type CallMessage,
  type FinishMessage,
  type InvokedAttempt,
  type ParkMessage,
  type PerformMessage,
  RUN_OBJECT,
} from "./messages.ts";
import { AttemptPerformance, type PerformanceEnd } from "./remote-host.ts";
import type { ServedGraphs } from "./served-graphs.ts";
import type { WireValues } from "./wire-values.ts";

export interface AttemptServiceParts {
  readonly version: string;
  readonly graphs: ServedGraphs;
  readonly ingress: Ingress;
  readonly values: WireValues;
  readonly performances: Performances;
}

/** The longest pause before an attempt that lost its server is begun again, in milliseconds. */
const RETRY_MS = 1_000;

/** A step longer than this would be begun again by Restate. */
const LONGEST = { days: 30 };

export function attemptsOf({ service, handlers }: LoadedSdk, parts: AttemptServiceParts) {
  const { values, version } = parts;
  const wire = { input: values, output: values, journalRetention: 0 };
  const long = { ...wire, inactivityTimeout: LONGEST, abortTimeout: LONGEST };
  const call = handlers.handler;
  return service({
    name: attemptService(version),
    handlers: {
      perform: call(
        long,
        async (context: restate.Context, message: PerformMessage): Promise<void> => {
          const { attemptCompletedSignal: signal, id: invocation } = context.request();
          const join = () => parts.performances.join({ ...message, invocation }, signal, parts);
          const end = await context.run<PerformanceEnd>("attempt", join, {
            serde: values,
            maxRetryInterval: RETRY_MS,
          });
          const { runId, id, attempt } = message;
          const send = <T>(method: string, parameter: T) =>
            context.genericSend({
              service: RUN_OBJECT,
              key: runId,
              method,
              parameter,
              inputSerde: values,
            });
          if (end.kind === "finished") {
            const { completion } = end;
            send<FinishMessage>("finish", { id, attempt, invocation, completion });
          } else if (end.kind === "parked") {
            const { have, isHeld } = end;
            send<ParkMessage>("park", { id, attempt, invocation, have, isHeld });
          }
        },
      ),

      call: call(
        wire,
        async (context: restate.Context, message: CallMessage): Promise<readonly LoggedCall[]> => {
          const { meta, calls } = message;
          const made = parts.graphs.callOf(meta);
          const cancellation = Cancellation.of(context.request().attemptCompletedSignal);
          const work = () => Promise.all(calls.map((one) => made(one, cancellation)));
          return await context.run<readonly LoggedCall[]>("calls", work, { serde: values });
        },
      ),
    },
  });
}

/** The attempts that this worker performs: one whose invocation lost its connection goes on, and is joined by the next one. */
export class Performances {
  readonly #underWay = new Map<string, AttemptPerformance>();

  get size(): number {
    return this.#underWay.size;
  }

  /** Resolves when nothing is under way, or after some time. */
  async settled(graceMs: number): Promise<void> {
    const ends = [...this.#underWay.values()].map(({ end }) => end.catch(() => {}));
    if (ends.length === 0 || graceMs <= 0) return;
    await Promise.race([Promise.all(ends), sleep(graceMs, undefined, { ref: false })]);
  }

  async join(
    { runId, graph, ...name }: PerformMessage & InvokedAttempt,
    signal: AbortSignal,
    { graphs, ingress, values }: AttemptServiceParts,
  ): Promise<PerformanceEnd> {
    const key = name.invocation;
    let one = this.#underWay.get(key);
    if (one === undefined) {
      const parts = { runId, ingress, values, ...graphs.partsOf(graph, runId) };
      one = new AttemptPerformance(name, parts);
      this.#underWay.set(key, one);
      const end = graphs.begin(runId);
      one.end.then(end, end);
    }
    const leave = () => void this.#leave(key, one);
    signal.addEventListener("abort", leave, { once: true });
    try {
      const end = await one.end;
      this.#forget(key, one);
      if (end.kind === "superseded") throw new Error("another performance took this one over");
      return end;
    } catch (error) {
      // The server is asked again by the next performance.
      this.#forget(key, one);
      throw error;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** The invocation is over: cancelled, or without its connection. */
  async #leave(key: string, one: AttemptPerformance): Promise<void> {
    const isWanted = await one.stillWanted().catch(() => false);
    if (!isWanted) this.#forget(key, one);
  }

  #forget(key: string, one: AttemptPerformance): void {
    if (this.#underWay.get(key) === one) this.#underWay.delete(key);
  }
}
