/** The types of tools that no TypeScript of the program declares: operations of APIs by their description, and built-in tools. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkSource } from "../../../kernel/programs/check-source.ts";
import { schemaTypeText } from "../../../kernel/types/named/schema-type.ts";

const folder = mkdtempSync(join(tmpdir(), "madrigal-described-tools-"));
afterAll(() => rmSync(folder, { recursive: true }));

const book = {
  type: "object",
  required: ["title", "pages"],
  properties: {
    title: { type: "string" },
    pages: { type: "integer" },
    sequel: { $ref: "#/components/schemas/Book" },
  },
};
const answers = (schema: object) => ({
  "200": { description: "it", content: { "application/json": { schema } } },
  "404": { description: "none" },
});
const id = { name: "id", in: "path", required: true, schema: { type: "integer" } };
const lang = { name: "lang", in: "query", schema: { enum: ["en", "de"] } };
const key = { name: "Idempotency-Key", in: "header", required: true, schema: { type: "string" } };
writeFileSync(
  join(folder, "books.json"),
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Books", version: "1" },
    servers: [{ url: "http://127.0.0.1:1" }],
    paths: {
      "/books/{id}": {
        get: {
          operationId: "get-book",
          parameters: [id, lang],
          responses: answers({ $ref: "#/components/schemas/Book" }),
        },
        delete: {
          operationId: "drop",
          parameters: [id, key],
          responses: { "204": { description: "gone" } },
        },
      },
      "/raw": { get: { operationId: "raw", responses: { "200": { description: "anything" } } } },
    },
    components: { schemas: { Book: book } },
  }),
);

/** The findings about a `tool` node, with the text that each marks. */
async function errorsOf(call: string): Promise<readonly string[]> {
  const text = `openapi books = "books.json"
mcp tools = "a-server"
mcp web = "another-server"
graph G(id: int, name: string) returns title, pages {
  state {
    title: string
    pages: int
  }
  tool look = ${call}
  start -> look -> end
}`;
  const source = { file: "g.madrigal", text };
  const path = join(folder, "g.madrigal");
  const { diagnostics } = await checkSource({ source, path, types: "checked" });
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, line, column, endColumn, message }) => {
      const marked = text.split("\n")[line - 1]?.slice(column - 1, endColumn - 1);
      return `${code} «${marked}» ${message}`;
    });
}

test.each([
  'books.get_book(id: id, lang: "en") writes title = result.title, pages = result.pages',
  "books.get_book({ id: id }) writes title = result.title, pages = result.sequel.pages",
  "books.drop(id: id) writes title = name, pages = id",
  "books.raw() writes title = result.anything, pages = result.at.all",
  "web.snapshot() writes title = result.any, pages = result.thing",
  "tools.get(id: id) writes title = result.any, pages = result.thing",
  'code.run(language: "python", code: name) writes title = result.stdout, pages = result.exitCode',
])("fits: %s", async (call) => {
  expect(await errorsOf(call)).toEqual([]);
});

test.each([
  [
    "books.get_book(id: name) writes title = result.title, pages = result.pages",
    ["M3503 «name» `string` does not fit `number`"],
  ],
  [
    'books.get_book(id: id, lang: "fr") writes title = result.pages, pages = result.pges',
    [
      'M3503 «"fr"» `"fr"` does not fit `"en" | "de" | undefined`',
      "M3508 «result.pages» `number` does not fit `string`",
      "M3502 «pges» there is no `pges` in `{ title: string; pages: number; sequel?: any; }`",
    ],
  ],
  [
    "books.get_book() writes title = name, pages = id",
    ['M3503 «books.get_book» `{}` does not fit `{ id: number; lang?: "en" | "de" | undefined; }`'],
  ],
  [
    "books.get_book({ id: id, nr: 3 }) writes title = name, pages = id",
    ['M3503 «3» there is no `nr` in `{ id: number; lang?: "en" | "de" | undefined; }`'],
  ],
  [
    'code.run(language: "pthon", code: name) writes title = result.exitCode, pages = result.out',
    [
      'M3519 «"pthon"» type `"pthon"` is not assignable to type `"javascript" | "typescript" | "python" | "shell"`',
      "M3508 «result.exitCode» `number` does not fit `string`",
      "M3502 «out» there is no `out` in `CodeResult`",
    ],
  ],
])("does not fit: %s", async (call, errors) => {
  expect(await errorsOf(call)).toEqual(errors);
});

test.each([
  [{ type: ["string", "null"] }, "string | null"],
  [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
  [{ type: "array", items: { type: "integer" } }, "number[]"],
  [{ type: "object", additionalProperties: { type: "boolean" } }, "{ [key: string]: boolean }"],
  [{ allOf: [{ type: "object", properties: { a: { type: "string" } } }, {}] }, "{ a?: string }"],
  [{ $ref: "#/$defs/nothing" }, "any"],
])("a schema as a type: %j", (schema, text) => {
  expect(schemaTypeText(schema, "read")).toBe(text);
});
