/** Editors complete and explain the operations of an API that a cell declares; `▮` is the cursor. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Notebook, placeIn } from "../notebook.ts";

const notebook = new Notebook();
afterAll(() => notebook.types.close());

const folder = mkdtempSync(join(tmpdir(), "madrigal-apis-"));
const file = join(folder, "weather.yaml");
writeFileSync(
  file,
  `openapi: 3.0.3
info: { title: Weather, version: "1" }
servers: [{ url: "https://weather.example/v1" }]
paths:
  /forecast/{city}:
    get:
      operationId: get-forecast
      summary: The weather of the next days
      description: At most ten days.
      parameters:
        - { name: city, in: path, required: true, description: Its English name, schema: { type: string } }
        - { name: days, in: query, schema: { type: integer } }
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema: { type: object, required: [high], properties: { high: { type: number } } }
  /reports:
    post:
      operationId: send_report
      summary: "Sends\\e[31m what was seen"
      responses: { "204": { description: kept } }
`,
);

const declared = (
  description: string,
  node: string,
) => `openapi weather = ${JSON.stringify(description)}
graph Ask(city: string) returns day {
  state { day: { high: number } }
  ${node}
  start -> look -> end
}`;
const call = (name: string) =>
  declared(file, `tool look = weather.${name}({ city: city }) writes day`);

test("the operations of an API are offered with their summaries", async () => {
  const at = async (text: string) => {
    const { items } = await notebook.types.complete(placeIn(text));
    return items.map(({ text, type, signature = "" }) => `${text} ${type} ${signature}`.trim());
  };
  const all = [
    "get_forecast tool The weather of the next days",
    "send_report tool Sends what was seen",
  ];
  expect(await at(call("▮"))).toEqual(all);
  expect(await at(call("get▮_forecast"))).toEqual(all.slice(0, 1));
  const agent = (tools: string) =>
    declared(file, `agent look { prompt \`Look\`; tools docs.search, ${tools}`);
  expect(await at(agent("weather.▮"))).toEqual(all);
  expect((await at(agent("wea▮")))[0]).toBe("weather openapi");
  expect((await at(declared(file, "tool look = ▮")))[0]).toBe("weather openapi");
  expect(await at(declared("nowhere.yaml", "tool look = weather.▮"))).toEqual([]);
});

test("an operation is explained by its call, its request and its parameters", async () => {
  expect(await notebook.inspect(call("get_fore▮cast"))).toBe(
    `weather.get_forecast({ city: string; days?: number }): { high: number }

GET /forecast/{city}

The weather of the next days

At most ten days.

- city: Its English name

It only reads.`,
  );
  expect(await notebook.inspect(call("send_▮report"))).toContain("may change something outside");
  expect(await notebook.inspect(call("get_forcast▮"))).toBe(
    "`weather` has no operation `get_forcast`; did you mean `get_forecast`?",
  );
  expect(
    await notebook.inspect(call("it").replace("openapi weather", "openapi wea▮ther")),
  ).toContain("- get_forecast: The weather of the next days\n- send_report: Sends");
});

test("a description that can't be read says so at the name of the API", async () => {
  const text = declared(join(folder, "none.yaml"), "tool look = weather.get▮()");
  expect(await notebook.inspect(text)).toContain("there is no file");
  writeFileSync(join(folder, "broken.yaml"), "openapi: 2.0");
  const broken = declared(join(folder, "broken.yaml"), "tool look = weather.x▮()");
  expect(await notebook.inspect(broken)).toContain("can't be read");
});
