import { describe, expect, test } from "vitest";
import { ask, askJson, object, type TestTool } from "./ask.ts";

const text = { type: "string" };

const recipes: TestTool = {
  name: "lookup_recipes",
  description: "Finds recipes by ingredients",
  input: object({ terms: { type: "string", description: "what to search for" } }),
  run: ({ terms = "" }) => ({
    results: [
      {
        recipe_id: "r7",
        dish: "Leek soup",
        summary: "Leeks are simmered with potatoes for an hour.",
      },
      { recipe_id: "r9", dish: "Plum cake", summary: "Plums are baked on a thin yeast dough." },
    ].filter(({ summary }) =>
      terms.split(" ").some((word) => summary.toLowerCase().includes(word)),
    ),
  }),
};

const recipe: TestTool = {
  name: "open_recipe",
  description: "Gives the whole recipe",
  input: object({ recipe_id: text }),
  run: ({ recipe_id = "" }) =>
    recipe_id === "r7"
      ? {
          dish: "Leek soup",
          steps: "Wash the leeks well. Potatoes thicken the soup. Add salt last.",
        }
      : { dish: "Plum cake", steps: "Halve the plums." },
};

const weather: TestTool = {
  name: "get_weather",
  description: "The weather of a city now",
  input: object({ city: text, unit: { type: "string", enum: ["celsius", "kelvin"] } }),
  run: ({ city }) => ({ city, sky: "light rain", degrees: 11 }),
};

describe("tools that nobody told the model about", () => {
  test("it searches, reads what the hits name, and quotes", async () => {
    const { turns, text: answer } = await ask("What do potatoes do in leek soup?", {
      tools: [recipes, recipe],
    });
    expect(turns).toEqual([
      'lookup_recipes {"terms":"potatoes leek soup"}',
      'open_recipe {"recipe_id":"r7"}',
    ]);
    expect(answer).toMatchInlineSnapshot(`
      "These passages match the question best: What do potatoes do in leek soup?

      1. “Leeks are simmered with potatoes for an hour.”
         — r7 · Leek soup

      2. “Potatoes thicken the soup.”
         — r7 · Leek soup

      3. “Wash the leeks well.”
         — r7 · Leek soup

      (The quotes are literal. They were chosen by matching words; no language model has read or judged them.)"
    `);
  });

  test("it fills a schema from the hits and what stands beside them", async () => {
    const schema = object({
      dishes: {
        type: "array",
        items: object({ dish: text, fact: text, confidence: { type: "number" } }),
      },
    });
    const found = await askJson("How are plums baked?", schema, [recipes, recipe]);
    expect(found).toEqual({
      dishes: [
        { dish: "Plum cake", fact: "Plums are baked on a thin yeast dough.", confidence: 1 },
      ],
    });
  });

  test("it calls a tool that the question itself has the arguments for", async () => {
    const { turns, text: answer } = await ask("What is the weather in New York in kelvin?", {
      tools: [recipes, weather],
    });
    expect(turns).toEqual(['get_weather {"city":"New York","unit":"kelvin"}']);
    expect(answer).toBe("city: New York, sky: light rain, degrees: 11");
  });

  test("it does not call a tool whose arguments nobody gave", async () => {
    const { turns } = await ask("What is the weather like?", { tools: [weather] });
    expect(turns).toEqual([]);
  });

  test("a word that no hit holds is asked for alone, and the answer says that it lacks it", async () => {
    const { turns, text: answer } = await ask("How are leeks simmered in a zorble pan?", {
      tools: [recipes, recipe],
    });
    expect(turns[1]).toContain('lookup_recipes {"terms":"zorble"}');
    expect(answer).toContain("Leeks are simmered with potatoes for an hour.");
    expect(answer).toContain("None of them mentions: zorble, pan");
  });

  test("where the one special word is unknown, common words do not make an answer", async () => {
    const { text: answer } = await ask("Add a zorble to the dish last?", {
      tools: [recipes, recipe],
    });
    expect(answer).toBe("Nothing was found that answers this: Add a zorble to the dish last?");
  });

  test("a failing search ends in an honest answer", async () => {
    const broken: TestTool = { ...recipes, run: () => ({ results: [] }) };
    const { turns, text: answer } = await ask("Question: plums in autumn", { tools: [broken] });
    expect(turns).toHaveLength(2);
    expect(answer).toBe("Nothing was found that answers this: plums in autumn");
  });

  test("nothing asked, nothing called", async () => {
    const { turns, text: answer } = await ask("Question: ", { tools: [recipes] });
    expect(turns).toEqual([]);
    expect(answer).toBe("Nothing was found: nothing is asked that could be looked for.");
  });
});
