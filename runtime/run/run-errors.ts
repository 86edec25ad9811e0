/** Makes the errors of calls on a run, and those with which runs end. */

import type { Stop } from "../breakpoints/breakpoint-types.ts";
import { CAUSE_MARK, type Failure, RunError } from "../failure.ts";
import { nobodyAnswers } from "../questions/interrupts.ts";
import type { LogRecord } from "../records/records.ts";
import { shortRunId } from "../run-names.ts";
import type { Run } from "./handle.ts";

type KnownNames = Pick<Run, "id" | "status" | "reason" | "failure" | "steps" | "interrupts">;

/** Makes the error with which `output` rejects for a run that did not succeed; `records` go back to its end. */
export function endError(run: KnownNames, records: () => readonly LogRecord[]): RunError {
  const { id: runId, failure, reason } = run;
  if (failure === undefined) {
    return new RunError("M5005", `run \`${shortRunId(runId)}\` was aborted: ${reason}`, {
      hint: `madrigal resume ${shortRunId(runId)}`,
      runId,
    });
  }
  const end = records().findLast((record) => record.kind === "end");
  return new RunError(failure.code, failure.message, {
    hint: failure.hint,
    runId,
    cause: causeOf(failure),
    ...(end?.kind === "end" ? { node: end.node, attempt: end.attempt } : {}),
  });
}

/** The exception of a user's function, as the cause of the run's error. */
function causeOf({ message, stack }: Pick<Failure, "message" | "stack">): Error | undefined {
  if (stack === undefined) return undefined;
  const [own, ...causes] = stack.split(CAUSE_MARK);
  const error = errorOf(message, own ?? "");
  if (causes.length > 0) error.cause = causeOf({ message, stack: causes.join(CAUSE_MARK) });
  return error;
}

function errorOf(message: string, stack: string): Error {
  // The failure's message says more than the exception's, which the stack begins with.
  const [, name, own] = /^([\p{L}_$][\p{L}\p{N}_$.]*): ([\s\S]*?)(?=\n\s+at |$)/u.exec(stack) ?? [];
  const cause = new Error(own ?? message);
  if (name !== undefined) cause.name = name;
  cause.stack = stack;
  return cause;
}

/** Throws M5004 for a run that is over. */
export function assertMoves({ id: runId, status }: KnownNames, verb: string): void {
  const isOver = status === "succeeded" || status === "failed" || status === "aborted";
  if (!isOver) return;
  const resume = status === "succeeded" ? "" : ", or `resume()` to try again what failed";
  throw new RunError(
    "M5004",
    `run \`${shortRunId(runId)}\` has ${status}; there is no next step to ${verb}`,
    {
      hint: `go back with \`back()\` or \`rewind(n)\`${resume}`,
      runId,
    },
  );
}

/** A step that was asked for and did not come. */
export function missedStep(run: KnownNames, stop: Stop, records: readonly LogRecord[]): RunError {
  const { id: runId, status } = run;
  if (stop.kind === "end" && status !== "succeeded") return endError(run, () => records);
  if (stop.kind === "end") {
    return new RunError(
      "M5004",
      `run \`${shortRunId(runId)}\` came to its end without another step`,
      {
        hint: "read its state and output, or go back with `back()` or `rewind(n)`",
        runId,
      },
    );
  }
  if (stop.kind === "interrupt") return nobodyAnswers(runId, run.interrupts, []);
  const why = stop.kind === "pause" ? `: ${stop.reason}` : "";
  return new RunError(
    "M5006",
    `run \`${shortRunId(runId)}\` was paused before its next step${why}`,
    {
      hint: "`step()` goes on",
      runId,
    },
  );
}

/** A rewind to nowhere. */
export function noSuchStep({ id: runId, steps }: KnownNames, step: number): RunError {
  const has = steps.length === 0 ? "no step yet" : `the steps 1 to ${steps.length}`;
  const asked = step === -1 ? "there is nothing to go back to" : `there is no step ${step}`;
  return new RunError("M5007", `${asked}: run \`${shortRunId(runId)}\` has ${has}`, {
    hint: "`run.steps` lists them; `rewind(0)` is the start",
    runId,
  });
}

/** A resume of what is done. */
export function nothingToResume({ id: runId }: KnownNames): RunError {
  return new RunError(
    "M5004",
    `run \`${shortRunId(runId)}\` has succeeded; there is nothing to resume`,
    {
      hint: "start a new run, or fork this one",
      runId,
    },
  );
}

/** The error for a record that the log can't have before it has the program that the run was opened with. */
export function otherProgramFirst({ id: runId }: KnownNames): RunError {
  return new RunError(
    "M5316",
    `run \`${shortRunId(runId)}\` is to go on with another program, and has not yet`,
    {
      hint: "call `resume()` or `step()` first, or open the run without that program",
      runId,
    },
  );
}

/** The error that lists why a run can't continue with a program of another shape. */
export function otherShape(
  { runId, graph }: { readonly runId: string; readonly graph: string },
  lines: readonly string[],
): RunError {
  const shown = lines.slice(0, DIFFERENCES_SHOWN);
  const more = lines.length - shown.length;
  const what = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return new RunError(
    "M5302",
    `run \`${shortRunId(runId)}\` can't go on with \`${graph}\` as it is now`,
    {
      hint: `what keeps it from that: ${what}; put that back, say what something is called now (\`--map old=new\`) or that a node is to go (\`--drop NODE\`), or start a new run`,
      runId,
    },
  );
}

const DIFFERENCES_SHOWN = 8;

/** An edit of what is done. */
export function nothingToEdit({ id: runId }: KnownNames): RunError {
  return new RunError(
    "M5004",
    `run \`${shortRunId(runId)}\` has succeeded; its state stays as it is`,
    {
      hint: "go back with `back()` or `rewind(n)`, and edit it there",
      runId,
    },
  );
}

/** Only who drives a run stops it. */
export function drivenElsewhere({ id: runId }: KnownNames, verb = "pause"): RunError {
  return new RunError(
    "M5105",
    `run \`${shortRunId(runId)}\` is driven by another process, which alone can ${verb} it`,
    {
      hint: "stop that process, or wait for its end: `await run.output`",
      runId,
    },
  );
}

/** The end of a run that nobody brings about. */
export function lostProcess({ id: runId }: KnownNames): RunError {
  return new RunError("M5105", `the process that drove run \`${shortRunId(runId)}\` is gone`, {
    hint: `its stored steps are kept: \`await runs.open("${shortRunId(runId)}").resume()\` continues from there`,
    runId,
  });
}

/** A run whose process died before its first flush. */
export function nothingStored({ id: runId }: KnownNames): RunError {
  return new RunError(
    "M5004",
    `nothing of run \`${shortRunId(runId)}\` was stored before its process died`,
    {
      hint: "start it again, as a new run",
      runId,
    },
  );
}
