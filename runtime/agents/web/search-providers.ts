/** Asks the search engine that a program or the environment declares: Brave, Tavily or a SearXNG server. */
import type { WebAnswer } from "./guarded-request.ts";
import { webError } from "./web-error.ts";

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** A search engine. `search` gives at most `limit` hits, best first. */
export interface SearchProvider {
  readonly name: string;
  search(query: string, limit: number, send: SendQuestion): Promise<readonly SearchHit[]>;
}

/** Sends a question to the server of the engine; `json` by POST. */
export type SendQuestion = (
  url: URL,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly json?: unknown },
) => Promise<WebAnswer>;

export interface SearchServer {
  /** The environment variable with the key. */
  readonly keyVariable?: string;
  readonly baseURL?: string;
}

/** Brave's API for the web, with the key in BRAVE_API_KEY. */
export function braveSearch({
  keyVariable = "BRAVE_API_KEY",
  baseURL = "https://api.search.brave.com",
}: SearchServer = {}): SearchProvider {
  return {
    name: "brave",
    async search(query, limit, send) {
      const url = new URL("res/v1/web/search", folderOf(baseURL));
      url.search = new URLSearchParams({ q: query, count: `${limit}` }).toString();
      const headers = { "x-subscription-token": keyIn(keyVariable), accept: "application/json" };
      const { web } = readAnswer("brave", await send(url, { headers })) as EngineAnswer;
      return hitsOf(web?.results, "description");
    },
  };
}

/** Tavily's API, with the key in TAVILY_API_KEY. */
export function tavilySearch({
  keyVariable = "TAVILY_API_KEY",
  baseURL = "https://api.tavily.com",
}: SearchServer = {}): SearchProvider {
  return {
    name: "tavily",
    async search(query, limit, send) {
      const headers = { authorization: `Bearer ${keyIn(keyVariable)}` };
      const json = { query, max_results: limit };
      const answer = await send(new URL("search", folderOf(baseURL)), { headers, json });
      return hitsOf((readAnswer("tavily", answer) as EngineAnswer).results, "content");
    },
  };
}

/** A SearXNG server, whose settings must permit the format `json`. */
export function searxngSearch({ baseURL }: { readonly baseURL: string }): SearchProvider {
  return {
    name: "searxng",
    async search(query, limit, send) {
      const url = new URL("search", folderOf(baseURL));
      url.search = new URLSearchParams({ q: query, format: "json" }).toString();
      return hitsOf(
        (readAnswer("searxng", await send(url, {})) as EngineAnswer).results,
        "content",
      ).slice(0, limit);
    },
  };
}

/** Returns the engine that the environment has a key or an address of. */
export function searchProviderIn(env: NodeJS.ProcessEnv): SearchProvider | undefined {
  if (env.BRAVE_API_KEY) return braveSearch();
  if (env.TAVILY_API_KEY) return tavilySearch();
  return env.SEARXNG_URL ? searxngSearch({ baseURL: env.SEARXNG_URL }) : undefined;
}

/** Makes the error of a search that no engine was declared for. */
export function noSearchProvider(): Error {
  return webError("M8610", {
    message: "no search engine is declared",
    hint: "set BRAVE_API_KEY, TAVILY_API_KEY or SEARXNG_URL, or `createWebTools({ search: braveSearch() })`",
  });
}

/** The members that the answers of engines have; each is looked at before it is used. */
interface EngineAnswer {
  readonly web?: EngineAnswer;
  readonly results?: unknown;
  readonly title?: unknown;
  readonly url?: unknown;
  readonly description?: unknown;
  readonly content?: unknown;
}

function folderOf(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}

function keyIn(variable: string): string {
  const key = process.env[variable];
  if (key) return key;
  throw webError("M8610", {
    message: `the search engine needs a key, and ${variable} is not set`,
    hint: "set it before the run starts",
  });
}

function readAnswer(name: string, { status, body }: WebAnswer): unknown {
  const text = body.toString("utf8");
  try {
    if (status === 200) return JSON.parse(text);
  } catch {
    // A text that is no JSON is refused below, with its beginning.
  }
  throw webError("M8611", {
    message: `the search engine \`${name}\` answered ${status}: ${text.slice(0, 200)}`,
    hint: status === 401 || status === 403 ? "look at its key" : "try again later",
  });
}

function hitsOf(results: unknown, snippet: "content" | "description"): readonly SearchHit[] {
  if (!Array.isArray(results)) return [];
  return results
    .filter(
      (one): one is EngineAnswer =>
        typeof one === "object" && one !== null && typeof one.url === "string",
    )
    .map((one) => ({
      title: plainText(one.title),
      url: plainText(one.url),
      snippet: plainText(one[snippet]),
    }));
}

function plainText(value: unknown): string {
  return typeof value === "string" ? value.replace(/<[^>]+>/g, "").trim() : "";
}
