/** Where a run stands: persistent, plain data. Folding the log gives it; `advance` gives the next one. */

import type { Artifact, Made } from "../artifact.ts";
import type { SessionRef } from "../controller-facts.ts";
import type { Sent } from "../envelope.ts";
import type { Failure } from "../failure.ts";
import type { Answer } from "../interrupt.ts";
import type { ModifyRecord, NodeUse } from "../records/control-records.ts";
import type { InterruptRecord } from "../records/question-records.ts";
import type { RunStatus } from "../run-status.ts";
import { IntMap } from "../state/int-map.ts";
import { keyText, type OrderKey } from "../state/order-key.ts";
import { plain, SharedList } from "../state/shared-list.ts";
import type { Shown } from "../state/shown.ts";
import { noUsage, type Usage } from "../usage.ts";
import type { Sentinel } from "./flow-op.ts";
import { type Mail, noMail } from "./mail.ts";
import type { Program } from "./program.ts";
import type { Talk } from "./talks.ts";

export interface Snapshot {
  readonly status: RunStatus;
  readonly reason: string;
  /** Paused by a hold: nothing starts or commits, what is in flight goes on. */
  readonly held: boolean;
  readonly failure?: Failure | undefined;
  /** The node behind which a token found nothing but used-up edges: nothing can go on from there. */
  readonly stuck?: string | undefined;
  /** Why nothing can go on from here, however often the run is resumed: a quorum that can't be reached any more. */
  readonly blocked?: Failure | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  /** Settings of the file that this run has otherwise. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly output?: Readonly<Record<string, unknown>> | undefined;
  /** Commits so far. */
  readonly steps: number;
  /** Failures so far from which an arrow led on. */
  readonly detours: number;
  /** It stands right behind a step: it can be rewound to, and its trail ends at the step before. */
  readonly isStep: boolean;
  /** The steps it can be rewound to. */
  readonly trail: Trail;
  /** How often it was rewound: tells apart node runs at the same place in the order of the graph. */
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
  readonly shown: IntMap<Shown>;
  /** By scope: the fields of the agents' own that were written there. */
  readonly instances: IntMap<Instances>;
  /** What has been written to fields that outlive the run, as far as the root sees it: for whoever called this graph. */
  readonly kept: SharedList<FrameWrite>;
  readonly frames: IntMap<Frame>;
  readonly scopes: IntMap<Scope>;
  readonly expansions: IntMap<Expansion>;
  /** What people had nodes use, by name. */
  readonly uses?: Readonly<Record<string, NodeUse>> | undefined;
  /** Node runs that are due, running or ended without a commit. */
  readonly open: IntMap<NodeRun>;
  /** Questions that wait for an answer, by node run, and the one for which the whole run waits. */
  readonly interrupts: IntMap<readonly OpenInterrupt[]>;
  readonly whole?: OpenInterrupt | undefined;
  /** How often the limits of the run were granted again, by their names. */
  readonly grants: Readonly<Record<string, number>>;
  /** Answers for the rest of the run, by the question's key. */
  readonly remembered: Readonly<Record<string, Answer>>;
  /** What its node runs have made and committed. */
  readonly artifacts: readonly Artifact[];
  /** What waits to be read. */
  readonly mail: Mail;
  /** How often each node was activated. */
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

/**
 * One line of nodes: the root, or a branch of a fork or an item. It sees its parent as it was at the fork and what it
 * wrote itself.
 */
export interface Frame {
  readonly id: number;
  readonly parent: number;
  readonly path: OrderKey;
  /** The parent's position it forked from, and the outlet that forked. */
  readonly seq: number;
  readonly fork: number;
  /** Of what goes on by itself: its writes stay in it until the run ends. */
  readonly isDetached?: true;
  /** Tokens and child frames that still live. */
  readonly live: number;
  /** Fields written here since the fork. */
  readonly view: IntMap<unknown>;
  /** Those writes; the root keeps none. */
  readonly writes: SharedList<FrameWrite>;
  /** Writes of child frames that ended, not yet seen by anyone. */
  readonly ended: SharedList<FrameWrite>;
}

export interface FrameWrite {
  readonly key: OrderKey;
  readonly field: number;
  readonly value: unknown;
  readonly via?: string | undefined;
  /** The node whose `via` overrides the field's reducer. */
  readonly node: number;
  /** Whose it is, of a field of an agent's own. */
  readonly scope?: number | undefined;
}

/** A token: who carries it is in `frame` at position `seq`. */
export interface Token {
  readonly frame: number;
  readonly seq: number;
}

/** The run itself (0), or one item of an `each`. */
export interface Scope {
  readonly id: number;
  readonly parent: number;
  readonly expansion: number;
  readonly index: number;
  /** The frame it began with. */
  readonly frame: number;
  /** Its place in the order of the graph. */
  readonly path: OrderKey;
  /** Node runs and expansions that are open in it. */
  readonly active: number;
  readonly joins: IntMap<JoinState>;
  /** The joins at which tokens wait. */
  readonly armed: IntMap<true>;
  /** Uses of routes with `max`. */
  readonly counts: IntMap<number>;
  /** By node: the node run that has its turn, then those that wait for it. */
  readonly turns: IntMap<readonly number[]>;
  /** Open node runs by place, for joins that ask whether a source can still come. */
  readonly places: IntMap<number>;
  /** By node: the last of its conversations, which leads to the others. */
  readonly talks: IntMap<Talk>;
  /** Sessions of strong agents that nodes of this scope go on with, by name. */
  readonly sessions?: Readonly<Record<string, SessionRef>> | undefined;
  /** Of what goes on by itself: the items of the `each`es that it left. */
  readonly detached?: Readonly<Record<string, unknown>> | undefined;
  /** The item of a stream. */
  readonly streamed?: { readonly value: unknown } | undefined;
  /** Its latest commits, where a limit counts how often they repeat without changing the state. */
  readonly idle?: Idle | undefined;
}

/** How often the latest one or two nodes have come round again with the state as it was. */
export interface Idle {
  /** The nodes of the last two commits, the latest first, and what people saw behind each. */
  readonly latest: readonly { readonly node: number; readonly shown: IntMap<Shown> }[];
  /** Commits in a row that found the state as it was one, or two, commits before. */
  readonly alone: number;
  readonly inTurn: number;
}

/** What the agents of one scope have for themselves, by field. */
export interface Instances {
  /** The scope's place in the order of the graph: scopes end, and this stays. */
  readonly path: OrderKey;
  readonly fields: IntMap<Shown>;
}

export interface JoinState {
  /** Waiting tokens by source, oldest first; a source at which none waits has no entry. */
  readonly tokens: IntMap<readonly Token[]>;
  readonly fired: number;
  /** By source: how many tokens are still on their way to rounds that did not wait for them. */
  readonly owed: IntMap<number>;
  /** The place in the order of the graph behind which the last such round went on. */
  readonly firedAt?: OrderKey;
}

export const emptyJoin: JoinState = { tokens: IntMap.empty(), fired: 0, owed: IntMap.empty() };

/** One activation of an `each`. */
export interface Expansion {
  readonly id: number;
  readonly each: number;
  readonly scope: number;
  readonly frame: number;
  readonly seq: number;
  readonly items: readonly unknown[];
  readonly parallel: number;
  readonly started: number;
  /** Items that are over, the dropped ones too. */
  readonly ended: number;
  readonly dropped: number;
  /** It goes on when so many items have come through. */
  readonly need?: number;
  /** Where its items come from, if they come one by one; `items` is empty then. */
  readonly stream?: Stream;
}

export interface Stream {
  /** The node run that reads it. */
  readonly reader: number;
  readonly isOver: boolean;
  /** The last item that came; absent before the first. */
  readonly last?: { readonly value: unknown };
}

/** The stream of an `each`: the call that gives it, or the constant that it is (no `args`). */
export interface StreamSource {
  readonly expansion: number;
  readonly name: string;
  /** What its call is known by among those of its record. */
  readonly key: string;
  readonly args?: readonly unknown[];
  /** The file that the name is meant in, where that is not the one of the run's graph. */
  readonly file?: string;
}

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
  readonly attempt: number;
  readonly reason: "first" | "retry" | "repair" | "resume";
  readonly notBefore?: number | undefined;
  /** It is none of a node: it reads the items of a stream, one an attempt; `queued` while there is no room for one. */
  readonly source?: StreamSource | undefined;
  /** Of a node with `every`: the times it has run before this one. */
  readonly iteration?: number | undefined;
  readonly sentinel?: Sentinel | undefined;
  /** What its latest attempt uses instead of what the program says. */
  readonly using?: { readonly attempt: number; readonly use?: NodeUse } | undefined;
  readonly feedback?: string | undefined;
  /** The first attempt of the conversation that a repair continues. */
  readonly sessionFrom: number;
  readonly retries: Readonly<Record<string, number>>;
  readonly repairs: number;
  /** Its failed attempts and tool calls since the last tool call that worked. */
  readonly errors: number;
  /** Over all attempts: what limits of the node count. */
  readonly usage: Usage;
  readonly attemptUsage: Usage;
  readonly activeMs: number;
  readonly runningSince?: number | undefined;
  /** What this attempt, and those that it repairs, found when they started. */
  readonly inbox?: readonly Sent[] | undefined;
  /** What they have made to be kept. */
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
  /** The plan that is to replace its own: it begins anew with what is done. */
  readonly modified?: Pick<ModifyRecord, "plan" | "done">;
  /** The node in it at which it failed. */
  readonly failedAt?: string;
  /** The attempt that it works for: a later one where the whole run was resumed behind its failure. */
  readonly attempt: number;
}

/** What a node run has asked, and what was decided. */
export interface RunAsks {
  /** How many questions it has had. */
  readonly count: number;
  /** What was said of its start, for exactly what was shown. */
  readonly consent?: { readonly hash: string; readonly answer: Answer };
  /** What a person put in the place of its call's arguments or its prompt. */
  readonly edited?: { readonly callArgs?: readonly unknown[]; readonly prompt?: string };
  /** What an attempt came to, before it is committed. */
  readonly offer?: Offer;
  /** How often its limits were granted again, by their names. */
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

/** The snapshots right behind the start of a run and each step since, along the path that led here; see `stepAt`. */
export class Trail {
  static readonly empty = new Trail(undefined);
  readonly #known: Snapshot | undefined;
  readonly #later: (() => Trail) | undefined;

  private constructor(known: Snapshot | undefined, later?: () => Trail) {
    this.#known = known;
    this.#later = later;
  }

  /** One that is worked out when somebody first looks back. */
  static later(read: () => Trail): Trail {
    let found: Trail | undefined;
    const once = () => {
      found ??= read();
      return found;
    };
    return new Trail(undefined, once);
  }

  /** The trail of a snapshot itself ends at the step before. */
  static endingAt(last: Snapshot): Trail {
    return new Trail(last);
  }

  /** The same steps, the last one changed. */
  with(change: Partial<Snapshot>): Trail {
    return this.#last === undefined ? this : new Trail({ ...this.#last, ...change });
  }

  at(step: number): Snapshot | undefined {
    let found = this.#last;
    while (found !== undefined && found.steps > step) found = found.trail.#last;
    return found?.steps === step ? found : undefined;
  }

  get #last(): Snapshot | undefined {
    return this.#later === undefined ? this.#known : this.#later().#last;
  }
}

/** The snapshot right behind a step: this one itself, or one that its trail leads to. */
export function stepAt(snapshot: Snapshot, step: number): Snapshot | undefined {
  return snapshot.isStep && snapshot.steps === step ? snapshot : snapshot.trail.at(step);
}

export function emptySnapshot(): Snapshot {
  return {
    status: "created",
    reason: "",
    held: false,
    failure: undefined,
    stuck: undefined,
    blocked: undefined,
    input: {},
    config: undefined,
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

export function emptyScope(
  of: Pick<
    Scope,
    "id" | "parent" | "expansion" | "index" | "frame" | "path" | "streamed" | "detached"
  >,
): Scope {
  return {
    id: of.id,
    parent: of.parent,
    expansion: of.expansion,
    index: of.index,
    frame: of.frame,
    path: of.path,
    active: 0,
    joins: IntMap.empty(),
    armed: IntMap.empty(),
    counts: IntMap.empty(),
    turns: IntMap.empty(),
    places: IntMap.empty(),
    talks: IntMap.empty(),
    sessions: undefined,
    detached: of.detached,
    streamed: of.streamed,
    idle: undefined,
  };
}

/** What a frame sees of a field: its own line back to the root, forks as they were. */
export function viewOf(snapshot: Snapshot, frame: number, field: number): unknown {
  return plain(keptView(snapshot, frame, field));
}

/** The same as it is kept, for reducers: a list that is appended to is a `SharedList`. */
export function keptView(snapshot: Snapshot, frame: number, field: number): unknown {
  for (let at = snapshot.frames.get(frame); at !== undefined; at = snapshot.frames.get(at.parent)) {
    const value = at.view.get(field);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** What `map` has under `key`, which the log says must be there. */
export function must<T>(map: IntMap<T>, key: number, what: string): T {
  const value = map.get(key);
  if (value === undefined)
    throw new Error(`M9000: no ${what} ${key}; the log does not fit the graph`);
  return value;
}
