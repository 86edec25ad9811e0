/**
 * Each program of the library, run from its beginning to its end by the model `rules`, which needs no key, with a persona in the place of
 * people that `rules` plays, too. Its answers are no good ones: what is proved is that a program ends within its limits, and names what it could not do.
 */
import { describe, expect, test } from "vitest";
import { LIBRARY_GRAPHS } from "../../../dsl/index.ts";
import { people, tool } from "../../../runtime/index.ts";
import { newSession } from "../scoped-run.ts";
import { libraryGraph } from "./magentic-run.ts";

const task = "Compare the price of two phones.";

/** The input of each program, how it ends, and the nodes about which the persona was asked. */
const PROGRAMS: Readonly<
  Record<string, readonly [Readonly<Record<string, unknown>>, string, string]>
> = {
  Chat: [{ message: task }, "succeeded", ""],
  Coder: [{ task }, "succeeded", "execute"],
  Debate: [{ question: task, sides: ["the first", "the second"] }, "M5013", ""],
  DeepSearch: [{ question: task }, "succeeded", ""],
  Eko: [{ task }, "succeeded", ""],
  FileSurfer: [{ task }, "succeeded", ""],
  Learn: [{ task, story: "It looked at two shops." }, "succeeded", ""],
  Magentic: [{ task }, "M5033", ""],
  MapReduce: [{ task, items: ["a", "b", "c"], size: 2 }, "succeeded", ""],
  Persona: [{ task, question: "Which shop?" }, "succeeded", ""],
  PlanCodeReview: [{ task }, "succeeded", "execute"],
  PlanWorkReduce: [{ task }, "M5033", ""],
  ResearchCritique: [{ question: task }, "succeeded", ""],
  RoundRobin: [{ task, turns: 2 }, "succeeded", "person"],
  Routed: [{ description: "a counter at 0", goal: "the counter is at 2" }, "M5010", ""],
  // Its judge says that the condition is met and that the look has failed.
  Sentinel: [{ task: "the price", condition: "there is a price" }, "M5360", ""],
  WebSurfer: [{ task }, "succeeded", ""],
};

const none = { effect: "none", description: "does nothing", input: { type: "object" } } as const;

/** Tools that touch nothing, beside those of `libraryGraph`. */
const scope = {
  code: { runBlocks: tool(() => ({ exitCode: 1, blocks: 1, text: "it failed" }), none) },
  docs: {
    search: tool(() => ({ hits: [] }), none),
    read: tool(() => ({ text: "a page" }), none),
    verify: tool(() => [], none),
  },
};

test("no program is left out", () => {
  expect(Object.keys(PROGRAMS)).toEqual(Object.keys(LIBRARY_GRAPHS));
});

describe("under the model `rules` and a persona, to its end or to an error with a code", () => {
  test.each(Object.entries(PROGRAMS))("%s", async (name, [input, end, asks]) => {
    const session = newSession();
    const persona = people.persona({
      graph: libraryGraph("persona", "Persona", { session }),
      task,
      hints: "The old shop.",
    });
    const asked: string[] = [];
    const edit = (text: string) => text.replace("30s..1h", "1ms..2ms");
    const graph = libraryGraph(LIBRARY_GRAPHS[name] ?? "", name, { session, scope, edit });
    const run = graph.run(input, {
      answers: async (question, before) => {
        asked.push(question.node);
        return await persona(question, before);
      },
    });
    const ended = await run.output.then(
      () => "succeeded",
      (error: { readonly code: string }) => error.code,
    );
    await session.close();
    expect([ended, [...new Set(asked)].join(" ")]).toEqual([end, asks]);
  });
});
