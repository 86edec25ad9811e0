/** While a run is under way, nothing that its TypeScript does to this process ends it without a word. */
import type { Ir } from "../../dsl/index.ts";
import { messageOf, type Session } from "../../runtime/index.ts";
import { EXIT } from "./exit-codes.ts";
import { type Fault, faultJson, faultText } from "./fault.ts";
import { paintFor, printJson, tell } from "./output.ts";
import { type Mode, resumeCommand } from "./report-run.ts";
import type { KnownRun } from "./run-facts.ts";
import { runJson } from "./run-json.ts";
import { type StrayKind, takeStrays } from "./stray-errors.ts";

export interface Guarded {
  readonly session: Session;
  readonly run: KnownRun;
  readonly ir: Ir;
  readonly mode: Mode;
}

export interface RunGuard {
  /** Whether the run was stopped because the process may be broken. */
  readonly isBroken: () => boolean;
  readonly release: () => void;
}

export function guardRun(guarded: Guarded): RunGuard {
  const { run } = guarded;
  let isBroken = false;
  const releaseStrays = takeStrays((thrown, kind) => {
    tell(strayText(thrown, kind));
    if (kind === "unhandledRejection" || isBroken) return;
    isBroken = true;
    // Its failure is that of the run, which whoever follows it is told.
    run.pause({ now: true, reason: kind }).catch(() => {});
  });
  const onExit = (code: number) => tellExit(guarded, code);
  process.on("exit", onExit);
  return {
    isBroken: () => isBroken,
    release() {
      process.off("exit", onExit);
      releaseStrays();
    },
  };
}

// A promise that was let go breaks nothing; after an exception, nobody knows what was left half done.
function strayText(thrown: unknown, kind: StrayKind): string {
  const isHarmless = kind === "unhandledRejection";
  const stack = thrown instanceof Error ? (thrown.stack ?? "").split("\n").slice(1) : [];
  const [word, what] = isHarmless
    ? (["warning", "goes on"] as const)
    : (["error", "is paused"] as const);
  return [
    `${paintFor(process.stderr)(word, `${word}[M7206]`)}: ${messageOf(thrown)}, thrown where nobody waited for it; the run ${what}`,
    ...stack,
    "  hint: await what you start, or catch its errors",
  ].join("\n");
}

/** The last word of a process that was ended from inside; everything here must happen at once. */
function tellExit({ session, run, ir, mode }: Guarded, code: number): void {
  const fault: Fault = {
    code: "M7207",
    message: `something called process.exit(${code}) while run \`${run.id}\` was under way`,
    hint: `throw an error instead; what was done is kept, to go on: ${resumeCommand(run.id)}`,
    exitCode: EXIT.wrong,
  };
  if (mode === "json") printJson({ ...runJson(run, ir), error: faultJson(fault) });
  tell(faultText(fault, paintFor(process.stderr)));
  process.exitCode = fault.exitCode;
  session.store.close();
}
