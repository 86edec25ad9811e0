/** Turns a thrown error into output: name, message, the user's own frames, a hint, and the causes. */
import { inspect } from "node:util";
import { RunError, shortRunId } from "../../../runtime/index.ts";
import type { ErrorOutput } from "../../cell-output.ts";
import { cut, visible } from "../../display/visible.ts";
import { frameLines, placeIn } from "./cell-texts.ts";
import { allFrames, isInCell, userFrames } from "./stacks.ts";

const CAUSES_MAX = 8;
const MESSAGE_MAX = 10_000;

/**
 * Returns the output of a thrown error. Its text is made harmless for a terminal; the colours are
 * ours.
 */
export function errorOutput(thrown: unknown): ErrorOutput {
  const { name, message } = describe(thrown);
  const traceback = linesOf(thrown, { seen: new Set(), title: "" });
  return { kind: "error", ename: name, evalue: message, traceback };
}

/** The colour of what is wrong. */
export function red(text: string): string {
  return `\u001b[31;1m${text}\u001b[0m`;
}

interface Depth {
  /** An error may be its own cause. */
  readonly seen: Set<unknown>;
  readonly title: string;
  /** The message of the error above, which need not be repeated. */
  readonly shownMessage?: string;
}

function linesOf(thrown: unknown, { seen, title, shownMessage = "" }: Depth): string[] {
  if (seen.has(thrown) || seen.size > CAUSES_MAX) return [];
  seen.add(thrown);
  const { name, message, hint, frames, causes, errors, isCoded } = describe(thrown);
  return [
    `${title}${red(isCoded ? `error[${name}]` : name)}${shownMessage.endsWith(message) ? "" : `: ${message}`}`,
    ...placedFrames(frames),
    ...(hint === undefined ? [] : [`  hint: ${hint}`]),
    ...errors.flatMap((error, index) =>
      linesOf(error, { seen, title: `[${index + 1}/${errors.length}] ` }),
    ),
    ...causes.flatMap((cause) =>
      linesOf(cause, { seen, title: "caused by ", shownMessage: message }),
    ),
  ];
}

/** The frames, below the line of a cell that the innermost of them names. */
function placedFrames(frames: readonly string[]): readonly string[] {
  const place = placeIn(frames);
  const lines = place === undefined ? [] : frameLines(place);
  if (place === undefined || lines.length === 0) return frames;
  const { cell, line, column } = place;
  // The line itself says where that is, if the stack has no function to name.
  const isSaid = frames[0] === `  at ${cell}:${line}:${column}`;
  return [...lines, ...(isSaid ? frames.slice(1) : frames)];
}

interface Described {
  readonly name: string;
  readonly message: string;
  readonly hint?: string;
  readonly frames: readonly string[];
  /** None or one. */
  readonly causes: readonly unknown[];
  /** The errors of an AggregateError. */
  readonly errors: readonly unknown[];
  /** True if its name is one of our codes. */
  readonly isCoded: boolean;
}

function describe(thrown: unknown): Described {
  try {
    return isError(thrown) ? describeError(thrown) : describeOther(inspect(thrown));
  } catch {
    return describeOther("something whose properties can't be read");
  }
}

/**
 * Returns whether a thrown value is an error, also one of another realm, as `node:vm` and workers
 * make them.
 */
function isError(thrown: unknown): thrown is Error {
  if (thrown instanceof Error) return true;
  return typeof thrown === "object" && thrown !== null && "stack" in thrown && "message" in thrown;
}

function describeError(error: Error): Described {
  const { code, hint, errors } = error as Error & Readonly<Record<string, unknown>>;
  const isCoded = isOurCode(code);
  const name = isCoded ? code : String(error.name || "Error");
  return {
    name: visible(name),
    message: shortMessage(String(error.message)),
    ...(typeof hint === "string" ? { hint: shortMessage(hint) } : {}),
    frames: [...runPlace(error), ...framesOf(error, isCoded && !code.startsWith("M9"))],
    causes: causesOf(error, isCoded),
    errors: Array.isArray(errors) ? errors : [],
    isCoded,
  };
}

/**
 * Returns lines with the node, attempt and run of a failure, and the way to go on; none for another
 * error.
 */
function runPlace(error: Error): readonly string[] {
  if (!(error instanceof RunError) || error.node === undefined) return [];
  const { code, node, attempt, runId } = error;
  const place = [
    `node \`${visible(node)}\``,
    ...(attempt === undefined ? [] : [`attempt ${attempt}`]),
    `run ${shortRunId(runId ?? "?")}`,
  ];
  const next =
    code === "M5301"
      ? "the run goes on when it is answered"
      : "finished work is kept: correct the cause, then call `await run.resume()`";
  return [`  at ${place.join(", ")}`, `  ${next}`];
}

function framesOf({ stack }: Error, isExplained: boolean): readonly string[] {
  const text = visible(String(stack ?? ""));
  const users = userFrames(text);
  if (isExplained) return users.some(isInCell) ? users : [];
  // Not the user's code: a fault of ours, which someone has to find.
  return users.length > 0 ? users : allFrames(text);
}

function isOurCode(code: unknown): code is string {
  return typeof code === "string" && /^M\d{4}$/.test(code);
}

/**
 * Returns the causes to show. The cause of one of our own errors is internal, unless the user's
 * code threw it.
 */
function causesOf({ cause, name }: Error, isCoded: boolean): readonly unknown[] {
  if (cause === undefined) return [];
  if (!isCoded) return [cause];
  // DuckDB's own words are in ours.
  if (
    !isError(cause) ||
    name === "SqlError" ||
    isOurCode((cause as { readonly code?: unknown }).code)
  )
    return [];
  return userFrames(String(cause.stack)).length > 0 ? [cause] : [];
}

function describeOther(text: string): Described {
  const message = shortMessage(text);
  return { name: "Thrown", message, frames: [], causes: [], errors: [], isCoded: false };
}

function shortMessage(text: string): string {
  return cut(visible(text), MESSAGE_MAX);
}
