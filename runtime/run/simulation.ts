/** What is simulated, and what a simulation tells. */
import type { Failure } from "../failure.ts";
import type { Answer } from "../interrupt.ts";
import type { LogRecord } from "../records.ts";
import type { AttemptView } from "../scheduler/attempt-view.ts";
import type { FunctionCall } from "../scheduler/calls.ts";
import type { Program } from "../scheduler/program.ts";
import type { NodeRun, OpenInterrupt, Snapshot } from "../scheduler/snapshot.ts";
import type { Usage } from "../usage.ts";

export interface SimulationOptions {
  readonly seed: number;
  /** What an attempt gives, or `decided(…)`; the same attempt must give the same in every schedule. */
  readonly output: (attempt: SimulatedAttempt) => unknown;
  /** What an attempt fails with instead, if it does. */
  readonly failure?: (attempt: SimulatedAttempt) => Failure | undefined;
  /** How long an attempt takes beside its calls; random up to 10 ms when absent. */
  readonly durationMs?: number | ((node: string) => number);
  /** Model calls of each attempt. */
  readonly calls?: number;
  readonly usage?: Usage;
  /** What functions in expressions and reducers come to; called again where a record does not say it. */
  readonly functions?: (call: FunctionCall) => unknown;
  /** How likely the process dies at each event, from 0 to 1. */
  readonly crashes?: number;
  /** How likely what is said once is said again later, from 0 to 1. */
  readonly echoes?: number;
  /** How likely a person holds, pauses or rewinds at each event, each twice, and lets it go again, from 0 to 1. */
  readonly people?: number;
  /** What is said to a question; yes where nothing is said, and no to limits. The same question must get the same answer in every schedule. */
  readonly answer?: (question: OpenInterrupt) => Answer | undefined;
  /** Called with each pair of snapshots, for what must hold at every step. */
  readonly observe?: (record: LogRecord, snapshot: Snapshot) => void;
  /** After so many events the simulation is taken to hang. */
  readonly eventsMax?: number;
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
}

export interface Simulation {
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
}
