/** Asks the person at the notebook what a run waits for, while the cell waits for that run. */
import { type DrivenRun, type Interrupt, RunError } from "../../../runtime/index.ts";
import { visibleLine } from "../../display/visible.ts";
import { answerForms } from "../../read-answer.ts";
import type { Cell } from "../cell.ts";
import { answerBy, answeredIn } from "./answer-by.ts";
import { aboutText, answeredText } from "./question-bundle.ts";
import { hasForm } from "./run-questions.ts";

/** Asks, and goes on: resolves with nothing where nobody answers, or `signal` took the question back. */
export type AskLater = (prompt: string, signal: AbortSignal) => Promise<string | undefined>;

type QuestionOutput = Record<string, unknown>;

/**
 * The output of a run that the cell waits for. A run that nobody answers would end that wait: here, a person is asked
 * first. `outputNow` is what the run itself promises.
 */
export async function answeredOutput(
  run: DrivenRun,
  outputNow: () => Promise<QuestionOutput>,
  { cell, ask }: { readonly cell: Cell; readonly ask: AskLater },
): Promise<QuestionOutput> {
  let last: Promise<QuestionOutput> | undefined;
  for (;;) {
    const promised = outputNow();
    try {
      return await promised;
    } catch (thrown) {
      // The same promise again: what was answered changed nothing for those who wait.
      if (!isUnanswered(thrown) || promised === last || cell.signal.aborted) throw thrown;
      last = promised;
      const [first] = run.interrupts;
      if (first !== undefined && !(await askOnce(first, { run, cell, ask }))) throw thrown;
    }
  }
}

function isUnanswered(thrown: unknown): boolean {
  return thrown instanceof RunError && thrown.code === "M5301";
}

interface PersonAsking {
  readonly run: DrivenRun;
  readonly cell: Cell;
  readonly ask: AskLater;
}

/** Several may wait for one run: its question is asked once. */
const asking = new WeakMap<DrivenRun, Promise<boolean>>();

function askOnce(interrupt: Interrupt, of: PersonAsking): Promise<boolean> {
  const pending = asking.get(of.run);
  if (pending !== undefined) return pending;
  const asked = askOne(interrupt, of).finally(() => asking.delete(of.run));
  asking.set(of.run, asked);
  return asked;
}

/**
 * Asks until the question is closed, by any answer. Returns false if nobody answers, and the
 * question stays open.
 */
async function askOne(interrupt: Interrupt, { run, cell, ask }: PersonAsking): Promise<boolean> {
  const closed = closedSignal(run, interrupt);
  const signal = AbortSignal.any([closed.signal, cell.signal]);
  const { node, question } = interrupt;
  // Above the box for the answer, unless a form says it: a front end may show only one line of what is asked.
  const isForm = hasForm(run, interrupt);
  if (!isForm) cell.write("stdout", aboutText(interrupt, run));
  const prompt = `${visibleLine(`${node}: ${question}`)} [${answerForms(interrupt)}] `;
  try {
    for (;;) {
      const given = await ask(prompt, signal);
      if (closed.signal.aborted) {
        // A form says itself who answered, also by the form.
        const words = closed.ending ?? "is not asked any more";
        if (!isForm) cell.write("stdout", `(\`${visibleLine(node)}\` ${words})\n`);
        return true;
      }
      if (given === undefined) return false;
      if (await acceptAnswer(given, interrupt, { run, cell })) return true;
    }
  } finally {
    closed.release();
  }
}

/** Aborted once the run does not wait for this answer any more, whoever gave it. */
function closedSignal(run: DrivenRun, { id }: Interrupt) {
  const closed = new AbortController();
  const answers: string[] = [];
  const look = () => {
    if (!run.interrupts.some((open) => open.id === id)) closed.abort();
  };
  let isReplaying = true;
  const subscription = run.events$.subscribe((event) => {
    if (event.kind === "interrupt.answered" && event.interrupt === id)
      answers.push(`was ${answeredText(event, run, answeredIn(run, id))}`);
    if (!isReplaying && CLOSING.has(event.kind)) look();
  });
  isReplaying = false;
  look();
  return {
    signal: closed.signal,
    /** The answer with its giver, once there is one. */
    get ending() {
      return answers.at(-1);
    },
    release: () => subscription.unsubscribe(),
  };
}

const CLOSING: ReadonlySet<string> = new Set([
  "interrupt.answered",
  "attempt.finished",
  "run.rewound",
  "run.finished",
]);

/** Returns whether the run accepted the typed text; writes the reason to stderr if not. */
async function acceptAnswer(
  given: string,
  interrupt: Interrupt,
  { run, cell }: Pick<PersonAsking, "run" | "cell">,
): Promise<boolean> {
  const fault = await answerBy(given, interrupt, { run, where: "box" });
  if (fault !== undefined) cell.write("stderr", `${fault}\n`);
  return fault === undefined;
}
