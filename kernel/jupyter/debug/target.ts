/**
 * Declares a debugger target: the seam between the adapter and what can be stopped. Each counts its threads, frames and
 * references from 1, as if it were alone; the adapter gives each a range of the numbers that front ends see. What fails
 * is thrown with a code; a front end is told its text.
 */
import type { CellKind } from "../../cells/kinds/classify.ts";
import type {
  DisconnectKind,
  Evaluated,
  ExceptionFilter,
  MoveVerb,
  Paging,
  ProtocolFrame,
  Rendered,
  Variable,
  VariableScope,
} from "./protocol.ts";

/** A cell that a front end has told the debugger of: its whole text, and what that is called. */
export interface DumpedCell {
  readonly path: string;
  readonly code: string;
  readonly kind: CellKind;
}

type Maybe<T> = T | Promise<T>;

export interface DebugTarget {
  /** The events that may stop it besides breakpoints. */
  readonly filters: readonly ExceptionFilter[];
  /** Returns whether the breakpoints of a cell belong to this target. */
  takes(cell: DumpedCell): boolean;
  attach(): Maybe<void>;
  /** Removes its breakpoints and filters; stopped threads continue or end. */
  detach(leaving: DisconnectKind): Maybe<void>;
  /**
   * Instead of those of this cell so far; said before `attach`, and again behind it. The lines, from 1, at which it will stop: some may be others than asked for, or missing.
   */
  setBreakpoints(cell: DumpedCell, lines: readonly number[]): Maybe<readonly number[]>;
  /** Replaces its filters; names of other targets' filters may be among them. */
  setFilters(filters: readonly string[]): Maybe<void>;
  /** Lets a stopped thread go on; `continued` and `stopped` say what comes of it. */
  move(verb: MoveVerb, thread: number): Maybe<void>;
  /** Stops what goes on, as soon as it can be stopped. */
  pause(): Maybe<void>;
  /** Returns the frames of a stopped thread, the innermost first. */
  frames(thread: number): Maybe<readonly ProtocolFrame[]>;
  scopes(frame: number): Maybe<readonly VariableScope[]>;
  variables(reference: number, paging: Paging): Maybe<readonly Variable[]>;
  /** Evaluates in a frame; without one if the front end names none. */
  evaluate(expression: string, frame: number | undefined): Maybe<Evaluated>;
  /** A variable as a mime bundle. */
  render(name: string, frame: number | undefined): Maybe<Rendered>;
  /** Gives the notebook a variable with this value. */
  copy(name: string, to: { readonly name: string; readonly frame: number }): Maybe<void>;
}

/** The callbacks by which a target reports events to the adapter. */
export interface TargetEvents {
  /**
   * Reports a stop; also again for a thread that is stopped, when its frames or variables have
   * changed.
   */
  stopped(thread: number, why: { readonly reason: string; readonly text?: string }): void;
  /** Reports that a thread continues, or is over. */
  continued(thread: number): void;
  /** Lines for whoever debugs. */
  printed(text: string): void;
  /** A cell that frames are in; the path to name it by. */
  knowCell(code: string): string;
  /** A text that frames name and that is no dumped cell, so that front ends can show it. */
  knowSource(path: string, text: string): void;
}

export type CreateTarget = (events: TargetEvents) => DebugTarget;
