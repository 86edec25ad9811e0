/** Conversations as pages, Markdown and text: who says what, folded, and harmless. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { toBundle } from "../../../../kernel/display/index.ts";
import {
  conversationMarkdown,
  conversationText,
} from "../../../../kernel/display/values/conversation.ts";
import type { ConversationMessage } from "../../../../runtime/index.ts";
import { expectHarmless, hostileText } from "../hostile.ts";

const talk: readonly ConversationMessage[] = [
  { id: "1", role: "user", content: "When can I fly to Oslo?" },
  {
    role: "assistant",
    name: "clerk",
    content: "",
    toolCalls: [{ id: "c1", tool: "flights.find", input: { to: "Oslo" } }],
  },
  { role: "tool", content: "9:40 to Oslo", toolCallId: "c1" },
  { role: "assistant", name: "clerk", content: "At 9:40.\nFrom gate 3." },
];

const html = async (value: unknown) => String((await toBundle(value)).data["text/html"]);

test("a conversation shows who says what; calls of tools and their results unfold", async () => {
  const page = await html(talk);
  expect(page).toContain("<strong>user</strong></div>");
  expect(page).toContain('<strong>clerk</strong> <span style="opacity:.7">assistant</span>');
  expect(page).toMatch(/<details><summary[^>]*>calls <strong>flights\.find<\/strong>/);
  expect(page).toMatch(/<strong>flights\.find<\/strong> <span[^>]*>tool<\/span>.*?<details>/);
  expect(page).toContain("At 9:40.\nFrom gate 3.");
  expect(page).not.toContain("<table");
});

test("as a text it is a line a message", () => {
  expect(conversationText(talk)).toMatchInlineSnapshot(`
    "user: When can I fly to Oslo?
    clerk: (calls flights.find { "to": "Oslo" })
    flights.find: 9:40 to Oslo
    clerk: At 9:40.
    From gate 3."
  `);
});

test("a long text is folded, and of a long conversation the newest messages are shown", async () => {
  const long = { role: "user" as const, content: `first line\n${"x".repeat(5000)}` };
  expect(await html([long])).toMatch(/<details><summary[^>]*>first line… /);
  const many = Array.from({ length: 250 }, (_, at) => ({ role: "user", content: `text ${at}.` }));
  const page = await html(many);
  expect(page).toContain("… 50 earlier messages");
  expect([page.includes("text 49."), page.includes("text 50.")]).toEqual([false, true]);
});

test("a list with anything else in it is a table as before", async () => {
  expect(await html([{ role: "user", content: "a", more: 1 }])).toContain("<table");
});

const hostileMessage = fc.record(
  {
    role: fc.constantFrom("system", "user", "assistant", "tool"),
    content: hostileText,
    name: hostileText,
    toolCallId: hostileText,
    isError: fc.boolean(),
    toolCalls: fc.array(fc.record({ id: hostileText, tool: hostileText, input: hostileText })),
  },
  { requiredKeys: ["role", "content"] },
);

test("whatever is said does nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostileMessage, { minLength: 1, maxLength: 4 }), async (messages) => {
      const conversation = messages as unknown as readonly ConversationMessage[];
      const { data } = await toBundle(conversation);
      const markdown = conversationMarkdown(conversation);
      const text = conversationText(conversation);
      const all = { ...data, "text/markdown": markdown, "text/plain": text };
      expectHarmless({ data: all, metadata: {} });
    }),
    { numRuns: 200 },
  );
});
