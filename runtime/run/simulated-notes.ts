/** What people say in a simulation from other processes: kept beside the log, and taken in by whoever drives the run. */
import type { LogRecord } from "../records.ts";
import type { Completion } from "../scheduler/completion.ts";
import { isAborted, isHeard } from "./heard-note.ts";

interface Left {
  readonly number: number;
  readonly at: number;
  readonly completion: Completion;
  /** Whoever took it in has said so. */
  isSettled: boolean;
}

interface Taking {
  records(): readonly LogRecord[];
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

  /** It is stored, whatever becomes of the process that drives the run. */
  leave(completion: (number: number) => Completion): void {
    const number = this.#box.length + 1;
    const left = {
      number,
      at: this.#taking.now(),
      completion: completion(number),
      isSettled: false,
    };
    this.#box.push(left);
    this.#take(left);
  }

  /** Another process drives the run: it takes in what nobody has said to be taken in. */
  takeAll(): void {
    for (const left of this.#box) if (!left.isSettled) this.#take(left);
  }

  /** What the log has of it already is not said again; a process may die before it says that it was taken in. */
  isTaken(completion: Completion): boolean {
    const left = this.#box.find((one) => one.completion === completion || isSame(one, completion));
    if (left === undefined) return false;
    const records = this.#taking.records();
    const isIn =
      left.completion.kind === "steer"
        ? isHeard(records, left.number)
        : isAborted(records, left.at);
    if (isIn && this.#taking.random() < 0.5) left.isSettled = true;
    return isIn;
  }

  /** What was left and came into the log twice. */
  get twice(): readonly string[] {
    const records = this.#taking.records();
    return this.#box.flatMap(({ number, completion }) => {
      if (completion.kind !== "steer") return [];
      const times = records.filter((record) => record.kind === "steer" && record.note === number);
      return times.length > 1 ? [`note ${number} is heard ${times.length} times`] : [];
    });
  }

  #take({ completion }: Left): void {
    const at = this.#taking.now() + this.#taking.random() * 20;
    this.#taking.later({ ...completion, at });
  }
}

function isSame({ number, completion }: Left, other: Completion): boolean {
  if (completion.kind === "steer") return other.kind === "steer" && other.note === number;
  return (
    completion.kind === "control" &&
    other.kind === "control" &&
    other.verb === "abort" &&
    other.reason === completion.reason
  );
}
