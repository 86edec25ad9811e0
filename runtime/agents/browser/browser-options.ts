/** Defines the options of the tools for a browser. */
import type { PrivateHosts, ResolveName } from "../web/reachable-addresses.ts";
import type { SearchProvider } from "../web/search-providers.ts";

export interface BrowserToolsOptions {
  /** The program of Chromium or Chrome; by default MADRIGAL_BROWSER, else the one that is installed. */
  readonly executable?: string;
  /** True for a browser with a window. */
  readonly headed?: boolean;
  /** The size of its pages in pixels; 1440 × 900 by default. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** By `labels` an agent acts on elements by their refs, by `coordinates` on places of a picture in pixels. */
  readonly mode?: "labels" | "coordinates";
  /** The most actions that an agent has in one turn of its node; 5 by default. */
  readonly actionsMax?: number;
  /** The most actions for one call of the model; 1 by default, so that the agent sees what each came to. */
  readonly actionsAtOnce?: number;
  /** True if the result of each action has a picture of the page. */
  readonly pictures?: boolean;
  /** True if cookies and local storage are kept in the run and restored with its tabs. They may let in whoever has them. */
  readonly keepStorage?: boolean;
  /** True if there is one tab: what a page opens beside it, it shows in its place. */
  readonly singleTab?: boolean;
  /** The most tabs; 8 by default. */
  readonly tabsMax?: number;
  /** Hosts that are reached although their addresses are private; `MADRIGAL_WEB_PRIVATE` (with commas) adds to them. */
  readonly privateHosts?: PrivateHosts;
  /** The search engine of `search`; by default the one that the environment has a key or an address of. */
  readonly search?: SearchProvider;
  /** A page of an engine that `search` visits instead: its name, or an address with `%s` for the words. */
  readonly searchPage?: SearchPage;
  /** The longest answer of a server in bytes, downloads too; 50 MiB by default. */
  readonly bytesMax?: number;
  /** The time in milliseconds in which a page must come, 30 s by default, and in which an action must be possible, 5 s by default. */
  readonly timeoutMs?: number;
  readonly actionMs?: number;
  /** False if no report is kept at the end of an agent's turn: what it did and saw, the page that is shown, and a picture of it. */
  readonly report?: boolean;
  /** Resolves names; that of the system by default. */
  readonly resolveName?: ResolveName;
}

const SEARCH_PAGES = {
  duckduckgo: "https://duckduckgo.com/html/?q=%s",
  google: "https://www.google.com/search?q=%s",
  bing: "https://www.bing.com/search?q=%s",
  yahoo: "https://search.yahoo.com/search?p=%s",
} as const;

export type SearchPage = keyof typeof SEARCH_PAGES | (string & {});

/** Returns the address of the page of a search engine for some words. */
export function searchAddress(page: SearchPage, words: string): string {
  const known: string = Object.hasOwn(SEARCH_PAGES, page)
    ? SEARCH_PAGES[page as keyof typeof SEARCH_PAGES]
    : page;
  return known.replace("%s", () => encodeURIComponent(words));
}
