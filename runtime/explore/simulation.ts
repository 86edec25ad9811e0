/** Describes a simulation: what is simulated, and what it reports. */
import type { Ir, NodeIr } from "../../dsl/index.ts";
import type { Made } from "../artifact.ts";
import type { Failure } from "../failure.ts";
import type { Answer, Question } from "../interrupt.ts";
import type { EffectKind } from "../records/call-records.ts";
import type { LogRecord } from "../records/records.ts";
import type { AttemptView } from "../scheduler/attempts/attempt-view.ts";
import type { FunctionCall } from "../scheduler/expressions/calls.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { NodeRun, OpenInterrupt, Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { Usage } from "../usage.ts";

export interface SimulationOptions {
  readonly seed: number;
  /** Returns the output of an attempt, or `decided(…)`; equal for the same attempt in every schedule. */
  readonly output: (attempt: SimulatedAttempt) => unknown;
  /** Returns the failure of an attempt, if it fails. */
  readonly failure?: (attempt: SimulatedAttempt) => Failure | undefined;
  /** The duration of an attempt beside its calls, in milliseconds; random up to 10 ms by default. */
  readonly durationMs?: number | ((node: string) => number);
  /** The number of calls of each attempt; by default one of a model. */
  readonly calls?: number | ((node: NodeIr) => number);
  readonly call?: (node: NodeIr, number: number) => SimulatedCall;
  readonly usage?: Usage;
  /** The kept fields of its thread and its user so far. */
  readonly kept?: Readonly<Record<string, unknown>>;
  /** Returns the questions of a node's attempt, in order, before its first call. */
  readonly questions?: (attempt: SimulatedAttempt) => readonly Question[];
  /**
   * Returns the result of a function in an expression or reducer, or throws a `FailureError`; called again where a
   * record lacks the result.
   */
  readonly functions?: (call: FunctionCall) => unknown;
  /** The items that a call gives one by one, of one that gives a stream; a `FailureError` among them is its failure. */
  readonly streams?: (call: Pick<FunctionCall, "name" | "args">) => readonly unknown[] | undefined;
  /** The probability that the process dies at each event, from 0 to 1. */
  readonly crashes?: number;
  /** It goes on from a step of another run, as a fork of that one. */
  readonly fork?: { readonly records: readonly LogRecord[]; readonly step: number };
  /** At a crash, until it gives one: the program that the run goes on with, with the numbers of its log. */
  readonly edited?: (records: readonly LogRecord[]) => Ir | undefined;
  /** The probability that something said once is said again later, from 0 to 1. */
  readonly echoes?: number;
  /** The probability that at each event a person does one of `verbs`, twice, and lets the run continue, from 0 to 1. */
  readonly people?: number;
  readonly verbs?: readonly PeopleVerb[];
  /** Returns the values that an editing person gives to fields. */
  readonly edit?: (state: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** The run is held at the breakpoints of its graph. */
  readonly breaks?: boolean;
  /** Returns the answer to a question; by default yes, and no to limits. Equal for the same question in every schedule. */
  readonly answer?: (question: OpenInterrupt) => Answer | "nobody" | undefined;
  /** Nobody answers before there is nothing else left to do. */
  readonly answersLast?: boolean;
  /** Called with each pair of snapshots, for what must hold at every step. */
  readonly observe?: (record: LogRecord, snapshot: Snapshot) => void;
  /** After so many events the simulation is taken to hang. */
  readonly eventsMax?: number;
}

/** The actions of people; all but `steer`, `edit`, `use` and `modify` leave the result of the run unchanged. */
export type PeopleVerb =
  | ("hold" | "pause" | "rewind" | "retry" | "abort")
  | ("steer" | "edit" | "use" | "modify")
  /** From another process; what is stopped from there another process has go on. */
  | ("steer elsewhere" | "abort elsewhere" | "pause elsewhere" | "answer elsewhere");

export interface SimulatedCall {
  readonly effect: EffectKind;
  readonly name: string;
  /** Nobody knows what came of one whose process died. */
  readonly external?: true;
  /** Set if the call hears the texts that people send meanwhile. */
  readonly hears?: true;
  /** Returns the result; `name` is the call's in the order of the graph. */
  readonly value?: (name: string) => unknown;
  readonly artifacts?: (name: string) => readonly Made[];
}

export interface SimulatedAttempt {
  readonly run: NodeRun;
  readonly node: string;
  readonly attempt: number;
  readonly view: AttemptView;
  /** The targets of a node that decides. */
  readonly choices: readonly string[];
  /** The graph that the node is of, and the node runs that called it, outermost first. */
  readonly program: Program;
  readonly path: readonly string[];
  /** Its place in the order of the graph: the same in every schedule. */
  readonly place: string;
  /** The answers to its questions. */
  readonly answers: readonly Answer[];
}

export interface Simulation {
  /** The one that it had at last. */
  readonly program: Program;
  readonly records: readonly LogRecord[];
  readonly snapshot: Snapshot;
  readonly crashes: number;
  /** The number of actions of people. */
  readonly verbs: number;
  readonly virtualMs: number;
  /** The maximal number of node runs at the same time. */
  readonly parallelMax: number;
  /** For each call by node run, attempt and number: how often it was made. */
  readonly made: ReadonlyMap<string, number>;
  /** Those whose outcome was on disk when they were made again: must be none. */
  readonly repeated: readonly string[];
  /** Calls that were served what another one had come to: must be none. */
  readonly misserved: readonly string[];
  /** Node runs whose attempt went on though the scheduler had ended it: must be none. */
  readonly leaked: readonly number[];
  /** Calls that failed since nobody knew whether they took effect. */
  readonly doubts: number;
  /** The records that contain the texts which people sent and were told were heard. */
  readonly reportedAnswers: readonly LogRecord[];
  /** The actions that took effect twice, or not at all; must be empty. */
  readonly unheeded: readonly string[];
  /** The number of times that everything waited for an answer, and those with another status then, which must be none. */
  readonly waits: number;
  readonly unwaiting: readonly string[];
  /** The number of holds at breakpoints. */
  readonly breaks: number;
}
