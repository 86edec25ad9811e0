/** Describes the questions with which a run waits for a decision, and the answers that they take. */
import type { JsonSchema } from "../dsl/index.ts";

/**
 * The kind of a question: `approval` of a planned action, `review` of a node's output; from a person `input` (a text, a
 * form), `select` (one of a few), `edit` (of fields as they are); `limit` whether to go on past one, `ensure` what to
 * do about an output that does not hold; `doubt` whether a call that a dead process made took effect; `question` from
 * TypeScript.
 */
export type AskKind =
  | "approval"
  | "review"
  | "input"
  | "select"
  | "edit"
  | "limit"
  | "ensure"
  | "doubt"
  | "question";

/**
 * The answer to a question; with `remember`, the same question of the same node gets the same answer from then on. `as` is
 * the name of the person who says it.
 */
export type Answer = AnswerBody & {
  readonly remember?: "call" | "run" | "thread";
  readonly as?: string;
};

type AnswerBody =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "approve" }
  | { readonly kind: "deny"; readonly reason?: string }
  /** Something else in the place of what was shown. */
  | { readonly kind: "edit"; readonly value: unknown }
  /** Again, with this in mind. */
  | { readonly kind: "revise"; readonly text: string };

/** An answer and who gave it: a judge and a remembered answer come from a `policy`, the judge with its name. */
export interface GivenAnswer {
  readonly answer: Answer;
  readonly from: AnswerFrom;
  readonly by?: string;
}

/** The origin of an answer. */
export type AnswerFrom = "person" | "policy" | "script" | "expiry";

/** A question before anybody has been asked. */
export interface Question {
  readonly ask: AskKind;
  readonly question: string;
  /** The schema that a `value` or an `edit` must fit. */
  readonly schema?: JsonSchema;
  /** The schema that an `edit` must fit, if it differs from that of a value. */
  readonly editSchema?: JsonSchema;
  readonly options?: readonly unknown[];
  /** The value to approve, review or edit. */
  readonly shown?: unknown;
  /** The answer where nobody has given one within `withinMs`. */
  readonly default?: unknown;
  /** The time to answer, in milliseconds; after that the next of `then` is asked, or the answer is `default`, or no. */
  readonly withinMs?: number;
  /** The first judge: a function of the scope, or a model. */
  readonly by?: string;
  /** The person who is asked, if the program names one. */
  readonly to?: string;
  /** The persons who must say yes, each once; a no behind which too few are left is the answer. */
  readonly among?: readonly string[];
  /** The number of them who must say yes; absent: all of them, so that the first no is the answer. */
  readonly need?: number;
  /** Those of them who have said yes. */
  readonly agreed?: readonly PersonSaid[];
  /** Those of them who have said no. */
  readonly declined?: readonly PersonSaid[];
  /** The persons who are asked next, one after the other, where nobody has answered in time. */
  readonly then?: readonly Escalation[];
  /** The persons who have been asked before, and did not answer in time. */
  readonly passed?: readonly PassedOver[];
  /** The tool whose call it is about. */
  readonly tool?: string;
  /** The subject for which a remembered answer holds in every node: a host, a target. Absent: the same question of the same node. */
  readonly about?: string;
  /** The time for which an answer holds that does not say. */
  readonly remember?: "run";
  /** The number of the last messages of the agent that a judge reads beside what is shown. */
  readonly context?: number;
}

/** Somebody who is asked where nobody before has answered, or once more; without `withinMs` they are waited for, without `to` it is anybody. */
export interface Escalation {
  readonly to?: string;
  readonly among?: readonly string[];
  readonly need?: number;
  readonly withinMs?: number;
}

/** One of several persons, who said yes or no at that time, in milliseconds since the epoch. */
export interface PersonSaid {
  readonly as: string;
  readonly at: number;
  /** The means by which it was said, as of an answer. */
  readonly by?: string;
}

/** Somebody who was asked until a time, in milliseconds since the epoch; without `to` it was anybody. */
export interface PassedOver {
  readonly to?: string;
  readonly until: number;
}

/** The facts of a question that not every one has. */
type QuestionFacts = Pick<
  Interrupt,
  | "schema"
  | "options"
  | "shown"
  | "hash"
  | "limit"
  | "tool"
  | "about"
  | "remember"
  | "context"
  | "by"
  | "to"
  | "among"
  | "need"
  | "agreed"
  | "declined"
  | "expiresAt"
  | "then"
  | "passed"
>;

/** Those of them that a question has: what its record, its event and people are told alike. */
export function factsOf(of: QuestionFacts): QuestionFacts {
  const { schema, options, shown, hash, limit, tool, about, remember, context, by, to, expiresAt } =
    of;
  const { then, passed, among, need, agreed, declined } = of;
  return {
    ...(schema === undefined ? {} : { schema }),
    ...(options === undefined ? {} : { options }),
    ...(shown === undefined ? {} : { shown }),
    ...(hash === undefined ? {} : { hash }),
    ...(limit === undefined ? {} : { limit }),
    ...(tool === undefined ? {} : { tool }),
    ...(about === undefined ? {} : { about }),
    ...(remember === undefined ? {} : { remember }),
    ...(context === undefined ? {} : { context }),
    ...(by === undefined ? {} : { by }),
    ...(to === undefined ? {} : { to }),
    ...(among === undefined ? {} : { among }),
    ...(need === undefined ? {} : { need }),
    ...(agreed === undefined ? {} : { agreed }),
    ...(declined === undefined ? {} : { declined }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(then === undefined ? {} : { then }),
    ...(passed === undefined ? {} : { passed }),
  };
}

/** A question that waits for its answer, as people see it. */
export interface Interrupt extends Omit<Question, "ask" | "withinMs"> {
  /** Unique in its run. */
  readonly id: string;
  readonly kind: AskKind;
  readonly node: string;
  readonly nodeRunId: string;
  readonly attempt: number;
  /** The sha256 of what is shown: an approval is of that and of nothing else. */
  readonly hash?: string;
  readonly limit?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
}
