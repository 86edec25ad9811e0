/** Translates messages between nodes into parts of A2A and back; nothing of either is lost. */
import { isRecord } from "../../../dsl/index.ts";
import type { Envelope } from "../../envelope.ts";
import { partFor, type WirePart } from "./wire.ts";

/** The key of a part's metadata that holds a message's facts. */
const ENVELOPE_KEY = "urn:madrigal:a2a:envelope";

/** The kind of a message that holds a part of somebody else: its payload is the part. No type of the language has such a name. */
const FOREIGN_KIND = "a2a.part";

/** The part of a message: its payload, which any agent can read, and beside it the facts that another Madrigal reads. */
export function partOfEnvelope(envelope: Envelope): WirePart {
  const { payload, ...facts } = envelope;
  if (facts.kind === FOREIGN_KIND && isRecord(payload)) return payload;
  // The protocol's package takes a part whose data is null for one without content.
  if (payload === null || payload === undefined)
    return {
      text: "",
      metadata: { [ENVELOPE_KEY]: payload === null ? { ...facts, payload } : facts },
    };
  const { mediaType: _, ...part } = partFor(payload);
  return { ...part, metadata: { [ENVELOPE_KEY]: { ...facts, has: "payload" } } };
}

/** Returns whether a part holds a message between nodes. */
export function isEnvelopePart({ metadata }: WirePart): boolean {
  return isRecord(metadata?.[ENVELOPE_KEY]);
}

/** The facts of a message that a part of somebody else does not say. */
export type EnvelopeAround = Omit<Envelope, "payload" | "kind" | "artifacts">;

/** The message that a part holds; one of somebody else becomes a message of its own, around the part. */
export function envelopeOfPart(part: WirePart, around: EnvelopeAround): Envelope {
  const facts = part.metadata?.[ENVELOPE_KEY];
  if (!isRecord(facts)) return { ...around, kind: FOREIGN_KIND, payload: part, artifacts: [] };
  const { has, ...known } = facts;
  const held = has === undefined ? { payload: known.payload } : { payload: part.text ?? part.data };
  return { ...(known as unknown as Envelope), ...held };
}
