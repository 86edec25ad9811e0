/** Declares what a client asks of a running kernel beside its cells, by a comm, and what it is told. */

/** The name under which a client opens a comm; its data is the question, and the kernel closes it with the answer. */
export const AGENT_TARGET = "madrigal.agent";

/** The ids of cells that a client runs begin with this; they stand in no notebook. */
export const AGENT_CELL = "mcp-";

export type KernelAsk =
  | { readonly ask: "about" }
  /** The last cells, or those that failed, or one by its number. */
  | { readonly ask: "cells"; readonly last: number; readonly failed: boolean }
  | { readonly ask: "cell"; readonly number: number }
  /** All names of the notebook, or the value of one. */
  | { readonly ask: "values"; readonly name?: string }
  | { readonly ask: "runs"; readonly run?: string }
  /** The runs that the kernel drives now and nobody holds, as `RunUnderWay`. */
  | { readonly ask: "under way" }
  /** One SELECT over the traces; those of `run` also while it is under way. */
  | { readonly ask: "sql"; readonly sql: string; readonly run?: string }
  /** A command of the debugger about a run. */
  | { readonly ask: "debug"; readonly run: string; readonly command: string };

/** A run that ends or pauses with its kernel. */
export interface RunUnderWay {
  readonly run: string;
  readonly graph: string;
  readonly status: string;
}

/** The data with which the kernel closes the comm. */
export type KernelAnswer = { readonly value: unknown } | { readonly error: string };
