/** Reads what a person says to a run, and checks it against where the run stands. */
import { filesIn } from "../questions/given-files.ts";
import { interruptsOf, misfitOfSaid, nothingAsked, unfitting } from "../questions/interrupts.ts";
import type { Completion } from "../scheduler/completion.ts";
import { openInterrupts } from "../scheduler/interrupts.ts";
import type { SayMessage } from "./messages.ts";
import type { LoadedRun } from "./run-state.ts";

/** Throws M5310 for an answer that nobody waits for, M5311 for one that does not fit. */
export function completionOf(run: LoadedRun, message: SayMessage, at: number): Completion {
  switch (message.verb) {
    case "answer":
      return answerTo(run, message, at);
    case "steer": {
      const { text, to } = message;
      return { kind: "steer", text, at, ...(to === undefined ? {} : { to }) };
    }
    case "resume":
      return { kind: "control", verb: "resume", owner: "restate", at };
    default: {
      const { verb, reason } = message;
      return { kind: "control", verb, at, ...(reason === undefined ? {} : { reason }) };
    }
  }
}

function answerTo(
  { facts, program, snapshot }: LoadedRun,
  { interrupt: asked, answer, by }: SayMessage & { readonly verb: "answer" },
  at: number,
): Completion {
  const { runId } = facts.meta;
  const open = interruptsOf(runId, program, snapshot);
  const interrupt = open.find(({ id }) => id === asked);
  const place = openInterrupts(snapshot).find(({ question }) => question.interrupt === asked);
  if (interrupt === undefined || place === undefined) throw nothingAsked(runId, asked, open);
  // Nobody here has the bytes that a reference names.
  const [file] = answer.kind === "value" ? filesIn(answer.value, interrupt.schema) : [];
  const misfit =
    file === undefined ? misfitOfSaid(interrupt, answer) : "a run on Restate takes no files";
  if (misfit !== undefined) throw unfitting(runId, interrupt, misfit);
  const { question, home } = place;
  return {
    kind: "answer",
    id: question.id,
    ...(home === undefined ? {} : { sub: home }),
    interrupt: asked,
    answer,
    from: "person",
    ...(by === undefined ? {} : { by }),
    at,
  };
}
