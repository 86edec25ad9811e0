/** Reuses answers that somebody gave for a whole thread, when a later run asks the same question. */
import type { Answer } from "../interrupt.ts";
import { innermost, type LogRecord } from "../records/records.ts";
import { rememberKey } from "../scheduler/interrupts.ts";
import type { OpenInterrupt } from "../scheduler/snapshot/snapshot.ts";
import type { RunMeta } from "../store/run-store.ts";
import type { Answerer } from "./auto-answers.ts";

/** Looks once, when the run first asks. */
export function threadAnswers(
  { runId, threadId }: RunMeta,
  earlier: () => readonly (readonly LogRecord[])[],
): Answerer {
  let known: ReadonlyMap<string, Answer> | undefined;
  return async ({ node, kind, limit, tool, about }) => {
    // A run that was started without a thread is alone in its own; whether one call happened says nothing of another.
    if (threadId === runId || kind === "doubt") return undefined;
    known ??= answersIn(earlier());
    const answer = known.get(
      rememberKey({
        node,
        ask: kind,
        ...(limit === undefined ? {} : { limit }),
        ...(tool === undefined ? {} : { tool }),
        ...(about === undefined ? {} : { about }),
      }),
    );
    return answer === undefined ? undefined : { answer, from: "policy", by: "thread" };
  };
}

/** The last word on each question counts. */
function answersIn(logs: readonly (readonly LogRecord[])[]): ReadonlyMap<string, Answer> {
  const found = logs.flatMap(saidIn);
  return new Map(found.sort((a, b) => a.at - b.at).map(({ key, answer }) => [key, answer]));
}

interface SaidOnce {
  readonly key: string;
  readonly answer: Answer;
  readonly at: number;
}

function saidIn(records: readonly LogRecord[]): readonly SaidOnce[] {
  const asked = new Map<string, Omit<OpenInterrupt, "kind">>();
  return records.flatMap((record): readonly SaidOnce[] => {
    const made = innermost(record);
    if (made.kind === "interrupt") asked.set(made.interrupt, made);
    if (made.kind !== "answer" || made.answer.remember !== "thread") return [];
    const question = asked.get(made.interrupt);
    return question === undefined
      ? []
      : [{ key: rememberKey(question), answer: made.answer, at: record.at }];
  });
}
