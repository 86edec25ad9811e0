/** Asks the robots.txt of sites whether a program may read their pages. */
import robotsParser, { type Robot } from "robots-parser";
import { USER_AGENT, type WebAnswer } from "./guarded-request.ts";
import { webError } from "./web-error.ts";

/** Reads one address, with its redirects. */
export type ReadAddress = (url: URL) => Promise<WebAnswer>;

/** The package is CommonJS and declares a default export that it has not: the function is the module. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default;

const KEPT_MS = 60 * 60 * 1000;
const KEPT_MAX = 500;

/** The rules of the sites that were asked, each kept for an hour. RFC 9309 says what a missing or broken file means. */
export class RobotRules {
  readonly #sites = new Map<
    string,
    { readonly rules: Promise<Robot | undefined>; readonly until: number }
  >();

  /** Throws M8606 where the site forbids the page to programs. */
  async assertAllowed(url: URL, read: ReadAddress): Promise<void> {
    const rules = await this.#rulesOf(url, read);
    if (rules?.isAllowed(url.href, USER_AGENT) === false) {
      throw webError("M8606", {
        message: `the robots.txt of \`${url.host}\` forbids \`${url.pathname}\` to programs`,
        hint: "read another page; a program with leave of the site sets `robots: false`",
      });
    }
  }

  #rulesOf(url: URL, read: ReadAddress): Promise<Robot | undefined> {
    const known = this.#sites.get(url.origin);
    if (known !== undefined && known.until > Date.now()) return known.rules;
    const rules = readRules(new URL("/robots.txt", url), read);
    this.#sites.delete(url.origin);
    this.#sites.set(url.origin, { rules, until: Date.now() + KEPT_MS });
    const [oldest] = this.#sites.keys();
    if (this.#sites.size > KEPT_MAX && oldest !== undefined) this.#sites.delete(oldest);
    // A site that could not be reached is asked again by the next call.
    rules.catch(() => this.#sites.delete(url.origin));
    return rules;
  }
}

async function readRules(url: URL, read: ReadAddress): Promise<Robot | undefined> {
  const { status, body } = await read(url);
  if (status >= 500) {
    throw webError("M8606", {
      message: `\`${url.host}\` can't say what programs may read: its robots.txt answers ${status}`,
      hint: "try it later",
    });
  }
  return status === 200 ? parseRobots(url.href, body.toString("utf8")) : undefined;
}
