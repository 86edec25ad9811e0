/** Applies the options with which a run starts or goes on: answers, breakpoints, an abort signal, models. */
import { resolve } from "node:path";
import type { Ir } from "../../dsl/index.ts";
import { systemClock } from "../clock.ts";
import { type Answerer, scriptedAnswers } from "../questions/auto-answers.ts";
import type { RunMeta } from "../store/run-store.ts";
import type { DrivenRun } from "./driven-run.ts";
import type { GraphOrigin, RunOptions } from "./run-options.ts";

/** The automatic answers that the options give. */
export function answersIn({ answers }: RunOptions): readonly Answerer[] {
  return answers === undefined ? [] : [scriptedAnswers(answers)];
}

/** Sets the breakpoints that the options give. */
export function setBreakpoints(
  run: DrivenRun,
  { breakpoints = [], breaks = true }: RunOptions,
): void {
  if (!breaks) run.goPastBreaks();
  for (const breakpoint of breakpoints) run.setBreakpoint(breakpoint);
}

/** Aborts a run when a signal is aborted, for as long as it is under way. */
export function abortWith(run: DrivenRun, signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  const abort = () => void run.abort("signal").catch(() => {});
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  const forget = () => signal.removeEventListener("abort", abort);
  // A run that waits continues when it is answered, and can still be aborted then.
  run.events$.subscribe({ complete: forget });
}

/**
 * The models of a stored run, by alias, with those of this call before them: `surfer` is that alias of every graph, `Team.surfer` of one
 * alone. Models that were objects can't be found again by their id.
 */
export function modelsToGoOnWith(
  meta: Pick<RunMeta, "models">,
  { models: given = {} }: Pick<RunOptions, "models"> = {},
): NonNullable<RunOptions["models"]> {
  const stored = Object.entries(meta.models).filter(
    ([alias, id]) =>
      !/^scripted$|"scripted"/.test(id) && !Object.hasOwn(given, alias.replace(/^.*\./, "")),
  );
  return { ...Object.fromEntries(stored), ...given };
}

interface NewRun extends Pick<RunMeta, "runId" | "models"> {
  readonly ir: Ir;
  readonly code: Readonly<Record<string, string>>;
  readonly origin: GraphOrigin;
  /** The folder of the program. */
  readonly folder: string | undefined;
  /** The run of its thread that it goes on from. */
  readonly turn: { readonly runId: string; readonly threadId: string } | undefined;
  readonly holdsThread: boolean;
}

/** Makes the facts of a new run. */
export function newRunMeta(of: NewRun, options: RunOptions): RunMeta {
  const { runId, ir, models, code, turn, folder: programFolder } = of;
  const { file, scopeFile, folder } = of.origin;
  const { thread, durability = "async", seed, request, user, config, prompts, record } = options;
  return {
    runId,
    threadId: turn?.threadId ?? thread ?? runId,
    graph: ir.name,
    graphHash: ir.hash,
    ir,
    models,
    durability,
    createdAt: systemClock.now(),
    ...(file === undefined ? {} : { file }),
    ...(scopeFile === undefined ? {} : { scopeFile }),
    ...(folder === undefined ? {} : { folder }),
    ...(turn === undefined ? {} : { follows: turn.runId }),
    ...(seed === undefined ? {} : { seed }),
    ...(request === undefined ? {} : { request }),
    ...(user === undefined ? {} : { user }),
    ...(config === undefined ? {} : { config }),
    ...(prompts === undefined ? {} : { prompts }),
    ...(record === undefined ? {} : { record: resolve(programFolder ?? process.cwd(), record) }),
    ...(of.holdsThread ? { holdsThread: true as const } : {}),
    ...(Object.keys(code).length === 0 ? {} : { code }),
  };
}
