/** Rewrites stacks so that they name cells, with lines and columns of their own text. */
import { fileURLToPath } from "node:url";
import { encodedMap, originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { OWN_URLS } from "../../own-code.ts";
import { withoutVersions } from "../modules/local-modules.ts";
import { CALLER } from "../run-script.ts";

const FRAMES_MAX = 20;
const maps = new Map<string, TraceMap>();

/** Keeps how the JavaScript of a cell maps to its text. */
export function rememberMap(cell: string, sourceMap: string): void {
  maps.set(cell, new TraceMap(sourceMap));
}

/** Returns the source map of a cell as JSON; undefined where there is none. */
export function mapOfCell(cell: string): string | undefined {
  const map = maps.get(cell);
  return map && JSON.stringify(encodedMap(map));
}

/** Makes every stack of this process speak of cells; the returned function ends it. */
export function mapStacks(): () => void {
  const place: { prepareStackTrace?: typeof Error.prepareStackTrace } = Error;
  const before = place.prepareStackTrace;
  const limit = Error.stackTraceLimit;
  // A call deep inside of Node or Madrigal was caused by a line of a cell.
  Error.stackTraceLimit = 30;
  place.prepareStackTrace = (error, sites) => {
    const frames = sites.map(siteText);
    if (before !== undefined && !frames.some(isInCell)) return before(error, sites);
    return [headerOf(error), ...frames.map((frame) => `    at ${mapped(frame)}`)].join("\n");
  };
  return () => {
    Error.stackTraceLimit = limit;
    if (before === undefined) delete place.prepareStackTrace;
    else place.prepareStackTrace = before;
  };
}

function headerOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return "Error";
  }
}

function siteText(site: NodeJS.CallSite): string {
  try {
    return withoutVersions(String(site));
  } catch {
    return "<anonymous>";
  }
}

const IN_CELL = /(\w+\[\d+\]):(\d+):(\d+)/;

/** Returns whether a frame, or any text, names a place in a cell. */
export function isInCell(frame: string): boolean {
  return IN_CELL.test(frame);
}

function mapped(frame: string): string {
  return frame.replace(IN_CELL, (whole, cell, line, column) => {
    const map = maps.get(cell);
    if (map === undefined) return whole;
    const at = originalPositionFor(map, { line: Number(line), column: Number(column) - 1 });
    return at.line === null ? whole : `${cell}:${at.line}:${at.column + 1}`;
  });
}

/** The frames of a stack that are the user's: `  at f (Cell[1]:7:11)`. What called the cell is not. */
export function userFrames(stack: string): readonly string[] {
  const users = framesOf(stack).filter((line) => !OURS.some((text) => line.includes(text)));
  const outermost = users.findLastIndex(isInCell);
  return shortened(outermost === -1 ? users : users.slice(0, outermost + 1));
}

/** All of them, for a fault of ours. */
export function allFrames(stack: string): readonly string[] {
  return shortened(framesOf(stack));
}

function framesOf(stack: string): readonly string[] {
  return stack.split("\n").filter((line) => /^\s+at /.test(line));
}

function shortened(frames: readonly string[]): readonly string[] {
  const shown = frames.slice(0, FRAMES_MAX).map((line) => `  ${line.trim()}`);
  const left = frames.length - shown.length;
  return left === 0 ? shown : [...shown, `  … ${left} more`];
}

const OURS: readonly string[] = [
  "node:internal",
  "node:vm",
  "(node:",
  CALLER,
  "<anonymous>)",
  ...OWN_URLS.flatMap((url) => [url, fileURLToPath(url)]),
];
