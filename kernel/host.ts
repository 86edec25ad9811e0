/** Holds what a running kernel gives to the functions that cells import; a plain process has none. */
import type { CellOutput } from "./cell-output.ts";
import type { Comms } from "./comms/comms.ts";
import type { Widgets } from "./widgets/widgets.ts";

export interface Host {
  /** Shows in the output of the cell that this code belongs to, also after the cell ended. */
  output(output: CellOutput): void;
  /** Keeps the cell that this code belongs to, for what is shown from elsewhere later. */
  boundOutput(): (output: CellOutput) => void;
  /**
   * Returns an id of the cell run that the calling code belongs to; the same cell run again has
   * another. Undefined before the first.
   */
  cellRun(): string | undefined;
  /** The values that cells have declared, by name. */
  readonly names?: Readonly<Record<string, unknown>>;
  /** The text of a cell that has run, by what stacks call it. */
  cellText?(cell: string): string | undefined;
  /** Aborted when the cell that this code belongs to is cancelled. */
  signal(): AbortSignal | undefined;
  /** Asks the person; blocks until there is an answer. Throws where nobody can be asked. */
  ask(prompt: string, options: { readonly password: boolean }): string;
  /** Asks and goes on; undefined, or absent, where nobody can be asked. Resolves with nothing when nobody answers, or `signal` took it back. */
  askLater?(): ((prompt: string, signal: AbortSignal) => Promise<string | undefined>) | undefined;
  /** Lines to what runs in front ends. */
  readonly comms?: Comms;
  /** The kernel's own widgets. */
  readonly widgets?: Widgets;
  /** Tells that a person has changed what a value holds; resolves once what depends on it has run again, where it does. */
  changed?(value: unknown): Promise<void>;
}

let current: Host | undefined;

export function useHost(host: Host): void {
  current = host;
}

export function currentHost(): Host | undefined {
  return current;
}
