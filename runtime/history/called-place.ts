/** Finds a graph that a run has called, by the path that leads to it: `go#1`, `go#1 › deeper#2`, or `go/deeper`. */
import { nearest } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";
import { type LogRecord, nameInLabel } from "../records/records.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";

/** A called graph as it stands. */
export interface CalledPlace {
  /** The node run that called it. */
  readonly id: number;
  readonly path: readonly string[];
  readonly program: Program;
  readonly snapshot: Snapshot;
  /** True while its caller waits for it; otherwise it has ended or was dropped. */
  readonly isLive: boolean;
  /** Returns whether a record of the log belongs to it. */
  readonly owns: (record: LogRecord) => boolean;
}

interface Calls {
  meant(path: readonly string[]): readonly CalledPlace[];
}

/** The parts of a path, as the trace and the labels of events write it. */
export function partsOf(path: string): readonly string[] {
  return path.split(/[/›]/).map((part) => part.trim());
}

/** Returns whether a path of labels (`go#1`) or names (`go`: any of its calls) matches a path of labels. */
export function isMeant(path: readonly string[], labels: readonly string[]): boolean {
  if (path.length !== labels.length) return false;
  return path.every(
    (part, at) => part === ANY || part === labels[at] || part === nameInLabel(labels[at] ?? ""),
  );
}

/** The only call that a path means; M5381 where there is none, or several. */
export function calledAt(calls: Calls, path: readonly string[], run: { readonly id: string }) {
  const [only, ...more] = calls.meant(path);
  if (only !== undefined && more.length === 0) return only;
  const shown = path.join(" › ");
  const known = labelsBelow(calls);
  if (only !== undefined) {
    const labels = [only, ...more].map((one) => `\`${one.path.join(" › ")}\``).join(", ");
    throw refused(run, `\`${shown}\` has called several graphs`, `say which: ${labels}`);
  }
  const meant = nearest(shown, known);
  const some = known.map((label) => `\`${label}\``).join(", ");
  throw refused(
    run,
    `\`${shown}\` has called no graph`,
    meant === undefined
      ? some === ""
        ? "the run has called none so far"
        : `it has called some: ${some}`
      : `did you mean \`${meant}\`?`,
  );
}

/** Finds a called graph that is under way. Throws M5381 where it has ended. */
export function liveAt(calls: Calls, path: readonly string[], run: { readonly id: string }) {
  const found = calledAt(calls, path, run);
  if (found.isLive && found.snapshot.status !== "succeeded") return found;
  const message = `the graph that \`${found.path.join(" › ")}\` called is over`;
  throw refused(run, message, "what it came to is in the state of its caller");
}

function refused(run: { readonly id: string }, message: string, hint: string): RunError {
  return new RunError("M5381", message, { hint, runId: run.id });
}

/** Every path that there is, three calls deep. */
function labelsBelow(calls: Calls): readonly string[] {
  const wild = (depth: number) => calls.meant(Array.from({ length: depth }, () => ANY));
  return [1, 2, 3].flatMap((depth) => wild(depth).map(({ path }) => path.join(" › ")));
}

/** In a path: whichever node. */
const ANY = "*";
