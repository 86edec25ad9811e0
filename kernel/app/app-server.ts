/** Serves an app on this machine alone: pages, events and what pages say, each to the visitor or the owner that it belongs to. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { messageOf, servers } from "../../runtime/index.ts";
import { counted } from "../display/visible.ts";
import { isRecord } from "../is-record.ts";
import { readBody } from "../read-body.ts";
import { OWN_ANSWER_HEADERS } from "../response-headers.ts";
import { viewModule } from "../widgets/view-module.ts";
import { APP_POLICY, type AppLook, debugPage, ownerPage, visitorPage } from "./app-page.ts";
import { EventStream } from "./event-stream.ts";
import { VIEWS } from "./page-widgets.ts";
import { type Visitor, Visitors, type VisitorsParts } from "./visitors.ts";

export interface AppParts extends VisitorsParts, AppLook {
  readonly port: number;
  /** The token that lets visitors in. */
  readonly token: string;
  readonly ownerToken: string;
  readonly tell: (line: string) => void;
}

/** An app that is served. */
export interface AppServing {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on a port of the loopback interface, 0 for a free one. Throws where it is taken. */
export async function serveAppPages(parts: AppParts): Promise<AppServing> {
  const visitors = new Visitors(parts);
  const app = new AppServer(parts, visitors, await servers.requestGuards());
  const server = createServer((incoming, outgoing) => {
    app.answer(incoming, outgoing).catch((thrown: unknown) => {
      parts.tell(`madrigal app: ${messageOf(thrown)}`);
      outgoing.destroy();
    });
  });
  server.listen(parts.port, "127.0.0.1");
  await once(server, "listening");
  app.port = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${app.port}`,
    close: async () => {
      await visitors.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Bytes of what a page says. */
const BODY_MAX = 64 * 1024;

const HEADERS = {
  "content-security-policy": APP_POLICY,
  ...OWN_ANSWER_HEADERS,
};

interface Call {
  readonly url: URL;
  readonly outgoing: ServerResponse;
  /** Read from JSON; empty for a page that is asked for. */
  readonly body: Readonly<Record<string, unknown>>;
}

type RequestGuards = Awaited<ReturnType<typeof servers.requestGuards>>;

type CookieParts = readonly [whose: "owner" | "visitor", secret: string];

class AppServer {
  port = 0;
  readonly #parts: AppParts;
  readonly #visitors: Visitors;
  readonly #guards: RequestGuards;

  constructor(parts: AppParts, visitors: Visitors, guards: RequestGuards) {
    this.#parts = parts;
    this.#visitors = visitors;
    this.#guards = guards;
  }

  async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    const request = this.#guards.requestOf(incoming, gone.signal);
    const url = new URL(request.url);
    const refused = this.#guards.refusedPlace(request);
    if (refused !== undefined) return send(outgoing, refused.status, await refused.text());
    if (!this.#isOwnPage(request)) return send(outgoing, 403, "not from this page");
    if (request.method !== "GET" && request.method !== "POST")
      return send(outgoing, 405, "GET and POST alone");
    if (url.searchParams.has("token")) return this.#enter(request, url, outgoing);
    const isOwner = this.#isOwner(request);
    const visitor = this.#visitors.find(this.#cookie(request, "visitor"));
    const isOwners = /^\/owner(?:\/|$)/.test(url.pathname);
    if (isOwners ? !isOwner : visitor === undefined && !(isOwner && isAsset(url)))
      return send(outgoing, 401, "open the address that `madrigal app` has told, with its token");
    const body = request.method === "POST" ? await bodyOf(request, outgoing) : {};
    if (body === undefined) return;
    const call = { url, outgoing, body };
    if (isAsset(url)) return sendAsset(call);
    if (isOwners) await this.#toOwner(`${request.method} ${url.pathname}`, call);
    else if (visitor !== undefined)
      await this.#toVisitor(`${request.method} ${url.pathname}`, call, visitor);
  }

  /** A page of another server of this machine has the same cookies, and another origin. */
  #isOwnPage({ method, headers }: Request): boolean {
    const origin = headers.get("origin");
    if (origin === null) return method === "GET";
    return [`http://127.0.0.1:${this.port}`, `http://localhost:${this.port}`].includes(origin);
  }

  /** Takes the token out of the address, so that it stands in no history, and gives a cookie for it. */
  #enter(request: Request, url: URL, outgoing: ServerResponse): void {
    const { token, ownerToken } = this.#parts;
    const given = url.searchParams.get("token") ?? "";
    const isFor = (path: string, right: string) =>
      url.pathname === path && this.#guards.isToken(given, right);
    if (isFor("/owner", ownerToken)) this.#redirect(outgoing, "/owner", ["owner", ownerToken]);
    else if (isFor("/", token)) this.#admit(request, outgoing);
    else send(outgoing, 401, "this is not the token of this app");
  }

  #admit(request: Request, outgoing: ServerResponse): void {
    const known = this.#visitors.find(this.#cookie(request, "visitor"));
    const visitor = known ?? this.#visitors.enter();
    if (visitor !== undefined) this.#redirect(outgoing, "/", ["visitor", visitor.secret]);
    else {
      const places = counted(this.#visitors.max, "place");
      send(outgoing, 503, `all ${places} are taken: try again later`);
    }
  }

  /** Servers of one machine share cookies, so the port is in the name. */
  #redirect(outgoing: ServerResponse, location: string, [whose, secret]: CookieParts): void {
    const cookie = `madrigal-${whose}-${this.port}=${secret}; Path=/; HttpOnly; SameSite=Strict`;
    outgoing.writeHead(303, { ...HEADERS, location, "set-cookie": cookie }).end();
  }

  #cookie({ headers }: Request, whose: "owner" | "visitor"): string {
    const name = `madrigal-${whose}-${this.port}=`;
    const pairs = (headers.get("cookie") ?? "").split(/;\s*/);
    return pairs.find((pair) => pair.startsWith(name))?.slice(name.length) ?? "";
  }

  #isOwner(request: Request): boolean {
    return this.#guards.isToken(this.#cookie(request, "owner"), this.#parts.ownerToken);
  }

  async #toVisitor(what: string, { outgoing, body }: Call, visitor: Visitor): Promise<void> {
    if (what.startsWith("POST") && !visitor.mayAsk())
      return send(outgoing, 429, "too many messages: wait a second");
    switch (what) {
      case "GET /":
        return send(outgoing, 200, visitorPage(this.#parts), HTML);
      case "GET /events":
        openStream(outgoing);
        return visitor.listen(outgoing);
      case "POST /say": {
        const isKnown = visitor.say(String(body.widget), body.content);
        return send(outgoing, isKnown ? 204 : 404, isKnown ? "" : "no such widget");
      }
      case "POST /answer":
        visitor.answer(String(body.value ?? ""));
        return send(outgoing, 204, "");
      case "POST /again":
        await visitor.again();
        return send(outgoing, 204, "");
      default:
        return send(outgoing, 404, "not here");
    }
  }

  async #toOwner(what: string, { url, outgoing, body }: Call): Promise<void> {
    const run = url.searchParams.get("run") ?? "";
    const number = Number(url.searchParams.get("visitor"));
    switch (what) {
      case "GET /owner":
        return send(outgoing, 200, ownerPage(this.#parts.name), HTML);
      case "GET /owner/visitors": {
        const { taken, max } = this.#visitors;
        const visitors = await this.#visitors.list();
        return send(outgoing, 200, JSON.stringify({ visitors, taken, max }), JSON_TYPE);
      }
      default:
    }
    const kernel = this.#visitors.numbered(number)?.kernel;
    if (kernel === undefined || run === "")
      return send(outgoing, 404, "this visitor has left, or has no such run");
    switch (what) {
      case "GET /owner/debug":
        return send(outgoing, 200, debugPage(number, run), HTML);
      case "GET /owner/events": {
        const panel = await kernel.panelOf(run);
        openStream(outgoing);
        new EventStream(outgoing, panel, () => {});
        return;
      }
      case "POST /owner/say": {
        const panel = await kernel.panelOf(run);
        const isKnown = kernel.say(panel, String(body.widget), body.content);
        return send(outgoing, isKnown ? 204 : 404, isKnown ? "" : "no such widget");
      }
      case "POST /owner/command": {
        const answer = await kernel.debug(run, String(body.command ?? "")).catch(messageOf);
        return send(outgoing, 200, answer);
      }
      default:
        return send(outgoing, 404, "not here");
    }
  }
}

const HTML = "text/html; charset=utf-8";
const JSON_TYPE = "application/json";
const SCRIPT = "text/javascript; charset=utf-8";

function isAsset({ pathname }: URL): boolean {
  return pathname.startsWith("/assets/");
}

function sendAsset({ url, outgoing }: Call): void {
  const name = url.pathname.slice("/assets/".length);
  const view = VIEWS.find((one) => one === name);
  if (view !== undefined) send(outgoing, 200, viewModule(view), SCRIPT);
  else if (name === "app.js" || name === "owner.js")
    send(outgoing, 200, readFileSync(new URL(name, import.meta.url), "utf8"), SCRIPT);
  else send(outgoing, 404, "not here");
}

/** Undefined where the answer says why there is none. */
async function bodyOf(
  request: Request,
  outgoing: ServerResponse,
): Promise<Call["body"] | undefined> {
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? ""))
    return void send(outgoing, 415, "JSON alone");
  const text = await readBody(request, BODY_MAX);
  if (text === undefined) return void send(outgoing, 413, `at most ${counted(BODY_MAX, "byte")}`);
  try {
    const body: unknown = JSON.parse(text);
    if (isRecord(body)) return body;
  } catch {
    // Told below.
  }
  return void send(outgoing, 400, "an object of JSON");
}

function openStream(outgoing: ServerResponse): void {
  outgoing.writeHead(200, { ...HEADERS, "content-type": "text/event-stream" });
}

function send(
  outgoing: ServerResponse,
  status: number,
  body: string,
  type = "text/plain; charset=utf-8",
): void {
  outgoing.writeHead(status, { ...HEADERS, "content-type": type }).end(body);
}
