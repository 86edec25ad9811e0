/** Values that the log keeps of an operator's turn: outcomes of effects of kind `controller`, as plain JSON. */
import type { ControllerEvent, SessionSnapshot } from "../agents/operator/controller.ts";
import type { Handoff, OutgoingMessage } from "../envelope.ts";
import type { Failure } from "../failure.ts";
import type { Usage } from "../usage.ts";

/** One effect: what is asked stands in its intent under `verb`, what came of it is this. */
export type ControllerOutcome = TurnBegun | TurnHeard | ApprovalAnswered | TurnEnded;

export interface TurnBegun {
  readonly verb: "begin";
  readonly sessionId: string;
  readonly turn: number;
  /** `new`; the `next` turn of a known session, also one `restored` to where it stood; `fresh` in place of one that is gone. */
  readonly how: "new" | "next" | "restored" | "fresh";
  /** The session that the agent did not know any more. */
  readonly gone?: string;
}

/** The events of a turn up to the next one that is no side note; deltas are left out, but their bytes are counted. */
export interface TurnHeard {
  readonly verb: "next";
  readonly events: readonly HeardEvent[];
  /** The bytes that came with it, in order. */
  readonly raw: readonly RawPiece[];
  /** The turn had been cut off, and goes on from here. */
  readonly reattached?: true;
}

/** An event and where its bytes stand in the raw stream of its attempt: from, and to without. */
export type HeardEvent = Exclude<ControllerEvent, { readonly kind: "message_delta" }> & {
  readonly raw: readonly [number, number];
};

/** Bytes of the raw stream, as text where they are UTF-8; many of them by their hash and their number, as an artifact. */
export interface RawPiece {
  readonly from: number;
  readonly text?: string;
  readonly base64?: string;
  readonly hash?: string;
  readonly bytes?: number;
}

export interface ApprovalAnswered {
  readonly verb: "answer";
  readonly approvalId: string;
  readonly decision: "approve" | "deny";
}

export interface TurnEnded {
  readonly verb: "end";
  readonly result: OperatorResult;
}

/** The whole result of a turn. */
export interface OperatorResult {
  readonly status: "success" | "failed" | "interrupted" | "timeout";
  readonly sessionRef: SessionRef;
  /** The texts of the agent, without its deltas. */
  readonly messages: readonly string[];
  readonly statePatch: Readonly<Record<string, unknown>>;
  readonly artifacts: readonly {
    readonly name: string;
    readonly kind: string;
    readonly path?: string;
  }[];
  readonly handoffs: readonly (Handoff & { readonly to: string })[];
  /** The messages that it has sent; absent where there are none. */
  readonly sends?: readonly OutgoingMessage[];
  /** The usage; durations follow from the times of the log. */
  readonly metrics: Usage;
  /** The whole raw stream of the attempt. */
  readonly traceRef: { readonly artifact?: string; readonly bytes: number };
  readonly error?: Pick<Failure, "class" | "code" | "message"> & { readonly details?: unknown };
}

/** A session that later turns can go on with. */
export interface SessionRef {
  readonly controller: string;
  readonly sessionId: string;
  readonly turn: number;
  readonly snapshot?: SessionSnapshot;
}

/** The value of `verb` in the request of a controller's effect. */
export type ControllerVerb = ControllerOutcome["verb"];

export function isOutcome(value: unknown): value is ControllerOutcome {
  return typeof value === "object" && value !== null && "verb" in value;
}
