/** Describes the handle of a run: its state, its results, and the methods that act on it. */

import type { Observable } from "rxjs";
import type { Ir, Plan } from "../../dsl/index.ts";
import type { AgentSession } from "../agent-sessions/agent-session.ts";
import type { LivePage } from "../agents/browser/live-page.ts";
import type { ModelChoice } from "../agents/models/model-handle.ts";
import type { Artifact } from "../artifact.ts";
import type { Breakpoint, Stop } from "../breakpoints/breakpoint-types.ts";
import type { RunDiff } from "../debug/compare/run-diff.ts";
import type { Timeline } from "../debug/timeline.ts";
import type { Envelope } from "../envelope.ts";
import type {
  StreamMessage,
  StreamMode,
  Streams,
  StreamUpdate,
} from "../event-stream/stream-types.ts";
import type { RunEvent } from "../events/kinds/run-event.ts";
import type { Failure } from "../failure.ts";
import type { CalledRun } from "../history/called-runs.ts";
import type { RunAgent, RunContext } from "../history/contexts.ts";
import type { EffectLeftBehind } from "../history/log-path.ts";
import type { RunStep } from "../history/step.ts";
import type { Answer, Interrupt } from "../interrupt.ts";
import type { Replay } from "../replay/replay.ts";
import type { RunStatus } from "../run-status.ts";
import type { Usage } from "../usage.ts";
import type { Edit, EditOptions } from "./edit.ts";
import type { ModifyOptions } from "./modify.ts";

export interface PauseOptions {
  /** Also cancels what is in flight; else that goes on, and what it comes to waits. */
  readonly now?: boolean;
  readonly reason?: string;
}

/** A node run that is held by itself. */
export interface HeldBranch {
  /** `search#2`, behind `go#1 ›` in a called graph. */
  readonly label: string;
  readonly node: string;
  readonly nodeRunId: string;
}

/** The model, tools and prompt that replace those of the program. */
export interface UseOptions {
  /** A name of the graph, an id, or a model itself: that one is gone with this process. */
  readonly model?: ModelChoice;
  /** Instead of the node's own: `docs.search`, `docs.*`. */
  readonly tools?: readonly string[];
  /** The text, as it is sent. */
  readonly prompt?: string;
}

export interface ToTestOptions {
  /** The title of the test; the run's id by default. */
  readonly name?: string;
}

/** With which program a run goes on; without a graph, with the one that it has. */
export interface ResumeOptions {
  readonly graph?: { readonly ir: Ir };
  /** The new names of nodes and fields, by their old names. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Nodes that were removed on purpose: what they did stays, what they have under way is dropped. */
  readonly dropped?: readonly string[];
  /** Continues although nodes under way have changed or are gone. */
  readonly isForced?: boolean;
}

export interface AnswerOptions {
  /** Only stores the answer: the process that drives the run next takes it in. */
  readonly later?: boolean;
  /** The giver of the answer, for the log: `a2a:` and the id of a message. */
  readonly by?: string;
}

export interface SteerOptions<N extends string = string> {
  readonly to?: N;
  /**
   * For a sender that may send again what it has sent: the log knows the id, also in another process and after a restart. The id
   * of the message is `s:` and this one.
   */
  readonly id?: string;
}

export interface Run<
  O = Record<string, unknown>,
  S = Record<string, unknown>,
  N extends string = string,
> extends AsyncIterable<RunStep<S, N>> {
  readonly id: string;
  readonly thread: string;
  readonly graph: string;
  readonly graphHash: string;
  /** The program that it runs. */
  readonly ir: Ir;
  readonly status: RunStatus;
  readonly reason: string | undefined;
  /** True while the run is held: paused, but with its process, its lease and its calls in flight. */
  readonly isHeld: boolean;
  /** The state after everything committed so far; frozen. */
  readonly state: S;
  /**
   * The returned fields; rejects with `RunError` when the run fails or is aborted, and with M5301 when it waits and nobody
   * is there to answer; open while paused. A run that is resumed, reopened or answered has a new one.
   */
  readonly output: Promise<O>;
  /** The commits so far, without those that rewinds undid. */
  readonly steps: readonly RunStep<S, N>[];
  /** The graphs that the run has called, in the order in which they began. */
  readonly children: readonly CalledRun[];
  /** The graph that the node run of this label (`go#1`) has called last. */
  child(label: string): CalledRun | undefined;
  /** The context of the run in the terms of agent systems: task, messages, memory. Computed when it is read; frozen. */
  readonly context: RunContext;
  /**
   * One agent of it: a node's name, an instance's (`search@2.0`) or a node run's label (`search#2`); behind `go#1 ›` or
   * `go/`, of a graph that it has called. M5355 for others, M5381 for calls that are not there.
   */
  agent(id: string): RunAgent;
  /** The usage of the run and the graphs that it called. A fork counts what it has copied, as its limits do; traces do not. */
  readonly usage: Usage;
  /** The questions that wait for an answer. */
  readonly interrupts: readonly Interrupt[];
  /** The failure that ended it. */
  readonly failure: Failure | undefined;
  /** Milliseconds under way, without waits, holds and pauses, up to the last pause or the end. */
  readonly activeMs: number;
  /** Node runs whose attempt did not end when it was cancelled; their late results are ignored. */
  readonly unended: readonly string[];
  /** External calls of steps that rewinds undid: they happened, and nothing takes them back. */
  readonly effectsLeftBehind: readonly EffectLeftBehind[];
  /** The artifacts that its nodes committed, in the order of the commits, without those that rewinds undid. */
  readonly artifacts: readonly Artifact[];
  /** The bytes of one of them, checked against their hash: M5331 where there is none of this id, M5332 where its bytes are gone. */
  artifact(id: string): Uint8Array;
  /** The messages between its nodes, in the order of the commits, without those that rewinds undid. */
  readonly messages: readonly Envelope[];
  /**
   * Everything that happens, with each piece of a model's text. This and the next three start with the first event of the
   * run for every subscriber, and complete when the run stands still.
   */
  readonly events$: Observable<RunEvent>;
  /** The pages of the browsers that its agents use in this process, each time one may have changed; none of the past. */
  readonly livePages$: Observable<LivePage>;
  /** The state after each step. */
  readonly state$: Observable<S>;
  /** The changes of each step. */
  readonly updates$: Observable<StreamUpdate<N>>;
  /** The texts of models: each piece as it comes, then the whole message. */
  readonly messages$: Observable<StreamMessage<N>>;
  /** Resolves when the run stands still: it ended or is paused, and its log is stored. A held run does not stand still. */
  settled(): Promise<void>;
  /**
   * Streams the run from its start to its next standstill, without waiting for slow listeners. `values` is the state
   * behind each step, `updates` the changes of each, `messages` the texts of models, `events` everything in the log,
   * `debug` that with each piece of a model's text.
   */
  stream<M extends StreamMode>(mode: M): AsyncIterable<Streams<S, N>[M]>;
  /**
   * Has a node use another model, other tools or another prompt from its next attempt on. Stands in the log; what is
   * not said stays as it was. `go/search` is a node of the graph that `go` calls, in each of its calls.
   */
  use(node: N | `${N}/${string}`, change: UseOptions): Promise<void>;
  /** Lets it go on through exactly one more commit, past breakpoints; into the graphs that it calls. */
  step(): Promise<RunStep<S, N>>;
  /** Lets it go on until something stops it; of a run that is under way, waits for that. */
  continue(): Promise<Stop<N>>;
  /** Goes back by one commit, and holds the run there. */
  back(): Promise<void>;
  /** To the state after a step, 0 for the start; held there. What is undone stays in the log and runs again from there. */
  rewind(step: number): Promise<void>;
  /** Returns a function that removes the breakpoint. */
  setBreakpoint(breakpoint: Breakpoint<N>): () => void;
  /** The breakpoints before a node, whoever set them, each as the function that removes it. */
  breakpointsBefore(node: N): readonly (() => void)[];
  /** The node runs that are held while others continue. */
  readonly heldBranches: readonly HeldBranch[];
  /** The node runs that have not ended, held or not. */
  readonly openBranches: readonly HeldBranch[];
  /**
   * Holds one open node run (`search#2`, or its id) by itself: it neither starts nor commits until it is released, and
   * everything else goes on. Where nothing else is left, the run is paused as at a breakpoint. M5461, M5462.
   */
  holdBranch(nodeRun: string): Promise<void>;
  releaseBranch(nodeRun: string): Promise<void>;
  /** Holds it between two records or, with `now`, cancels what is in flight and gives it up; what was done is kept and costs no retry. */
  pause(options?: PauseOptions): Promise<void>;
  /** Replaces the plan that a `planGraph` node runs: steps that have ended stay, the rest of the new plan follows. */
  modify(plan: Plan | string, options?: ModifyOptions): Promise<void>;
  /**
   * Goes on from where it stands; nothing that succeeded runs again. With another graph, once it stands still: M5302 names
   * what of the run has no place in that.
   */
  resume(options?: ResumeOptions): Promise<void>;
  abort(reason?: string): Promise<void>;
  /** Pauses it, if this process drives it, and closes the sessions of its operators, all at once; M8510 has what refused. */
  dispose(): Promise<void>;
  /**
   * A run of its own from a step of this one, with other values of some fields; it goes on at once, beside this one. What
   * this one did up to there is not done again, and what it did behind that stays as it is: `effectsBehind`.
   */
  fork(step: number, edits?: Edit<S>): Run<O, S, N>;
  /** The external calls behind a step: a rewind or a fork leaves them as they are. */
  effectsBehind(step: number): readonly EffectLeftBehind[];
  /**
   * Goes back to before one node run (`search#2`, or its id) and has it begin anew: none of its recorded calls is served.
   * What was done behind it is undone, as by a rewind.
   */
  retry(nodeRun: string): Promise<void>;
  /**
   * Gives fields other values, between two records: those that it is given, or what a function makes of a draft of the
   * state. Branches under way see them, but for what they have written themselves. With `of`, those of a graph that it
   * has called.
   */
  edit(edit: Edit<S>, options?: string | EditOptions): Promise<void>;
  edit(
    edit: Edit<Record<string, unknown>>,
    options: EditOptions & { readonly of: string },
  ): Promise<void>;
  /**
   * Says something to it: the next model call of the node `to`, else of whichever agent asks next, hears it. What comes again
   * with the `id` of something said before is not said again.
   */
  steer(text: string, options?: SteerOptions<N>): Promise<void>;
  /** Decides everything again from the log alone, with the program of the log or another one, and says where that leads elsewhere first. */
  replay(options?: { readonly ir?: Ir }): Replay;
  /**
   * This run beside another one of its graph, as that is or was: where they part first and why, their steps, states and
   * costs. M5457 for one that has nothing in common with it.
   */
  diff(other: { readonly id: string }): RunDiff;
  /** Each place of it to be looked at: what changed there, what was said, how its nodes stood. A notebook shows it as a panel. */
  timeline(): Timeline;
  /**
   * All that one agent was told, said, did and asked: a node, or the label of one node run (`code#2`). A notebook shows it as a page.
   * M8340 for one that has said nothing.
   */
  session(agent: string): AgentSession;
  /** The text of a test of the language that tells this run, and passes: M5454 where no test does. */
  toTest(options?: ToTestOptions): Promise<string>;
  /**
   * Answers one of `interrupts`; resolves when the answer is stored. One that does not fit is M5311 and leaves the question
   * open, a second one M5310. Where another process drives the run, that one takes it in; where none does, this one goes
   * on with it, unless it is for `later`.
   */
  answer(id: string, answer: Answer, options?: AnswerOptions): Promise<void>;
  /** Answers several at once: none of them, if one does not fit. */
  answerAll(
    answers: readonly (readonly [id: string, answer: Answer])[],
    options?: AnswerOptions,
  ): Promise<void>;
  /**
   * Resolves with true when the process that drives the run has taken in everything posted here, and with false once no
   * process drives it.
   */
  delivered(): Promise<boolean>;
}
