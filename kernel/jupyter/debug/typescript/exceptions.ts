/**
 * Decides which exceptions stop: all, or those that no `catch` of the user's takes. Whatever a cell throws is caught, by
 * the kernel.
 */
import type { Debugger } from "node:inspector";
import type { ExceptionFilter } from "../protocol.ts";
import type { InspectorConnection } from "./connection.ts";

const ALL = "typescriptAll";
const UNCAUGHT = "typescriptUncaught";

export const FILTERS: readonly ExceptionFilter[] = [
  { filter: UNCAUGHT, label: "TypeScript: exceptions that no `catch` awaits" },
  { filter: ALL, label: "TypeScript: all exceptions" },
];

/**
 * Returns, for each offset in a JavaScript text, whether a `catch` encloses it; undefined if the
 * text can't be parsed.
 */
export type CaughtAt = (asked: {
  readonly js: string;
  readonly offsets: readonly number[];
}) => Promise<readonly boolean[] | undefined>;

interface ExceptionParts {
  readonly connection: Pick<InspectorConnection, "inspector" | "scripts">;
  readonly caughtAt: CaughtAt;
}

/**
 * Returns the inspector's setting for exceptions. It does not report who catches one, so it stops
 * at all of them if any may be wanted.
 */
export function stateOf(filters: readonly string[]): "none" | "all" {
  return filters.includes(ALL) || filters.includes(UNCAUGHT) ? "all" : "none";
}

/**
 * Returns whether an exception is to stop. Without a compiler to find its `catch`, it counts as
 * uncaught.
 */
export async function isWanted(
  { callFrames, asyncStackTrace }: Debugger.PausedEventDataType,
  filters: readonly string[],
  parts: ExceptionParts,
): Promise<boolean> {
  if (filters.includes(ALL)) return true;
  const places: ScriptLocation[] = callFrames.map(({ location }) => location);
  for (let stack = asyncStackTrace; stack !== undefined; stack = stack.parent) {
    places.push(...stack.callFrames);
  }
  for (const [id, of] of Map.groupBy(places, ({ scriptId }) => scriptId)) {
    if (parts.connection.scripts.isUsers(id) && (await isCaught(id, of, parts))) return false;
  }
  return true;
}

type ScriptLocation = Debugger.Location;

async function isCaught(
  scriptId: string,
  places: readonly ScriptLocation[],
  { connection: { inspector, scripts }, caughtAt }: ExceptionParts,
): Promise<boolean> {
  const { scriptSource: js } = await inspector.ask<Debugger.GetScriptSourceReturnType>(
    "Debugger.getScriptSource",
    { scriptId },
  );
  const starts = lineStarts(js);
  const first = scripts.firstLine(scriptId);
  const offsets = places.map(
    ({ lineNumber, columnNumber = 0 }) => (starts[lineNumber - first] ?? 0) + columnNumber,
  );
  return (await caughtAt({ js, offsets }))?.includes(true) ?? false;
}

function lineStarts(text: string): readonly number[] {
  let at = 0;
  return text.split("\n").map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
}
