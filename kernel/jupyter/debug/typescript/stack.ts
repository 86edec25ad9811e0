/** Lists the user's frames of a stop, in the lines of their cells. */
import type { Debugger, Runtime } from "node:inspector";
import type { TextPlace } from "./line-map.ts";
import type { Scripts } from "./scripts.ts";

export interface UserFrame {
  /** `total`, or `Cell[3]` for what stands in no function. */
  readonly name: string;
  readonly path: string;
  readonly place: TextPlace;
  /** Absent for what awaits: it has gone, and will be called again. */
  readonly call?: Debugger.CallFrame;
}

/**
 * Returns the user's frames from the innermost out; those that await the outermost call come last.
 */
export async function userStack(
  {
    callFrames,
    asyncStackTrace,
  }: Pick<Debugger.PausedEventDataType, "callFrames" | "asyncStackTrace">,
  scripts: Scripts,
): Promise<readonly UserFrame[]> {
  const frames: UserFrame[] = [];
  for (const call of callFrames) {
    const frame = await userFrame({ ...call.location, functionName: call.functionName }, scripts);
    if (frame !== undefined) frames.push({ ...frame, call });
  }
  for (let stack = asyncStackTrace; stack !== undefined; stack = stack.parent) {
    for (const call of stack.callFrames) {
      const frame = await userFrame(call, scripts);
      if (frame !== undefined) frames.push({ ...frame, name: `${frame.name} (awaits)` });
    }
  }
  return frames.slice(0, FRAMES_MAX);
}

const FRAMES_MAX = 100;

/** Undefined for what is not the user's, or what the compiler has added to it. */
async function userFrame(
  {
    scriptId,
    lineNumber,
    columnNumber = 0,
    functionName,
  }: Pick<Runtime.CallFrame, "scriptId" | "lineNumber" | "functionName"> & {
    readonly columnNumber?: number | undefined;
  },
  scripts: Scripts,
): Promise<UserFrame | undefined> {
  if (!scripts.isUsers(scriptId)) return undefined;
  const script = await scripts.get(scriptId);
  const place = script?.toText({ lineNumber, columnNumber });
  if (script === undefined || place === undefined) return undefined;
  return { name: functionName === "" ? script.name : functionName, path: script.path, place };
}
