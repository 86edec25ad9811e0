/** Records of what people do to a run: pause, hold, rewind, edit, steer, change a node or a plan. */
import type { Ir } from "../../dsl/index.ts";
import type { Sent } from "../envelope.ts";
import type { Patch } from "../state/patch.ts";

export interface ControlRecord {
  readonly kind: "control";
  readonly verb: "pause" | "resume" | "abort";
  readonly reason?: string;
  /** For resume after a crash: who goes on. */
  readonly owner?: string;
  /** For resume: what the run goes on with, where that is another program than before. */
  readonly ir?: Ir;
  /** For resume: the sha256 of each function that its nodes call, as it is now. */
  readonly code?: Readonly<Record<string, string>>;
  /** For abort: messages that nobody has read. */
  readonly dead?: readonly string[];
}

/** A hold keeps starts and commits back and leaves what is in flight alone, until it is released. */
export interface HoldRecord {
  readonly kind: "control";
  readonly verb: "hold" | "release";
  readonly reason?: string;
}

/** One node run neither starts nor commits until it is released; everything else goes on. */
export interface BranchRecord {
  readonly kind: "branch";
  readonly verb: "hold" | "release";
  readonly id: number;
  readonly node: string;
  readonly attempt: number;
  /** Of a hold by a breakpoint: which. */
  readonly reason?: string;
}

/** The run is again as it was after an earlier step, and held; what lies between stays in the log and counts no more. */
export interface RewindRecord {
  readonly kind: "control";
  readonly verb: "rewind";
  readonly reason?: string;
  /** The step to which, 0 for the start of the run. */
  readonly step: number;
  /** The record that made it: everything between it and this one is undone. */
  readonly to: number;
  /** A node run that was open then and begins anew: its recorded calls are made again. */
  readonly anew?: number;
  /** The node runs that were open then, and the numbers they go on under: no number means two things. */
  readonly renumbered: readonly Renumbered[];
}

/** A node run goes on in the place of one that was to begin. */
export interface Carried {
  readonly from: number;
  readonly id: number;
}

export interface Renumbered {
  readonly from: number;
  readonly id: number;
}

/** A person said something to the run: it is heard with the next model call of whom it is for. */
export interface SteerRecord {
  readonly kind: "steer";
  readonly message: Sent;
  /** The note that it stood in, where it was said in another process: no note is heard twice. */
  readonly note?: number;
}

/** A person gave fields other values; steps before it are as they were. */
export interface EditRecord {
  readonly kind: "edit";
  readonly values: Readonly<Record<string, unknown>>;
  readonly reason?: string;
  /** The changes in the state that people see. */
  readonly patches: readonly Patch[];
}

/** A person has a node use something else than the program says, from its next attempt on. */
export interface UseRecord {
  readonly kind: "use";
  readonly node: string;
  readonly use: NodeUse;
}

/** The overrides of a node; absent members stay as they were. */
export interface NodeUse {
  /** A name or id of a model. */
  readonly model?: string;
  /** `docs.search`, `docs.*`. */
  readonly tools?: readonly string[];
  /** The text, as it is sent. */
  readonly prompt?: string;
}

/** Another plan for the graph that a node run has made of one: what is done stays, and so does what both have under way. */
export interface ModifyRecord {
  readonly kind: "modify";
  readonly id: number;
  readonly plan: unknown;
  /** The results of the steps that are done, by their ids. */
  readonly done: Readonly<Record<string, unknown>>;
  /** The results so far of repeated steps that continue, by their ids. */
  readonly rounds?: Readonly<Record<string, unknown>>;
  /** The node runs that go on, where they are under way. */
  readonly goOn?: readonly number[];
}
