/** Asks whether a turn that was cut off with its process goes on in the same session, and plays what follows from the answer. */
import type {
  ApprovalAnswer,
  ControllerChunk,
  ControllerEvent,
} from "../../operator/controller.ts";
import type { PlayedTurn } from "./agent-turn.ts";

/** The turn as it was heard before. */
interface CutOff {
  readonly agent: string;
  /** Names its attempt. */
  readonly key: string;
  readonly received: number;
  /** Has the session go on. */
  readonly proceed: () => Promise<PlayedTurn>;
}

export class CutOffTurn implements PlayedTurn {
  readonly chunks: AsyncIterable<ControllerChunk>;
  readonly #approvalId: string;
  readonly #answered = Promise.withResolvers<ApprovalAnswer | undefined>();
  #turn: PlayedTurn | undefined;
  #isInterrupted = false;

  constructor(of: CutOff) {
    this.#approvalId = `continue/${of.key}/${of.received}`;
    this.chunks = this.#play(of);
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
    this.#turn?.steer(text);
  }

  async *#play({ agent, received, proceed }: CutOff): AsyncGenerator<ControllerChunk> {
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
      this.#turn = await proceed();
      if (this.#isInterrupted) await this.#turn.interrupt();
      yield* this.#turn.chunks;
      return;
    }
    const left = {
      class: "aborted",
      reason: "interrupted",
      message: "it was interrupted",
    } as const;
    const message = answer?.reason ?? "its turn was cut off, and nobody had it go on";
    const lost = { class: "controller_lost", reason: "cut_off", message } as const;
    yield note({ kind: "failed", ...(answer === undefined ? left : lost) });
  }
}

function note(event: ControllerEvent): ControllerChunk {
  return { raw: "", events: [event] };
}
