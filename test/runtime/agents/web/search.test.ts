/** `web.search` asks the declared engine by its own protocol, and says so where none is declared. */
import type { IncomingMessage } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  braveSearch,
  createWebTools,
  searxngSearch,
  tavilySearch,
} from "../../../../runtime/index.ts";
import { type SitePage, serveSite } from "./site.ts";

const VARIABLES = ["BRAVE_API_KEY", "TAVILY_API_KEY", "SEARXNG_URL", "MY_KEY"] as const;
const before = VARIABLES.map((name) => [name, process.env[name]] as const);
beforeEach(() => {
  for (const name of VARIABLES) delete process.env[name];
});
afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

/** A page that keeps what it was asked, and answers with JSON. */
function answering(value: unknown, asked: unknown[], status = 200): SitePage {
  return (request, response) => {
    void readAll(request).then((body) => {
      const { "x-subscription-token": token, authorization } = request.headers;
      asked.push({ method: request.method, url: request.url, key: token ?? authorization, body });
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    });
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

const HIT = { title: "Ale", url: "https://example.org/ale" };

test("Brave is asked with its token", async () => {
  const asked: unknown[] = [];
  const results = [{ ...HIT, description: "brewed <strong>warm</strong>" }];
  const { url } = await serveSite({ "/res/v1/web/search": answering({ web: { results } }, asked) });
  process.env.MY_KEY = "k1";
  const web = createWebTools({ search: braveSearch({ baseURL: url(""), keyVariable: "MY_KEY" }) });
  expect(await web.search({ query: "how is ale brewed?", limit: 3 })).toEqual({
    hits: [{ ...HIT, snippet: "brewed warm" }],
  });
  expect(asked).toEqual([
    {
      method: "GET",
      url: "/res/v1/web/search?q=how+is+ale+brewed%3F&count=3",
      key: "k1",
      body: "",
    },
  ]);
});

test("Tavily is asked by POST with its key", async () => {
  const asked: unknown[] = [];
  const page = answering(
    { results: [{ ...HIT, content: "brewed warm" }, { title: "no address" }] },
    asked,
  );
  const { url } = await serveSite({ "/search": page });
  process.env.TAVILY_API_KEY = "k2";
  const web = createWebTools({ search: tavilySearch({ baseURL: url("/") }) });
  expect(await web.search({ query: "ale" })).toEqual({
    hits: [{ ...HIT, snippet: "brewed warm" }],
  });
  const body = '{"query":"ale","max_results":6}';
  expect(asked).toEqual([{ method: "POST", url: "/search", key: "Bearer k2", body }]);
});

test("a SearXNG server is the one of the environment, wherever it is", async () => {
  const asked: unknown[] = [];
  const results = Array.from({ length: 9 }, () => ({ ...HIT, content: "warm" }));
  const { url } = await serveSite({ "/sub/search": answering({ results }, asked) });
  process.env.SEARXNG_URL = url("/sub");
  expect((await createWebTools().search({ query: "ale", limit: 2 })).hits).toHaveLength(2);
  expect(asked).toMatchObject([{ url: "/sub/search?q=ale&format=json" }]);
});

test("no engine, no key and an engine that refuses are told", async () => {
  await expect(createWebTools().search({ query: "ale" })).rejects.toMatchObject({
    code: "M8610",
    message: expect.stringContaining("BRAVE_API_KEY, TAVILY_API_KEY or SEARXNG_URL"),
  });
  const { url } = await serveSite({
    "/search": answering({ detail: "bad key" }, [], 401),
    "/text/search": "<p>no results</p>",
  });
  const search = searxngSearch({ baseURL: url("/") });
  await expect(createWebTools({ search }).search({ query: "ale" })).rejects.toMatchObject({
    code: "M8611",
    message: expect.stringContaining("look at its key"),
  });
  const text = searxngSearch({ baseURL: url("/text") });
  await expect(createWebTools({ search: text }).search({ query: "ale" })).rejects.toMatchObject({
    code: "M8611",
  });
  const tavily = tavilySearch({ baseURL: url("/") });
  await expect(createWebTools({ search: tavily }).search({ query: "ale" })).rejects.toMatchObject({
    code: "M8610",
    message: expect.stringContaining("TAVILY_API_KEY"),
  });
});
