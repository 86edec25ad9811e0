/** Selects what an agent's model sees of the conversations of its earlier node runs. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { NodeIr } from "../../../dsl/index.ts";
import type { EffectResult } from "../../performer.ts";
import type { ModelStep } from "../models/model-step.ts";
import { earlierMessages, type ModelRequest } from "./messages.ts";
import { tokensOf } from "./tokens.ts";

/** A user's message and all that was said to it, up to the next one. */
export type ConversationTurn = readonly LanguageModelV4Message[];

export interface Reduced {
  /** The turns that are shown, oldest first. */
  readonly kept: readonly ConversationTurn[];
  /** The number of the oldest turns that are left out. */
  readonly dropped: number;
}

/** The turns of earlier conversations, without what each was told of its task in general. */
export function turnsOf(talks: readonly (readonly EffectResult[])[]): readonly ConversationTurn[] {
  return talks.flatMap((talk) => {
    const messages = earlierMessages(talk, "done").filter(({ role }) => role !== "system");
    return splitTurns(messages);
  });
}

function splitTurns(messages: readonly LanguageModelV4Message[]): readonly ConversationTurn[] {
  const turns: LanguageModelV4Message[][] = [];
  for (const message of messages) {
    if (message.role === "user" || turns.length === 0) turns.push([]);
    turns.at(-1)?.push(message);
  }
  return turns;
}

type NodeHistory = NonNullable<NodeIr["history"]>;

/**
 * The newest turns that a history's size allows. A turn is shown whole, or, where only its ends fit, without the tool
 * calls in its middle: a call is never without its result.
 */
export function reduced(turns: readonly ConversationTurn[], size: NodeHistory["size"]): Reduced {
  if (size === undefined) return { kept: turns, dropped: 0 };
  if (size.unit === "messages") return fitting(turns, size.value, (turn) => turn.length);
  if (size.unit === "turns") {
    const kept = size.value === 0 ? [] : turns.slice(-size.value);
    return { kept, dropped: turns.length - kept.length };
  }
  if (size.unit !== "tokens") return { kept: turns, dropped: 0 };
  return fitting(turns, size.value, tokensOf);
}

/** The newest turns whose sizes together are at most `most`. */
function fitting(
  turns: readonly ConversationTurn[],
  most: number,
  sizeOf: (turn: ConversationTurn) => number,
): Reduced {
  const kept: ConversationTurn[] = [];
  let left = most;
  for (const turn of turns.toReversed()) {
    const found = [turn, withoutMiddle(turn)].find((one) => sizeOf(one) <= left);
    if (found === undefined) break;
    left -= sizeOf(found);
    kept.unshift(found);
  }
  return { kept, dropped: turns.length - kept.length };
}

/** Returns the turn with its question and its last answer alone. */
function withoutMiddle(turn: ConversationTurn): ConversationTurn {
  const [asked] = turn;
  const last = turn.at(-1);
  return asked === undefined || last?.role !== "assistant" || turn.length < 3
    ? turn
    : [asked, last];
}

/** A summary that an earlier call has made, and how many turns, from the oldest, it stands for. */
export interface Summary {
  readonly text: string;
  readonly turns: number;
  /** The hash of these turns, where they are of a field. */
  readonly of?: string;
}

/** The newest summary in these conversations. */
export function lastSummary(talks: readonly (readonly EffectResult[])[]): Summary | undefined {
  for (const talk of talks.toReversed()) {
    const found = talk.findLast(
      ({ effect, request, value }) =>
        effect === "model" &&
        value !== undefined &&
        (request as ModelRequest).purpose === "summary" &&
        (request as ModelRequest).turns !== undefined,
    );
    const { turns, of } = (found?.request ?? {}) as Partial<ModelRequest>;
    if (found !== undefined && turns !== undefined)
      return { text: (found.value as ModelStep).text, turns, ...(of === undefined ? {} : { of }) };
  }
  return undefined;
}
