/** Gives messages ids that a replay, a resumed run and a run after an edit give them again. */
import { canonicalJson, sha256 } from "../../dsl/index.ts";
import { isRemoval, type MessageWrite } from "./message.ts";

/** The number of hexadecimal digits of an id that the engine gives. */
const DIGITS = 12;

/**
 * The same messages, each with an id. It follows from what the message says, from the place in the run where it is written
 * (`place`), and from the last message before it (`after`): so equal words in two turns of a thread are two messages.
 */
export function withIds(
  writes: readonly MessageWrite[],
  { place, after }: { readonly place: unknown; readonly after: string | undefined },
): readonly MessageWrite[] {
  return writes.map((write, index) => {
    if (isRemoval(write) || write.id !== undefined) return write;
    const known = canonicalJson([after ?? null, place, index, write]);
    return { id: `m-${sha256(known).slice(0, DIGITS)}`, ...write };
  });
}
