/** Decides what a pause of the main thread becomes: a stop that people see, or an immediate continue. */
import type { Debugger } from "node:inspector";
import type { MoveVerb } from "../protocol.ts";
import type { UserFrame } from "./stack.ts";

/** The inspector's methods of the moves. */
export const MOVES: Readonly<Record<MoveVerb, string>> = {
  next: "Debugger.stepOver",
  stepIn: "Debugger.stepInto",
  stepOut: "Debugger.stepOut",
  continue: "Debugger.resume",
};

export type StopReason = "breakpoint" | "step" | "pause" | "exception";

/** The stops that the user has asked for. */
export interface WantedStop {
  /** The last move. */
  readonly verb: MoveVerb;
  /** The frames of the user's that were called when it began. */
  readonly from: readonly UserFrame[];
  /** True if "pause" was pressed, and nothing has stopped since. */
  readonly isPausing: boolean;
  /** True while the pause is still followed through code of others. */
  readonly isFollowed: boolean;
  /** Returns whether the exception is to stop. */
  readonly isWanted: () => boolean | Promise<boolean>;
}

export type StopDecision =
  | { readonly kind: "stop"; readonly reason: StopReason }
  | { readonly kind: "go on"; readonly verb: MoveVerb };

/** `frames` are those of the user's that are called, from the innermost. */
export async function decide(
  event: Debugger.PausedEventDataType,
  frames: readonly UserFrame[],
  wanted: WantedStop,
): Promise<StopDecision> {
  const [top] = event.callFrames;
  const isHere = top !== undefined && frames[0]?.call === top;
  if (isException(event)) {
    const isStop = isHere && (await wanted.isWanted());
    return isStop
      ? { kind: "stop", reason: "exception" }
      : continueWith(afterException(frames, wanted));
  }
  if (isHere) {
    const reason = reasonOf(event, wanted);
    // A line is one step, however many statements and calls the compiler makes of it.
    const isMoving = reason === "step" && isSameLine(frames, wanted.from);
    return isMoving ? continueWith(wanted.verb) : { kind: "stop", reason };
  }
  // The user's code has called this: back to it.
  if (frames.length > 0) return continueWith("stepOut");
  // A step has left the user's code. "Pause" came outside of it: into whatever is called, until that is the user's.
  return continueWith(wanted.isPausing && wanted.isFollowed ? "stepIn" : "continue");
}

export function isException({ reason }: Pick<Debugger.PausedEventDataType, "reason">): boolean {
  return reason === "exception" || reason === "promiseRejection";
}

function continueWith(verb: MoveVerb): StopDecision {
  return { kind: "go on", verb };
}

/** A step that came by an exception which nobody asked for goes on to where it was going. */
function afterException(frames: readonly UserFrame[], { verb, from }: WantedStop): MoveVerb {
  if (verb === "continue" || verb === "stepIn") return verb;
  return frames.length > from.length ? "stepOut" : verb;
}

function isSameLine(frames: readonly UserFrame[], from: readonly UserFrame[]): boolean {
  const [now] = frames;
  const [before] = from;
  return (
    now !== undefined &&
    before !== undefined &&
    frames.length === from.length &&
    now.path === before.path &&
    now.place.line === before.place.line
  );
}

function reasonOf(
  { reason, hitBreakpoints = [] }: Debugger.PausedEventDataType,
  { isPausing }: WantedStop,
): StopReason {
  if (hitBreakpoints.length > 0) return "breakpoint";
  if (reason === "step") return "step";
  return isPausing ? "pause" : "breakpoint";
}
