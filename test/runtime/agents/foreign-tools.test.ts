/** Tools of the AI SDK and of LangChain work as they are, as an agent's and in `tool` nodes. */
import { jsonSchema, tool as sdkTool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { scripted } from "../../../runtime/index.ts";
import { loadLangChainTools } from "../../support/providers/langchain.ts";
import { runWith } from "../scoped-run.ts";

const { tool: langChainTool } = await loadLangChainTools();
const asked: unknown[] = [];
const city = z.object({ city: z.string(), days: z.number().default(1) });

const library = {
  zod: sdkTool({
    description: "tells the weather",
    inputSchema: city,
    execute: async ({ city, days }, { toolCallId, abortSignal }) => {
      asked.push([typeof toolCallId, abortSignal instanceof AbortSignal]);
      return `${city} ${days}`;
    },
  }),
  json: sdkTool({
    inputSchema: jsonSchema<{ n: number }>({
      type: "object",
      properties: { n: { type: "number" } },
      required: ["n"],
    }),
    execute: ({ n }) => n + 1,
  }),
  chain: langChainTool(({ city }: { city: string }) => `sunny in ${city}`, {
    name: "weather",
    description: "also tells the weather",
    schema: z.object({ city: z.string() }),
  }),
};

const program = (lines: string, state = "a: string") => `model m = "scripted"
graph G() returns a { state { ${state} }
${lines} }`;

test("an agent is told what they take, and calls them", async () => {
  const calls = [
    { tool: "library.zod", input: { city: "Rome" } },
    { tool: "library.zod", input: { town: "Rome" } },
    { tool: "library.json", input: { n: 1 } },
    { tool: "library.chain", input: { city: "Rome" } },
  ];
  const turns = calls.map((call) => ({ calls: [call] }));
  const text = program(
    "agent ask { model m; tools library.*; prompt `x`; writes a }\n start -> ask -> end",
  );
  const models = { m: scripted({ ask: [...turns, "done"] }) };
  const { run, records } = runWith(text, { library }, { models });
  expect(await run.output).toEqual({ a: "done" });
  const told = records().find((one) => one.kind === "intent" && one.effect === "model");
  expect(JSON.stringify(told)).toContain('"description":"tells the weather"');
  const results = records().flatMap((one) =>
    one.kind === "outcome" && one.effect === "tool" ? [one.value ?? one.failure?.message] : [],
  );
  expect(results).toEqual([
    "Rome 1",
    expect.stringContaining("the arguments of `library_zod` do not fit"),
    2,
    "sunny in Rome",
  ]);
  expect(asked).toEqual([["string", true]]);
});

test("a node calls one without a model; it is external, since nobody says what it touches", async () => {
  const text = program(
    'tool look = library.chain({ city: "Oslo" }) writes a\n start -> look -> end',
  );
  const { run, records } = runWith(text, { library });
  expect(await run.output).toEqual({ a: "sunny in Oslo" });
  expect(records().find((one) => one.kind === "intent")).toMatchObject({ external: true });
  const bound = program(
    "agent ask { model m; tools library.json; effects none; prompt `x`; writes a }\n start -> ask -> end",
  );
  expect(() => runWith(bound, { library })).toThrow(/M4105/);
});
