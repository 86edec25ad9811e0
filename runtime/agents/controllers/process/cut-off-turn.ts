/** Goes on, in the same session, with a turn that was cut off with its process: after a yes, or with the answer that it waited for. */
import { isDeepStrictEqual } from "node:util";
import type {
  ApprovalAnswer,
  ControllerChunk,
  ControllerEvent,
} from "../../operator/controller.ts";
import { type PlayedTurn, questionId, type TurnQuestion } from "./agent-turn.ts";

/** The turn as it was heard before. */
interface CutOff {
  readonly agent: string;
  /** Names its attempt. */
  readonly key: string;
  readonly received: number;
  /** The question that it waited with when it was cut off: nothing that it does was under way. */
  readonly pending: TurnQuestion | undefined;
  /** Has the session go on, told what was answered meanwhile. */
  readonly proceed: (answer: ApprovalAnswer | undefined) => Promise<PlayedTurn>;
}

export class CutOffTurn implements PlayedTurn {
  readonly chunks: AsyncIterable<ControllerChunk>;
  readonly #approvalId: string;
  readonly #answered = Promise.withResolvers<ApprovalAnswer | undefined>();
  #turn: PlayedTurn | undefined;
  /** The words of people from before the session goes on. */
  readonly #words: string[] = [];
  #isInterrupted = false;

  constructor(of: CutOff) {
    const { pending } = of;
    this.#approvalId =
      pending === undefined ? `continue/${of.key}/${of.received}` : questionId(pending);
    this.chunks = pending === undefined ? this.#ask(of) : this.#answerAgain(of, pending);
  }

  answer(answer: ApprovalAnswer): void {
    if (answer.approvalId === this.#approvalId) this.#answered.resolve(answer);
    else this.#turn?.answer(answer);
  }

  async interrupt(reason?: string): Promise<void> {
    this.#isInterrupted = true;
    this.#answered.resolve(undefined);
    await this.#turn?.interrupt(reason);
  }

  steer(text: string): void {
    if (this.#turn === undefined) this.#words.push(text);
    else this.#turn.steer(text);
  }

  async #follow(turn: PlayedTurn): Promise<void> {
    this.#turn = turn;
    for (const text of this.#words.splice(0)) turn.steer(text);
    if (this.#isInterrupted) await turn.interrupt();
  }

  /** The agent asks again what it has asked: that is answered already, and nobody is asked twice. */
  async *#answerAgain({ proceed }: CutOff, pending: TurnQuestion): AsyncGenerator<ControllerChunk> {
    const answer = await this.#answered.promise;
    if (answer === undefined) {
      yield note(LEFT);
      return;
    }
    const turn = await proceed(answer);
    await this.#follow(turn);
    let isOpen = true;
    for await (const { raw, events } of turn.chunks) {
      const passedOn = events.map((event): ControllerEvent => {
        if (!isOpen || !isSameQuestion(event, pending)) return event;
        isOpen = false;
        turn.answer({ ...answer, approvalId: questionId(event) });
        return { kind: "heartbeat", note: "it asks again what was answered" };
      });
      yield { raw, events: passedOn };
    }
  }

  async *#ask({ agent, received, proceed }: CutOff): AsyncGenerator<ControllerChunk> {
    yield note({
      kind: "approval_requested",
      approvalId: this.#approvalId,
      tool: "session.continue",
      input: { received },
      message: `the process of \`${agent}\` ended in the middle of its turn, after ${received} events. Its last call may have taken effect. It would go on in the same session`,
      risk: "high",
    });
    const answer = await this.#answered.promise;
    if (answer?.decision === "approve" && !this.#isInterrupted) {
      const turn = await proceed(undefined);
      await this.#follow(turn);
      yield* turn.chunks;
      return;
    }
    const message = answer?.reason ?? "its turn was cut off, and nobody had it go on";
    const lost = { class: "controller_lost", reason: "cut_off", message } as const;
    yield note(answer === undefined ? LEFT : { kind: "failed", ...lost });
  }
}

const LEFT: ControllerEvent = {
  kind: "failed",
  class: "aborted",
  reason: "interrupted",
  message: "it was interrupted",
};

function isSameQuestion(event: ControllerEvent, asked: TurnQuestion): event is TurnQuestion {
  if (event.kind === "input_requested")
    return asked.kind === event.kind && asked.message === event.message;
  if (event.kind === "recall_requested")
    return asked.kind === event.kind && isDeepStrictEqual(wordsOf(asked), wordsOf(event));
  if (event.kind !== "approval_requested" || asked.kind !== event.kind) return false;
  return asked.tool === event.tool && isDeepStrictEqual(asked.input, event.input);
}

function wordsOf({ memory, query }: TurnQuestion & { readonly kind: "recall_requested" }) {
  return { memory, query };
}

function note(event: ControllerEvent): ControllerChunk {
  return { raw: "", events: [event] };
}
