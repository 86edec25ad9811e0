/** A graph cell is parsed once on its way from its text to its graphs, whatever it holds. */
import { afterEach, expect, test, vi } from "vitest";
import { createTypeService } from "../../../../kernel/types/create-service.ts";
import { openTestNotebook, useTypes } from "../notebook.ts";

const { texts } = vi.hoisted(() => ({ texts: [] as string[] }));

// Every parse begins with the lexer.
vi.mock("../../../../dsl/syntax/lexer.ts", async (original) => {
  const lexer = await original<typeof import("../../../../dsl/syntax/lexer.ts")>();
  const tokenize: typeof lexer.tokenize = (text, ...rest) => {
    texts.push(text);
    return lexer.tokenize(text, ...rest);
  };
  return { ...lexer, tokenize };
});

// The thread of the types would parse unseen, so its service runs in this one.
vi.mock("../../../../kernel/types/client.ts", () => ({
  startTypes: () => ({
    ...createTypeService({ declarations: "", graphs: [], declared: () => {}, started: () => {} }),
    close: async () => {},
  }),
}));

useTypes();
afterEach(() => {
  texts.length = 0;
});

const GRAPH = `%%graph
graph Look(topic: string) returns text {
  state { text: string }
  run look = look(topic) writes text
  start -> look -> end
}`;

const TYPED = `%%graph
type Own = { of: Page }
graph Read(topic: string) returns page, own {
  state { page: Page  own: Own }
  agent read { model "rules"; tools find; prompt \`Read about \${topic}\`; writes page, own }
  start -> read -> end
}`;

const TESTED = `${GRAPH.replaceAll("Look", "Again")}
test "it looks" of Again {
  given topic = "x"
  look says "X"
  expect text == "X"
}`;

const cells: readonly (readonly [what: string, cell: string])[] = [
  ["a call of a function", GRAPH],
  ["a type and a tool of earlier cells", TYPED],
  ["a test", TESTED],
];

test.each(cells)("%s", async (_what, cell) => {
  const notebook = openTestNotebook();
  await notebook.run("const look = (topic: string) => topic.toUpperCase();");
  await notebook.run("type Page = { title: string }; const find = (word: string) => [word];");
  expect(texts).toEqual([]);
  expect(await notebook.run(cell)).not.toContain("error");
  expect(texts).toEqual([cell.replace("%%graph", "       ")]);
});
