/** Merges what is written into a conversation: messages are added or replaced by their ids, and removed by them. */
import { type ConversationMessage, isRemoval, type MessageWrite, REMOVE_ALL } from "./message.ts";

/** The conversation after these writes, one by one. Nothing happens where a message to be removed is not there any more. */
export function mergeMessages(
  current: readonly ConversationMessage[],
  writes: readonly MessageWrite[],
): readonly ConversationMessage[] {
  let merged = [...current];
  for (const write of writes) {
    if (!isRemoval(write)) {
      const at = indexOfMessage(merged, write.id);
      merged[at === -1 ? merged.length : at] = write;
    } else if (write.remove === REMOVE_ALL) merged = [];
    else merged = merged.filter(({ id }) => id !== write.remove);
  }
  return merged;
}

/** Returns whether the writes only add messages behind those that are there. */
export function areNew(
  current: Iterable<ConversationMessage>,
  writes: readonly MessageWrite[],
): boolean {
  const added = new Set<string | undefined>();
  for (const write of writes) {
    if (isRemoval(write) || added.has(write.id)) return false;
    added.add(write.id);
  }
  for (const { id } of current) if (added.has(id)) return false;
  return true;
}

/** Returns the place of the message with this id; -1 where there is none. */
export function indexOfMessage(
  messages: readonly ConversationMessage[],
  id: string | undefined,
): number {
  return id === undefined ? -1 : messages.findIndex((one) => one.id === id);
}
