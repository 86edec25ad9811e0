/** Reads files of spans: one export request a line, as collectors write them, or one in the whole file. */
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { messageOf, RunError } from "../../../failure.ts";
import type { OtlpTraces } from "../span.ts";
import { isOtlp, type ReadSpans, readOtlp } from "./read-otlp.ts";

/** Writes all of the file or nothing; closed to others. M5437 where it can't. */
export function writeSpansFile(path: string, bodies: readonly OtlpTraces[]): void {
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    const file = openSync(unfinished, "w", 0o600);
    try {
      for (const body of bodies) writeSync(file, `${JSON.stringify(body)}\n`);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
  } catch (cause) {
    rmSync(unfinished, { force: true });
    throw fileError(path, cause);
  }
}

/** The spans of a file; M5433 where a line of it is no export request. */
export function readSpansFile(path: string): ReadSpans {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw fileError(path, cause);
  }
  const bodies = bodiesOf(text, path).map(readOtlp);
  const reason = bodies.find((body) => body.reason !== undefined)?.reason;
  return {
    spans: bodies.flatMap(({ spans }) => spans),
    rejected: bodies.reduce((sum, { rejected }) => sum + rejected, 0),
    ...(reason === undefined ? {} : { reason }),
  };
}

function bodiesOf(text: string, path: string): unknown[] {
  const whole = parsed(text);
  if (isOtlp(whole)) return [whole];
  const lines = text.split("\n").map((line, index) => ({ line, number: index + 1 }));
  const bodies = lines
    .filter(({ line }) => line.trim() !== "")
    .map(({ line, number }) => {
      const body = parsed(line);
      if (isOtlp(body)) return body;
      throw new RunError("M5433", `line ${number} of ${path} is no export request of OTLP`, {
        hint: 'a body of OTLP as JSON begins with {"resourceSpans":[',
      });
    });
  if (bodies.length === 0) throw new RunError("M5433", `${path} is empty`);
  return bodies;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fileError(path: string, cause: unknown): RunError {
  return new RunError("M5437", `the file of spans \`${path}\`: ${messageOf(cause)}`, {
    hint: "check that its folder exists and can be read and written; an address begins with http:// or https://",
    cause,
  });
}
