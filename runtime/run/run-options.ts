/** Describes the options of starting and of opening a run. */
import type { ModelChoice } from "../agents/models/model-handle.ts";
import type { Scope } from "../agents/scope/scope.ts";
import type { Breakpoint } from "../breakpoints/breakpoint-types.ts";
import type { RecentLog } from "../history/past.ts";
import type { Answers } from "../questions/auto-answers.ts";
import type { LogRecord } from "../records/records.ts";
import type { Durability, RunMeta, RunStore } from "../store/index.ts";
import type { Keep } from "./run-storage.ts";

export interface RunOptions<N extends string = string> {
  /** The model of an alias: an id, or a model itself. */
  readonly models?: Readonly<Record<string, ModelChoice>>;
  /** Functions and tools, beside those of the graph's own scope. */
  readonly scope?: Scope;
  readonly thread?: string;
  /**
   * A run of its thread, or its id: it begins with what that one left, and not with what the thread has now. So it is a branch
   * of the thread, with which later runs go on; the runs of the other branch stay.
   */
  readonly from?: string | { readonly id: string };
  /** Whose fields of `state user` it has; a graph with such fields needs it. */
  readonly user?: string;
  /** Settings of the file, for this run. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly durability?: Durability;
  readonly seed?: string;
  /** Where it is kept: `disk` or `memory`, as its session has it, or `none`: in this handle alone. */
  readonly store?: Keep;
  /** Where the run is held by itself: before these nodes, if nothing else is said. */
  readonly breakpoints?: readonly Breakpoint<N>[];
  /** What is said to its questions: by node, or by a function; what it says nothing to is left to people. */
  readonly answers?: Answers;
  /** `false`: goes past the `break` statements of the graph, as where nobody watches the run. */
  readonly breaks?: boolean;
  /** Aborts the run. */
  readonly signal?: AbortSignal;
}

/** A run in a store. */
export interface FoundRun {
  readonly meta: RunMeta;
  readonly store: RunStore;
  /** Its log, or the end of it with where it stood before that. */
  readonly log: readonly LogRecord[] | RecentLog;
}

/** Where the graph's text and TypeScript come from, to find them again when a run is resumed elsewhere. */
export interface GraphOrigin {
  readonly scope: Scope;
  readonly file?: string;
  readonly scopeFile?: string;
  readonly folder?: string;
  /** What graphs of another file see, where that is known. */
  readonly others?: (file: string) => Scope | undefined;
}
