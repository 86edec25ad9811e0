/**
 * Defines the snapshot: where a run stands, as persistent plain data, with the trail of the steps that the run can be rewound
 * to. Folding the log gives it.
 */

import type { Artifact, Made } from "../../artifact.ts";
import type { Sent } from "../../envelope.ts";
import type { Failure } from "../../failure.ts";
import type { Answer } from "../../interrupt.ts";
import type { ModifyRecord, NodeUse } from "../../records/control-records.ts";
import type { SessionRef } from "../../records/controller-values.ts";
import type { InterruptRecord, RecordBody, ToolUse } from "../../records/records.ts";
import type { RunStatus } from "../../run-status.ts";
import type { ShownValue } from "../../state/fold-writes.ts";
import { keyText, type OrderKey } from "../../state/order-key.ts";
import { IntMap, SharedList } from "../../state/persistent.ts";
import { noUsage, type Usage } from "../../usage.ts";
import type { Sentinel, StreamSource } from "../flow/flow-op.ts";
import type { Program } from "../program/program.ts";
import {
  type Expansion,
  emptyScope,
  type Frame,
  type FrameWrite,
  type Instances,
  type Mail,
  noMail,
  type Scope,
} from "./parts.ts";

export interface Snapshot {
  readonly status: RunStatus;
  readonly reason: string;
  /** Paused by a hold: nothing starts or commits, what is in flight goes on. */
  readonly held: boolean;
  readonly failure?: Failure | undefined;
  /** The node behind which a token found nothing but used-up edges: nothing can go on from there. */
  readonly stuck?: string | undefined;
  /**
   * The reason why the run can't continue, however often it is resumed: a quorum that can't be
   * reached any more.
   */
  readonly blocked?: Failure | undefined;
  /** Values are checked as they are written. */
  readonly isTyped: boolean;
  readonly input: Readonly<Record<string, unknown>>;
  /** Settings of the file that this run has otherwise. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** The interceptors that are asked about its output, by name. */
  readonly afterRun?: readonly string[] | undefined;
  readonly output?: Readonly<Record<string, unknown>> | undefined;
  /** Commits so far. */
  readonly steps: number;
  /** Failures so far from which an arrow led on. */
  readonly detours: number;
  /** It stands right behind a step: it can be rewound to, and its trail ends at the step before. */
  readonly isStep: boolean;
  /** The steps it can be rewound to. */
  readonly trail: Trail;
  /** The number of rewinds: tells apart node runs at the same place in the order of the graph. */
  readonly line: number;
  readonly usage: Usage;
  /** Failed attempts and tool calls since the last commit or tool call that worked. */
  readonly errors: number;
  /** Time spent running, up to `runningSince`, in milliseconds. */
  readonly activeMs: number;
  readonly runningSince?: number | undefined;
  /** The time of the last record: how long a process that died can be known to have run. */
  readonly lastAt: number;
  /** The state that people see, by field. */
  readonly shown: IntMap<ShownValue>;
  /** By scope: the fields of the agents' own that were written there. */
  readonly instances: IntMap<Instances>;
  /**
   * The writes to fields that outlive the run, as far as the root sees them: for the caller of this
   * graph.
   */
  readonly kept: SharedList<FrameWrite>;
  readonly frames: IntMap<Frame>;
  readonly scopes: IntMap<Scope>;
  readonly expansions: IntMap<Expansion>;
  /** The overrides that people set for nodes, by name. */
  readonly uses?: Readonly<Record<string, NodeUse>> | undefined;
  /** Node runs that are due, running or ended without a commit. */
  readonly open: IntMap<NodeRun>;
  /** Questions that wait for an answer, by node run, and the one for which the whole run waits. */
  readonly interrupts: IntMap<readonly OpenInterrupt[]>;
  readonly whole?: OpenInterrupt | undefined;
  /** The number of times that each limit of the run was granted again, by its name. */
  readonly grants: Readonly<Record<string, number>>;
  /** Answers for the rest of the run, by the question's key. */
  readonly remembered: Readonly<Record<string, Answer>>;
  /** The artifacts that its node runs have made and committed. */
  readonly artifacts: readonly Artifact[];
  /** The messages that wait to be read. */
  readonly mail: Mail;
  /** The number of activations of each node. */
  readonly ordinals: IntMap<number>;
  /** The graphs that node runs of kind `graph` have called, by node run. */
  readonly children: IntMap<Child>;
  /** For each open node run of a called graph, however deep: the node run here that called it. */
  readonly homes: IntMap<number>;
  /** Steps and detours of called graphs: they count for limits. */
  readonly innerSteps: number;
  /** The next numbers to give out. */
  readonly next: {
    readonly run: number;
    readonly frame: number;
    readonly scope: number;
    readonly expansion: number;
    /** Questions of the whole run. */
    readonly ask: number;
  };
}

export type OpenInterrupt = Omit<InterruptRecord, "kind">;

export interface NodeRun {
  readonly id: number;
  /** The rewinds before it was opened. */
  readonly line: number;
  readonly node: number;
  readonly ordinal: number;
  readonly frame: number;
  readonly seq: number;
  readonly key: OrderKey;
  readonly scope: number;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /**
   * `queued` behind another run of its node, `ready` to start, `running`, `waiting` for an answer with no attempt under
   * way, or `stopped` by a failure or an abort.
   */
  readonly status: "queued" | "ready" | "running" | "waiting" | "stopped";
  /** The open interrupts that it waits for; its time stands still. One that is `running` waits in the middle of its attempt. */
  readonly waiting?: readonly string[] | undefined;
  readonly asks?: RunAsks | undefined;
  /** A person holds it by itself: it neither starts nor commits. */
  readonly isHeld?: true | undefined;
  readonly attempt: number;
  readonly reason: "first" | "retry" | "repair" | "resume";
  readonly notBefore?: number | undefined;
  /** It is none of a node: it reads the items of a stream, one an attempt; `queued` while there is no room for one. */
  readonly source?: StreamSource | undefined;
  /** The number of earlier rounds of a node with `every`. */
  readonly iteration?: number | undefined;
  readonly sentinel?: Sentinel | undefined;
  /** The override that its latest attempt uses in place of the program. */
  readonly using?: { readonly attempt: number; readonly use?: NodeUse } | undefined;
  readonly feedback?: string | undefined;
  /** The first attempt of the conversation that a repair continues. */
  readonly sessionFrom: number;
  /** The attempt with which it was last started anew by a resume or a person: nothing of those before is served. */
  readonly anewFrom?: number | undefined;
  readonly retries: Readonly<Record<string, number>>;
  readonly repairs: number;
  /** Its failed attempts and tool calls since the last tool call that worked. */
  readonly errors: number;
  /** Over all attempts: what limits of the node count. */
  readonly usage: Usage;
  readonly attemptUsage: Usage;
  /** The estimated cost of its calls under way, in US dollars: by the number of the call, within called graphs behind theirs. */
  readonly calling?: Readonly<Record<string, number>> | undefined;
  readonly activeMs: number;
  readonly runningSince?: number | undefined;
  /** The messages that this attempt, and those that it repairs, found when they started. */
  readonly inbox?: readonly Sent[] | undefined;
  /** The artifacts that they have made. */
  readonly made?: readonly Made[] | undefined;
  /** Of an operator whose turn has ended: the session that its commit leaves. */
  readonly session?: SessionRef | undefined;
}

/** The run of a called graph; it shares the numbers of node runs with all others. */
export interface Child {
  readonly program: Program;
  readonly snapshot: Snapshot;
  /** The attempt of the calling node run that began it. */
  readonly begun: number;
  /** The call of a tool that it is, where an agent called it. */
  readonly tool?: ToolUse;
  /** The plan that is to replace its own: what is done, and what both have, stays. */
  readonly modified?: Pick<ModifyRecord, "plan" | "done" | "rounds">;
  /** The node in it at which it failed. */
  readonly failedAt?: string;
  /** The attempt that it works for: a later one where the whole run was resumed behind its failure. */
  readonly attempt: number;
}

/** The questions of a node run and their answers. */
export interface RunAsks {
  /** The number of questions that it has had. */
  readonly count: number;
  /** The answer about its start, valid for exactly what was shown. */
  readonly consent?: { readonly hash: string; readonly answer: Answer };
  /** The arguments or the prompt that a person put in place of its own. */
  readonly edited?: { readonly callArgs?: readonly unknown[]; readonly prompt?: string };
  /** The result of an attempt, before it is committed. */
  readonly offer?: Offer;
  /** The number of times that each of its limits was granted again, by its name. */
  readonly grants?: Readonly<Record<string, number>>;
  /** The limit past which it may not go. */
  readonly refused?: string;
}

export interface Offer {
  readonly question: OpenInterrupt;
  readonly answer?: Answer;
}

/** A node run that has not started. All have the same members in one order: what is read for each step is found faster so. */
export function newNodeRun(
  of: Pick<
    NodeRun,
    "id" | "line" | "node" | "ordinal" | "frame" | "seq" | "key" | "scope" | "status"
  > &
    Partial<Pick<NodeRun, "args" | "notBefore" | "iteration" | "sentinel" | "source">>,
): NodeRun {
  return {
    id: of.id,
    line: of.line,
    node: of.node,
    ordinal: of.ordinal,
    frame: of.frame,
    seq: of.seq,
    key: of.key,
    scope: of.scope,
    args: of.args,
    status: of.status,
    waiting: undefined,
    asks: undefined,
    attempt: 1,
    reason: "first",
    notBefore: of.notBefore,
    source: of.source,
    iteration: of.iteration,
    sentinel: of.sentinel,
    using: undefined,
    feedback: undefined,
    sessionFrom: 1,
    retries: NONE,
    repairs: 0,
    errors: 0,
    usage: noUsage,
    attemptUsage: noUsage,
    activeMs: 0,
    runningSince: undefined,
    inbox: undefined,
    made: undefined,
    session: undefined,
  };
}

const NONE: Readonly<Record<string, never>> = {};

export const ROOT = 0;

/** A node run's lasting name within its run: its place in the order of the graph, `~n` behind the n-th rewind. */
export function placeText({ key, line }: Pick<NodeRun, "key" | "line">): string {
  return line === 0 ? keyText(key) : `${keyText(key)}~${line}`;
}

export function emptySnapshot(): Snapshot {
  return {
    status: "created",
    reason: "",
    held: false,
    failure: undefined,
    stuck: undefined,
    blocked: undefined,
    isTyped: false,
    input: {},
    config: undefined,
    afterRun: undefined,
    output: undefined,
    steps: 0,
    detours: 0,
    isStep: false,
    trail: Trail.empty,
    line: 0,
    usage: noUsage,
    errors: 0,
    activeMs: 0,
    runningSince: undefined,
    lastAt: 0,
    shown: IntMap.empty(),
    instances: IntMap.empty(),
    kept: SharedList.empty(),
    frames: IntMap.of([rootFrame]),
    scopes: IntMap.of([
      emptyScope({ id: ROOT, parent: -1, expansion: -1, index: 0, frame: ROOT, path: [] }),
    ]),
    expansions: IntMap.empty(),
    uses: undefined,
    open: IntMap.empty(),
    interrupts: IntMap.empty(),
    whole: undefined,
    grants: {},
    remembered: {},
    artifacts: [],
    mail: noMail,
    ordinals: IntMap.empty(),
    children: IntMap.empty(),
    homes: IntMap.empty(),
    innerSteps: 0,
    next: { run: 0, frame: 1, scope: 1, expansion: 0, ask: 0 },
  };
}

const rootFrame: Frame = {
  id: ROOT,
  parent: -1,
  path: [],
  seq: 0,
  fork: -1,
  live: 1,
  view: IntMap.empty(),
  writes: SharedList.empty(),
  ended: SharedList.empty(),
};

/** Returns the entry of `map` under `key`; throws M9000 if it is missing, as the log says it is there. */
export function must<T>(map: IntMap<T>, key: number, what: string): T {
  const value = map.get(key);
  if (value === undefined)
    throw new Error(`M9000: no ${what} ${key}; the log does not fit the graph`);
  return value;
}

// Keeps the snapshots that a run can be rewound to.

/** Folds one record, as those of the log are. */
export type Fold = (snapshot: Snapshot, record: RecordBody, at: number) => Snapshot;

/** A trail that is worked out when somebody first looks back. */
export interface LaterTrail {
  /** All of it. */
  read(): Trail;
  /** The snapshot right behind a step, where that takes less than all of it. */
  at?(step: number): Snapshot | undefined;
}

/** Records and their times: an object for each would take three times the room. */
interface Noted {
  readonly records: RecordBody[];
  readonly times: number[];
}

/** A snapshot takes more room than the records of a step: those of the steps between are folded when somebody looks back. */
const STEPS_BETWEEN = 16;

/** The steps of a run, and its start, along the path that led here; see `stepAt`. */
export class Trail {
  static readonly empty = new Trail(undefined);
  /** The snapshot before the first record; its own trail leads to it. */
  #base: Snapshot | undefined;
  /**
   * The records that followed; longer than `length` once a later trail has noted more. Without it,
   * nothing can follow.
   */
  #noted: Noted | undefined;
  #length: number;
  #later: LaterTrail | undefined;

  private constructor(base: Snapshot | undefined, noted?: Noted, length = 0, later?: LaterTrail) {
    this.#base = base;
    this.#noted = noted;
    this.#length = length;
    this.#later = later;
  }

  static later(later: LaterTrail): Trail {
    return new Trail(undefined, undefined, 0, later);
  }

  /** The trail to a step, and to those before it. */
  static endingAt(last: Snapshot): Trail {
    return new Trail(last);
  }

  /** That of what follows a snapshot. */
  static behind(snapshot: Snapshot): Trail {
    const { trail, isStep, steps } = snapshot;
    const isKept = trail.#noted === undefined || (isStep && steps % STEPS_BETWEEN === 0);
    return isKept ? new Trail(snapshot, { records: [], times: [] }) : trail;
  }

  /** Returns the trail with the next record, as it stands in the log. */
  noted(record: RecordBody, at: number): Trail {
    const length = this.#length;
    // A rewind is no way on from what was before it.
    if (this.#noted === undefined) return this;
    const noted = length === this.#noted.times.length ? this.#noted : upTo(this.#noted, length);
    noted.records.push(record);
    noted.times.push(at);
    return new Trail(this.#base, noted, length + 1);
  }

  /** Returns the trail with its last snapshot changed. */
  with(change: Partial<Snapshot>, fold: Fold): Trail {
    const last = this.#last(fold);
    return last === undefined ? this : Trail.endingAt({ ...last, ...change });
  }

  /** The snapshot right behind a step. */
  at(step: number, fold: Fold): Snapshot | undefined {
    let trail: Trail = this;
    while (trail.#base !== undefined) {
      const base = trail.#base;
      if (base.steps < step || isAt(base, step))
        return trail.#folded(fold).find((one) => isAt(one, step));
      trail = base.trail;
    }
    const later = trail.#later;
    return later?.at === undefined ? later?.read().at(step, fold) : later.at(step);
  }

  /**
   * Lets go of what leads to the last snapshot that is kept at `step` or before it, since `laterOf` can read that again.
   * All who hold a part of the trail see the same as before.
   */
  release(step: number, laterOf: (kept: Snapshot) => LaterTrail): void {
    let trail: Trail = this;
    while (trail.#base !== undefined && trail.#base.steps > step) trail = trail.#base.trail;
    const kept = trail.#base;
    if (kept === undefined || kept.trail.#base === undefined) return;
    const before = kept.trail;
    before.#later = laterOf(kept);
    [before.#base, before.#noted, before.#length] = [undefined, undefined, 0];
  }

  #last(fold: Fold): Snapshot | undefined {
    const known = this.#known();
    const steps = [...known.#folded(fold)].filter(({ isStep }) => isStep);
    if (known.#base === undefined) return undefined;
    return steps.at(-1) ?? known.#base.trail.#last(fold);
  }

  #known(): Trail {
    return this.#later === undefined ? this : this.#later.read().#known();
  }

  /** Yields the first snapshot, and the one behind each of its records. */
  *#folded(fold: Fold): Generator<Snapshot, undefined> {
    if (this.#base === undefined) return;
    let at = this.#base;
    yield at;
    if (this.#noted === undefined) return;
    const { records, times } = upTo(this.#noted, this.#length);
    for (const [index, record] of records.entries()) {
      at = fold(at, record, times[index] ?? 0);
      yield at;
    }
  }
}

function upTo({ records, times }: Noted, length: number): Noted {
  return { records: records.slice(0, length), times: times.slice(0, length) };
}

function isAt({ isStep, steps }: Snapshot, step: number): boolean {
  return isStep && steps === step;
}

/** The snapshot right behind a step: this one itself, or one that its trail leads to. */
export function stepAt(snapshot: Snapshot, step: number, fold: Fold): Snapshot | undefined {
  return isAt(snapshot, step) ? snapshot : snapshot.trail.at(step, fold);
}
