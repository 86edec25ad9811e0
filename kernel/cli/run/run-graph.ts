/** Starts or continues a run and follows it until it stops. */
import type { Ir } from "../../../dsl/index.ts";
import {
  type BusyPolicy,
  type Graph,
  type RunEvent,
  type RunOptions,
  redaction,
  type Session,
} from "../../../runtime/index.ts";
import { EXIT } from "../../exit-codes.ts";
import { paintFor, print, tell } from "../output.ts";
import { type Following, followRun } from "./follow-run.ts";
import { guardRun } from "./guard-run.ts";
import { paceProgress, progressLine } from "./progress.ts";
import { type EndedRun, type Mode, reportRun } from "./report-run.ts";
import type { KnownRun } from "./run-facts.ts";

export interface RunRequest extends Pick<EndedRun, "outputText"> {
  readonly input: Record<string, unknown>;
  readonly options?: RunOptions;
  readonly mode: Mode;
  /** The policy for a run of the thread that is under way. */
  readonly busy?: BusyPolicy;
  /** True if nothing is told before the end. */
  readonly isQuiet?: boolean;
}

/** Runs a graph from its start; the exit code. */
export async function runGraph(
  session: Session,
  graph: Graph,
  request: RunRequest,
): Promise<number> {
  tellBreaks(graph.ir);
  const options = { ...request.options, breaks: false };
  const { busy, input } = request;
  const { thread } = options;
  const run =
    busy === undefined || thread === undefined
      ? graph.run(input, options)
      : await graph.turn(input, { ...options, thread, busy });
  return await driveRun(session, { ...request, run, ir: graph.ir });
}

/** Prints a note that breakpoints are ignored: nobody here could continue a held run. */
function tellBreaks({ breaks, name }: Ir): void {
  if (breaks.length === 0) return;
  const nodes = breaks.flatMap((place) => place.nodes.map((node) => `\`${node}\``)).join(", ");
  tell(`note: \`${name}\` has breakpoints at ${nodes}; on the command line it goes past them`);
}

export interface DriveRequest extends Pick<EndedRun, "outputText">, Omit<Following, "onEvent"> {
  readonly run: KnownRun;
  readonly ir: Ir;
  readonly mode: Mode;
  readonly isQuiet?: boolean;
}

/** Stays with a run, tells what happens and how it ends, closes the session; the exit code. */
export async function driveRun(session: Session, request: DriveRequest): Promise<number> {
  const { run, mode } = request;
  const onEvent = request.isQuiet === true ? () => {} : tellerOf(mode, request.ir);
  const guard = guardRun({ ...request, session });
  const following = followRun(run, { ...request, onEvent });
  // They are opened while it runs; the report asks them, and tells what is wrong with them.
  session.traces().catch(() => {});
  const signal = await following.finally(guard.release);
  const broken = guard.broken();
  const code = await reportRun({ ...request, session, signal, broken });
  await session.close();
  return broken === undefined ? code : EXIT.wrong;
}

function tellerOf(mode: Mode, ir: Ir): (event: RunEvent) => void {
  const shower = redaction.eventShower(ir);
  if (mode === "events") {
    return (event) => {
      shower.learn(event);
      if (event.kind !== "model.delta" && event.kind !== "tool.progress")
        print(JSON.stringify(shower.show(event)));
    };
  }
  const write = mode === "json" ? tell : print;
  const paint = paintFor(mode === "json" ? process.stderr : process.stdout);
  const isDue = paceProgress(() => performance.now());
  return (event) => {
    shower.learn(event);
    if (event.kind === "tool.progress" && !isDue(event)) return;
    // Most events have no line, and are not looked through.
    if (progressLine(event, paint) === undefined) return;
    write(progressLine(shower.show(event), paint) ?? "");
  };
}
