/** Represents one run that a front end debugs, as a thread that stops at lines and at failures. */
import { Debugger, type DrivenRun, type Stop, shortRunId } from "../../runtime/index.ts";
import type { DebugNews } from "../jupyter/debug/graph-link.ts";
import type { DisconnectKind, MoveVerb } from "../jupyter/debug/protocol.ts";
import { breakpointsAt } from "./breakpoint-lines.ts";
import { stopText } from "./console/show.ts";
import { steppingInto } from "./into-functions.ts";
import type { ShownFrames } from "./shown-frames.ts";
import { warningText } from "./warning-text.ts";

export interface DebuggedParts {
  readonly run: DrivenRun;
  readonly thread: number;
  readonly frames: ShownFrames;
  readonly tell: (message: DebugNews) => void;
  /** Returns the functions that a step may lead into. */
  readonly functions: () => readonly unknown[];
  /** Returns whether several stops are to be shown as one, the last of them. */
  readonly isQuiet: () => boolean;
}

/** The lines and filters that hold each debugged run. */
export interface HoldRules {
  /** The lines with breakpoints in a graph's text. */
  linesOf(text: string): readonly number[];
  readonly filters: readonly string[];
}

const FILTERS = ["error", "limit", "approval"] as const;

export class DebuggedRun {
  readonly run: DrivenRun;
  readonly debug: Debugger;
  readonly thread: number;
  readonly #frames: ShownFrames;
  readonly #tell: (message: DebugNews) => void;
  readonly #functions: () => readonly unknown[];
  readonly #isQuiet: () => boolean;
  readonly #unwatch: readonly (() => void)[];
  /** The breakpoints of lines and filters; a person sets others in the Debug Console. */
  #own: readonly number[] = [];
  #stop: Stop | undefined;
  #announcement: NodeJS.Immediate | undefined;
  #isAnnounced = false;
  /** True if the run has changed since it was last shown. */
  #isPending = false;

  constructor({ run, thread, frames, tell, functions, isQuiet }: DebuggedParts) {
    this.run = run;
    this.debug = new Debugger(run);
    this.thread = thread;
    this.#frames = frames;
    this.#tell = tell;
    this.#isQuiet = isQuiet;
    this.#functions = functions;
    this.#unwatch = [
      this.debug.watch((stop) => this.#watched(stop)),
      this.debug.watchWarnings((warning) =>
        tell({
          kind: "said",
          text: `${run.graph} (${shortRunId(run.id)}): ${warningText(warning, run)}\n`,
        }),
      ),
    ];
  }

  get isStopped(): boolean {
    return this.#stop !== undefined;
  }

  /** Replaces the breakpoints of lines and filters. */
  holdBy({ linesOf, filters }: HoldRules): void {
    for (const id of this.#own) this.debug.removeBreakpoint(id);
    const lines = breakpointsAt(this.run.ir, linesOf).map((one) => this.debug.setBreakpoint(one));
    const events = FILTERS.filter((on) => filters.includes(on));
    this.#own = [...lines, ...events.map((on) => this.debug.setBreakpoint({ on }))];
  }

  /** Takes over what a person has set in another run, this one's own past. */
  holdAs(other: DebuggedRun): void {
    for (const { id, breakpoint } of other.debug.breakpoints) {
      if (!other.#own.includes(id)) this.debug.setBreakpoint(breakpoint);
    }
  }

  /** Lets it go on; where to is told when it stands again. */
  move(verb: MoveVerb): void {
    void this.#moved(verb).catch(() => {}); // It came to its end meanwhile, which is told.
  }

  /** Tells what has not been told while nothing was to be. */
  announcePending(): void {
    if (this.#isPending) this.announce();
  }

  /** Tells anew how it stands, where something was changed while it stood. */
  announce(): void {
    clearImmediate(this.#announcement);
    this.#announcement = undefined;
    if (this.#stop === undefined) return;
    this.#isPending = false;
    this.#isAnnounced = true;
    this.#announce(this.#stop);
  }

  /** Removes the breakpoints; a stopped run continues, or ends. */
  async leave(leaving: DisconnectKind): Promise<void> {
    for (const unwatch of this.#unwatch) unwatch();
    this.debug.clearBreakpoints();
    const wasStopped = this.isStopped;
    this.#reportContinued();
    if (!wasStopped) return;
    if (leaving === "abort") await this.run.abort("the debugger was terminated");
    else await this.debug.release();
  }

  async #moved(verb: MoveVerb): Promise<void> {
    switch (verb) {
      case "continue":
        return await this.debug.release();
      case "next":
        return void (await this.debug.stepOver());
      case "stepIn":
        return await steppingInto(this.#functions(), () => this.debug.stepIn());
      case "stepOut":
        return void (await this.debug.stepOut());
    }
  }

  #watched(stop: Stop | undefined): void {
    if (stop === undefined || !this.run.isHeld) {
      this.#reportContinued();
    } else {
      this.#stop = stop;
      this.#isPending = true;
      // A way back is several holds, of which the last one counts.
      this.#announcement ??= setImmediate(() => this.#announceUnlessQuiet());
    }
  }

  #announceUnlessQuiet(): void {
    this.#announcement = undefined;
    if (!this.#isQuiet()) this.announcePending();
  }

  #announce(stop: Stop): void {
    this.#frames.forget(this.thread);
    this.#tell({
      kind: "stopped",
      thread: this.thread,
      reason: reasonOf(stop),
      text: `${this.run.graph} (${shortRunId(this.run.id)}): ${stopText(this.debug, stop)}`,
      frames: this.#frames.shown(this.thread, this.debug),
    });
  }

  #reportContinued(): void {
    this.#frames.forget(this.thread);
    clearImmediate(this.#announcement);
    this.#announcement = undefined;
    this.#stop = undefined;
    this.#isPending = false;
    if (!this.#isAnnounced) return;
    this.#isAnnounced = false;
    this.#tell({ kind: "continued", thread: this.thread });
  }
}

/** Returns the reason of a stop in the words of the protocol where it has one. */
function reasonOf(stop: Stop): string {
  if (stop.kind === "breakpoint") return isOfEvent(stop.by) ? "exception" : "breakpoint";
  if (stop.kind !== "pause") return stop.kind;
  return stop.reason === "debug" ? "pause" : stop.reason;
}

function isOfEvent(by = ""): boolean {
  return FILTERS.some((on) => by === on || by.startsWith(`${on} `));
}
