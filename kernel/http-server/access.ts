/** Decides who a request comes from and what it may do: by its token, or by the cookie that a page got for one. */
import { randomBytes } from "node:crypto";
import type { servers } from "../../runtime/index.ts";
import { counted } from "../display/visible.ts";
import { HttpFault } from "./http-fault.ts";
import { RIGHTS, type Right, ROLES, type Role, rolesWith } from "./roles.ts";
import type { RoleTokens } from "./token-file.ts";

export type PlaceGuards = Awaited<ReturnType<typeof servers.requestGuards>>;

/** The names that a server is asked by, besides those of this machine: `https://deep.example`. */
export interface AccessParts {
  readonly tokens: RoleTokens;
  readonly guards: PlaceGuards;
  readonly publicUrls: readonly URL[];
}

/** Pages that are open at once; the oldest must log in again. */
const PAGES_MAX = 1000;

export class RoleAccess {
  /** The port that is bound, in the name of the cookie: servers of one machine share cookies. */
  port = 0;
  readonly #parts: AccessParts;
  readonly #hosts: readonly string[];
  readonly #pages = new Map<string, Role>();

  constructor(parts: AccessParts) {
    this.#parts = parts;
    this.#hosts = parts.publicUrls.map(({ host }) => host);
  }

  /** Throws for a request by a name that is none of this server's, or from the page of another site. */
  assertPlace(request: Request): void {
    const host = request.headers.get("host") ?? "";
    const isPublic = this.#hosts.includes(host);
    const refused = isPublic ? undefined : this.#parts.guards.refusedPlace(withoutOrigin(request));
    if (refused !== undefined)
      throw new HttpFault(403, "M7779", `this server is not called \`${host.slice(0, 100)}\``, {
        hint: "`madrigal serve --public https://NAME` names it",
      });
    const origin = request.headers.get("origin");
    if (origin !== null && !this.#isOwnOrigin(origin))
      throw new HttpFault(403, "M7779", "a page of another site may not ask this server", {
        hint: "a program sends no `Origin`",
      });
  }

  /** The role of who asks. Throws 401. */
  roleOf(request: Request): Role {
    const [, given] = /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    const role = given === undefined ? this.#roleOfPage(request) : this.roleOfToken(given);
    if (role !== undefined) return role;
    throw new HttpFault(401, "M7777", "a token of this server is needed", {
      hint: "Authorization: Bearer TOKEN; `madrigal serve` tells in which file the tokens are",
      headers: { "www-authenticate": "Bearer" },
    });
  }

  /** Compares with all, so that the time says nothing of any. */
  roleOfToken(given: string): Role | undefined {
    const { tokens, guards } = this.#parts;
    return ROLES.filter((role) => guards.isToken(given, tokens[role])).at(0);
  }

  /** Lets a page in: the `Set-Cookie` whose secret stands for the role until this server ends. */
  enter(role: Role): string {
    const secret = randomBytes(24).toString("base64url");
    const [oldest] = this.#pages.keys();
    if (this.#pages.size >= PAGES_MAX && oldest !== undefined) this.#pages.delete(oldest);
    this.#pages.set(secret, role);
    const isPlain = this.#parts.publicUrls.every(({ protocol }) => protocol !== "https:");
    return `${this.#cookieName}=${secret}; Path=/; HttpOnly; SameSite=Strict${isPlain ? "" : "; Secure"}`;
  }

  /** A cookie comes along whoever sends the request: what changes something must come from our own page. */
  #roleOfPage(request: Request): Role | undefined {
    const name = `${this.#cookieName}=`;
    const pairs = (request.headers.get("cookie") ?? "").split(/;\s*/);
    const secret = pairs.find((pair) => pair.startsWith(name))?.slice(name.length) ?? "";
    const role = this.#pages.get(secret);
    if (role === undefined || request.method === "GET") return role;
    if (request.headers.get("origin") === null)
      throw new HttpFault(403, "M7779", "a cookie alone changes nothing", {
        hint: "send a token, or ask from this server's own page",
      });
    return role;
  }

  get #cookieName(): string {
    return `madrigal-serve-${this.port}`;
  }

  #isOwnOrigin(origin: string): boolean {
    const own = [`http://127.0.0.1:${this.port}`, `http://localhost:${this.port}`];
    return [...own, ...this.#parts.publicUrls.map((url) => url.origin)].includes(origin);
  }
}

/** Throws 403 where the role lacks the right. */
export function assertMay(role: Role, right: Right): void {
  if (RIGHTS[role].includes(right)) return;
  const roles = rolesWith(right);
  throw new HttpFault(403, "M7778", `the role \`${role}\` may not do this`, {
    hint: `it takes the token of ${counted(roles.length, "role")}: ${roles.join(" or ")}`,
  });
}

/** The guards know the origins of this machine alone; ours are looked at by themselves. */
function withoutOrigin({ url, headers }: Request): Request {
  return new Request(url, { headers: { host: headers.get("host") ?? "" } });
}
