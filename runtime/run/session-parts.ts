/** Describes what the runs of a session share. */
import type { Limiter } from "../agents/models/limiter.ts";
import type { InterceptorList } from "../intercept/interceptors-of-run.ts";
import type { KnownPrice } from "../price.ts";
import type { Redactor } from "../redaction/redact.ts";
import type { DrivenRun } from "./driven-run.ts";
import type { Stores } from "./run-place.ts";

/** The objects that all graphs and runs of one session share. */
export interface SessionParts extends Stores {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--model ALIAS=ID` of the command line, where there is one. */
  readonly cliModels?: Readonly<Record<string, string>>;
  /** The price that the workspace's `model_prices` has for a model now. */
  readonly prices: (id: string) => KnownPrice | undefined;
  readonly redactor: Redactor;
  readonly limiter: Limiter;
  /** Those that all later runs of the session ask. */
  readonly interceptors: InterceptorList;
  /** Called after each record of any run. */
  readonly recorded: () => void;
  /** Answers SQL that an agent of a run asks of the traces. */
  readonly askTraces: (question: {
    readonly runId: string;
    readonly sql: string;
    readonly signal: AbortSignal;
  }) => Promise<unknown>;
  /** The run that holds a thread, in this process or another one; lost is one whose process is gone. */
  readonly holderOf: (
    thread: string,
  ) => { readonly run: DrivenRun; readonly isLost: boolean } | undefined;
  /** Called with a run before this process drives it; never throws. */
  readonly started: (run: DrivenRun) => void;
}
