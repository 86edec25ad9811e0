import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { readPolicy } from "../../../../runtime/agents/conversation/context-policy.ts";
import {
  withoutMiddle,
  withoutMiddleTurns,
} from "../../../../runtime/agents/conversation/message-groups.ts";
import { shortenParts } from "../../../../runtime/agents/conversation/shorten-parts.ts";
import { answer, called, calledAtOnce, callIds, image, system, user } from "./conversations.ts";

const places = (messages: readonly LanguageModelV4Message[]) =>
  messages.map((message, place) => ({ message, place }));

const count = (text: string) => text.length;

function shorten(
  messages: readonly LanguageModelV4Message[],
  policy: Parameters<typeof readPolicy>[0],
) {
  const { messages: shown, shortened } = shortenParts(places(messages), {
    policy: readPolicy(policy, "look"),
    count,
    nameOf: (name) => `tools.${name}`,
    previews: new WeakMap(),
  });
  return { shown: shown.map(({ message }) => message), shortened };
}

/** The text of a result as the model sees it. */
function shownResult(messages: readonly LanguageModelV4Message[], id: string): unknown {
  const parts = messages.flatMap(({ role, content }) => (role === "tool" ? content : []));
  const found = parts.find((part) => part.type === "tool-result" && part.toolCallId === id);
  return found?.type === "tool-result" ? found.output : undefined;
}

const conversation = (values: readonly string[]) => [
  user("Do it."),
  ...values.flatMap((value, at) => called(`c${at}`, value)),
  answer("done"),
];

test("a policy is read with what its short forms stand for", () => {
  expect(readPolicy({ offload: 2_000, summarize: 40_000, limit: 0.5 }, "look")).toEqual({
    limit: 0.5,
    offload: { over: 2_000, preview: 2_000, except: [] },
    summarize: { at: 40_000 },
  });
  expect(readPolicy({ offload: { over: 30, preview: 2, except: ["a.b"] } }, "look")).toEqual({
    offload: { over: 30, preview: 2, except: ["a.b"] },
  });
  expect(readPolicy(undefined, "look")).toEqual({});
});

test.each([
  [{ ofload: 3 }, "`context` has no member `ofload`"],
  [{ keep: -1 }, "`keep` takes a number of turns"],
  [{ limit: 1.5 }, "`limit` takes a whole number of tokens"],
  [{ limit: 0 }, "`limit` takes a whole number of tokens"],
  [{ summarize: {} }, "`summarize` lacks `at` or `every`"],
  ["all", "`context` takes an object"],
])("%j is no context", (value, shown) => {
  expect(() => readPolicy(value, "look")).toThrow(`the context of \`look\` is wrong: ${shown}`);
});

test("W50 a result that is longer is shown by its ends, with the call that reads the rest", () => {
  const { shown, shortened } = shorten(conversation(["x".repeat(900), "short"]), { offload: 60 });
  expect(shortened).toEqual({ offloaded: 1, media: 0, repeated: 0 });
  expect(shownResult(shown, "c0")).toEqual({
    type: "text",
    value: [
      "x".repeat(23),
      "… (854 characters left out) …",
      "x".repeat(23),
      '[900 characters; `results_read` shows any part: {"call":"c0","from":0,"length":4000}]',
    ].join("\n"),
  });
  expect(shownResult(shown, "c1")).toEqual({ type: "text", value: "short" });
});

test("W50 tools of the white list are shown whole", () => {
  const messages = conversation(["x".repeat(900)]);
  for (const except of [["tools.look"], ["tools.*"]])
    expect(shorten(messages, { offload: { over: 60, except } }).shown).toEqual(messages);
  const others = shorten(messages, { offload: { over: 60, except: ["tools.find"] } });
  expect(others.shortened.offloaded).toBe(1);
});

test("E70 only the last images are shown, the others by their names", () => {
  const messages: readonly LanguageModelV4Message[] = [
    { role: "user", content: [image("a"), { type: "text", text: "what is it?" }] },
    ...called("c0", { image: "b" }),
    ...called("c1", { image: "c" }),
  ];
  const { shown, shortened } = shorten(messages, { media: 1 });
  expect(shortened.media).toBe(2);
  expect(shown[0]?.content).toEqual([
    { type: "text", text: "[a file stood here that is not shown any more: a.png, image/png]" },
    { type: "text", text: "what is it?" },
  ]);
  expect(shownResult(shown, "c0")).toEqual({
    type: "content",
    value: [
      { type: "text", text: "b" },
      { type: "text", text: "[a file stood here that is not shown any more: b.png, image/png]" },
    ],
  });
  expect(shown.slice(3)).toEqual(messages.slice(3));
  expect(shorten(messages, { media: 0 }).shortened.media).toBe(3);
});

test("E70 a long result that comes again is not shown again", () => {
  const long = "the same ".repeat(20);
  const messages = conversation([long, "short", long, "short"]);
  const { shown, shortened } = shorten(messages, { repeated: 50 });
  expect(shortened.repeated).toBe(1);
  expect(shownResult(shown, "c0")).toEqual({ type: "text", value: long });
  expect(shownResult(shown, "c2")).toEqual({
    type: "text",
    value: "[the same as the result of the call c0]",
  });
  expect(shownResult(shown, "c3")).toEqual({ type: "text", value: "short" });
});

test("of many turns of tool calls the first and the last ones are shown", () => {
  const messages = places(conversation(["a", "b", "c", "d", "e"]));
  const kept = withoutMiddleTurns(messages, 3).map(({ message }) => message);
  expect(callIds(kept).calls).toEqual(["c0", "c3", "c4"]);
  expect(withoutMiddleTurns(messages, 5)).toBe(messages);
});

test("M10 a limit leaves out the middle, calls with their results, and says which messages", () => {
  const messages = [
    system("s"),
    user("the task"),
    ...called("c0", "0".repeat(50)),
    ...calledAtOnce([
      ["c1", "1".repeat(50)],
      ["c2", "2".repeat(50)],
    ]),
    answer("2".repeat(50)),
    ...called("c3", "3".repeat(50)),
  ];
  const cut = withoutMiddle(places(messages), { limit: 200, count, task: 1 });
  expect(cut.messages.map(({ place }) => place)).toEqual([0, 1, 2, 3, 7, 8]);
  expect(cut.dropped).toEqual([[4, 7]]);
  expect(cut.after).toBeLessThanOrEqual(200);
  expect(cut.before).toBeGreaterThan(300);
});
