/** Defines the options of the tools for the web. */
import type { PrivateHosts, ResolveName } from "./reachable-addresses.ts";
import type { SearchProvider } from "./search-providers.ts";

export interface WebToolsOptions {
  /** Hosts that are reached although their addresses are private; `MADRIGAL_WEB_PRIVATE` (with commas) adds to them. */
  readonly privateHosts?: PrivateHosts;
  /** False where a site's robots.txt is not asked. */
  readonly robots?: boolean;
  /** The search engine; by default the one that the environment has a key or an address of. */
  readonly search?: SearchProvider;
  /** The longest answer in bytes, 10 MiB by default, and the time for it in milliseconds, 30 s by default. */
  readonly bytesMax?: number;
  readonly timeoutMs?: number;
  /** Resolves names; that of the system by default. */
  readonly resolveName?: ResolveName;
}
