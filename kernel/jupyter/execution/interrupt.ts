/**
 * Stops what is under way, whatever the main thread does: `cancel` for cells that await, SIGINT for a synchronous part,
 * and termination from the outside for a loop after an await; again until the main thread says that it has cancelled.
 */
import type { CellRequest } from "../link.ts";
import { Cancelled, Phase, Pulse } from "../link.ts";
import { canTerminate } from "./terminate-main.ts";

export interface InterruptParts {
  readonly pulse: Int32Array;
  /** The cells that the main thread has: one, unless there are subshells. */
  readonly running: () => readonly CellRequest[];
  /** Returns whether a cell has run: before that, a main thread that does not answer is loading. */
  readonly hasBegun: () => boolean;
  /** Also while the gate is shut. */
  readonly postCancel: (isTerminated: boolean) => void;
  /** Ends the question that the main thread blocks on. */
  readonly endQuestion: () => void;
  /** Says in the cell why it can't be stopped. */
  readonly explain: (cell: CellRequest, text: string) => void;
  readonly sendSigint?: () => void;
  /** Ends what the main thread executes, and resolves when something was ended. */
  readonly terminate: () => Promise<void>;
  /** Sends nothing else to the main thread until `work` is over. */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  readonly isTerminationSafe?: boolean;
}

// A main thread that awaits acknowledges within one turn; what takes longer blocks it.
const ANSWER_MS = 150;
// Nothing of a cell is under way: what blocks is a timer of one that is over, or our own work, which may end by itself.
// Or SIGINT was sent, which stops all but code that catches it in a script of its own. Or it was terminated and is winding up.
const PATIENT_ANSWER_MS = 2000;

const STUCK = `madrigal: this cell is in a loop after an \`await\`, which can't be stopped in a process that was started
without --no-force-async-hooks-checks. Restart the kernel. \`madrigal install\` writes a kernel that is started with it.
`;

export class CellInterrupt {
  readonly #parts: Required<InterruptParts>;
  #underWay: Promise<void> | undefined;
  #abandoned = false;

  constructor(parts: InterruptParts) {
    this.#parts = {
      sendSigint: () => void process.kill(process.pid, "SIGINT"),
      isTerminationSafe: canTerminate(),
      ...parts,
    };
  }

  /** Resolves when the cells are over or cancelled, or can't be; a second call joins the first. */
  stop(): Promise<void> {
    this.#underWay ??= this.#stop().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  /** The kernel is over: nobody answers any more. */
  abandon(): void {
    this.#abandoned = true;
  }

  async #stop(): Promise<void> {
    const { pulse, postCancel, running, isTerminationSafe } = this.#parts;
    const cells = running();
    Atomics.store(pulse, Pulse.cancelled, Cancelled.asked);
    postCancel(false);
    for (let isTerminated = false; ; ) {
      const phase = this.#press();
      const isQuick = phase === Phase.awaiting && !isTerminated;
      await this.#answered(isQuick ? ANSWER_MS : PATIENT_ANSWER_MS);
      if (this.#isOver(cells)) return;
      if (isInterruptible(phase) || !this.#parts.hasBegun()) continue;
      if (!isTerminationSafe) return this.#giveUp(cells);
      // The main thread had its time to answer; between two phases it gets the time once more.
      if (Atomics.load(pulse, Pulse.phase) !== phase) continue;
      isTerminated = await this.#terminate(cells);
    }
  }

  /**
   * Terminates what the main thread executes, unless it has acknowledged by now; returns whether it
   * did.
   */
  async #terminate(cells: readonly CellRequest[]): Promise<boolean> {
    const { pulse, alone, terminate, postCancel } = this.#parts;
    const { asked, terminating } = Cancelled;
    // From here on the main thread acknowledges nothing before it was terminated.
    const found = Atomics.compareExchange(pulse, Pulse.cancelled, asked, terminating);
    if (found !== asked) return false;
    await alone(async () => {
      await terminate();
      Atomics.store(pulse, Pulse.cancelled, asked);
      Atomics.notify(pulse, Pulse.cancelled);
      // The first may be what was ended.
      if (!this.#isOver(cells)) postCancel(true);
    });
    return true;
  }

  /** The phase that it found. */
  #press(): number {
    const { pulse, sendSigint, endQuestion } = this.#parts;
    // From here on the main thread does not leave its synchronous part before it has the signal.
    const phase = isSigintSafe
      ? Atomics.compareExchange(pulse, Pulse.phase, Phase.synchronous, Phase.interrupting)
      : Atomics.load(pulse, Pulse.phase);
    if (isInterruptible(phase)) sendSigint();
    else endQuestion();
    return phase;
  }

  async #answered(timeoutMs: number): Promise<void> {
    await Atomics.waitAsync(this.#parts.pulse, Pulse.cancelled, Cancelled.asked, timeoutMs).value;
  }

  #isOver(cells: readonly CellRequest[]): boolean {
    const isAcknowledged =
      Atomics.load(this.#parts.pulse, Pulse.cancelled) === Cancelled.acknowledged;
    const running = this.#parts.running();
    const areGone =
      cells.length === 0 ? running.length > 0 : !cells.some((cell) => running.includes(cell));
    return isAcknowledged || this.#abandoned || areGone;
  }

  #giveUp(cells: readonly CellRequest[]): void {
    for (const cell of cells) this.#parts.explain(cell, STUCK);
  }
}

/** On Windows a SIGINT sent by a process ends it. */
const isSigintSafe = process.platform !== "win32";

function isInterruptible(phase: number): boolean {
  return isSigintSafe && (phase === Phase.synchronous || phase === Phase.interrupting);
}
