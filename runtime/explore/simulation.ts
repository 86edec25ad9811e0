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
  /** What an attempt gives, or `decided(…)`; the same attempt must give the same in every schedule. */
  readonly output: (attempt: SimulatedAttempt) => unknown;
  /** What an attempt fails with instead, if it does. */
  readonly failure?: (attempt: SimulatedAttempt) => Failure | undefined;
  /** How long an attempt takes beside its calls; random up to 10 ms when absent. */
  readonly durationMs?: number | ((node: string) => number);
  /** How many calls each attempt makes, and which; a model's where nothing is said. */
  readonly calls?: number | ((node: NodeIr) => number);
  readonly call?: (node: NodeIr, number: number) => SimulatedCall;
  readonly usage?: Usage;
  /** What its thread and its user have of its fields so far. */
  readonly kept?: Readonly<Record<string, unknown>>;
  /** What an attempt of a node that asks somebody asks, in this order, before it calls anybody. */
  readonly questions?: (attempt: SimulatedAttempt) => readonly Question[];
  /** What functions in expressions and reducers come to, or the `FailureError` they throw; called again where a record does not say it. */
  readonly functions?: (call: FunctionCall) => unknown;
  /** The items that a call gives one by one, of one that gives a stream; a `FailureError` among them is its failure. */
  readonly streams?: (call: Pick<FunctionCall, "name" | "args">) => readonly unknown[] | undefined;
  /** How likely the process dies at each event, from 0 to 1. */
  readonly crashes?: number;
  /** It goes on from a step of another run, as a fork of that one. */
  readonly fork?: { readonly records: readonly LogRecord[]; readonly step: number };
  /** At a crash, until it gives one: the program that the run goes on with, with the numbers of its log. */
  readonly edited?: (records: readonly LogRecord[]) => Ir | undefined;
  /** How likely what is said once is said again later, from 0 to 1. */
  readonly echoes?: number;
  /** How likely a person comes by at each event, does one of `verbs`, twice, and lets the run go on, from 0 to 1. */
  readonly people?: number;
  readonly verbs?: readonly PeopleVerb[];
  /** What a person who edits gives fields. */
  readonly edit?: (state: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** The run is held at the breakpoints of its graph. */
  readonly breaks?: boolean;
  /** What is said to a question; yes where nothing is said, and no to limits. The same question must get the same answer in every schedule. */
  readonly answer?: (question: OpenInterrupt) => Answer | "nobody" | undefined;
  /** Nobody answers before there is nothing else left to do. */
  readonly answersLast?: boolean;
  /** Called with each pair of snapshots, for what must hold at every step. */
  readonly observe?: (record: LogRecord, snapshot: Snapshot) => void;
  /** After so many events the simulation is taken to hang. */
  readonly eventsMax?: number;
}

/** What people do; all but `steer`, `edit`, `use` and `modify` leave what comes of the run as it is. */
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
  /** What people say meanwhile is heard with it. */
  readonly hears?: true;
  /** What comes of it; `name` is the one of the call in the order of the graph. */
  readonly value?: (name: string) => unknown;
  readonly artifacts?: (name: string) => readonly Made[];
}

export interface SimulatedAttempt {
  readonly run: NodeRun;
  readonly node: string;
  readonly attempt: number;
  readonly view: AttemptView;
  /** Where it may go on, of a node that decides. */
  readonly choices: readonly string[];
  /** The graph that the node is of, and the node runs that called it, outermost first. */
  readonly program: Program;
  readonly path: readonly string[];
  /** Its place in the order of the graph: the same in every schedule. */
  readonly place: string;
  /** What was said to what it asked. */
  readonly answers: readonly Answer[];
}

export interface Simulation {
  /** The one that it had at last. */
  readonly program: Program;
  readonly records: readonly LogRecord[];
  readonly snapshot: Snapshot;
  readonly crashes: number;
  /** What people did. */
  readonly verbs: number;
  readonly virtualMs: number;
  /** How many node runs ran side by side at most. */
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
  /** What people said and were told was heard: the record's number in the log, and the record. */
  readonly said: readonly LogRecord[];
  /** What was done twice and had an effect twice, and what was done and had none: must be none. */
  readonly unheeded: readonly string[];
  /** How often everything waited for an answer, and whatever stood otherwise than waiting then: must be none. */
  readonly waits: number;
  readonly unwaiting: readonly string[];
  /** How often it was held at a breakpoint. */
  readonly breaks: number;
}
