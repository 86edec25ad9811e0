/** Every command: what it is for, and where its code is, loaded when it is called. */
import type { Command } from "./command.ts";

export interface Entry {
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

export const commands: Readonly<Record<string, Entry>> = {
  check: {
    usage: "check FILE… [--no-types] [--json]",
    summary:
      "says what is wrong in programs, without running them; --no-types leaves TypeScript out",
    load: () => import("./commands/check.ts"),
  },
  fmt: {
    usage: "fmt FILE… [--check] [--json]",
    summary: "formats programs; `-` is stdin, and --check only lists those that would change",
    load: () => import("./commands/fmt.ts"),
  },
  test: {
    usage: "test FILE… [--json]",
    summary: "runs the tests of programs; no model is called",
    load: () => import("./commands/test.ts"),
  },
  run: {
    usage:
      "run FILE [GRAPH] [--input JSON|@FILE] [--model ALIAS=ID]… [--scope FILE.ts]\n" +
      "    [--thread ID] [--durability sync|async|exit] [--json | --events]",
    summary: "runs a graph",
    load: () => import("./commands/run.ts"),
  },
  debug: {
    usage:
      "debug FILE [GRAPH] [--input JSON|@FILE] [--model ALIAS=ID]… [--scope FILE.ts]\n" +
      "    [--thread ID] [--durability sync|async|exit] | debug RUN",
    summary:
      "runs a graph, or goes on with a stored run, step by step, forth and back, with breakpoints on nodes,\n" +
      "    arrows, fields, calls and costs; reads a command a line, from a terminal or a pipe",
    load: () => import("./commands/debug.ts"),
  },
  runs: {
    usage:
      "runs [--graph NAME] [--status STATUS] [--thread ID] [--limit N] [--json]\n" +
      "    | runs tree RUN|THREAD [--json] | runs delete RUN… | runs delete --thread ID\n" +
      "    | runs prune [--older-than 30d] [--keep N] [--dry-run]",
    summary:
      "lists the runs of the workspace, newest first; tree shows which left which; delete takes some away, prune ended ones that are\n" +
      "    old (of each thread all but the newest N) and artifacts that no run names",
    load: () => import("./commands/runs.ts"),
  },
  show: {
    usage: "show RUN [--json]",
    summary: "shows a run: RUN is its id, the beginning of it, or `last`",
    load: () => import("./commands/show.ts"),
  },
  resume: {
    usage: "resume RUN [--map OLD=NEW]… [--drop NODE]… [--force] [--json] | resume --due [--json]",
    summary:
      "goes on with a run that was paused, failed, aborted or lost its process; --due with all runs for\n" +
      "    which a time has come, each until it sleeps again, waits or ends",
    load: () => import("./commands/resume.ts"),
  },
  answer: {
    usage: "answer RUN INTERRUPT VALUE [--remember call|run|thread] [--later] [--json]",
    summary:
      "answers a question of a run, and goes on with it unless another process does: VALUE is approve,\n" +
      "    deny[:REASON], edit JSON, revise TEXT or a value; INTERRUPT an id, a node, a kind or `all`",
    load: () => import("./commands/answer.ts"),
  },
  abort: {
    usage: "abort RUN [--reason TEXT] [--json]",
    summary: "ends a run, also one that another process drives; what it did is kept",
    load: () => import("./commands/abort.ts"),
  },
  fork: {
    usage: "fork RUN STEP [--set JSON] [--json]",
    summary:
      "goes its own way from a step of a run, with other values of some fields; that run stays as it is",
    load: () => import("./commands/fork.ts"),
  },
  rerun: {
    usage:
      "rerun RUN [FILE] [--dry] [--input JSON|@FILE] [--anew NODE]… [--external] [--model ALIAS=ID]…\n" +
      "    [--json]",
    summary:
      "runs a run again with its graph as FILE has it now: what is unchanged is served from its log, and what\n" +
      "    is performed, and what that saves, is told first; --dry tells no more than that; --external performs\n" +
      "    again what called something outside",
    load: () => import("./commands/rerun.ts"),
  },
  bisect: {
    usage: "bisect CONDITION [--graph NAME] [--run RUN]… [--json]",
    summary:
      "finds the first run for which a condition of SQL over a row of `runs` holds, the last one before it for\n" +
      "    which it does not, and what changed between them",
    load: () => import("./commands/bisect.ts"),
  },
  export: {
    usage:
      "export RUN [FILE] [--exact] [--json] | export RUN --otlp [FILE|URL] [--content] [--json]",
    summary:
      "writes a run to a file: its graph, its log, its artifacts; --exact hides nothing in it; --otlp writes or\n" +
      "    sends it as spans of OpenTelemetry, --content with what people, models and tools said",
    load: () => import("./commands/export.ts"),
  },
  import: {
    usage:
      "import FILE [--copy | --replace] [--thread ID] [--json]\n" +
      "    | import --listen PORT [--token TEXT] [--json]",
    summary:
      "takes a run from a file that `export` wrote, or runs of other programs from spans of OpenTelemetry and\n" +
      "    OpenInference; --listen takes what is posted to http://127.0.0.1:PORT/v1/traces",
    load: () => import("./commands/import.ts"),
  },
  replay: {
    usage: "replay RUN [--with FILE] [--json]",
    summary:
      "decides a run again from its log alone; --with says what another program had made of it",
    load: () => import("./commands/replay.ts"),
  },
  diff: {
    usage: "diff RUN OTHER [--json]",
    summary:
      "puts two runs of a graph beside each other: where they part first and why, their steps, states and costs",
    load: () => import("./commands/diff.ts"),
  },
  trace: {
    usage:
      "trace rebuild [--json] | trace compact [--dry-run] [--json]\n" +
      "    | trace prune [--older-than 30d] [--keep N] [--dry-run] [--json]",
    summary:
      "looks after the traces: rebuild makes them anew from the logs; compact makes few files of many; prune\n" +
      "    takes away those of old runs (of each thread all but the newest N), whose logs stay",
    load: () => import("./commands/trace.ts"),
  },
  chart: {
    usage: "chart NAME [RUN…] [--by node|model|tool] [--svg FILE] [--json]",
    summary:
      "draws a chart of runs, in words unless --svg says where the picture goes: waterfall, lanes, flame,\n" +
      "    parallelism, state-size, tokens-by-agent of one RUN (`last` without one); state-diff of RUN STEP;\n" +
      "    tokens, cost, latencies, latency-boxes, messages, tools, failures of any runs (all without one);\n" +
      "    trajectories and deltas of run A and run B",
    load: () => import("./commands/chart.ts"),
  },
  report: {
    usage: "report RUN [--out FILE] [--json]",
    summary:
      "writes one page about a run that holds all of it: drawing, charts, steps with what they changed,\n" +
      "    messages, questions, failures, the final state; .madrigal/out/report-RUN.html unless --out says where",
    load: () => import("./commands/report.ts"),
  },
  graph: {
    usage: "graph FILE [GRAPH] --svg|--mermaid|--dot|--json",
    summary: "draws the graphs of a file, or prints their IR",
    load: () => import("./commands/graph.ts"),
  },
  roles: {
    usage: "roles FILE [--json]",
    summary: "lists what each node of a graph is told, reads and writes",
    load: () => import("./commands/roles.ts"),
  },
  kernel: {
    usage: "kernel FILE",
    summary: "serves a notebook: FILE is the connection file that Jupyter writes",
    load: () => import("./commands/kernel.ts"),
  },
  exec: {
    usage:
      "exec NB [--out DIR] [--html] [--timeout SECONDS] [--param NAME=VALUE]… [--answers FILE] [--json]",
    summary: "runs a notebook without a front end and writes it with its outputs",
    load: () => import("./commands/exec.ts"),
  },
  lab: {
    usage: "lab [NOTEBOOK…] [--port N] [--no-browser]",
    summary: "starts JupyterLab with our kernel; the first time it installs JupyterLab into .venv",
    load: () => import("./commands/lab.ts"),
  },
  install: {
    usage: "install [--user | --prefix DIR] [--papermill] [--json]",
    summary:
      "tells Jupyter of our kernel, for this user or below DIR; --papermill teaches the papermill of the\n" +
      "    PATH, or of DIR, to set parameters of our notebooks",
    load: () => import("./commands/install.ts"),
  },
  uninstall: {
    usage: "uninstall [--user | --prefix DIR] [--papermill] [--json]",
    summary: "takes away what `install` wrote with the same words",
    load: () => import("./commands/uninstall.ts"),
  },
  doctor: {
    usage: "doctor [--json]",
    summary: "looks whether all that Madrigal needs is there and works",
    load: () => import("./commands/doctor.ts"),
  },
  explain: {
    usage: "explain CODE [--json]",
    summary: "says what a code like M2101 means",
    load: () => import("./commands/explain.ts"),
  },
};

/** Commands whose names are taken (CONTRACTS.md) and whose code is still to come. */
export const commandsToCome: readonly string[] = `
  lsp eval serve
`
  .trim()
  .split(/\s+/);
