/** Every command: what it is for, and where its code is, loaded when it is called. */
import type { Command } from "./command.ts";

export interface Entry {
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

export const commands: Readonly<Record<string, Entry>> = {
  check: {
    usage: "check FILE… [--json]",
    summary: "says what is wrong in programs, without running them",
    load: () => import("./commands/check.ts"),
  },
  run: {
    usage:
      "run FILE [GRAPH] [--input JSON|@FILE] [--model ALIAS=ID]… [--scope FILE.ts]\n" +
      "    [--thread ID] [--durability sync|async|exit] [--json | --events]",
    summary: "runs a graph",
    load: () => import("./commands/run.ts"),
  },
  runs: {
    usage: "runs [--graph NAME] [--status STATUS] [--limit N] [--json]",
    summary: "lists the runs of the workspace, newest first",
    load: () => import("./commands/runs.ts"),
  },
  show: {
    usage: "show RUN [--json]",
    summary: "shows a run: RUN is its id, the beginning of it, or `last`",
    load: () => import("./commands/show.ts"),
  },
  resume: {
    usage: "resume RUN [--json]",
    summary: "goes on with a run that was paused, failed, aborted or lost its process",
    load: () => import("./commands/resume.ts"),
  },
  abort: {
    usage: "abort RUN [--reason TEXT] [--json]",
    summary: "ends a run that nobody drives; what it did is kept",
    load: () => import("./commands/abort.ts"),
  },
  graph: {
    usage: "graph FILE --mermaid|--json",
    summary: "draws the graphs of a file, or prints their IR",
    load: () => import("./commands/graph.ts"),
  },
  explain: {
    usage: "explain CODE [--json]",
    summary: "says what a code like M2101 means",
    load: () => import("./commands/explain.ts"),
  },
};

/** Commands whose names are taken (CONTRACTS.md) and whose code is still to come. */
export const commandsToCome: readonly string[] = `
  kernel install uninstall doctor lab exec fmt test roles lsp answer replay fork export import debug trace chart report
  eval serve
`
  .trim()
  .split(/\s+/);
