/**
 * Declares the messages about debugged runs between worker 1 and the main thread. Threads, frames and references are
 * main's numbers.
 */
import type { DisconnectKind, MoveVerb, Paging, Variable, VariableScope } from "./protocol.ts";

/**
 * A message to the main thread; messages keep their order, and the answer to one that has an answer
 * comes as `answer`.
 */
export type DebugAsk =
  | { readonly kind: "attach" }
  | { readonly kind: "detach"; readonly leaving: DisconnectKind }
  | { readonly kind: "breakpoints"; readonly code: string; readonly lines: readonly number[] }
  | { readonly kind: "filters"; readonly filters: readonly string[] }
  | { readonly kind: "pause" }
  | { readonly kind: "move"; readonly verb: MoveVerb; readonly thread: number }
  | { readonly kind: "variables"; readonly reference: number; readonly paging: Paging }
  | { readonly kind: "evaluate"; readonly expression: string; readonly frame: number | undefined }
  | { readonly kind: "render"; readonly name: string; readonly frame: number | undefined }
  | {
      readonly kind: "copy";
      readonly name: string;
      readonly to: { readonly name: string; readonly frame: number };
    };

/** A frame of a stopped run, told with the stop, so that it is shown also while the main thread blocks. */
export interface StackFrameFacts {
  readonly id: number;
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly text?: SourceText;
  readonly scopes: readonly VariableScope[];
}

/** The whole text of a cell, or a text that is none. */
export type SourceText =
  | { readonly kind: "cell"; readonly code: string }
  | { readonly kind: "file"; readonly path: string; readonly text: string };

export type DebugNews =
  | { readonly kind: "answer"; readonly number: number; readonly value: unknown }
  /** `message` is what a front end shows. */
  | { readonly kind: "fault"; readonly number: number; readonly message: string }
  | {
      readonly kind: "stopped";
      readonly thread: number;
      readonly reason: string;
      readonly text: string;
      readonly frames: readonly StackFrameFacts[];
    }
  | { readonly kind: "continued"; readonly thread: number }
  /** A line for whoever debugs. */
  | { readonly kind: "said"; readonly text: string }
  /** The values of the notebook's names after each cell. */
  | { readonly kind: "globals"; readonly variables: readonly Variable[] };
