/** Reports a run whose TypeScript ends the process or throws outside of every call. */
import type { Ir } from "../../../dsl/index.ts";
import { type Session, shortRunId } from "../../../runtime/index.ts";
import { EXIT } from "../../exit-codes.ts";
import { messageOf } from "../../message-of.ts";
import { type StrayKind, takeStrays } from "../../stray-errors.ts";
import { type CommandFault, faultJson, faultText } from "../fault.ts";
import { paintFor, printJson, tell } from "../output.ts";
import { type Mode, resumeCommand } from "./report-run.ts";
import type { KnownRun } from "./run-facts.ts";
import { runJson } from "./run-json.ts";

export interface Guarded {
  readonly session: Session;
  readonly run: KnownRun;
  readonly ir: Ir;
  readonly mode: Mode;
}

export interface RunGuard {
  /** Returns the error that stopped the run: after it, the process may be in a broken state. */
  readonly broken: () => CommandFault | undefined;
  readonly release: () => void;
}

export function guardRun(guarded: Guarded): RunGuard {
  const { run } = guarded;
  let broken: CommandFault | undefined;
  const releaseStrays = takeStrays((thrown, kind) => {
    const fault = strayFault(thrown, kind);
    tell(strayText(fault, kind));
    if (kind === "unhandledRejection" || broken !== undefined) return;
    broken = fault;
    // A failure here is the run's own, which its follower reports.
    run.pause({ now: true, reason: kind }).catch(() => {});
  });
  const onExit = (code: number) => tellExit(guarded, code);
  process.on("exit", onExit);
  return {
    broken: () => broken,
    release() {
      process.off("exit", onExit);
      releaseStrays();
    },
  };
}

// An unhandled rejection breaks nothing; an uncaught exception may have left work half done.
function strayFault(thrown: unknown, kind: StrayKind): CommandFault {
  const what = kind === "unhandledRejection" ? "goes on" : "is paused";
  return {
    code: "M7206",
    message: `${messageOf(thrown)}, thrown in code that was not awaited; the run ${what}`,
    hint: "await what you start, or catch its errors",
    exitCode: EXIT.wrong,
    stack: thrown instanceof Error ? thrown.stack : undefined,
  };
}

function strayText({ code, message, hint, stack = "" }: CommandFault, kind: StrayKind): string {
  const word = kind === "unhandledRejection" ? "warning" : "error";
  return [
    `${paintFor(process.stderr)(word, `${word}[${code}]`)}: ${message}`,
    ...stack.split("\n").slice(1),
    `  hint: ${hint}`,
  ].join("\n");
}

/** The last word of a process that was ended from inside; everything here must happen at once. */
function tellExit({ session, run, ir, mode }: Guarded, code: number): void {
  const fault: CommandFault = {
    code: "M7207",
    message: `something called process.exit(${code}) while run \`${shortRunId(run.id)}\` was under way`,
    hint: `throw an error instead; what the run did is stored, continue it with: ${resumeCommand(run.id)}`,
    exitCode: EXIT.wrong,
  };
  if (mode === "json") printJson({ ...runJson(run, ir), error: faultJson(fault) });
  tell(faultText(fault, paintFor(process.stderr)));
  process.exitCode = fault.exitCode;
  session.store.close();
}
