/** Members that every event has: its run, record, time, and the node run or span it belongs to. */

export interface EventBase {
  readonly runId: string;
  readonly threadId: string;
  /** The record it comes from, and its place among that record's events, from 0. */
  readonly seq: number;
  readonly part: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Of a graph that a node run has called: the labels that lead there (`go#1`), and that node run's number. */
  readonly path?: readonly string[];
  readonly caller?: number;
}

/** The node run and attempt that an event belongs to. */
export interface NodeFacts {
  readonly node: string;
  /** The node run's number in the run. */
  readonly nodeRun: number;
  /** Run and place in the order of the graph: the node run's lasting name. */
  readonly nodeRunId: string;
  /** `search#2`: for people. */
  readonly label: string;
  readonly attempt: number;
  readonly item?: number;
}

/** A stretch of time; both its ends carry the same number, the `seq` of the record that began it. */
export interface SpanFacts {
  readonly span: number;
}
