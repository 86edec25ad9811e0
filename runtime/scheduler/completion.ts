/** Defines completions: everything that happens to a run from outside, with its time. */

import type { Ir } from "../../dsl/index.ts";
import type { Failure } from "../failure.ts";
import type { Answer, AnswerFrom, Question } from "../interrupt.ts";
import type { CallFacts, CallRequest, CallResult, IntentRecord } from "../records/call-records.ts";
import type { NodeUse } from "../records/control-records.ts";
import { type Directions, directionsOf, type EndedBy } from "../records/directions.ts";
import type { LoggedCall, RecordBody, RunInterception, StreamNews } from "../records/records.ts";
import type { Usage } from "../usage.ts";

export type Completion = {
  readonly at: number;
  /** The results of functions with which this completion is decided. */
  readonly calls?: readonly LoggedCall[];
} & (
  | {
      readonly kind: "begin";
      readonly input: Readonly<Record<string, unknown>>;
      /** The values that the thread and the user have of its fields so far. */
      readonly kept?: Readonly<Record<string, unknown>>;
      readonly config?: Readonly<Record<string, unknown>>;
      readonly interception?: RunInterception;
      /** Of a log in which values were not checked as they were written. */
      readonly isUntyped?: true;
    }
  /** The driver has begun an attempt. */
  | { readonly kind: "started"; readonly id: number; readonly attempt: number }
  /** An attempt asks to make a call; the answer is in the records: an intent, or the end of the node run. */
  | ({ readonly kind: "intent" } & CallFacts & CallRequest & Pick<IntentRecord, "steers">)
  | ({ readonly kind: "outcome" } & CallFacts & CallResult)
  /** An attempt of an agent has called a graph as a tool, by the call of this number. */
  | {
      readonly kind: "graph-call";
      readonly id: number;
      readonly attempt: number;
      readonly call: number;
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | ({
      readonly kind: "succeeded";
      readonly id: number;
      readonly attempt: number;
      readonly output: unknown;
    } & Directions)
  | {
      readonly kind: "failed";
      readonly id: number;
      readonly attempt: number;
      readonly failure: Failure;
    }
  /** An attempt asks somebody; its questions are numbered from 0. */
  | ({
      readonly kind: "interrupt";
      readonly id: number;
      readonly attempt: number;
      readonly call: number;
    } & Question)
  /** Somebody answers; `id` is the node run that waits, `sub` the one that called its graph. */
  | {
      readonly kind: "answer";
      readonly id: number;
      readonly sub?: number;
      readonly interrupt: string;
      readonly answer: Answer;
      readonly from: AnswerFrom;
      readonly by?: string;
      readonly usage?: Usage;
    }
  /** A judge leaves it to people; `id` and `sub` as of an answer. */
  | {
      readonly kind: "opinion";
      readonly id: number;
      readonly sub?: number;
      readonly interrupt: string;
      readonly by: string;
      readonly reason?: string;
      readonly usage?: Usage;
    }
  /** A stream has given an item, has ended, or has failed. */
  | ({ readonly kind: "item"; readonly id: number; readonly attempt: number } & StreamNews)
  /** A timer that `advance` asked for is due. */
  | { readonly kind: "timer"; readonly timer: Timer }
  | {
      readonly kind: "control";
      readonly verb: "pause" | "resume" | "abort";
      readonly reason?: string;
      readonly owner?: string;
      readonly ir?: Ir;
      readonly code?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "control"; readonly verb: "hold" | "release"; readonly reason?: string }
  | {
      readonly kind: "control";
      readonly verb: "rewind";
      readonly reason?: string;
      readonly step: number;
      /** The record of that step. */
      readonly to: number;
      /** The node run that begins anew there. */
      readonly anew?: number;
    }
  /** One node run is held, or let go. */
  | {
      readonly kind: "branch";
      readonly verb: "hold" | "release";
      readonly id: number;
      readonly reason?: string;
    }
  /** Another plan for the graph that a node run has made of one. */
  | { readonly kind: "modify"; readonly id: number; readonly plan: unknown }
  | {
      readonly kind: "use";
      readonly node: string;
      readonly use: NodeUse;
    }
  | {
      readonly kind: "steer";
      readonly text: string;
      /** A node; else whoever asks a model next. */
      readonly to?: string;
      /** The id that its sender has given: what comes again under it is not said again. */
      readonly givenId?: string;
      /** The note that it stood in, where it was said elsewhere. */
      readonly note?: number;
    }
  /** `sub`: of the graph that this node run called. */
  | {
      readonly kind: "edit";
      readonly sub?: number;
      readonly values: Readonly<Record<string, unknown>>;
      readonly reason?: string;
    }
);

/** A verb of people on a whole run. */
export type Control = Completion & { readonly kind: "control" };

/** A deadline of the run (no `id`), of a node run, or of one of its interrupts, in milliseconds of the driver's clock. */
export interface Timer {
  readonly id?: number;
  /** Of the graph that this node run called: the deadline of that one as a whole. */
  readonly sub?: number;
  readonly interrupt?: string;
  readonly due: number;
}

// Keeps with a record what ended its attempt, so that a replay can ask the scheduler the same question again.

/** The record of an attempt that had not failed by itself, or of what is asked, with what it came of; any other record as it is. */
export function withCause(record: RecordBody, completion: Completion): RecordBody {
  if (record.kind === "sub") return { ...record, record: withCause(record.record, completion) };
  const isDecided = record.kind === "commit" && completion.kind === "started";
  if (record.kind !== "attempt" && record.kind !== "interrupt" && !isDecided) return record;
  const ended = endedBy(record, completion);
  return ended === undefined ? record : { ...record, ended };
}

function endedBy(record: RecordBody, completion: Completion): EndedBy | undefined {
  switch (completion.kind) {
    case "intent":
      return { by: "call", effect: completion.effect };
    case "succeeded":
      return { by: "output", output: completion.output, ...directionsOf(completion) };
    case "started":
      return { by: "start" };
    case "timer":
      return { by: "time" };
    case "failed":
      return record.kind === "interrupt"
        ? { by: "failure", failure: completion.failure }
        : undefined;
    default:
      return undefined;
  }
}
