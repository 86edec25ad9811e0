/** Holds how a node's status looks: a colour, and a sign for those who don't see the colour. */
import type { NodeKind } from "../../../dsl/index.ts";

/**
 * Of all node runs of one node together; `idle` has none yet, of `waiting` one asks somebody, `paused` were given up with
 * the run and begin again with it. The other words are those of the view `node_runs`.
 */
export type NodeStatus =
  | "idle"
  | "running"
  | "waiting"
  | "paused"
  | "ready"
  | "succeeded"
  | "failed"
  | "skipped"
  | "aborted"
  | "stale";

export interface NodeLook {
  /** Of the outline and the sign; with enough contrast on `fill`. */
  readonly stroke: string;
  readonly fill: string;
  /** A path in a square of 16, drawn white on a disc. */
  readonly sign?: string;
  readonly isDashed?: boolean;
  readonly word: string;
}

export const LOOKS: Readonly<Record<NodeStatus, NodeLook>> = {
  idle: { stroke: "#8c959f", fill: "#ffffff", word: "has not run" },
  running: { stroke: "#0b63b8", fill: "#e3f0fc", sign: "M6 4.2L12 8L6 11.8Z", word: "running" },
  waiting: {
    stroke: "#7a3ea8",
    fill: "#f5ebfc",
    sign: "M5.8 6.2A2.2 2.2 0 1 1 8 8.5V9.7M8 11.9V12",
    word: "asks",
  },
  paused: {
    stroke: "#57606a",
    fill: "#eaeef2",
    sign: "M6 5V11M10 5V11",
    word: "paused",
  },
  ready: {
    stroke: "#9a6700",
    fill: "#fff5d6",
    sign: "M11.2 5.6A4 4 0 1 0 12 8.6M11.6 3.4V6.2H8.8",
    word: "tries again",
  },
  succeeded: {
    stroke: "#13724f",
    fill: "#e6f5ee",
    sign: "M4.4 8.3L7 10.9L11.8 5.5",
    word: "succeeded",
  },
  failed: {
    stroke: "#b3321a",
    fill: "#fdeae5",
    sign: "M5.2 5.2L10.8 10.8M10.8 5.2L5.2 10.8",
    word: "failed",
  },
  skipped: {
    stroke: "#6b7280",
    fill: "#f3f4f6",
    sign: "M4.5 8H11.5",
    isDashed: true,
    word: "skipped",
  },
  aborted: { stroke: "#57606a", fill: "#eaeef2", sign: "M5.4 5.4H10.6V10.6H5.4Z", word: "aborted" },
  stale: {
    stroke: "#8c959f",
    fill: "#f6f8fa",
    sign: "M11 4.5L5.5 8L11 11.5",
    isDashed: true,
    word: "undone",
  },
};

/** A path in a square of 16 for each kind of node. */
export const ICONS: Readonly<Record<NodeKind, string>> = {
  agent: "M4 6.5H12V12.5H4ZM8 6.5V3.8M8 3.8A.6 .6 0 1 0 8 3.7M6.3 9.3H6.4M9.6 9.3H9.7",
  operator: "M3.5 4H12.5V12H3.5ZM5.5 6.5L7.5 8L5.5 9.5M8.7 9.8H10.8",
  human:
    "M8 7.4A2.2 2.2 0 1 0 8 3A2.2 2.2 0 1 0 8 7.4M3.8 13C3.8 10.6 5.6 9.3 8 9.3S12.2 10.6 12.2 13",
  router: "M8 2.8L13.2 8L8 13.2L2.8 8Z",
  run: "M9.5 3.2C7.6 3 7.4 4 7.2 5.4L6.4 10.8C6.2 12.3 5.6 13 4.3 12.7M4.8 7.2H9.6M9.9 9.2L12.3 12.6M12.3 9.2L9.9 12.6",
  tool: "M10.6 3.2A3 3 0 0 0 7.3 7.2L3.4 11.1L4.9 12.6L8.8 8.7A3 3 0 0 0 12.8 5.4L10.9 7.1L9 5.2Z",
  reduce: "M11.5 3.5H4.5L8.6 8L4.5 12.5H11.5",
  graph:
    "M3.2 6.2H6.4V9.8H3.2ZM9.6 3H12.8V6.2H9.6ZM9.6 9.8H12.8V13H9.6ZM6.4 7.4L9.6 5.2M6.4 8.6L9.6 10.9",
};
