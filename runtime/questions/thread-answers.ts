/** Finds the answers that somebody gave for a whole thread, and reuses them when a later run asks the same question. */
import type { Answer } from "../interrupt.ts";
import { innermost, type LogRecord } from "../records/records.ts";
import { rememberKey } from "../scheduler/interrupts.ts";
import type { OpenInterrupt } from "../scheduler/snapshot/snapshot.ts";
import type { KeptField, KeptOwner, RunMeta } from "../store/run-store.ts";
import type { Answerer } from "./auto-answers.ts";

/** The store of the earlier runs of a thread, and of when somebody took back an answer that it remembers. */
export interface RememberingPlace {
  earlier(meta: RunMeta): readonly (readonly LogRecord[])[];
  readonly kept: { kept(of: KeptOwner): readonly KeptField[] };
}

/** Looks once, when the run first asks. */
export function threadAnswers(meta: RunMeta, place: RememberingPlace): Answerer {
  const { runId, threadId, graph } = meta;
  let known: ReadonlyMap<string, Answer> | undefined;
  return async ({ node, kind, limit, tool, about, to, among }) => {
    // A run that was started without a thread is alone in its own; whether one call happened says nothing of another.
    if (threadId === runId || kind === "doubt") return undefined;
    known ??= answersIn(
      place.earlier(meta),
      graph,
      place.kept.kept({ scope: "answer", owner: threadId }),
    );
    const answer = known.get(
      rememberKey({
        node,
        ask: kind,
        ...(limit === undefined ? {} : { limit }),
        ...(tool === undefined ? {} : { tool }),
        ...(about === undefined ? {} : { about }),
        ...(to === undefined ? {} : { to }),
        ...(among === undefined ? {} : { among }),
      }),
    );
    return answer === undefined ? undefined : { answer, from: "policy", by: "thread" };
  };
}

/** The last word on each question counts. */
function answersIn(
  logs: readonly (readonly LogRecord[])[],
  graph: string,
  takenBack: readonly KeptField[],
): ReadonlyMap<string, Answer> {
  const found = logs
    .flatMap(rememberedIn)
    .filter((one) => !isTakenBack({ ...one, graph }, takenBack));
  return new Map(found.sort((a, b) => a.at - b.at).map(({ key, answer }) => [key, answer]));
}

/** An answer for a whole thread, as the log of a run has it. */
interface Remembered {
  readonly key: string;
  readonly question: Omit<OpenInterrupt, "kind">;
  readonly answer: Answer;
  readonly by?: string;
  /** True where it is one of an earlier run, which this one was given. */
  readonly isServed: boolean;
  readonly at: number;
}

/** The answers of one run that hold in the later runs of its thread. */
export function rememberedIn(records: readonly LogRecord[]): readonly Remembered[] {
  const asked = new Map<string, Omit<OpenInterrupt, "kind">>();
  return records.flatMap((record): readonly Remembered[] => {
    const made = innermost(record);
    if (made.kind === "interrupt") asked.set(made.interrupt, made);
    if (made.kind !== "answer" || made.answer.remember !== "thread") return [];
    const question = asked.get(made.interrupt);
    if (question === undefined) return [];
    const { answer, by, from } = made;
    const isServed = from === "policy";
    const who = isServed || by === undefined ? {} : { by };
    return [{ key: rememberKey(question), question, answer, ...who, isServed, at: record.at }];
  });
}

/** Tells whether an answer was taken back after it was given; a run that began before that may have been served it since. */
export function isTakenBack(
  {
    key,
    graph,
    at,
    isServed,
  }: Omit<Remembered, "question" | "answer"> & { readonly graph: string },
  takenBack: readonly KeptField[],
): boolean {
  return takenBack.some(
    (one) => one.field === key && one.graph === graph && (isServed || Number(one.value) >= at),
  );
}
