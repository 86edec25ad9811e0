/** Serves a rerun from a recorded run: equal attempts, answers to equal questions, results of equal calls. */
import type { CallFunction } from "../agents/functions/call-function.ts";
import type { Attempt } from "../performer.ts";
import type { ServedFrom } from "../records/call-records.ts";
import type { Judged } from "../records/directions.ts";
import { innermost, type LoggedCall, type LogRecord } from "../records/records.ts";
import { type Located, labelOf, nodeRunPlace } from "../scheduler/called-snapshots.ts";
import { type FunctionCall, keyOf, NOW, RECALL } from "../scheduler/expressions/calls.ts";
import { isJsonEqual } from "../state/json.ts";
import type { RerunOf } from "../store/run-store.ts";
import { codeName } from "./code.ts";
import { type AttemptContent, type ContentScope, contentOf, judgingOf } from "./content.ts";
import type { RecordedAttempt, RecordedRun } from "./recorded-types.ts";

export interface ServingParts {
  readonly recorded: RecordedRun;
  readonly of: RerunOf;
  /** Returns the surroundings of the new run; models are resolved when the first attempt asks. */
  readonly around: () => ContentScope;
  /** The records of the new run so far, where it goes on. */
  readonly past: readonly LogRecord[];
}

/** An attempt of the recorded run, in the place of one that would be performed. */
export interface Served {
  readonly from: ServedFrom;
  readonly attempt: RecordedAttempt & { readonly end: NonNullable<RecordedAttempt["end"]> };
}

/** The recorded work of an attempt; `undefined` to perform it, `"open"` to leave it open in a plan. */
export type ServingChoice = Served | "open" | undefined;

export class Serving {
  readonly recorded: RecordedRun;
  readonly #parts: ServingParts;
  readonly #byKey: ReadonlyMap<string, readonly RecordedAttempt[]>;
  readonly #used = new Set<RecordedAttempt>();
  #around: ContentScope | undefined;

  constructor(parts: ServingParts) {
    const { recorded, past } = parts;
    this.#parts = parts;
    this.recorded = recorded;
    this.#byKey = Map.groupBy(recorded.attempts, ({ content }) => content.key);
    for (const record of past) {
      const made = innermost(record);
      const served = "served" in made ? made.served : undefined;
      const used = served && this.#recordedAt(served);
      if (used !== undefined) this.#used.add(used);
    }
  }

  /**
   * Chooses the recorded attempt that serves an attempt; `before` is the one that served it already, in a process that
   * is gone.
   */
  find(given: Attempt, located: Located, before?: ServedFrom): ServingChoice {
    // A person wants it again.
    if (located.run.reason === "resume" && located.run.attempt > 1) return undefined;
    if (this.isAnew(given.node.name)) return undefined;
    const { key } = this.contentOf(given);
    const begun = before && this.#recordedAt(before);
    const isFree = (one: RecordedAttempt) => !this.#used.has(one) && this.#isServed(one);
    const alike = this.#byKey.get(key) ?? [];
    const free = begun !== undefined && alike.includes(begun) ? [begun] : alike.filter(isFree);
    const { place, label } = this.nameOf(located);
    const found =
      free.find((one) => one.place === place) ?? free.find((one) => one.label === label) ?? free[0];
    return this.take(found);
  }

  /** From here on nobody else is served it. */
  take(one: RecordedAttempt | undefined): Served | undefined {
    if (one?.end === undefined) return undefined;
    this.#used.add(one);
    const { id, attempt, step, end } = one;
    const { runId } = this.recorded.meta;
    const of = { runId, nodeRun: id, attempt };
    return { from: step === undefined ? of : { ...of, step }, attempt: { ...one, end: end } };
  }

  /** Finds the recorded attempt at the same position, whatever its input was. */
  counterpart(located: Located): RecordedAttempt | undefined {
    const { place, label } = this.nameOf(located);
    const name = located.program.nodes[located.run.node]?.ir.name;
    const own = this.recorded.attempts.filter(
      ({ content, end }) =>
        end !== undefined &&
        content.node.name === name &&
        content.graph === located.program.ir.name,
    );
    const free = own.filter((one) => !this.#used.has(one));
    return (
      free.find((one) => one.place === place) ??
      free.find((one) => one.label === label) ??
      own.find((one) => one.label === label)
    );
  }

  /** A node run's lasting name in its run, and its name for people. */
  nameOf(located: Located): { readonly place: string; readonly label: string } {
    return { place: nodeRunPlace(located), label: labelOf(located) };
  }

  contentOf(given: Attempt): AttemptContent {
    this.#around ??= this.#parts.around();
    return contentOf(given, this.#around);
  }

  /** Tells whether a node is to be performed whatever is recorded of it. */
  isAnew(node: string): boolean {
    return this.#parts.of.anew?.includes(node) === true;
  }

  /** Tells whether what it called outside forbids that it is served. */
  isOutside({ calls }: RecordedAttempt): boolean {
    return (
      this.#parts.of.external === "anew" && calls.some(({ intent }) => intent.external === true)
    );
  }

  /** Finds the recorded verdicts on the same output by the same questions. */
  verdictOf({ node, ir }: Attempt, output: unknown): Judged | undefined {
    const judging = judgingOf(node);
    const found = this.recorded.verdicts.find(
      (one) =>
        one.graph === ir.name &&
        one.node === node.name &&
        one.judging === judging &&
        isJsonEqual(one.output, output ?? null),
    );
    return found?.judged;
  }

  /** Makes calls in expressions, but for those that were made before, by the same code. */
  calling(make: CallFunction): CallFunction {
    return async (call, cancellation) => {
      const known = this.recorded.functions.get(keyOf(call));
      const isKnown = known !== undefined && this.#isSameCode(call);
      return isKnown ? known : await make(call, cancellation);
    };
  }

  /** The time that an attempt at this place was told, and what it recalled. */
  viewed(place: string, call: FunctionCall): LoggedCall | undefined {
    if (call.name !== NOW && call.name !== RECALL) return undefined;
    const one = this.recorded.attempts.find((attempt) => attempt.place === place);
    const values = one?.calls
      .filter(({ intent }) => intent.name === call.name)
      .map(({ outcome }) => outcome?.value as LoggedCall | undefined);
    return values?.find((value) => value?.key === keyOf(call));
  }

  #isSameCode({ name, file }: FunctionCall): boolean {
    this.#around ??= this.#parts.around();
    const { code, file: own } = this.#around;
    const [first = name] = name.split(".");
    const names = [name, first].map((one) => codeName(one, { file, own }));
    const found = names.find((one) => code[one] !== undefined);
    return found !== undefined && code[found] === this.recorded.code[found];
  }

  #isServed(one: RecordedAttempt): boolean {
    return one.end !== undefined && !this.isOutside(one);
  }

  #recordedAt({ runId, nodeRun, attempt }: ServedFrom): RecordedAttempt | undefined {
    if (runId !== this.recorded.meta.runId) return undefined;
    return this.recorded.attempts.find((one) => one.id === nodeRun && one.attempt === attempt);
  }
}
