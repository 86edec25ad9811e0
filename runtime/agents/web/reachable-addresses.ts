/** Decides which addresses of the network a tool for the web may reach. */
import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { webError } from "./web-error.ts";

/** Hosts that a program declares although their addresses are private: `localhost`, `127.0.0.1:8080`, `*.internal.example`. */
export type PrivateHosts = readonly string[];

/** Resolves a name to its addresses, as `lookup` of Node does. */
export type ResolveName = typeof lookup;

/** Returns the declared hosts with those that the environment adds. */
export function declaredHosts(
  privateHosts: PrivateHosts = [],
  env: Readonly<Record<string, string | undefined>> = process.env,
): PrivateHosts {
  const added = (env.MADRIGAL_WEB_PRIVATE ?? "").split(",").map((one) => one.trim());
  return [...privateHosts, ...added.filter((one) => one !== "")];
}

/** Returns whether a host was declared: by its name, with any port or with this one, or as a name below `*.`. */
export function isDeclaredHost(url: URL, declared: PrivateHosts): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const names = [url.hostname, `${url.hostname}:${port}`];
  return declared.some((one) => {
    const host = one.toLowerCase();
    if (!host.startsWith("*.")) return names.includes(host);
    return names.some((name) => name.endsWith(host.slice(1)));
  });
}

/**
 * Throws M8601 where the URL names an address that is not public. `URL` has read decimal, octal and hexadecimal forms of
 * IPv4 before: `http://2130706433/` is `127.0.0.1` here.
 */
export function assertPublicHost(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw refusedAddress(url.hostname, host);
}

/**
 * A `lookup` for sockets that resolves a name once and hands on its addresses only where all of them are public. The socket
 * connects to one of those, so a name that resolves otherwise a moment later (DNS rebinding) reaches nothing.
 */
export function publicLookup(resolve: ResolveName = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const refused = addresses.find(({ address }) => !isPublicAddress(address));
      const [first] = addresses;
      if (refused !== undefined) callback(refusedAddress(hostname, refused.address), []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? "", first?.family);
    });
  };
}

/**
 * Returns whether anybody on the internet can have the address: no loopback, private, link-local (the metadata of clouds),
 * shared, multicast or reserved one, and no IPv6 form that carries an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === "unicast";
}

function refusedAddress(host: string, address: string): Error {
  const at = host === address ? "" : ` (${address})`;
  return webError("M8601", {
    message: `\`${host}\`${at} is not an address of the public internet`,
    hint: 'a program that may reach it declares it: `createWebTools({ privateHosts: ["HOST:PORT"] })`, or MADRIGAL_WEB_PRIVATE',
  });
}
