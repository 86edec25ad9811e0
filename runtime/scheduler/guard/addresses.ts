/** Holds addresses against lists of allowed and blocked ones, by scheme, host and path. */

/** The lists of `guard.urls`. */
export interface Addresses {
  /** Absent: every address that is not blocked is allowed. */
  readonly allow?: readonly string[];
  readonly block?: readonly string[];
}

/** An address in the parts by which it is matched. */
export interface Address {
  /** `http` stands for `https` too. */
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  /** Without a `/` at its end. */
  readonly path: string;
}

export type UrlStatus = "allowed" | "blocked" | "unknown";

/** Schemes by which nothing is reached: `about:blank` is an empty page. */
const EMPTY_PAGE = "about:blank";

/**
 * Reads a text that is an address as a whole. `isBare` takes one without a scheme, too (`example.org/a`). Returns
 * undefined for any other text.
 */
export function addressOf(text: string, isBare = false): Address | undefined {
  // Browsers drop what is around and within: `ht\ntp://…` is an address.
  const plain = text.replace(/[\t\n\r]/g, "").trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(plain) && !/^[\w.-]+:\d+(?:[/?#]|$)/.test(plain);
  if (/\s/.test(plain.split(/[?#]/, 1)[0] ?? "") && !/^[a-z][a-z0-9+.-]*:\/\//i.test(plain))
    return undefined;
  if (!hasScheme && !plain.startsWith("//")) {
    const isHost = /^[^\s/@:]+\.[^\s/@:]+(?::\d+)?(?:[/?#].*)?$/.test(plain);
    if (!isBare || !isHost) return undefined;
  }
  const whole = hasScheme ? plain : `https:${plain.startsWith("//") ? "" : "//"}${plain}`;
  if (!URL.canParse(whole)) return undefined;
  const { protocol, hostname, port, pathname, href } = new URL(whole);
  const scheme = protocol.slice(0, -1);
  return {
    scheme: scheme === "https" ? "http" : scheme,
    // Two names of one host: `example.org` and `example.org.`
    host: href === EMPTY_PAGE ? EMPTY_PAGE : hostname.replace(/\.$/, ""),
    port,
    path: decoded(pathname).replace(/\/+/g, "/").replace(/\/$/, ""),
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Blocked before allowed; without a list of allowed ones all are, and with one what it lacks is unknown. */
export function urlStatus(address: Address, { allow, block = [] }: Addresses): UrlStatus {
  if (address.host === EMPTY_PAGE) return "allowed";
  if (block.some((entry) => isWithin(address, entry))) return "blocked";
  // `file:`, `javascript:` and `data:` reach no host.
  if (address.scheme !== "http") return "blocked";
  if (allow === undefined) return "allowed";
  return allow.some((entry) => isWithin(address, entry)) ? "allowed" : "unknown";
}

/** Tells whether an address lies within an entry: its host or one below it, its port, and its path or one below it. */
export function isWithin(address: Address, entry: string, isExactHost = false): boolean {
  const of = addressOf(entry, true) ?? addressOf(`https://${entry}`);
  if (of === undefined || of.scheme !== address.scheme) return false;
  const isBelow = !isExactHost && address.host.endsWith(`.${of.host}`);
  if (address.host !== of.host && !isBelow) return false;
  if (of.port !== "" && of.port !== address.port) return false;
  return of.path === "" || address.path === of.path || address.path.startsWith(`${of.path}/`);
}
