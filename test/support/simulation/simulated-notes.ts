/** What people say in a simulation from other processes: kept beside the log, and taken in by whoever drives the run. */
import { innermost, type LogRecord } from "../../../runtime/records/records.ts";
import { isAborted, isHeard } from "../../../runtime/remote/take-note.ts";
import type { Completion } from "../../../runtime/scheduler/completion.ts";
import { openInterrupts } from "../../../runtime/scheduler/interrupts.ts";
import type { Snapshot } from "../../../runtime/scheduler/snapshot/snapshot.ts";

interface Left {
  readonly number: number;
  readonly at: number;
  readonly completion: Completion;
  /** Whoever took it in has said so, or why not. */
  isSettled: boolean;
  /** Whoever drives the run is about to take it in. */
  isOnItsWay: boolean;
}

interface Taking {
  records(): readonly LogRecord[];
  snapshot(): Snapshot;
  now(): number;
  random(): number;
  later(completion: Completion): void;
}

export class SimulatedNotes {
  readonly #box: Left[] = [];
  readonly #taking: Taking;

  constructor(taking: Taking) {
    this.#taking = taking;
  }

  /** Whether it is stored: then it is, whatever becomes of the process that drives the run. */
  leave(noted: (number: number) => Completion): boolean {
    const number = this.#box.length + 1;
    const completion = noted(number);
    // A question is answered once, also while nobody has read the answer.
    const isOne = (one: Left) => !one.isSettled && isOneAnswer(one.completion, completion);
    if (this.#box.some(isOne)) return false;
    const at = this.#taking.now();
    const left = { number, at, completion, isSettled: false, isOnItsWay: false };
    this.#box.push(left);
    this.#take(left);
    return true;
  }

  /** A process has died, and what it was about to take in is left. */
  drop(): void {
    for (const left of this.#box) left.isOnItsWay = false;
  }

  /** The run goes on: whoever drives it takes in what nobody has said to be taken in. */
  takeAll(): void {
    for (const left of this.#box) {
      // Said before somebody had the run go on: that is the later word.
      if (isPause(left.completion)) left.isSettled = true;
      else if (!left.isSettled && !left.isOnItsWay) this.#take(left);
    }
  }

  /** What the log has of it already is not said again; a process may die before it says that it was taken in. */
  isTaken(completion: Completion): boolean {
    const left = this.#of(completion);
    if (left === undefined) return false;
    const isIn = left.isSettled || this.#isIn(left);
    if (isIn && this.#taking.random() < 0.5) left.isSettled = true;
    return isIn;
  }

  isNote(completion: Completion): boolean {
    return this.#of(completion) !== undefined;
  }

  /** Whether it is a note that nobody takes in now, since nobody drives the run. */
  isLeft(completion: Completion): boolean {
    const { status, held } = this.#taking.snapshot();
    const left = this.#of(completion);
    const rests = (status === "paused" && !held) || status === "aborted";
    if (left === undefined || !rests) return false;
    left.isOnItsWay = false;
    return true;
  }

  /** What was left and came into the log twice. */
  get twice(): readonly string[] {
    const records = this.#taking.records();
    return this.#box.flatMap(({ number, completion }) => {
      const times = records.filter((record) => isOf(record, number, completion)).length;
      return times > 1 ? [`note ${number} is heard ${times} times`] : [];
    });
  }

  /** What nobody took in, though the run went on. */
  get lost(): readonly string[] {
    const lost = this.#box.filter(
      (left) => !left.isSettled && !left.isOnItsWay && !this.#isIn(left),
    );
    return lost.map(
      ({ number, completion: { kind } }) => `note ${number}, ${kind}, is never taken in`,
    );
  }

  #isIn({ number, at, completion }: Left): boolean {
    const records = this.#taking.records();
    if (completion.kind === "steer") return isHeard(records, number);
    // Somebody else may have answered, or what asked is no more.
    if (completion.kind === "answer") return !this.#isAsked(completion.interrupt);
    if (isPause(completion)) return records.some((record) => isOf(record, number, completion));
    return isAborted(records, at);
  }

  #isAsked(interrupt: string): boolean {
    const open = openInterrupts(this.#taking.snapshot());
    return open.some(({ question }) => question.interrupt === interrupt);
  }

  #of(completion: Completion): Left | undefined {
    return this.#box.find((one) => one.completion === completion || isSame(one, completion));
  }

  #take(left: Left): void {
    left.isOnItsWay = true;
    const at = this.#taking.now() + this.#taking.random() * 20;
    this.#taking.later({ ...left.completion, at });
  }
}

function isPause(completion: Completion): boolean {
  return completion.kind === "control" && completion.verb === "pause";
}

/** Whether a record is what came of a note. */
function isOf(logged: LogRecord, number: number, completion: Completion): boolean {
  const record = innermost(logged);
  if (completion.kind === "steer") return record.kind === "steer" && record.note === number;
  const isStop = completion.kind === "control" && isPause(completion);
  return isStop && isSame({ number, completion }, record);
}

function isOneAnswer(one: Completion, other: Completion): boolean {
  return one.kind === "answer" && other.kind === "answer" && one.interrupt === other.interrupt;
}

function isSame(
  { number, completion }: Pick<Left, "number" | "completion">,
  other: Completion | ReturnType<typeof innermost>,
): boolean {
  if (completion.kind === "steer") return other.kind === "steer" && other.note === number;
  if (completion.kind === "answer")
    return (
      other.kind === "answer" &&
      other.interrupt === completion.interrupt &&
      other.by === completion.by
    );
  return (
    completion.kind === "control" &&
    other.kind === "control" &&
    other.verb === completion.verb &&
    other.reason === completion.reason
  );
}
