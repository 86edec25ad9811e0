/** Fetches from a remote agent and from nowhere else: permitted addresses only, no redirects, with limits of time and size. */
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { FailureError, messageOf } from "../../failure.ts";
import { assertWebUrl, USER_AGENT } from "../web/guarded-request.ts";
import {
  assertPublicHost,
  declaredHosts,
  isDeclaredHost,
  publicLookup,
} from "../web/reachable-addresses.ts";
import { notReached, remoteFailure } from "./failures.ts";
import { type RemotePlace, secretHeaders } from "./remote-options.ts";

/**
 * A `fetch` for the client of the protocol. Streams come as they are sent. What the program says of its token goes to the
 * origin that the program names alone.
 */
export function guardedFetch(place: RemotePlace): typeof fetch {
  const { url: own, env, isWritten, origins } = place;
  const written = isWritten ? [own, ...origins.map((origin) => new URL(origin))] : [];
  const privateHosts = declaredHosts(written.map(hostWithPort), env);
  const agent = own.host;
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    assertWebUrl(url);
    const isDeclared = isDeclaredHost(url, privateHosts);
    if (!isDeclared) assertPublicHost(url);
    const timeout = AbortSignal.timeout(place.timeoutMs);
    const signals = init.signal ? [init.signal, timeout] : [timeout];
    const starting = new AbortController();
    const stop = AbortSignal.any([...(init.signal ? [init.signal] : []), starting.signal]);
    let isLate = false;
    const late = () => {
      isLate = true;
      starting.abort();
    };
    const lost = (thrown: unknown) =>
      notReached(
        agent,
        isLate ? `it did not answer within ${place.timeoutMs / 1000} s` : messageOf(thrown),
        thrown,
      );
    timeout.addEventListener("abort", late, { once: true });
    try {
      AbortSignal.any(signals).throwIfAborted();
      const answer = await send(url, {
        method: init.method ?? "GET",
        body: typeof init.body === "string" ? init.body : undefined,
        headers: {
          ...Object.fromEntries(new Headers(init.headers)),
          ...(url.origin === own.origin ? secretHeaders(place) : {}),
        },
        signal: stop,
        ...(isDeclared ? {} : { lookup: publicLookup() }),
        bytesMax: place.bytesMax,
        agent,
        lost,
      });
      // A stream may take its time: whoever reads it watches over its silence. Any other answer must be whole in time.
      if (isStream(answer)) timeout.removeEventListener("abort", late);
      return asserted(answer, agent);
    } catch (thrown) {
      init.signal?.throwIfAborted();
      isLate ||= timeout.aborted;
      if (!isLate && (thrown instanceof FailureError || isCoded(thrown))) throw thrown;
      throw lost(thrown);
    }
  };
}

interface Sending {
  readonly method: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly lookup?: ReturnType<typeof publicLookup>;
  readonly bytesMax: number;
  readonly agent: string;
  /** The failure of an answer that broke off. */
  readonly lost: (thrown: unknown) => FailureError;
}

function send(url: URL, { method, body, headers, bytesMax, agent, lost, ...how }: Sending) {
  return new Promise<Response>((resolve, reject) => {
    const request = url.protocol === "https:" ? requestHttps : requestHttp;
    const asking = request(url, {
      ...how,
      method,
      // A connection that is kept would be used again without a look at its address.
      agent: false,
      headers: { "user-agent": USER_AGENT, ...headers },
    });
    asking.on("error", reject);
    asking.on("response", (incoming) => {
      const { statusCode: status = 0, headers: received } = incoming;
      const plain = Object.entries(received).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, `${value}`]],
      );
      const isEmpty = status === 204 || status === 304;
      if (isEmpty) incoming.resume();
      const bytes = isEmpty
        ? null
        : Readable.toWeb(Readable.from(bounded(incoming, { bytesMax, agent, lost })));
      resolve(
        new Response(bytes as ConstructorParameters<typeof Response>[0], {
          status,
          headers: plain,
        }),
      );
    });
    asking.end(body);
  });
}

async function* bounded(
  incoming: Readable,
  { bytesMax, agent, lost }: Pick<Sending, "bytesMax" | "agent" | "lost">,
) {
  let bytes = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax)
        throw remoteFailure("M5213", { agent, message: `says more than ${bytesMax} bytes` });
      yield new Uint8Array(chunk);
    }
  } catch (thrown) {
    if (thrown instanceof FailureError) throw thrown;
    throw lost(thrown);
  }
}

function isStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** Throws for answers that are none of the protocol; its own errors are left to its client. */
function asserted(answer: Response, agent: string): Response {
  const { status } = answer;
  const isOwnError = status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
  if ((status >= 200 && status < 300) || isOwnError) return answer;
  void answer.body?.cancel().catch(() => {});
  if (status === 401 || status === 403)
    throw remoteFailure("M5211", {
      agent,
      message: `lets us not in (${status})`,
      hint: '`controller a2a(URL, auth: "NAME")` sends the token that the variable NAME holds',
    });
  if (status >= 400) throw notReached(agent, `it answers with ${status}`);
  throw remoteFailure("M5212", {
    agent,
    message: `leads on to another place (${status})`,
    hint: "redirects are not followed: name the address that they lead to",
  });
}

/** With its port, always: a host that is declared without one is declared with any. */
function hostWithPort({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

function isCoded(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && /^M\d{4}$/.test(String(thrown.code));
}
