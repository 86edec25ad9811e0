/** Graphs call the operations of APIs that OpenAPI descriptions list, on a real server of this machine. */
import { describe, expect, test } from "vitest";
import { calling } from "../mcp/servers.ts";
import { failureOf as failureOfRun, newSession, runWith } from "../scoped-run.ts";
import {
  type Answered,
  describedBy,
  descriptionFile,
  type SeenRequest,
  serveApi,
} from "./api-server.ts";

const WEATHER = `openapi: 3.0.3
info: { title: Weather, version: "1" }
servers: [{ url: "{{url}}/v1" }]
security: [{ key: [] }]
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
  schemas:
    Day: { type: object, required: [date, high], properties: { date: { type: string }, high: { type: number }, next: { $ref: "#/components/schemas/Day" }, note: { type: string, nullable: true } } }
    Alert: { type: object, required: [id, text], properties: { id: { type: integer, readOnly: true }, text: { type: string } } }
paths:
  /forecast/{city}:
    parameters: [{ name: city, in: path, required: true, schema: { type: string } }]
    get:
      operationId: get-forecast
      summary: The forecast of a city.
      deprecated: true
      parameters:
        - { name: days, in: query, schema: { type: integer, minimum: 1 } }
      responses:
        "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Day" } } } }
  /alerts:
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Alert" } } } }
      responses:
        "201": { description: made, content: { application/json: { schema: { $ref: "#/components/schemas/Alert" } } } }
`;

const FORECAST = {
  date: "2026-11-24",
  high: 4.5,
  next: { date: "2026-11-25", high: 3, note: null },
};

async function weather(answer: (request: SeenRequest) => Answered, settings = "") {
  const api = await serveApi(answer);
  const file = descriptionFile(WEATHER.replace("{{url}}", api.url), "weather.yaml");
  const declared = `openapi weather = ${JSON.stringify(file)} { url: "${api.url}/v1"${settings} }`;
  return { ...api, file, declared };
}

const program = (declared: string, lines: string, state = "a: Json") => `model m = "scripted"
${declared}
graph G() returns ${[...state.matchAll(/(\w): /g)].map(([, name]) => name).join(", ")} { state { ${state} }
${lines} }`;

const outputOf = async (text: string, options: Parameters<typeof runWith>[2] = {}) =>
  (await runWith(text, {}, options).run.output) as Readonly<Record<string, unknown>>;

const failureOf = async (text: string) => await failureOfRun(runWith(text, {}));

test("nodes and agents call operations by name; a secret is sent and stands nowhere in the log", async () => {
  const { declared, seen } = await weather(
    ({ method }) => ({
      body: method === "GET" ? { ...FORECAST, note: "key s3cr3t-key" } : { id: 7, text: "ice" },
      status: method === "GET" ? 200 : 201,
    }),
    ', auth: "WEATHER_KEY", headers: { "X-Team": "TEAM" }',
  );
  const text = program(
    declared,
    'tool one = weather.get_forecast({ city: "Bern/West", days: 2 }) writes a\n agent ask { model m; tools weather; prompt `x`; writes b }\n start -> one -> ask -> end',
    "a: Json  b: Json",
  );
  const session = newSession({ env: { WEATHER_KEY: "s3cr3t-key", TEAM: "blue" } });
  const { run, records } = runWith(
    text,
    {},
    {
      session,
      models: calling("ask", ["weather.POST_alerts", { body: { text: "ice" } }]),
    },
  );
  expect(await run.output).toEqual({
    a: { ...FORECAST, note: "key ⟦secret:WEATHER_KEY⟧" },
    b: "done",
  });
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "GET /v1/forecast/Bern%2FWest?days=2",
    "POST /v1/alerts",
  ]);
  expect(seen[0]?.headers).toMatchObject({ "x-key": "s3cr3t-key", "x-team": "blue" });
  expect(JSON.parse(String(seen[1]?.body))).toEqual({ text: "ice" });
  expect(JSON.stringify(records())).not.toContain("s3cr3t-key");
  const offers = records().flatMap((one) =>
    one.kind === "outcome" && one.effect === "server"
      ? [one.value as { tools: { member: string; input: object; description: string }[] }]
      : [],
  );
  expect(offers[0]?.tools.map(({ member }) => member)).toEqual(["get_forecast"]);
  expect(offers[0]?.tools[0]?.description).toMatch(/^Deprecated: .*The forecast of a city\.$/);
  expect(offers[1]?.tools.map(({ member }) => member)).toEqual(["get_forecast", "POST_alerts"]);
  expect(offers[1]?.tools[1]?.input).toMatchObject({
    required: ["body"],
    $defs: { Alert: { required: ["text"], properties: { text: { type: "string" } } } },
  });
});

test("what reads has no effect, what changes is external, and a run that goes on calls nothing twice", async () => {
  const { declared } = await weather(() => ({ body: FORECAST }));
  const bounded = (call: string) =>
    program(declared, `tool one = ${call} writes a { effects none }\n start -> one -> end`);
  expect(await outputOf(bounded('weather.get_forecast({ city: "Bern" })'))).toEqual({
    a: FORECAST,
  });
  expect(await failureOf(bounded('weather.POST_alerts({ body: { text: "x" } })'))).toMatchObject({
    code: "M4105",
  });
});

describe("answers", () => {
  const call = 'tool one = weather.get_forecast({ city: "Bern" }) writes a\n start -> one -> end';
  test.each<[string, Answered, object]>([
    ["a text", { body: "mild", headers: { "content-type": "text/plain" } }, { a: "mild" }],
    ["nothing", { status: 204 }, { a: null }],
    [
      "a picture",
      { body: Buffer.from("x"), headers: { "content-type": "image/png" } },
      { a: { content: [{ type: "image", data: "eA==", mimeType: "image/png" }] } },
    ],
  ])("%s is a value", async (_, answered, value) => {
    const { declared } = await weather(() => answered);
    expect(await outputOf(program(declared, call))).toEqual(value);
  });

  test.each<[Answered, string, string, string]>([
    [{ status: 404, body: { error: "no such city" } }, "M8419", "tool", "no such city"],
    [{ status: 401 }, "M8419", "tool", "401"],
    [{ status: 503, headers: { "retry-after": "2" } }, "M8419", "transport", "503"],
    [{ status: 302, headers: { location: "http://127.0.0.1:1/" } }, "M8419", "tool", "302"],
    [{ body: { date: 3 } }, "M8420", "tool", "at `high`"],
    [{ body: "{", headers: { "content-type": "application/json" } }, "M8420", "tool", "no JSON"],
    [{ body: "cut" }, "M8602", "transport", "can't be read"],
  ])("%j is %s of class %s", async (answered, code, kind, message) => {
    const { declared, seen } = await weather(() => answered);
    const failure = await failureOf(program(declared, call));
    expect(failure).toMatchObject({ code, class: kind });
    expect(failure.message).toContain(message);
    expect(seen).toHaveLength(1);
  });
});

test("an agent is told what an API says of a call that failed, and goes on", async () => {
  const { declared } = await weather(() => ({ status: 404, body: { error: "no such city" } }));
  const text = program(
    declared,
    "agent ask { model m; tools weather; prompt `x`; writes a }\n start -> ask -> end",
    "a: string",
  );
  const { run, records } = runWith(
    text,
    {},
    { models: calling("ask", ["weather.get_forecast", { city: "x" }]) },
  );
  expect(await run.output).toEqual({ a: "done" });
  const failed = records().find((one) => one.kind === "outcome" && one.effect === "tool");
  expect(failed).toMatchObject({ failure: { code: "M8419", class: "tool" } });
});

test("arguments stay where they belong", async () => {
  const { declared, seen } = await weather(() => ({ body: FORECAST }));
  for (const city of ["..", ".", "", "%2e%2e"]) {
    const text = program(
      declared,
      `tool one = weather.get_forecast({ city: "${city}" }) writes a\n start -> one -> end`,
    );
    if (city === "%2e%2e") expect(await outputOf(text)).toEqual({ a: FORECAST });
    else expect(await failureOf(text)).toMatchObject({ code: "M8418" });
  }
  expect(seen.map(({ url }) => url)).toEqual(["/v1/forecast/%252e%252e"]);
});

describe("private addresses", () => {
  const call = 'tool one = weather.get_forecast({ city: "x" }) writes a\n start -> one -> end';
  test("those of the description alone are not reached", async () => {
    const { file, seen, url } = await weather(() => ({ body: FORECAST }));
    const text = program(`openapi weather = ${JSON.stringify(file)}`, call);
    expect((await failureOf(text)).message).toContain("not an address of the public internet");
    expect(seen).toEqual([]);
    const session = newSession({ env: { MADRIGAL_WEB_PRIVATE: new URL(url).host } });
    expect(await outputOf(text, { session })).toEqual({ a: FORECAST });
  });

  test("guard.urls decides on the address of the API", async () => {
    const { declared, seen } = await weather(() => ({ body: FORECAST }));
    const text = program(
      `config { guard: { urls: { allow: ["example.org"], block: ["127.0.0.1"] } } }\n${declared}`,
      call,
    );
    expect((await failureOf(text)).message).toContain("blocked by `guard.urls`");
    expect(seen).toEqual([]);
  });
});

test("a description at an address is read when it is needed, and relative servers start there", async () => {
  const { url } = await serveApi(({ url: at }) =>
    at === "/docs/api.json"
      ? { body: describedBy({}, { servers: [{ url: "../v2" }] } as object) }
      : { body: at },
  );
  const text = program(
    `openapi it = "${url}/docs/api.json" { url: "${url}/v2" }`,
    "tool one = it.go() writes a\n start -> one -> end",
  );
  expect(await outputOf(text)).toEqual({ a: "/v2/go" });
});

test.each<[string, string | object, string, string]>([
  ["no YAML", "openapi: [3", "M8417", ":1:"],
  ["another version", { swagger: "2.0", paths: {} }, "M8417", "version 2.0"],
  [
    "another file",
    describedBy({ parameters: [{ $ref: "other.yaml#/x" }] }),
    "M8417",
    "in another file",
  ],
  [
    "a missing part",
    describedBy({ parameters: [{ $ref: "#/components/x" }] }),
    "M8417",
    "there is no `#/components/x`",
  ],
  [
    "a parameter that refers to itself",
    describedBy({ parameters: [{ $ref: "#/x" }] }, { x: { $ref: "#/x" } } as object),
    "M8417",
    "refers to itself",
  ],
  ["no whole address", describedBy({}), "M8417", "no whole address"],
  [
    "no such operation",
    describedBy({}, { servers: [{ url: "https://example.org" }] } as object),
    "M8413",
    "did you mean `go`",
  ],
])("%s is told", async (_, description, code, what) => {
  const file = descriptionFile(description);
  const called = what.includes("mean") ? "gox" : "go";
  const text = program(
    `openapi it = ${JSON.stringify(file)}`,
    `tool one = it.${called}() writes a\n start -> one -> end`,
  );
  const failure = await failureOf(text);
  expect(failure.code).toBe(code);
  expect(`${failure.message} ${failure.hint}`).toContain(what);
});

test("an optional API that can't be read leaves an agent without its tools", async () => {
  const text = program(
    'openapi it = "/nowhere.yaml" optional',
    "agent ask { model m; tools it; prompt `x`; writes a }\n start -> ask -> end",
    "a: string",
  );
  expect(await outputOf(text, { models: calling("ask") })).toEqual({ a: "done" });
});
