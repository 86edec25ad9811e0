/** The tally of a turn: what it adds up, and that it does so without copying all that was said before. */
import { expect, test } from "vitest";
import { tallyOf, withHeard } from "../../../runtime/agents/operator/tally.ts";

test("a tally grows by what is heard, and copies nothing of what was heard before", () => {
  const begun = tallyOf({ verb: "begin", sessionId: "s", turn: 1, how: "new" });
  const { events, raw, messages } = begun;
  const tally = ["one", "two", "three"].reduce(
    (before, text) =>
      withHeard(before, {
        verb: "next",
        events: [
          {
            kind: "message_completed",
            text,
            raw: [before.rawBytes, before.rawBytes + text.length],
          },
        ],
        raw: [{ from: before.rawBytes, text }],
      }),
    begun,
  );
  expect(tally).toMatchObject({ received: 3, rawBytes: 11, messages: ["one", "two", "three"] });
  expect(tally.events).toHaveLength(3);
  // 40,000 events took a minute when each step had lists of its own.
  expect(tally.events).toBe(events);
  expect(tally.raw).toBe(raw);
  expect(tally.messages).toBe(messages);
});
