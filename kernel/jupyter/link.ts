/**
 * Declares the messages between the main thread (cells) and worker 1 (the Jupyter protocol). Worker 1 owns the sockets,
 * the queue of requests, the counter, the history and every header; the main thread runs one cell of each subshell at a
 * time.
 */
import type { MessagePort } from "node:worker_threads";
import type { CellOutput, ErrorOutput } from "../cell-output.ts";
import type { DebugAsk, DebugNews } from "./debug/graph-link.ts";

/** The `msg_id` of the request that something belongs to. */
export type RequestId = string;

export interface CellRequest {
  readonly id: RequestId;
  readonly code: string;
  readonly executionCount: number;
  readonly silent: boolean;
  readonly storeHistory: boolean;
  /** True if the front end answers `input_request`. */
  readonly allowStdin: boolean;
  /** Expressions to evaluate after the cell, by name. */
  readonly userExpressions: Readonly<Record<string, string>>;
  /** The front end's name of the cell; absent from a console. */
  readonly cellId?: string;
  /** The ids of cells that were deleted since the front end's last request. */
  readonly deletedCells?: readonly string[];
}

/**
 * The content of a comm message besides its id. Buffers have memory of their own, which is
 * transferred with the message.
 */
interface CommLoad {
  readonly commId: string;
  /** JSON. */
  readonly data: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly buffers: readonly Uint8Array<ArrayBuffer>[];
}

/** One message of a comm, either way. */
export type CommPacket = CommLoad &
  (
    | { readonly kind: "open"; readonly targetName: string }
    | { readonly kind: "message" }
    | { readonly kind: "close" }
  );

/** The result of a cell. `userExpressions` has the form that the protocol gives it. */
export type CellReply = {
  /** Its time and the tokens and costs of the runs that it started, as people read them. */
  readonly spent?: string;
} & (
  | { readonly status: "ok"; readonly userExpressions: Readonly<Record<string, unknown>> }
  | { readonly status: "error"; readonly error: ErrorOutput }
);

export type ToMain =
  | { readonly kind: "execute"; readonly request: CellRequest }
  /** A front end's comm message; `commHandled` says when it is dealt with. */
  | { readonly kind: "comm"; readonly id: RequestId; readonly packet: CommPacket }
  /** An interrupt: cancel the cells under way. Acknowledged by `Pulse.cancelled`; may be said more than once. */
  | { readonly kind: "cancel"; readonly isTerminated?: boolean }
  /** Nothing: a termination that found nothing to end ends this. */
  | { readonly kind: "ping" }
  /** Completion was asked for before any cell ran: start worker 2 and send its port. */
  | { readonly kind: "startTypes" }
  /** The answer to a question that blocks no code. */
  | { readonly kind: "answered"; readonly answer: QuestionAnswer }
  /** A request of a debugger; numbered, for its answer. */
  | { readonly kind: "debug"; readonly number: number; readonly ask: DebugAsk }
  /** Pause what runs, close the session, then say `closed`. */
  | { readonly kind: "close" }
  /** All sockets are bound. */
  | { readonly kind: "listening" }
  /** They could not be; worker 1 ends. */
  | { readonly kind: "failed"; readonly message: string };

export type ToJupyter =
  /** For a request that is over too: what a timer prints later still belongs to its cell. */
  | { readonly kind: "output"; readonly id: RequestId; readonly output: CellOutput }
  | { readonly kind: "done"; readonly id: RequestId; readonly reply: CellReply }
  /** For all front ends, under the header of this request where it is known. */
  | { readonly kind: "comm"; readonly id: RequestId | undefined; readonly packet: CommPacket }
  | { readonly kind: "commHandled"; readonly id: RequestId }
  /** Opens or closes a comm target to front ends. */
  | { readonly kind: "commTarget"; readonly name: string; readonly isKnown: boolean }
  /** Asks the front end that sent the request; its answer comes by `Link.answers`. */
  | {
      readonly kind: "ask";
      /** Numbers the questions of this kernel, so that a late answer is known as such. */
      readonly question: number;
      readonly id: RequestId;
      readonly prompt: string;
      readonly password: boolean;
      /** The main thread goes on meanwhile: its answer comes as `answered`. */
      readonly isLater?: boolean;
    }
  /** Nobody waits for the answer any more. */
  | { readonly kind: "withdraw"; readonly question: number }
  /** The port of worker 2, transferred: its protocol is kernel/types/service.ts. */
  | { readonly kind: "types"; readonly port: MessagePort }
  /**
   * The folder of the workspace for its history and for outputs that are too long to be shown.
   * Undefined where it has none.
   */
  | { readonly kind: "folder"; readonly path: string | undefined }
  | { readonly kind: "debug"; readonly message: DebugNews }
  /** The process was told to end by a signal: as a `shutdown_request`. */
  | { readonly kind: "stop" }
  | { readonly kind: "closed" };

/** The result of a question. */
export type QuestionAnswer =
  | { readonly question: number; readonly kind: "value"; readonly value: string }
  /** Nobody answers: the front end said so, or it is gone. */
  | { readonly question: number; readonly kind: "refused" }
  | { readonly question: number; readonly kind: "interrupted" };

/** The start data of worker 1. */
export interface JupyterWorkerData {
  readonly connectionFile: string;
  /** True if the main thread will send a `folder` message. */
  readonly hasFolder: boolean;
  /** Int32 cells named by `Pulse`. */
  readonly pulse: SharedArrayBuffer;
  /** The port on which worker 1 posts a `QuestionAnswer` before it raises `Pulse.answered`. */
  readonly answers: MessagePort;
}

/** Cells of the shared memory that work while the main thread blocks. */
export const Pulse = {
  /** One of `Phase`; written by the main thread, and by worker 1 from `synchronous` to `interrupting`. */
  phase: 0,
  /** One of `Cancelled`. */
  cancelled: 1,
  /** Raised and notified by worker 1 for each answer posted. */
  answered: 2,
  /** The weight of outputs that worker 1 has not taken yet; more than `BACKLOG_MAX` makes the main thread wait. */
  backlog: 3,
  length: 4,
} as const;

/**
 * The state of an interrupt. Both threads change it from `asked` by compare-and-exchange; the first
 * one decides.
 */
export const Cancelled = {
  asked: 0,
  /** By the main thread: it cancels, and is terminated no more. */
  acknowledged: 1,
  /** By worker 1: the JavaScript that the main thread executes will be ended, whatever it is. */
  terminating: 2,
} as const;

/** The state of the main thread's cell. */
export const Phase = {
  idle: 0,
  /** In the synchronous part of a cell, under `breakOnSigint`: SIGINT stops it. Never outside: it would end the process. */
  synchronous: 1,
  /** Awaiting: the main thread acknowledges a `cancel`, unless a loop after an await keeps it. */
  awaiting: 2,
  /** Still synchronous, and a SIGINT is on its way. */
  interrupting: 3,
} as const;

/** Some megabytes: a cell that prints in a loop would otherwise fill the memory faster than worker 1 empties it. */
export const BACKLOG_MAX = 4096;

/** Returns the weight of an output in the backlog: roughly its kilobytes. */
export function weightOf(output: CellOutput): number {
  return output.kind === "stream" ? 1 + Math.floor(output.text.length / 1024) : 1;
}

/** The same of a comm message. */
export function weightOfPacket({ buffers }: CommPacket): number {
  const bytes = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return 1 + Math.floor(bytes / 1024);
}
