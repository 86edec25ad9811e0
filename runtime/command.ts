/** Lets a function of a `run` node return a command: its output together with what is to follow. */

import type { MessageMarks } from "./envelope.ts";

/** A node that a command starts, in a branch of its own. `topic` and `priority` are those of its message. */
export interface Send extends MessageMarks {
  /** A name behind the node's arrow. */
  readonly to: string;
  /** Its arguments, by parameter. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** The task: a message of kind `task` in the node's inbox. */
  readonly task?: string;
  /** Data for it, in the same message. */
  readonly payload?: unknown;
}

/** The message that the node's `tell` sends, as a command changes it. */
export interface Tell extends MessageMarks {
  /** The payload in place of the output. */
  readonly payload?: unknown;
}

export interface CommandOptions {
  /** The values that the node writes, by field; other fields stay as they are. */
  readonly update?: Readonly<Record<string, unknown>>;
  /** The targets in place of those of its arrows: names behind them. */
  readonly goto?: string | readonly string[];
  readonly send?: Send | readonly Send[];
  /** The marks and the payload of the message that the node's `tell` sends. */
  readonly tell?: Tell;
  /** A question; the command becomes true when somebody says yes, with an edited `update` if they say so. */
  readonly interrupt?: string | { readonly question: string; readonly shown?: unknown };
  /** Ends the run well, with its outputs as they are then. */
  readonly finish?: boolean;
}

const COMMAND: unique symbol = Symbol.for("madrigal.command");

/** The result of `command()`; the check of a graph reads its `kind` and its members. */
export type Command<C extends CommandOptions = CommandOptions> = C & {
  readonly kind: "command";
  readonly [COMMAND]: true;
};

/** Says what follows a `run` node: `return command({ update: { notes }, goto: "review" })`. */
export function command<const C extends CommandOptions>(options: C): Command<C> {
  return { ...options, kind: "command", [COMMAND]: true };
}

/** Returns whether a value was made by `command()`, in any copy of this module. */
export function isCommand(value: unknown): value is Command {
  return typeof value === "object" && value !== null && COMMAND in value;
}

/** A command as the log has it: everything in it is JSON, and it has been agreed to. */
export interface Orders {
  readonly update?: Readonly<Record<string, unknown>>;
  readonly goto?: readonly string[];
  readonly send?: readonly Send[];
  readonly tell?: Tell;
  readonly finish?: true;
}
