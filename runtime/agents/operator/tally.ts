/** Adds up what a turn has said so far, the same live and when it is served from the log. */

import type {
  HeardEvent,
  OperatorResult,
  RawPiece,
  TurnBegun,
  TurnHeard,
} from "../../records/controller-values.ts";
import { addUsage, noUsage, type Usage } from "../../usage.ts";
import type { ControllerEvent, ControllerUsage } from "./controller.ts";
import { endOf } from "./raw-piece.ts";

export interface OperatorTally {
  readonly sessionId: string;
  readonly turn: number;
  /** Events, deltas left out. */
  readonly received: number;
  /** They themselves. */
  readonly events: HeardEvent[];
  readonly raw: RawPiece[];
  readonly rawBytes: number;
  readonly messages: string[];
  readonly patch: Readonly<Record<string, unknown>>;
  readonly artifacts: OperatorResult["artifacts"];
  readonly handoffs: OperatorResult["handoffs"];
  readonly sends: NonNullable<OperatorResult["sends"]>;
  readonly usage: Usage;
  readonly end: TurnEnd | undefined;
}

export type TurnEnd = Extract<HeardEvent, { readonly kind: "completed" | "failed" }>;

export function tallyOf({ sessionId, turn }: TurnBegun): OperatorTally {
  return {
    sessionId,
    turn,
    received: 0,
    events: [],
    raw: [],
    rawBytes: 0,
    messages: [],
    patch: {},
    artifacts: [],
    handoffs: [],
    sends: [],
    usage: noUsage,
    end: undefined,
  };
}

/**
 * The tally behind what was heard next; `before` is used up. Its lists are those of `before`, longer: a turn has as many steps as
 * events, and each would copy all of them.
 */
export function withHeard(before: OperatorTally, { events, raw }: TurnHeard): OperatorTally {
  const last = raw.at(-1);
  before.events.push(...events);
  before.raw.push(...raw);
  const next: OperatorTally = {
    ...before,
    received: before.received + events.length,
    rawBytes: last === undefined ? before.rawBytes : endOf(last),
    usage: addUsage(before.usage, usageOf(events)),
  };
  return events.reduce(withEvent, next);
}

function withEvent(tally: OperatorTally, event: HeardEvent): OperatorTally {
  switch (event.kind) {
    case "session_started":
      // What the agent calls it wins over what it was asked to be called.
      return { ...tally, sessionId: event.sessionId };
    case "message_completed":
      tally.messages.push(event.text);
      return tally;
    case "state_hint":
      return { ...tally, patch: { ...tally.patch, ...event.patch } };
    case "artifact_created": {
      const { name, artifactKind: kind, path } = event;
      const made = { name, kind, ...(path === undefined ? {} : { path }) };
      return { ...tally, artifacts: [...tally.artifacts, made] };
    }
    case "handed_over": {
      const { kind: _, raw: _at, ...handoff } = event;
      return { ...tally, handoffs: [...tally.handoffs, handoff] };
    }
    case "message_sent": {
      const { to, payload } = event;
      return { ...tally, sends: [...tally.sends, { to, payload }] };
    }
    case "completed":
      return { ...tally, patch: { ...tally.patch, ...event.patch }, end: event };
    case "failed":
      return { ...tally, end: event };
    default:
      return tally;
  }
}

/** Sums the usage of some events; an event with tokens or a cost counts as at least one model call. */
export function usageOf(events: readonly ControllerEvent[]): Usage {
  return events.reduce((usage, event) => {
    const toolCalls = event.kind === "tool_call" ? 1 : 0;
    const usageOfEvent =
      "usage" in event && event.usage !== undefined ? whole(event.usage) : noUsage;
    return addUsage(usage, { ...usageOfEvent, toolCalls });
  }, noUsage);
}

function whole(usageOfEvent: ControllerUsage): Usage {
  const { inputTokens = 0, outputTokens = 0, cachedTokens = 0, reasoningTokens = 0 } = usageOfEvent;
  const isEmpty = inputTokens + outputTokens === 0 && usageOfEvent.costUsd === undefined;
  return {
    inputTokens,
    outputTokens,
    cachedTokens,
    reasoningTokens,
    // Tokens without a price have an unknown one.
    costUsd: usageOfEvent.costUsd === undefined ? (isEmpty ? 0 : null) : usageOfEvent.costUsd,
    modelCalls: usageOfEvent.modelCalls ?? (isEmpty ? 0 : 1),
    toolCalls: 0,
  };
}
