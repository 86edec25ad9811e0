/** Holds on random conversations what every context must be. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ContextShaper } from "../../../../runtime/agents/conversation/context-shaper.ts";
import type { ModelRequest } from "../../../../runtime/agents/conversation/messages.ts";
import { tokensOf } from "../../../../runtime/agents/conversation/tokens.ts";
import { ModelTurns } from "../../../../runtime/agents/models/fallback.ts";
import { createLimiter } from "../../../../runtime/agents/models/limiter.ts";
import { resolveModel } from "../../../../runtime/agents/models/model.ts";
import { rules } from "../../../../runtime/agents/rules/rules.ts";
import { FailureError } from "../../../../runtime/failure.ts";
import { attemptOf, fakeContext, type LoggedEffect, stillClock } from "../fake-context.ts";
import { callIds, conversation } from "./conversations.ts";

const summarizing = rules(({ messages }) => `in short, after ${messages.length} messages`);

/** A shaper over a journal. */
function shaperOf(policy: unknown, recorded: readonly LoggedEffect[] = []) {
  const clock = stillClock();
  const context = fakeContext({ recorded });
  const handle = resolveModel(summarizing, { env: {} });
  const attempt = attemptOf({}, { context: policy });
  const ask = { turns: new ModelTurns(handle), clock, limiter: createLimiter(clock) };
  const of = { attempt, context, ask, summarizer: () => handle, scope: () => ({}) };
  return { shaper: new ContextShaper(of), context };
}

/** The whole conversations that the calls of an attempt see: each grows by what came since. */
function calls(messages: readonly LanguageModelV4Message[]) {
  const ends = messages.flatMap(({ role }, at) =>
    at > 0 && role !== "assistant" && messages[at + 1]?.role !== "tool" ? [at + 1] : [],
  );
  return ends.map((end) => messages.slice(0, end));
}

async function shownAt(
  shaper: ContextShaper,
  messages: readonly LanguageModelV4Message[],
  history: readonly LanguageModelV4Message[] = [],
): Promise<readonly LanguageModelV4Message[] | FailureError> {
  try {
    return (await shaper.show({ messages, history })).messages;
  } catch (thrown) {
    if (thrown instanceof FailureError) return thrown;
    throw thrown;
  }
}

/** The parts of a message that tell it from others whatever was shortened in it. */
function marksOf(messages: readonly LanguageModelV4Message[]): readonly string[] {
  return messages.map((message) => {
    const { calls: asked, results } = callIds([message]);
    const ids = [...asked, ...results].join(",");
    return ids === ""
      ? `${message.role} ${JSON.stringify(message.content)}`
      : `${message.role} ${ids}`;
  });
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const one of whole) if (one === part[at]) at += 1;
  return at === part.length;
}

const policy = fc.record(
  {
    limit: fc.integer({ min: 2, max: 600 }),
    keep: fc.nat(6),
    offload: fc.oneof(fc.nat(80), fc.record({ over: fc.nat(80), preview: fc.nat(20) })),
    repeated: fc.nat(60),
  },
  { requiredKeys: ["limit"] },
);

/** What an agent remembers of its earlier conversations: often nothing. */
const history = fc.oneof(
  fc.constant([]),
  conversation.map((messages) => messages.slice(1)),
);

test("M10 no context is above its limit, none has a call without its result, and the order stays", async () => {
  let cut = 0;
  await fc.assert(
    fc.asyncProperty(conversation, history, policy, async (messages, before, given) => {
      const whole = [...messages.slice(0, 1), ...before, ...messages.slice(1)];
      const task = marksOf(messages.slice(1, 2));
      const { shaper } = shaperOf(given);
      const shown = await shownAt(shaper, messages, before);
      if (shown instanceof FailureError) {
        expect(shown.failure.code).toBe("M8123");
        // What always stays is really above it.
        const { shaper: generous } = shaperOf({ ...given, limit: 1_000_000 });
        const uncut = await shownAt(generous, messages, before);
        if (uncut instanceof FailureError) throw uncut;
        const last = uncut.slice(uncut.at(-1)?.role === "tool" ? -2 : -1);
        const stays = uncut.filter(
          (one, at) => at === 0 || one === messages[1] || last.includes(one),
        );
        expect(tokensOf(stays)).toBeGreaterThan(given.limit);
        return;
      }
      if (shown.length < whole.length) cut += 1;
      expect(tokensOf(shown)).toBeLessThanOrEqual(given.limit);
      const { calls: asked, results } = callIds(shown);
      expect(asked).toEqual(results);
      expect(isSubsequence(marksOf(shown), marksOf(whole))).toBe(true);
      expect(shown[0]).toEqual(messages[0]);
      expect(marksOf(shown)).toContain(task[0]);
      // Where `keep` says no turns, the last one goes, too.
      if (given.keep === undefined) expect(marksOf(shown).at(-1)).toBe(marksOf(messages).at(-1));
      expect(await shownAt(shaper, messages, before)).toEqual(shown);
    }),
    { numRuns: 300 },
  );
  expect(cut).toBeGreaterThan(20);
});

const summarize = fc.oneof(
  fc.integer({ min: 30, max: 400 }),
  fc.record({ every: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ at: fc.integer({ min: 30, max: 400 }), every: fc.integer({ min: 1, max: 4 }) }),
);

/** Shows each call of an attempt what it is to see, and gives that with the journal. */
async function attemptShown(
  given: unknown,
  messages: readonly LanguageModelV4Message[],
  recorded: readonly LoggedEffect[] = [],
) {
  const { shaper, context } = shaperOf(given, recorded);
  const shown: (readonly LanguageModelV4Message[])[] = [];
  for (const before of calls(messages)) {
    const one = await shaper.show({ messages: before, history: [] });
    shown.push(one.messages);
  }
  return { shown, log: context.log, performed: context.performed };
}

test("W08 summaries cover disjoint messages from the first one on, and the newest are shown as they are", async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(conversation, summarize, async (messages, given) => {
      const { shown, log } = await attemptShown({ summarize: given }, messages);
      const first = messages.findIndex(({ role }) => role === "assistant");
      let covered = first;
      for (const { request } of log) {
        const { covers, purpose } = request as ModelRequest;
        expect(purpose).toBe("summary");
        expect(covers?.from).toBe(first);
        // Each goes on where the one before ended.
        expect(covers?.to).toBeGreaterThan(covered);
        covered = covers?.to ?? covered;
        made += 1;
      }
      for (const one of shown) {
        const { calls: asked, results } = callIds(one);
        expect(asked).toEqual(results);
        expect(one.slice(0, 2)).toEqual(messages.slice(0, 2));
      }
      const last = shown.at(-1);
      if (log.length > 0 && last !== undefined)
        expect(last.slice(first + 1)).toEqual(
          messages.slice(covered, calls(messages).at(-1)?.length),
        );
    }),
    { numRuns: 150 },
  );
  expect(made).toBeGreaterThan(50);
});

test("W08 the same journal gives the same contexts, wherever the attempt goes on", async () => {
  await fc.assert(
    fc.asyncProperty(conversation, summarize, fc.nat(3), async (messages, given, known) => {
      const first = await attemptShown({ summarize: given, offload: 20 }, messages);
      const again = await attemptShown(
        { summarize: given, offload: 20 },
        messages,
        first.log.slice(0, known),
      );
      expect(again.shown).toEqual(first.shown);
      expect(again.performed).toHaveLength(Math.max(0, first.log.length - known));
    }),
    { numRuns: 60 },
  );
});
