/** Leaves messages of a conversation out: whole turns of tool calls, so that no call stands without its result. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { type CountTokens, messageTokens } from "./tokens.ts";

/** A message of a conversation, or a summary of some. */
export interface PlacedMessage {
  readonly message: LanguageModelV4Message;
  /** Its place in the whole conversation, the system's message being 0; absent for a summary. */
  readonly place?: number;
}

/** The places of messages: from the first one to before the second. */
export type PlaceRange = readonly [from: number, to: number];

/** A message, or a call of tools with its results. */
type MessageGroup = readonly PlacedMessage[];

/** The conversation in the pieces that can be left out. */
export function groupsOf(messages: readonly PlacedMessage[]): readonly MessageGroup[] {
  const groups: PlacedMessage[][] = [];
  for (const one of messages) {
    const last = groups.at(-1);
    if (one.message.role === "tool" && last !== undefined) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** Keeps `keep` of the turns in which tools were called: the first and the last ones. */
export function withoutMiddleTurns(
  messages: readonly PlacedMessage[],
  keep: number,
): readonly PlacedMessage[] {
  const groups = groupsOf(messages);
  const turns = groups.filter((group) => group.length > 1);
  const first = Math.floor(keep / 2);
  const gone = new Set(turns.slice(first, Math.max(first, turns.length - (keep - first))));
  return gone.size === 0 ? messages : groups.filter((group) => !gone.has(group)).flat();
}

/** A conversation that was cut to a number of tokens. */
export interface CutConversation {
  readonly messages: readonly PlacedMessage[];
  readonly dropped: readonly PlaceRange[];
  readonly before: number;
  /** May be above the limit: what is pinned is never left out. */
  readonly after: number;
}

/**
 * Leaves groups out from the middle until the rest has at most `limit` tokens. The system's messages, summaries, the
 * task (at `task`) and the last group stay.
 */
export function withoutMiddle(
  messages: readonly PlacedMessage[],
  {
    limit,
    count,
    task,
  }: { readonly limit: number; readonly count: CountTokens; readonly task: number },
): CutConversation {
  const groups = groupsOf(messages);
  const sizes = new Map(
    groups.map((group) => [
      group,
      group.reduce((sum, { message }) => sum + messageTokens(message, count), 0),
    ]),
  );
  const before = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const free = groups.filter((group, at) => at < groups.length - 1 && !isPinned(group, task));
  const gone = new Set<MessageGroup>();
  let after = before;
  while (after > limit && free.length > 0) {
    const [group] = free.splice(Math.floor(free.length / 2), 1);
    if (group === undefined) break;
    gone.add(group);
    after -= sizes.get(group) ?? 0;
  }
  if (gone.size === 0) return { messages, dropped: [], before, after };
  const dropped = rangesOf(groups.filter((group) => gone.has(group)).flat());
  return { messages: groups.filter((group) => !gone.has(group)).flat(), dropped, before, after };
}

function isPinned([first]: MessageGroup, task: number): boolean {
  return first?.place === undefined || first.place === task || first.message.role === "system";
}

function rangesOf(messages: readonly PlacedMessage[]): readonly PlaceRange[] {
  const ranges: [number, number][] = [];
  for (const { place } of messages) {
    if (place === undefined) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === place) last[1] = place + 1;
    else ranges.push([place, place + 1]);
  }
  return ranges;
}
