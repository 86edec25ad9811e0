/** Events of operators: their sessions, what controllers reported, and its bytes. */

import type { Failure } from "../../failure.ts";
import type { ModelSource } from "../../records/call-records.ts";
import type {
  ApprovalAnswered,
  HeardEvent,
  OperatorResult,
  RawPiece,
  TurnBegun,
} from "../../records/controller-values.ts";
import type { Usage } from "../../usage.ts";

interface OfController {
  readonly controller: string;
  readonly modelSource?: ModelSource;
}

/** A turn is about to begin: all that its agent is told. */
export interface SessionRequestedFacts extends OfController {
  readonly kind: "session.requested";
  readonly request: unknown;
}

export interface SessionStartedFacts extends OfController {
  readonly kind: "session.started";
  readonly sessionId: string;
  readonly turn: number;
  /** `reattached`: the same turn goes on after a pause or a crash. */
  readonly how: TurnBegun["how"] | "reattached";
  /** The session that its agent did not know any more. */
  readonly gone?: string;
  readonly durationMs: number;
}

/** One normalised event, with where its bytes stand in the raw stream of the attempt. */
export interface ControllerHeardFacts extends OfController {
  readonly kind: "controller.event";
  readonly sessionId: string;
  readonly event: HeardEvent;
  readonly usage?: Usage;
}

/** Bytes as they came. */
export interface ControllerRawFacts extends OfController {
  readonly kind: "controller.raw";
  readonly raw: RawPiece;
}

export interface ControllerAnsweredFacts extends OfController, Omit<ApprovalAnswered, "verb"> {
  readonly kind: "controller.answered";
}

/** A turn is over: by itself, or because its attempt is. */
export interface SessionEndedFacts extends OfController {
  readonly kind: "session.ended";
  readonly sessionId: string;
  readonly status: OperatorResult["status"];
  /** Of a turn that came to its end. */
  readonly result?: OperatorResult;
  readonly failure?: Failure;
  readonly durationMs: number;
}
