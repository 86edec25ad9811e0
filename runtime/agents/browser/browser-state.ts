/** Describes the state of a browser that an agent goes on with: what is kept in the log, and restored. */

/** A tab with its address, and how far its page is scrolled in pixels. */
export interface TabState {
  readonly url: string;
  readonly scroll: readonly [x: number, y: number];
}

export interface BrowserState {
  readonly kind: "browser";
  /** The session that was left in this state, and how many results it had given. */
  readonly session: string;
  readonly number: number;
  readonly tabs: readonly TabState[];
  /** The index of the tab that is shown. */
  readonly active: number;
  /** The hosts that the agent was let visit. */
  readonly visited: readonly string[];
  /** The hash of what the agent was shown last. */
  readonly seen?: string;
  /** The turn and the model's call in which it acted last, and how often in each. */
  readonly acted?: {
    readonly turn: string;
    readonly step: number;
    readonly inTurn: number;
    readonly inStep: number;
  };
  /** Cookies and local storage, where the program keeps them. */
  readonly storage?: unknown;
}

export function isBrowserState(value: unknown): value is BrowserState {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "browser";
}
