/** Every command by its name, loaded when it is called. Its help is in help-texts.ts. */
import type { Command } from "./command.ts";

type LoadCommand = () => Promise<{ readonly command: Command }>;

export const commands: Readonly<Record<string, LoadCommand>> = {
  check: () => import("./commands/check.ts"),
  fmt: () => import("./commands/fmt.ts"),
  test: () => import("./commands/test.ts"),
  run: () => import("./commands/run.ts"),
  debug: () => import("./commands/debug.ts"),
  runs: () => import("./commands/runs.ts"),
  threads: () => import("./commands/threads.ts"),
  show: () => import("./commands/show.ts"),
  resume: () => import("./commands/resume.ts"),
  answer: () => import("./commands/answer.ts"),
  abort: () => import("./commands/abort.ts"),
  fork: () => import("./commands/fork.ts"),
  rerun: () => import("./commands/rerun.ts"),
  bisect: () => import("./commands/bisect.ts"),
  export: () => import("./commands/export.ts"),
  import: () => import("./commands/import.ts"),
  replay: () => import("./commands/replay.ts"),
  diff: () => import("./commands/diff.ts"),
  trace: () => import("./commands/trace.ts"),
  chart: () => import("./commands/chart.ts"),
  report: () => import("./commands/report.ts"),
  graph: () => import("./commands/graph.ts"),
  roles: () => import("./commands/roles.ts"),
  kernel: () => import("./commands/kernel.ts"),
  exec: () => import("./commands/exec.ts"),
  lab: () => import("./commands/lab.ts"),
  install: () => import("./commands/install.ts"),
  uninstall: () => import("./commands/uninstall.ts"),
  doctor: () => import("./commands/doctor.ts"),
  explain: () => import("./commands/explain.ts"),
};

/** Names of commands that are still to come. */
export const commandsToCome: readonly string[] = ["lsp", "eval", "serve"];
