/** Reads a page of the web: follows redirects within limits, asks robots.txt, and makes the answer readable. */
import {
  assertWebUrl,
  type GuardedRequestOptions,
  requestGuarded,
  type WebAnswer,
} from "./guarded-request.ts";
import { declaredHosts } from "./reachable-addresses.ts";
import { type ExtractedPage, readPage } from "./read-page.ts";
import { RobotRules } from "./robots.ts";
import type { SendQuestion } from "./search-providers.ts";
import { webError } from "./web-error.ts";
import type { WebToolsOptions } from "./web-options.ts";

const REDIRECTS_MAX = 5;
const BYTES_MAX = 10 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

export { RobotRules };

/** A page as it is kept for further stretches. */
export interface FetchedPage extends ExtractedPage {
  /** The address behind all redirects. */
  readonly url: string;
}

interface Fetching {
  /** Throws where the guard of the run has something against an address to which the first one leads. */
  readonly assertFollowed: AssertFollowed;
  readonly options: WebToolsOptions;
  readonly rules: RobotRules;
  /** Ends the request. */
  readonly signal: AbortSignal;
}

/** Looks at an address to which another one leads. */
export type AssertFollowed = (to: URL, from: URL) => Promise<void>;

/** Rejects with M8600 to M8609, and M8612. */
export async function fetchPage(
  address: string,
  { options, rules, signal, assertFollowed }: Fetching,
): Promise<FetchedPage> {
  if (!URL.canParse(address)) {
    const message = `\`${address.slice(0, 200)}\` is no address`;
    throw webError("M8600", { message, hint: "write it whole: https://example.org/page" });
  }
  const limits = limitsOf(options, signal);
  const { url, answer } = await follow(new URL(address), limits, {
    assertFollowed,
    assertAllowed: async (next) => {
      if (options.robots === false) return;
      const read = async (file: URL) => (await follow(file, limits, { assertFollowed })).answer;
      await rules.assertAllowed(next, read);
    },
  });
  if (answer.status < 200 || answer.status > 299) {
    throw webError("M8608", { message: `\`${url.href}\` answered ${answer.status}` });
  }
  return { url: url.href, ...(await readPage(url, answer, signal)) };
}

function limitsOf(
  { privateHosts, bytesMax = BYTES_MAX, timeoutMs = TIMEOUT_MS, resolveName }: WebToolsOptions,
  signal: AbortSignal,
): GuardedRequestOptions {
  return {
    privateHosts: declaredHosts(privateHosts),
    bytesMax,
    timeoutMs,
    signal,
    ...(resolveName === undefined ? {} : { resolveName }),
  };
}

/** Reads an address and those that it leads to, each looked at like the first. */
async function follow(
  first: URL,
  options: GuardedRequestOptions,
  {
    assertFollowed,
    assertAllowed = async () => {},
  }: {
    readonly assertFollowed: AssertFollowed;
    readonly assertAllowed?: (url: URL) => Promise<void>;
  },
): Promise<{ readonly url: URL; readonly answer: WebAnswer }> {
  let url = first;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    assertWebUrl(url);
    await assertAllowed(url);
    const answer = await requestGuarded(url, options);
    const { location } = answer.headers;
    if (answer.status < 300 || answer.status > 399 || location === undefined)
      return { url, answer };
    if (!URL.canParse(location, url.href)) break;
    const next = new URL(location, url);
    await assertFollowed(next, url);
    url = next;
  }
  throw webError("M8609", {
    message: `\`${first.href}\` leads on more than ${REDIRECTS_MAX} times, or to no address`,
  });
}

/** Sends a question to a search engine: whoever declares one declares where it is. */
export function askEngine(
  url: URL,
  {
    options,
    signal,
    ...question
  }: Parameters<SendQuestion>[1] & Omit<Fetching, "rules" | "assertFollowed">,
): Promise<WebAnswer> {
  const limits = limitsOf(options, signal);
  return requestGuarded(url, { ...limits, privateHosts: [url.hostname], ...question });
}
