import fc from "fast-check";
import { expect, test } from "vitest";
import { type ConversationTurn, reduced } from "../../../../runtime/agents/conversation/history.ts";
import { tokensOf } from "../../../../runtime/agents/conversation/tokens.ts";
import { answer, called, callIds, user } from "./conversations.ts";

const turn = fc
  .array(fc.string({ maxLength: 30 }), { maxLength: 4 })
  .map(
    (values): ConversationTurn => [
      user("Do it."),
      ...values.flatMap((value, at) => called(`c${at}`, value)),
      answer("done"),
    ],
  );

test("a history keeps the newest turns that fit, whole or by their two ends, in their order", () => {
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 8 }), fc.nat(600), (turns, value) => {
      const { kept, dropped } = reduced(turns, { unit: "tokens", value });
      expect(kept.length + dropped).toBe(turns.length);
      expect(kept.reduce((sum, one) => sum + tokensOf(one), 0)).toBeLessThanOrEqual(value);
      kept.forEach((one, at) => {
        const whole = turns[dropped + at] ?? [];
        expect([one[0], one.at(-1)]).toEqual([whole[0], whole.at(-1)]);
        const { calls, results } = callIds(one);
        expect(calls).toEqual(results);
      });
    }),
  );
});

test("a history of so many turns keeps the newest", () => {
  const turns = ["a", "b", "c"].map((text): ConversationTurn => [user(text)]);
  expect(reduced(turns, { unit: "turns", value: 2 })).toEqual({ kept: turns.slice(1), dropped: 1 });
  expect(reduced(turns, { unit: "turns", value: 0 })).toEqual({ kept: [], dropped: 3 });
});
