/** Lists every command by its name; a command is loaded when it is called. A command without a help text does not compile. */
import type { CliCommand } from "./command.ts";
import type { CommandName } from "./help-texts.ts";

type LoadCommand = () => Promise<{ readonly command: CliCommand }>;

export const commands: Readonly<Record<string, LoadCommand>> = {
  check: () => import("./commands/write-programs/check.ts"),
  fmt: () => import("./commands/write-programs/fmt.ts"),
  test: () => import("./commands/write-programs/test.ts"),
  run: () => import("./commands/run-and-debug/run.ts"),
  debug: () => import("./commands/run-and-debug/debug.ts"),
  runs: () => import("./commands/stored-runs/runs.ts"),
  threads: () => import("./commands/stored-runs/threads.ts"),
  memory: () => import("./commands/stored-runs/memory.ts"),
  show: () => import("./commands/stored-runs/show.ts"),
  resume: () => import("./commands/run-and-debug/resume.ts"),
  watch: () => import("./commands/run-and-debug/watch.ts"),
  answer: () => import("./commands/run-and-debug/answer.ts"),
  abort: () => import("./commands/run-and-debug/abort.ts"),
  fork: () => import("./commands/run-and-debug/fork.ts"),
  rerun: () => import("./commands/run-and-debug/rerun.ts"),
  bisect: () => import("./commands/stored-runs/bisect.ts"),
  export: () => import("./commands/stored-runs/export.ts"),
  import: () => import("./commands/stored-runs/import.ts"),
  replay: () => import("./commands/run-and-debug/replay.ts"),
  diff: () => import("./commands/stored-runs/diff.ts"),
  trace: () => import("./commands/traces/trace.ts"),
  sql: () => import("./commands/traces/sql.ts"),
  chart: () => import("./commands/traces/chart.ts"),
  report: () => import("./commands/traces/report.ts"),
  graph: () => import("./commands/write-programs/graph.ts"),
  roles: () => import("./commands/write-programs/roles.ts"),
  kernel: () => import("./commands/notebooks/kernel.ts"),
  exec: () => import("./commands/notebooks/exec.ts"),
  text: () => import("./commands/notebooks/text.ts"),
  app: () => import("./commands/notebooks/app.ts"),
  lab: () => import("./commands/notebooks/lab.ts"),
  install: () => import("./commands/set-up/install.ts"),
  uninstall: () => import("./commands/set-up/uninstall.ts"),
  doctor: () => import("./commands/set-up/doctor.ts"),
  mcp: () => import("./commands/set-up/mcp.ts"),
  serve: () => import("./commands/run-and-debug/serve.ts"),
  worker: () => import("./commands/restate/worker.ts"),
  pull: () => import("./commands/restate/pull.ts"),
  push: () => import("./commands/restate/push.ts"),
  models: () => import("./commands/set-up/models.ts"),
  skills: () => import("./commands/write-programs/skills.ts"),
  explain: () => import("./commands/write-programs/explain.ts"),
} satisfies Readonly<Record<CommandName, LoadCommand>>;

/** Names of commands that are still to come. */
export const commandsToCome: readonly string[] = ["lsp", "eval"];
