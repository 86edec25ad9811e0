/** Reads one line of an agent's protocol. */
import { isRecord } from "../../../../dsl/index.ts";

/** Returns the object that a line holds; undefined where it holds something else. */
export function readMessage(line: Buffer): Readonly<Record<string, unknown>> | undefined {
  // A line of the protocol begins with its object: no time is spent on what a tool prints.
  if (line[0] !== 0x7b) return undefined;
  try {
    const value: unknown = JSON.parse(line.toString("utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
