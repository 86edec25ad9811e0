/** Lets a function of a `run` node return a command: its output together with what is to follow. */

import type { MessageMarks } from "./envelope.ts";

/** A node that a command starts, in a branch of its own. `topic` and `priority` are those of its message. */
export interface Send extends MessageMarks {
  /** A name behind the node's arrow. */
  readonly to: string;
  /** Its arguments, by parameter. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** What it is to do: a message of kind `task` in its inbox. */
  readonly task?: string;
  /** Data for it, in the same message. */
  readonly payload?: unknown;
}

/** What a command says of the message that its node's `tell` sends. */
export interface Tell extends MessageMarks {
  /** What is told in place of the output. */
  readonly payload?: unknown;
}

export interface CommandOptions {
  /** What the node writes, by field; fields that are not named stay as they are. */
  readonly update?: Readonly<Record<string, unknown>>;
  /** Where it goes on, in place of what its arrows say: names behind them. */
  readonly goto?: string | readonly string[];
  readonly send?: Send | readonly Send[];
  /** How the message of the node's `tell` is marked, and what it says. */
  readonly tell?: Tell;
  /** A question; the command becomes true when somebody says yes, with an edited `update` if they say so. */
  readonly interrupt?: string | { readonly question: string; readonly shown?: unknown };
  /** Ends the run well, with its outputs as they are then. */
  readonly finish?: boolean;
}

const COMMAND: unique symbol = Symbol.for("madrigal.command");

/** What `command()` makes: its `kind` and its members are what the check of a graph looks at. */
export type Command<C extends CommandOptions = CommandOptions> = C & {
  readonly kind: "command";
  readonly [COMMAND]: true;
};

/** Says what follows a `run` node: `return command({ update: { notes }, goto: "review" })`. */
export function command<const C extends CommandOptions>(options: C): Command<C> {
  return { ...options, kind: "command", [COMMAND]: true };
}

/** Whether a value was made by `command()`, in whichever copy of this module. */
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
