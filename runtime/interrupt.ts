/** Describes the questions with which a run waits for a decision, and the answers that they take. */
import type { JsonSchema } from "../dsl/index.ts";

/**
 * What is asked: `approval` of what is about to be done, `review` of what a node came to; of a person `input` (a text, a
 * form), `select` (one of a few), `edit` (of fields as they are); `limit` whether to go on past one, `ensure` what to do
 * about an output that does not hold; `doubt` whether a call that a dead process made took effect; `question` from
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

/** What is said to a question; `remember` answers the same question of the same node by itself from then on. */
export type Answer = AnswerBody & { readonly remember?: "call" | "run" | "thread" };

type AnswerBody =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "approve" }
  | { readonly kind: "deny"; readonly reason?: string }
  /** Something else in the place of what was shown. */
  | { readonly kind: "edit"; readonly value: unknown }
  /** Again, with this in mind. */
  | { readonly kind: "revise"; readonly text: string };

/** Who said it. */
export type AnswerFrom = "person" | "policy" | "script" | "expiry";

/** A question before anybody has been asked. */
export interface Question {
  readonly ask: AskKind;
  readonly question: string;
  /** What a `value` or an `edit` must fit. */
  readonly schema?: JsonSchema;
  /** What an `edit` must fit, where that is something else than a value. */
  readonly editSchema?: JsonSchema;
  readonly options?: readonly unknown[];
  /** What is approved, reviewed or edited. */
  readonly shown?: unknown;
  /** The answer where nobody has given one within `withinMs`. */
  readonly default?: unknown;
  /** How long there is to answer; then the answer is `default`, and without that a no. */
  readonly withinMs?: number;
  /** Who judges first: a function of the scope, or a model. */
  readonly by?: string;
  /** Who is asked, where the program says so. */
  readonly to?: string;
  /** The tool whose call it is about. */
  readonly tool?: string;
}

/** The facts of a question that not every one has. */
type QuestionFacts = Pick<
  Interrupt,
  "schema" | "options" | "shown" | "hash" | "limit" | "tool" | "by" | "to" | "expiresAt"
>;

/** Those of them that a question has: what its record, its event and people are told alike. */
export function factsOf(of: QuestionFacts): QuestionFacts {
  const { schema, options, shown, hash, limit, tool, by, to, expiresAt } = of;
  return {
    ...(schema === undefined ? {} : { schema }),
    ...(options === undefined ? {} : { options }),
    ...(shown === undefined ? {} : { shown }),
    ...(hash === undefined ? {} : { hash }),
    ...(limit === undefined ? {} : { limit }),
    ...(tool === undefined ? {} : { tool }),
    ...(by === undefined ? {} : { by }),
    ...(to === undefined ? {} : { to }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
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
