/** Arguments are sent as the styles of OpenAPI say, whatever they are, and schemas of both versions mean the same. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operationRequest } from "../../../runtime/agents/openapi/operation-request.ts";
import { listOperations } from "../../../runtime/agents/openapi/operations.ts";
import { readDescription } from "../../../runtime/agents/openapi/read-description.ts";
import { misfits } from "../../../runtime/state/json-schema.ts";
import { describedBy } from "./api-server.ts";

type Input = Readonly<Record<string, unknown>>;

function operationOf(operation: object, around: { path?: string; method?: string } & object = {}) {
  const text = JSON.stringify(describedBy(operation, around));
  const [found] = listOperations(readDescription(text), { url: "https://api.example/v1/" });
  if (found === undefined) throw new Error("no operation");
  return found;
}

const sentOf = async (operation: ReturnType<typeof operationOf>, input: Input, secret?: string) =>
  await operationRequest(operation, { input, headers: {}, secret });

const LIST = ["blue", "black", "brown"];
const OBJECT = { R: 100, G: 200, B: 150 };

// The table of styles in the specification.
describe("styles", () => {
  test.each<
    [where: string, style: string, explode: boolean, one: string, list: string, object: string]
  >([
    ["path", "simple", false, "/blue", "/blue,black,brown", "/R,100,G,200,B,150"],
    ["path", "simple", true, "/blue", "/blue,black,brown", "/R=100,G=200,B=150"],
    ["path", "label", false, "/.blue", "/.blue,black,brown", "/.R,100,G,200,B,150"],
    ["path", "label", true, "/.blue", "/.blue.black.brown", "/.R=100.G=200.B=150"],
    ["path", "matrix", false, "/;c=blue", "/;c=blue,black,brown", "/;c=R,100,G,200,B,150"],
    ["path", "matrix", true, "/;c=blue", "/;c=blue;c=black;c=brown", "/;R=100;G=200;B=150"],
    ["query", "form", false, "?c=blue", "?c=blue,black,brown", "?c=R,100,G,200,B,150"],
    ["query", "form", true, "?c=blue", "?c=blue&c=black&c=brown", "?R=100&G=200&B=150"],
    [
      "query",
      "spaceDelimited",
      false,
      "?c=blue",
      "?c=blue%20black%20brown",
      "?c=R%20100%20G%20200%20B%20150",
    ],
    [
      "query",
      "pipeDelimited",
      false,
      "?c=blue",
      "?c=blue%7Cblack%7Cbrown",
      "?c=R%7C100%7CG%7C200%7CB%7C150",
    ],
    [
      "query",
      "deepObject",
      true,
      "?c=blue",
      "?c%5B%5D=blue&c%5B%5D=black&c%5B%5D=brown",
      "?c%5BR%5D=100&c%5BG%5D=200&c%5BB%5D=150",
    ],
    ["header", "simple", false, "blue", "blue,black,brown", "R,100,G,200,B,150"],
    ["header", "simple", true, "blue", "blue,black,brown", "R=100,G=200,B=150"],
    ["cookie", "form", false, "c=blue", "c=blue,black,brown", "c=R,100,G,200,B,150"],
  ])("%s %s, explode %s", async (where, style, explode, one, list, object) => {
    const operation = operationOf(
      { parameters: [{ name: "c", in: where, required: true, style, explode, schema: {} }] },
      { path: where === "path" ? "/{c}" : "/go" },
    );
    for (const [value, expected] of [
      ["blue", one],
      [LIST, list],
      [OBJECT, object],
    ] as const) {
      const { url, headers } = await sentOf(operation, { c: value });
      const shown = {
        path: url.pathname.slice(3),
        query: url.search,
        header: headers.c,
        cookie: headers.cookie,
      };
      expect(shown[where as keyof typeof shown]).toBe(expected);
    }
  });
});

test("any text comes back from a query and a path as it was, and the host and the path before it stay", async () => {
  const operation = operationOf(
    {
      parameters: [
        { name: "p", in: "path", required: true, schema: {} },
        { name: "q", in: "query", schema: {} },
      ],
    },
    { path: "/things/{p}/end" },
  );
  const text = fc.string({ unit: "binary", maxLength: 30 }).map((one) => one.toWellFormed());
  await fc.assert(
    fc.asyncProperty(text, text, async (p, q) => {
      fc.pre(p !== "" && p !== "." && p !== "..");
      const { url } = await sentOf(operation, { p, q });
      expect(url.origin).toBe("https://api.example");
      const steps = url.pathname.split("/");
      expect(steps).toHaveLength(5);
      expect(decodeURIComponent(steps[3] ?? "")).toBe(p);
      expect([...url.searchParams]).toEqual([["q", q]]);
    }),
  );
});

test("a header can't begin another one, and those of the connection are nobody's to set", async () => {
  const named = (name: string) => operationOf({ parameters: [{ name, in: "header", schema: {} }] });
  await expect(sentOf(named("X-A"), { "X-A": "a\r\nHost: b" })).rejects.toThrow(
    "no header can hold",
  );
  for (const name of ["Host", "authorization", "Cookie", "Content-Length", "X-Forwarded-For"])
    expect(named(name).parameters).toEqual([]);
});

describe("bodies", () => {
  const withBody = (media: string, schema: object) =>
    operationOf({ requestBody: { content: { [media]: { schema } } } }, { method: "post" });
  const files = {
    type: "object",
    properties: { name: { type: "string" }, file: { type: "string", format: "binary" } },
  };
  test.each<[string, object, unknown, string | RegExp]>([
    ["application/json", {}, { a: [1] }, '{"a":[1]}'],
    ["application/vnd.x+json", {}, "t", '"t"'],
    ["application/x-www-form-urlencoded", {}, { a: "x y", b: [1, 2] }, "a=x+y&b=1&b=2"],
    ["text/plain", {}, "as it is", "as it is"],
    ["application/octet-stream", {}, "aGk=", "hi"],
    [
      "multipart/form-data",
      files,
      { name: "n", file: "aGk=" },
      /name="name"\r\n\r\nn\r\n[\s\S]*name="file"; filename="file"[\s\S]*\r\n\r\nhi\r\n/,
    ],
  ])("%s", async (media, schema, body, expected) => {
    const { body: bytes, headers } = await sentOf(withBody(media, schema), { body });
    expect(String(headers["content-type"])).toContain(media);
    const sent = Buffer.from(bytes ?? []).toString();
    if (typeof expected === "string") expect(sent).toBe(expected);
    else expect(sent).toMatch(expected);
  });
});

describe("secrets", () => {
  test.each<[object, string, string | RegExp]>([
    [{ type: "apiKey", in: "query", name: "k" }, "url", "https://api.example/v1/go?k=a%20b"],
    [{ type: "apiKey", in: "cookie", name: "k" }, "cookie", "k=a%20b"],
    [{ type: "apiKey", in: "header", name: "X-K" }, "X-K", "a b"],
    [{ type: "http", scheme: "Basic" }, "authorization", "Basic YSBi"],
    [{ type: "http", scheme: "bearer" }, "authorization", "Bearer a b"],
    [{ type: "oauth2", flows: {} }, "authorization", "Bearer a b"],
  ])("%j", async (scheme, where, expected) => {
    const operation = operationOf({}, {
      security: [{ s: [] }],
      components: { securitySchemes: { s: scheme } },
    } as object);
    const { url, headers } = await sentOf(operation, {}, "a b");
    expect(where === "url" ? url.href : headers[where]).toBe(expected);
  });
  test("an operation that needs none gets none", async () => {
    expect(
      (await sentOf(operationOf({ security: [] }), {}, "s")).headers.authorization,
    ).toBeUndefined();
  });
});

describe("schemas", () => {
  const inputOf = (version: string, schema: object, components: object = {}) => {
    const described = {
      ...describedBy({ parameters: [{ name: "v", in: "query", required: true, schema }] }),
      openapi: version,
      components: { schemas: components },
    };
    const [operation] = listOperations(readDescription(JSON.stringify(described)), {
      url: "https://a.b",
    });
    return operation?.input ?? {};
  };
  const fits = (schema: object, v: unknown) => misfits({ v }, schema as Input).length === 0;

  test("those of 3.0 mean what those of 3.1 say", () => {
    const values = [null, 1, 2, 2.5, "a", "b", ["a"], {}, { a: null }, { a: 1 }];
    for (const [old, now] of [
      [{ type: "string", nullable: true }, { type: ["string", "null"] }],
      [
        { type: "number", minimum: 2, exclusiveMinimum: true },
        { type: "number", exclusiveMinimum: 2 },
      ],
      [
        { type: "number", maximum: 2, exclusiveMaximum: false },
        { type: "number", maximum: 2 },
      ],
      [{ enum: ["a"], nullable: true }, { enum: ["a", null] }],
      [{ allOf: [{ type: "string" }], nullable: true }, { type: ["string", "null"] }],
      [
        { type: "object", properties: { a: { type: "integer", nullable: true } } },
        { type: "object", properties: { a: { type: ["integer", "null"] } } },
      ],
    ] as const)
      for (const value of values)
        expect(fits(inputOf("3.0.0", old), value), JSON.stringify([old, value])).toBe(
          fits(inputOf("3.1.0", now), value),
        );
  });

  test("circles and names like those of keywords stay", () => {
    const node = {
      type: "object",
      required: ["example"],
      properties: { example: { type: "string" }, "next/1": { $ref: "#/components/schemas/a~1b" } },
    };
    const schema = inputOf("3.1.0", { $ref: "#/components/schemas/a~1b" }, { "a/b": node });
    expect(fits(schema, { example: "x", "next/1": { example: "y" } })).toBe(true);
    expect(fits(schema, { example: "x", "next/1": { example: 3 } })).toBe(false);
    expect(fits(schema, {})).toBe(false);
  });
});

test("names are those of the language, each its own, and readable back", () => {
  const text = JSON.stringify({
    openapi: "3.0.0",
    info: {},
    paths: {
      "/a/{id}": { get: {}, delete: { operationId: "a.remove" } },
      "/a-{id}": { get: {} },
      "/b": { get: { operationId: "a_remove" } },
    },
  });
  const withIds = text
    .replaceAll('"get":{}', '"get":{"parameters":[{"name":"id","in":"path"}]}')
    .replace(
      '"operationId":"a.remove"',
      '"operationId":"a.remove","parameters":[{"name":"id","in":"path"}]',
    );
  const found = listOperations(readDescription(withIds), { url: "https://a.b" });
  expect(found.map(({ member, name }) => [member, name])).toEqual([
    ["GET_a_id", "GET /a/{id}"],
    ["a_remove", "DELETE /a/{id}"],
    ["GET_a_id_2", "GET /a-{id}"],
    ["a_remove_2", "GET /b"],
  ]);
});
