/** The codec by itself: what is sent is what is read, and nothing else is. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Codec, createCodec, type WireFrame } from "../../../../kernel/jupyter/wire/frames.ts";
import { createHeader, type WireMessage } from "../../../../kernel/jupyter/wire/message.ts";
import { createReplayGuard } from "../../../../kernel/jupyter/wire/replay-guard.ts";
import { createSigner } from "../../../../kernel/jupyter/wire/signature.ts";

const KEY = "key";
const header = createHeader("execute_request", { session: "s" });
const HEADER = JSON.stringify(header);
const frame = fc.uint8Array({ maxLength: 40 });
// A delimiter among the identities is nothing that a ROUTER makes.
const identity = fc.uint8Array({ minLength: 1, maxLength: 8 });

const messages: fc.Arbitrary<WireMessage> = fc.record({
  identities: fc.array(identity, { maxLength: 3 }),
  header: fc.constant(header),
  parent: fc.constantFrom({}, header),
  metadata: fc.dictionary(fc.string(), fc.jsonValue()).map(plain),
  content: fc.dictionary(fc.string(), fc.jsonValue()).map(plain),
  buffers: fc.array(frame, { maxLength: 3 }),
});

/** As JSON gives it back. */
function plain(value: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
}

/** As a socket hands it over. */
function toBytes(frame: WireFrame): Buffer {
  return Buffer.from(frame);
}

function outcome(codec: Codec, frames: readonly Uint8Array[]): string {
  const decoded = codec.decode(frames);
  return decoded.ok ? "taken" : decoded.reason;
}

/** Frames of a message with these texts as its dicts, rightly signed. */
function signed(texts: readonly string[]): Buffer[] {
  const dicts = texts.map((text) => Buffer.from(text));
  return [Buffer.from("<IDS|MSG>"), Buffer.from(createSigner(KEY).sign(dicts)), ...dicts];
}

test.each([KEY, ""])("with the key %j, what is decoded is what was encoded", (key) => {
  const codec = createCodec(key);
  fc.assert(
    fc.property(messages, (message) => {
      const decoded = codec.decode(codec.encode(message).map(toBytes));
      const bytes = (list: readonly Uint8Array[]) => list.map((each) => [...each]);
      expect(decoded.ok).toBe(true);
      if (!decoded.ok) return;
      const { identities, buffers, ...rest } = decoded.message;
      const { identities: sentIdentities, buffers: sentBuffers, ...sentRest } = message;
      expect(rest).toEqual(sentRest);
      expect(bytes(identities)).toEqual(bytes(sentIdentities));
      expect(bytes(buffers)).toEqual(bytes(sentBuffers));
    }),
  );
});

test("no frames make it throw, and without the key none are taken", () => {
  const codec = createCodec(KEY);
  const delimited = fc.constantFrom(Buffer.from("<IDS|MSG>"), Buffer.from("{}"));
  fc.assert(
    fc.property(fc.array(fc.oneof(frame, delimited), { maxLength: 12 }), (frames) => {
      expect(outcome(codec, frames)).not.toBe("taken");
    }),
  );
});

test("one byte changed in any dict or in the signature is a wrong signature", () => {
  const codec = createCodec(KEY);
  const sent = signed([HEADER, "{}", "{}", '{"code":"1"}']);
  fc.assert(
    fc.property(fc.nat(4), fc.nat(), fc.integer({ min: 1, max: 255 }), (index, at, change) => {
      const frames = sent.map((each) => Buffer.from(each));
      const target = frames[index + 1] ?? Buffer.of();
      const place = at % target.length;
      target[place] = (target[place] ?? 0) ^ change;
      expect(outcome(codec, frames)).toBe("wrong signature");
    }),
  );
});

describe("a signed message is refused when", () => {
  test.each([
    ["its header is no JSON", [HEADER.slice(1), "{}", "{}", "{}"], "not JSON"],
    ["its content is a list", [HEADER, "{}", "{}", "[]"], "wrong shape"],
    ["its content is null", [HEADER, "{}", "{}", "null"], "wrong shape"],
    ["its header has no type", ['{"msg_id":"1"}', "{}", "{}", "{}"], "wrong shape"],
    ["its parent is half a header", [HEADER, '{"msg_id":"1"}', "{}", "{}"], "wrong shape"],
    ["it has three dicts", [HEADER, "{}", "{}"], "too few frames"],
    ["its header is huge", [`{"msg_id":"${"1".repeat(70_000)}"}`, "{}", "{}", "{}"], "too large"],
  ])("%s", (_why, texts, reason) => {
    expect(outcome(createCodec(KEY), signed(texts))).toBe(reason);
  });

  test("it comes again", () => {
    const codec = createCodec(KEY, { replays: createReplayGuard() });
    const frames = signed([HEADER, "{}", "{}", "{}"]);
    expect([outcome(codec, frames), outcome(codec, frames)]).toEqual(["taken", "replayed"]);
  });

  test("it has seventeen identities", () => {
    const identities = Array.from({ length: 17 }, () => Buffer.from("a"));
    const frames = [...identities, ...signed([HEADER, "{}", "{}", "{}"])];
    expect(outcome(createCodec(KEY), frames)).toBe("too many identities");
  });
});

test("a forged message does not use up the signature of the right one", () => {
  const codec = createCodec(KEY, { replays: createReplayGuard() });
  const right = signed([HEADER, "{}", "{}", "{}"]);
  const forged = [...right.slice(0, 5), Buffer.from('{"code":"evil"}')];
  expect([outcome(codec, forged), outcome(codec, right)]).toEqual(["wrong signature", "taken"]);
});

test("without a key nothing is signed and nothing counts as a replay", () => {
  const codec = createCodec("", { replays: createReplayGuard() });
  const message = { identities: [], header, parent: {}, metadata: {}, content: {}, buffers: [] };
  const frames = codec.encode(message).map(toBytes);
  expect(frames[1]).toHaveLength(0);
  expect([outcome(codec, frames), outcome(codec, frames)]).toEqual(["taken", "taken"]);
});

test("buffers are not signed", () => {
  const frames = signed([HEADER, "{}", "{}", "{}"]);
  expect(outcome(createCodec(KEY), [...frames, Buffer.from("anything")])).toBe("taken");
});

test("the replay guard forgets the oldest when it is full", () => {
  const guard = createReplayGuard({ max: 2 });
  const answers = ["a", "b", "c", "b", "a"].map((each) => guard.isNew(each));
  expect(answers).toEqual([true, true, true, false, true]);
});
