/** Describes what an attempt needs of its run, and the callback that ends it. */
import type { EmbedQuery } from "../agents/memory/embed-query.ts";
import type { Cancellation } from "../cancellation.ts";
import type { Clock } from "../clock.ts";
import type { TransientBody } from "../events/kinds/call-events.ts";
import type { Journal } from "../history/journal.ts";
import type { Interceptor } from "../intercept/interceptor.ts";
import type { Attempt, Performer } from "../performer.ts";
import type { ServedFrom } from "../records/call-records.ts";
import type { LogRecord } from "../records/records.ts";
import type { Serving, ServingChoice } from "../rerun/serving.ts";
import type { Located } from "../scheduler/called-snapshots.ts";
import type { Completion } from "../scheduler/completion.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { Cache } from "../store/run-store.ts";
import type { OutsideCall, OutsideCalls } from "./outside-calls.ts";
import type { Acknowledgement } from "./post-completion.ts";
import type { MakeCall } from "./with-calls.ts";

/** Dependencies of an attempt on its run. */
export interface AttemptHost {
  readonly program: Program;
  readonly runId: string;
  readonly threadId?: string;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly performer: Performer;
  snapshot(): Snapshot;
  /** Posts a completion and says whether the scheduler took it: late and forbidden ones it does not, nor what was called off. */
  post(
    completion: Completion,
    answer: (asked: Acknowledgement) => void,
    cancellation?: Cancellation,
  ): void;
  /** Resolves when everything logged so far is stored. */
  flush(): Promise<void>;
  /** The stored results of nodes with `cache`. */
  readonly cache?: Cache;
  /** Of a run that is another one run again: what it is served from there. */
  readonly serving?: RunServing;
  /** The logs of the earlier runs of the thread. */
  earlier?(): readonly (readonly LogRecord[])[];
  /** Calls a function that an expression of the node names. */
  readonly call: MakeCall;
  /** Embeds what a memory is asked. */
  readonly embed?: EmbedQuery;
  /** Those that are asked; empty where the run had some and has none here, absent where it never had any. */
  readonly interceptors?: readonly Interceptor[];
  /** Tells listeners of a node run what no record has. */
  transient(id: number, body: TransientBody): void;
}

/** Takes the completion that ends an attempt; `undefined` when the scheduler no longer wants it. */
export type Ended = (completion: Completion | undefined) => void;

/** One attempt under way. */
export interface Scene {
  readonly id: number;
  readonly attempt: number;
  readonly cancellation: Cancellation;
  /** The number of its calls and questions so far. */
  calls: number;
  questions: number;
  /** Set once it has called something outside. */
  outside: OutsideCalls | undefined;
}

/** One call, or one question, of an attempt. */
export interface EffectScene {
  readonly id: number;
  readonly attempt: number;
  readonly cancellation: Cancellation;
  readonly call: number;
  /** Of an external call. */
  readonly outside?: OutsideCall;
}

/** Serves a rerun with results of the recorded run; a rerun that only plans leaves open what would be performed. */
export interface RunServing extends Pick<Serving, "verdictOf" | "viewed"> {
  find(given: Attempt, located: Located, before: ServedFrom | undefined): ServingChoice;
}
