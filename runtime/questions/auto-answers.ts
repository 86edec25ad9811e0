/** Answers questions of a run without a person: by judges, then by the run's `answers`. */
import { type Failure, RunError } from "../failure.ts";
import type { Answer, AnswerFrom, AskKind, Interrupt } from "../interrupt.ts";
import type { EffectResult } from "../performer.ts";
import type { LimitedCall } from "../scheduler/limits.ts";
import type { Usage } from "../usage.ts";
import { misfitOf, toAnswer, unfitting } from "./interrupts.ts";

/** The answer of an answerer; undefined where it leaves the question to others. */
export interface AutoAnswer {
  /** An `Answer`, or a plain value. */
  readonly answer: unknown;
  readonly from: AnswerFrom;
  readonly by?: string;
  readonly usage?: Usage;
}

/** A judge that decides nothing: people do, and the log says what it said. */
export interface JudgeOpinion {
  readonly leaves: true;
  readonly by: string;
  readonly reason?: string;
  readonly usage?: Usage;
}

export type Answerer = (
  interrupt: Interrupt,
  asking: AskingRun,
) => Promise<AutoAnswer | JudgeOpinion | undefined>;

/** The run that asks. */
export interface AskingRun {
  /** Returns why a limit of the run forbids a model call about this question, if one does. */
  forbids(call: LimitedCall): Failure | undefined;
  /** Returns the effects of the node run that asks, in their order. */
  effects(): readonly EffectResult[];
  /** Returns the kinds of the questions about the same node that the run has asked before this one. */
  before(): readonly AskKind[];
}

/**
 * The option `answers` of a run: the answer for each node, or a function that is asked. `before` returns the kinds of the
 * questions about the same node that the run has asked before, also in another process.
 */
export type Answers =
  | Readonly<Record<string, unknown>>
  | ((interrupt: Interrupt, before: () => readonly AskKind[]) => unknown);

export interface CheckedAnswer extends Omit<AutoAnswer, "answer"> {
  readonly answer: Answer;
}

export interface AutoAnswersParts {
  readonly runId: string;
  readonly answerers: readonly Answerer[];
  /** Returns why a limit forbids a model call about a question. */
  forbids(interrupt: Interrupt, call: LimitedCall): Failure | undefined;
  effects(interrupt: Interrupt): readonly EffectResult[];
  before(interrupt: Interrupt): readonly AskKind[];
  /** Keeps the bytes of the files in an answer, which has references to them then. */
  withFiles(interrupt: Interrupt, answer: Answer): Answer;
  /** Passes an answer on to the run. */
  answer(interrupt: Interrupt, checked: CheckedAnswer): Promise<void>;
  /** Notes that a judge has left it to others. */
  note(interrupt: Interrupt, opinion: JudgeOpinion): void;
  /** All who were asked have left it to others. */
  left(): void;
}

export class AutoAnswers {
  readonly #parts: AutoAnswersParts;
  /** Questions that somebody is looking at, and what went wrong with those that nobody could answer. */
  readonly #pending = new Set<string>();
  readonly #causes = new Map<string, unknown>();

  constructor(parts: AutoAnswersParts) {
    this.#parts = parts;
  }

  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  /** Returns the reasons why questions that are still open got no answer. */
  causes(open: readonly Interrupt[]): readonly unknown[] {
    return open.flatMap(({ id }) => (this.#causes.has(id) ? [this.#causes.get(id)] : []));
  }

  /** Asks one after the other, until one answers. */
  ask(interrupt: Interrupt): void {
    const { answerers } = this.#parts;
    if (answerers.length === 0 || this.#pending.has(interrupt.id)) return;
    this.#pending.add(interrupt.id);
    this.#causes.delete(interrupt.id);
    void this.#askAll(interrupt)
      .catch((thrown: unknown) => this.#causes.set(interrupt.id, thrown))
      .finally(() => {
        this.#pending.delete(interrupt.id);
        this.#parts.left();
      });
  }

  async #askAll(interrupt: Interrupt): Promise<void> {
    for (const answerer of this.#parts.answerers) {
      const given = await this.#given(answerer, interrupt);
      if (given === undefined) continue;
      if ("leaves" in given) {
        this.#parts.note(interrupt, given);
        continue;
      }
      const answer = this.#parts.withFiles(interrupt, toAnswer(interrupt, given.answer));
      const misfit = misfitOf(interrupt, answer);
      if (misfit !== undefined) throw unfitting(this.#parts.runId, interrupt, misfit);
      await this.#parts.answer(interrupt, { ...given, answer });
      return;
    }
  }

  /** One that throws has not answered: the next one is asked, and in the end a person. */
  async #given(
    answerer: Answerer,
    interrupt: Interrupt,
  ): Promise<AutoAnswer | JudgeOpinion | undefined> {
    try {
      const forbids = (call: LimitedCall) => this.#parts.forbids(interrupt, call);
      const effects = () => this.#parts.effects(interrupt);
      const before = () => this.#parts.before(interrupt);
      return await answerer(interrupt, { forbids, effects, before });
    } catch (thrown) {
      this.#causes.set(interrupt.id, failedAnswerer(interrupt, thrown));
      return undefined;
    }
  }
}

function failedAnswerer({ id, node }: Interrupt, thrown: unknown): RunError {
  if (thrown instanceof RunError) return thrown;
  const checked = thrown instanceof Error ? thrown.message : String(thrown);
  return new RunError("M5312", `who was to answer \`${id}\` failed: ${checked}`, {
    node,
    cause: thrown,
  });
}

/** The answers that a run was started with. */
export function scriptedAnswers(answers: Answers): Answerer {
  return async (interrupt, { before }) => {
    const answer =
      typeof answers === "function"
        ? await answers(interrupt, before)
        : // An answer given ahead is about whether to make a call, not about whether a call happened.
          interrupt.kind !== "doubt" && Object.hasOwn(answers, interrupt.node)
          ? answers[interrupt.node]
          : undefined;
    return answer === undefined ? undefined : { answer, from: "script" };
  };
}
