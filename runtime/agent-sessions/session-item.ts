/** Describes what an agent said, did and asked in one node run, as plain data for people. */
import type { ModelSource } from "../records/call-records.ts";
import type { Usage } from "../usage.ts";

/** One thing that was said or done, in the order in which it was told. */
export type SessionItem =
  | InstructionItem
  | TextItem
  | CallItem
  | FileItem
  | PlanItem
  | QuestionItem
  | NoteItem;

export interface ItemBase {
  /** The record of the log that tells of it, and when: milliseconds since the epoch. */
  readonly seq: number;
  readonly at: number;
  readonly attempt: number;
  /** Its bytes in the raw stream of its attempt: from, and to without. */
  readonly raw?: readonly [number, number];
}

/** The text that the agent was given, or that a person told it while it worked. */
export interface InstructionItem extends ItemBase {
  readonly kind: "instruction" | "steer";
  readonly text: string;
}

export interface TextItem extends ItemBase {
  readonly kind: "text";
  readonly text: string;
}

export interface CallItem extends ItemBase {
  readonly kind: "call";
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly status: "running" | "ok" | "failed" | "denied";
  readonly value?: unknown;
  readonly error?: string;
  readonly durationMs?: number;
}

/** A file that it made, or the difference of one that it changed. */
export interface FileItem extends ItemBase {
  readonly kind: "file";
  readonly name: string;
  readonly path?: string;
  readonly isDiff: boolean;
  readonly text?: string;
}

/** Its plan as it was from then on. */
export interface PlanItem extends ItemBase {
  readonly kind: "plan";
  readonly steps: readonly { readonly text: string; readonly status: string }[];
}

/** It asked for leave, or for something that it must know. */
export interface QuestionItem extends ItemBase {
  readonly kind: "question";
  readonly id: string;
  readonly tool?: string;
  readonly message?: string;
  readonly input?: unknown;
  readonly status: "open" | "approved" | "denied";
}

/** Anything else that is worth telling: a session that is new in place of one that is gone, output that nobody could read, the end. */
export interface NoteItem extends ItemBase {
  readonly kind: "note" | "error";
  readonly text: string;
}

/** The turns of an agent in one node run. */
export interface SessionTurn {
  readonly node: string;
  readonly nodeRun: number;
  /** `code#1`, behind the labels of the node runs whose graphs it is in: `go#1 › code#1`. */
  readonly label: string;
  /** The controller of a strong agent; absent for an agent of the program's own. */
  readonly controller?: string;
  readonly model?: string;
  readonly modelSources: readonly ModelSource[];
  /** The agent's own names of the session, the last one last. */
  readonly sessionIds: readonly string[];
  readonly status: "working" | "asking" | "done" | "failed" | "stopped";
  readonly items: readonly SessionItem[];
  /** Earlier items that are counted and not kept. */
  readonly left: number;
  /** All calls, also those that are not kept. */
  readonly calls: number;
  /** The text that is being said. */
  readonly saying: string;
  /** A sign of life since the last item: `its usage`. */
  readonly sign?: string;
  readonly plan?: PlanItem["steps"];
  readonly usage: Usage;
  readonly startedAt: number;
  readonly lastAt: number;
}
