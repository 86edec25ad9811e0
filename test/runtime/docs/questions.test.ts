import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { splitSections } from "../../../runtime/agents/built-in-tools/docs-sections.ts";
import questions from "../../questions.json" with { type: "json" };
import { type Answered, createChain } from "./chain.ts";
import { createRoot, plant } from "./packages.ts";

// The first question builds the index of all documents.
vi.setConfig({ testTimeout: 60_000 });

const root = fileURLToPath(new URL("../../../node_modules", import.meta.url));
const ask = createChain(root);

/** Every quote stands in the file, and under the heading, that it is cited with; the report cites nothing else. */
function expectLiteral({ findings, report }: Answered, from = root): void {
  for (const { file, quote, heading } of findings) {
    const sections = splitSections(readFileSync(join(from, file), "utf8"));
    const cited = sections.filter((section) => section.heading === heading);
    expect(cited.map(({ text }) => text).join("\n")).toContain(quote);
  }
  const quotes = [...report.matchAll(/^\d+\. “(.+?)”\n {3}— (\S+) · (\S+)/gms)];
  expect(quotes.length).toBe(report.match(/^ {3}— /gm)?.length ?? 0);
  for (const [, quote, name, file] of quotes) {
    expect(findings).toContainEqual(expect.objectContaining({ package: name, file, quote }));
  }
}

describe("real questions over real documents", () => {
  test.each(questions)("$question: $package", async ({ question, package: expected }) => {
    const answered = await ask(question);
    expectLiteral(answered);
    expect(answered.cited.slice(0, 2)).toContain(expected);
  });

  test("the same question has the same answer, also from another index", async () => {
    const question = questions[0]?.question ?? "";
    expect(await createChain(root)(question)).toEqual(await ask(question));
  });

  test.each([
    ["no word of which is known", "What does a frobnicated quuxblat do?"],
    ["one word of which is unknown", "What is the default timeout of the quuxblat protocol?"],
    [
      "with an unknown name",
      "How many times does quuxblat-77 retry a request before it gives up with an error?",
    ],
  ])("a question %s: nothing was found", async (_, question) => {
    const { findings, report } = await ask(question);
    expect({ findings, report }).toEqual({
      findings: [],
      report: `Nothing was found that answers this: ${question}`,
    });
  });

  test("an empty question is no search", async () => {
    const { tasks, report } = await ask(" ");
    expect(tasks).toEqual([]);
    expect(report).toBe("Nothing was found: nothing is asked that could be looked for.");
  });
});

describe("a planted document", () => {
  const question = "What is the default timeout of the quuxblat protocol?";
  const others = {
    "timer/README.md": "# Timer\n\nThe default timeout of a request is ten seconds.\n",
  };
  const planted = {
    "quux/README.md": "# Quux\n\nA quuxblat handshake has a default timeout of 41 ms.\n",
  };

  test("is found, quoted and cited, and gone when it is gone", async () => {
    const folder = createRoot(others);
    const chain = createChain(folder);
    expect((await chain(question)).report).toContain("Nothing was found");
    plant(folder, planted);
    const answered = await chain(question);
    expectLiteral(answered, folder);
    expect(answered.cited[0]).toBe("quux");
    expect(answered.report).toContain(
      "1. “A quuxblat handshake has a default timeout of 41 ms.”\n   — quux · quux/README.md · Quux",
    );
  });
});
