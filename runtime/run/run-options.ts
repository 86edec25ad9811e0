/** Describes the options of starting and of opening a run. */
import type { PromptTexts } from "../../dsl/index.ts";
import type { GivenModel } from "../agents/models/model-handle.ts";
import type { PriceTable } from "../agents/models/prices.ts";
import type { Scope } from "../agents/scope/scope.ts";
import type { Breakpoint } from "../breakpoints/breakpoint-types.ts";
import type { RecentLog } from "../history/past.ts";
import type { Interceptor } from "../intercept/interceptor.ts";
import type { Answers } from "../questions/auto-answers.ts";
import type { LogRecord } from "../records/records.ts";
import type { Durability, RunMeta, RunStore } from "../store/run-store.ts";
import type { BusyPolicy } from "../threads/next-turn.ts";
import type { Keep } from "./run-storage.ts";

export interface RunOptions<N extends string = string> {
  /** The model of an alias: an id, a model itself, or a list of them that are asked in turn. */
  readonly models?: Readonly<Record<string, GivenModel>>;
  /** The prices of models, by id, in US dollars for a million tokens; before the program's word and any table. */
  readonly prices?: PriceTable;
  /** Records each model call of the run into this cassette, relative to the folder of the program; models answer as they do without. */
  readonly record?: string;
  /** Functions and tools in addition to those of the graph's own scope. */
  readonly scope?: Scope;
  readonly thread?: string;
  /**
   * A run of its thread, or its id: it begins with what that one left, and not with what the thread has now. So it is a branch
   * of the thread, with which later runs go on; the runs of the other branch stay.
   */
  readonly from?: string | { readonly id: string };
  /** The user whose fields of `state user` the run reads; a graph with such fields needs one. */
  readonly user?: string;
  /** Settings of the file, for this run. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Those that it asks besides those of its session and of its graph. */
  readonly intercept?: readonly Interceptor<N>[];
  /** A mode of the file, `config { modes: { fast: { … } } }`: its settings and models, before `config` and `models`. M8176. */
  readonly mode?: string;
  /** Texts in the place of prompts of the graph, by `NODE.prompt` and `NODE.system`, with holes as in the program; M8177. */
  readonly prompts?: PromptTexts;
  readonly durability?: Durability;
  readonly seed?: string;
  /** The caller's own id of the request that starts the run: it is stored with it, so that the same request is known again. */
  readonly request?: string;
  /** The storage of the run: `disk` or `memory`, by default its session's, or `none`, in this handle alone. */
  readonly store?: Keep;
  /** The breakpoints that hold the run, by default before these nodes. */
  readonly breakpoints?: readonly Breakpoint<N>[];
  /** Answers to the run's questions, by node or as a function; questions without one are left to people. */
  readonly answers?: Answers;
  /** `false`: goes past the `break` statements of the graph, as where nobody watches the run. */
  readonly breaks?: boolean;
  /** Aborts the run. */
  readonly signal?: AbortSignal;
}

/** The options of the next run of a thread. */
export interface TurnOptions<N extends string = string> extends RunOptions<N> {
  readonly thread: string;
  /** `queue` unless said. */
  readonly busy?: BusyPolicy;
}

/** A run in a store. */
export interface FoundRun {
  readonly meta: RunMeta;
  readonly store: RunStore;
  /** The log, or its end with a snapshot before that. */
  readonly log: readonly LogRecord[] | RecentLog;
}

/** The origin of the graph's text and TypeScript, to find them again when a run is resumed elsewhere. */
export interface GraphOrigin {
  readonly scope: Scope;
  readonly file?: string;
  readonly scopeFile?: string;
  readonly folder?: string;
  /** The scope of graphs of another file, where that is known. */
  readonly others?: (file: string) => Scope | undefined;
}
