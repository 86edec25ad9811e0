/** Makes the ids of a run and its spans as W3C Trace Context and OpenTelemetry write them. */
import { createHash } from "node:crypto";

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The 32 hexadecimal digits of a run's id; of an id that is no UUID those of its hash. */
export function traceIdOf(runId: string): string {
  if (uuid.test(runId)) return runId.replaceAll("-", "");
  return createHash("sha256").update(runId).digest("hex").slice(0, 32);
}

/** The id of the run that a trace becomes here. */
export function runIdOf(traceId: string): string {
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(traceId.toLowerCase());
  return parts === null ? traceId : parts.slice(1).join("-");
}

/**
 * Gives spans their 16 digits: 8 of the run, since some stores want ids that no other trace has, and 8 of the span's number.
 * Node runs have a span around their attempts, which our own tables do without; its number is counted from the other end.
 */
export function spanIds(traceId: string): {
  of(spanId: number): string;
  ofNodeRun(nodeRun: number): string;
} {
  const digits = createHash("sha256").update(traceId).digest("hex").slice(0, 8);
  const run = digits === "00000000" ? "00000001" : digits;
  const of = (number: number) => run + number.toString(16).padStart(8, "0");
  return { of, ofNodeRun: (nodeRun) => of(0xffff_ffff - nodeRun) };
}
