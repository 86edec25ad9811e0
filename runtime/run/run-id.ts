/** Makes the ids of runs: UUIDs of version 7, which sort by the time of their start. */
import { randomBytes, randomInt } from "node:crypto";

const COUNT_MAX = 0xfff;
const FIRST_MAX = 0x7ff;

/** The time of the last id in milliseconds, and its number within that millisecond. */
let last = { at: 0, count: 0 };

/**
 * A UUID of version 7: its text sorts by time, and ids of one process in the order in which they were made, whatever the
 * clock does, by a counter behind the time (RFC 9562, section 6.2, method 1).
 */
export function newRunId(now: number = Date.now()): string {
  last = nextIdTime(last, now);
  const bytes = randomBytes(16);
  bytes.writeUIntBE(last.at, 0, 6);
  bytes.writeUInt16BE(0x7000 | last.count, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}

function nextIdTime({ at, count }: typeof last, now: number): typeof last {
  if (now > at) return { at: now, count: randomInt(FIRST_MAX) };
  return count < COUNT_MAX ? { at, count: count + 1 } : { at: at + 1, count: randomInt(FIRST_MAX) };
}
