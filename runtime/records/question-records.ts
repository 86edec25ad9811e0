/** Decisions that a run waits for. */
import type { Answer, AnswerFrom, Question } from "../interrupt.ts";
import type { Usage } from "../usage.ts";
import type { Directions, EndedBy } from "./directions.ts";

/** A node run waits for a decision. */
export interface InterruptRecord extends Omit<Question, "withinMs"> {
  readonly kind: "interrupt";
  /** Unique in the run. */
  readonly interrupt: string;
  readonly id: number;
  readonly node: string;
  readonly attempt: number;
  /** As in the record of its start, which may still be to come. */
  readonly key: string;
  readonly ordinal: number;
  readonly item?: number;
  /** Numbers the questions of one attempt from 0; absent where the scheduler asks. */
  readonly call?: number;
  /** The sha256 of what is shown. */
  readonly hash?: string;
  readonly expiresAt?: number;
  /** For `limit`: which one; `whole`: the run's own, so that all of it waits. */
  readonly limit?: string;
  readonly whole?: true;
  /** What the scheduler was told when it asked; absent where the attempt asks by itself. */
  readonly ended?: EndedBy;
  /** For `review` and `ensure`: what the attempt came to beside its output, which is what is shown. */
  readonly came?: Directions;
}

/** The decision; what follows from it is the next records' to say. */
export interface AnswerRecord {
  readonly kind: "answer";
  readonly interrupt: string;
  readonly id: number;
  readonly node: string;
  readonly attempt: number;
  readonly call?: number;
  readonly answer: Answer;
  readonly from: AnswerFrom;
  /** The judge's name. */
  readonly by?: string;
  /** What the judge's model used. */
  readonly usage?: Usage;
}

/** A judge looked at a question, and left it to people. */
export interface OpinionRecord {
  readonly kind: "opinion";
  readonly interrupt: string;
  readonly id: number;
  readonly node: string;
  readonly attempt: number;
  /** The judge's name. */
  readonly by: string;
  /** What it said of it. */
  readonly reason?: string;
  readonly usage?: Usage;
}
