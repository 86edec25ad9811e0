/** Messages between nodes and parts of A2A: each is what it was after the way there and back, over both versions of the wire. */
import { Part } from "@a2a-js/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MESSAGE_KINDS } from "../../../dsl/index.ts";
import { envelopeOfPart, partOfEnvelope } from "../../../runtime/agents/a2a/envelope-parts.ts";
import type { WirePart } from "../../../runtime/agents/a2a/wire.ts";
import type { Envelope } from "../../../runtime/index.ts";

const json = fc
  .jsonValue({ noUnicodeString: false })
  .map((value) => JSON.parse(JSON.stringify(value)));
const id = fc.string({ minLength: 1 });

const envelopes: fc.Arbitrary<Envelope> = fc
  .record(
    {
      id,
      runId: id,
      threadId: id,
      sender: id,
      receiver: fc.option(id),
      kind: fc.oneof(fc.constantFrom(...MESSAGE_KINDS), fc.constant("Review")),
      payload: fc.oneof(fc.string(), json, fc.constant(null)),
      artifacts: fc.array(id),
      replyTo: id,
      causedBy: fc.array(id),
      group: fc.nat(),
      topic: fc.string(),
      priority: fc.integer(),
      createdAt: fc.nat(),
    },
    {
      requiredKeys: [
        "id",
        "runId",
        "threadId",
        "sender",
        "receiver",
        "kind",
        "payload",
        "artifacts",
        "createdAt",
      ],
    },
  )
  .map((envelope) => ({ ...envelope }) as Envelope);

const parts: fc.Arbitrary<WirePart> = fc
  .tuple(
    fc.oneof(
      fc.string().map((text) => ({ text })),
      json.filter((data) => data !== null).map((data) => ({ data })),
      fc
        .uint8Array({ minLength: 1 })
        .map((bytes) => ({ raw: Buffer.from(bytes).toString("base64") })),
      fc.webUrl().map((url) => ({ url })),
    ),
    fc.record(
      { metadata: fc.dictionary(id, json), filename: id, mediaType: id },
      { requiredKeys: [] },
    ),
  )
  .map(([content, more]) => JSON.parse(JSON.stringify({ ...content, ...more })));

const around = { id: "i", runId: "r", threadId: "t", sender: "s", receiver: null, createdAt: 1 };

/** As the protocol's package sends and receives it. */
const overWire = (part: WirePart) =>
  JSON.parse(JSON.stringify(Part.toJSON(Part.fromJSON(part as never)))) as WirePart;

test("A51 a message is the same after it was a part, on the wire too", () => {
  fc.assert(
    fc.property(envelopes, (envelope) => {
      const part = overWire(partOfEnvelope(envelope));
      expect(envelopeOfPart(part, around)).toEqual(envelope);
    }),
  );
});

test("A58 a part of anybody is the same after it was a message", () => {
  fc.assert(
    fc.property(parts, (part) => {
      expect(overWire(partOfEnvelope(envelopeOfPart(overWire(part), around)))).toEqual(
        overWire(part),
      );
    }),
  );
});
