/** Decides which addresses the pages of one browser session may reach. */

import { messageOf } from "../../../failure.ts";
import { addressOf, urlStatus } from "../../../scheduler/guard/addresses.ts";
import type { GuardedReach } from "../../../scheduler/guard/guard-of.ts";
import {
  assertPublicHost,
  isDeclaredHost,
  type PrivateHosts,
} from "../../web/reachable-addresses.ts";

/** An address that was not reached. */
export interface RefusedAddress {
  readonly host: string;
  /** A clause that follows "because". */
  readonly reason: string;
}

const KEPT_MAX = 20;

/** Names a host with its port, unless that is the usual one of `http` or `https`, which are one for the guard. */
export function visitedKey({ hostname, port }: URL): string {
  return port === "" || port === "80" || port === "443" ? hostname : `${hostname}:${port}`;
}

export class SiteRules {
  readonly privateHosts: PrivateHosts;
  reach: GuardedReach | undefined;
  /** The hosts that the guard, or a person whom it asked, let the agent visit. */
  readonly visited: Set<string>;
  readonly #refused = new Map<string, string>();

  constructor(privateHosts: PrivateHosts, visited: Iterable<string> = []) {
    this.privateHosts = privateHosts;
    this.visited = new Set(visited);
  }

  /** Returns the reason why a page may not be shown: its scheme, a private address, or the guard. Undefined where it may. */
  pageFault(url: string): string | undefined {
    if (url === "" || url === "about:blank") return undefined;
    if (!URL.canParse(url)) return "it is no address";
    const parsed = new URL(url);
    // Pages that a page writes itself are of the page that wrote them.
    if (url === "about:srcdoc" || /^(?:blob|chrome-error):$/.test(parsed.protocol))
      return undefined;
    if (parsed.protocol !== "http:" && parsed.protocol !== "https:")
      return `\`${parsed.protocol}\` is no protocol of the web`;
    return this.#guardFault(url, parsed) ?? this.hostFault(parsed);
  }

  /** Returns the reason why no connection to the host of an address may be made. */
  hostFault(url: URL): string | undefined {
    const { host } = url;
    if (this.#isBlocked(`${url.origin}/`)) return `\`${host}\` is blocked by \`guard.urls\``;
    if (this.#isClosed && !this.visited.has(visitedKey(url)) && !this.#isListed(url))
      return `\`${host}\` is no address of the run's guard`;
    if (isDeclaredHost(url, this.privateHosts)) return undefined;
    try {
      assertPublicHost(url);
      return undefined;
    } catch (thrown) {
      return messageOf(thrown).split(";", 1)[0];
    }
  }

  refuse(host: string, reason: string): void {
    if (this.#refused.size < KEPT_MAX) this.#refused.set(host, reason);
  }

  /** Returns what was refused since the last call, each host once. */
  takeRefused(): readonly RefusedAddress[] {
    const all = [...this.#refused].map(([host, reason]) => ({ host, reason }));
    this.#refused.clear();
    return all;
  }

  /** True if what nobody named may not be reached. */
  get #isClosed(): boolean {
    return this.reach !== undefined && (this.reach.isTrustKept || this.reach.allow !== undefined);
  }

  #isBlocked(url: string): boolean {
    const address = addressOf(url);
    if (address === undefined || this.reach === undefined) return false;
    const { block } = this.reach;
    return block !== undefined && urlStatus(address, { block }) === "blocked";
  }

  /** Returns whether the list names the host or a path of it. */
  #isListed(url: URL): boolean {
    const allow = (this.reach?.allow ?? []).map((entry) => {
      const { scheme, host, port } = addressOf(entry, true) ?? {};
      return `${scheme === "http" ? "https" : scheme}://${host}${port ? `:${port}` : ""}`;
    });
    const address = addressOf(`${url.origin}/`);
    return address !== undefined && urlStatus(address, { allow }) === "allowed";
  }

  #guardFault(url: string, parsed: URL): string | undefined {
    if (this.reach === undefined) return undefined;
    const { host } = parsed;
    if (this.#isBlocked(url)) return `\`${host}\` is blocked by \`guard.urls\``;
    if (!this.#isClosed || this.visited.has(visitedKey(parsed))) return undefined;
    const address = addressOf(url);
    const { allow = [] } = this.reach;
    if (address !== undefined && urlStatus(address, { allow }) === "allowed") return undefined;
    return `\`${host}\` is no address of the run's guard`;
  }
}
