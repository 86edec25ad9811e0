/** Finds `await Graph.run(…)` in a cell: it waits for the start of the run alone, as a handle is no promise. */
import { Graph } from "../../../runtime/index.ts";

const CALL = /\bawait\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*\.\s*run\s*\(/gu;
const OPENING = "([{";
const CLOSING = ")]}";

/** The name of the first graph that is so awaited; undefined in a cell that also awaits an output. */
export function awaitedHandle(
  code: string,
  names: Readonly<Record<string, unknown>>,
): string | undefined {
  if (/\boutput\b/.test(code)) return undefined;
  for (const { index, 0: call, 1: name = "" } of code.matchAll(CALL)) {
    if (!Object.hasOwn(names, name) || !(names[name] instanceof Graph)) continue;
    const rest = code.slice(endOfCall(code, index + call.length));
    // A member of the handle, as `done`, may be a promise.
    if (!/^\s*\)*\s*(?:\?\.|\.)/.test(rest)) return name;
  }
  return undefined;
}

/** The place behind the bracket that closes a call; texts with brackets in them may hide it, and then nothing is found. */
function endOfCall(code: string, start: number): number {
  let depth = 1;
  for (let at = start; at < code.length; at += 1) {
    const sign = code[at] as string;
    if (OPENING.includes(sign)) depth += 1;
    if (CLOSING.includes(sign)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return code.length;
}
