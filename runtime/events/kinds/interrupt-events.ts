/** Events of questions and their answers. */
import type { JsonSchema } from "../../../dsl/index.ts";
import type {
  Answer,
  AnswerFrom,
  AskKind,
  Escalation,
  PassedOver,
  PersonSaid,
} from "../../interrupt.ts";
import type { Usage } from "../../usage.ts";
import type { EventBase, NodeFacts, SpanFacts } from "./event-base.ts";

export type InterruptEvent = InterruptOpened | InterruptAnswered | InterruptLeft;

/** A node run, or the whole run, waits for a decision. */
export interface InterruptOpened extends EventBase, NodeFacts, SpanFacts {
  readonly kind: "interrupt.opened";
  readonly interrupt: string;
  readonly ask: AskKind;
  readonly question: string;
  readonly schema?: JsonSchema;
  readonly options?: readonly unknown[];
  readonly shown?: unknown;
  readonly hash?: string;
  readonly limit?: string;
  readonly tool?: string;
  readonly by?: string;
  readonly to?: string;
  /** The persons who must all say yes, or as many of them as `need` says. */
  readonly among?: readonly string[];
  readonly need?: number;
  /** Those of them who have said yes, or no; then this is the same question once more. */
  readonly agreed?: readonly PersonSaid[];
  readonly declined?: readonly PersonSaid[];
  readonly expiresAt?: number;
  /** The persons who are asked next where nobody answers in time. */
  readonly then?: readonly Escalation[];
  /** The persons who were asked before; then this is the same question once more. */
  readonly passed?: readonly PassedOver[];
}

/** Somebody decided; `durationMs` is how long it had waited. */
export interface InterruptAnswered extends EventBase, NodeFacts, SpanFacts {
  readonly kind: "interrupt.answered";
  readonly interrupt: string;
  readonly ask: AskKind;
  readonly question: string;
  readonly answer: Answer;
  readonly from: AnswerFrom;
  readonly by?: string;
  readonly usage?: Usage;
  readonly durationMs: number;
}

/** A judge looked at a question, and left it to people. */
export interface InterruptLeft extends EventBase, NodeFacts {
  readonly kind: "interrupt.left";
  readonly interrupt: string;
  readonly ask: AskKind;
  readonly by: string;
  /** The reason given. */
  readonly reason?: string;
  readonly usage?: Usage;
}
