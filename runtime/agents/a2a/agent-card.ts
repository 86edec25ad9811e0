/** Reads the card by which a remote agent says who it is, and chooses the interface that it is spoken to by. */
import type { AgentCard } from "@a2a-js/sdk";
import { isRecord } from "../../../dsl/index.ts";
import { callFailure, remoteFailure } from "./failures.ts";
import type { RemotePlace } from "./remote-options.ts";

const CARD_BYTES_MAX = 1024 * 1024;
const NAME_MAX = 200;

/** The places of cards, in the order in which they are looked for: that of 1.0 and late 0.3, and that of before. */
const CARD_PATHS = [".well-known/agent-card.json", ".well-known/agent.json"];

/** The card of an agent. Rejects with M5209 where there is none, or none that can be used; M5210 where it leads elsewhere. */
export async function readAgentCard(
  place: RemotePlace,
  { fetch: get, signal }: { readonly fetch: typeof fetch; readonly signal: AbortSignal },
): Promise<AgentCard> {
  const { DefaultAgentCardResolver } = await import("@a2a-js/sdk/client");
  const raw = await fetchCard(place, get, signal);
  let card: AgentCard;
  try {
    card = new DefaultAgentCardResolver({ legacyCompat: { enabled: true } }).normalizeAgentCard(
      raw,
    );
  } catch (thrown) {
    throw badCard(place, `it is none of A2A 1.0 or 0.3: ${(thrown as Error).message}`, thrown);
  }
  return { ...card, supportedInterfaces: [chosenInterface(card, place)] };
}

async function fetchCard(place: RemotePlace, get: typeof fetch, signal: AbortSignal) {
  for (const url of cardAddresses(place)) {
    const answer = await get(url, {
      signal,
      headers: { "a2a-version": "1.0", accept: "application/json" },
    });
    if (answer.ok) return cardIn(await cardText(answer, place), place);
    await answer.body?.cancel();
    if (answer.status !== 404) throw badCard(place, `it is answered with ${answer.status}`);
  }
  throw badCard(place, "there is none at this address");
}

/** An address that ends in `.json` is that of a card; below any other lies one. */
function cardAddresses({ url }: RemotePlace): readonly URL[] {
  if (url.pathname.endsWith(".json")) return [url];
  const folder = new URL(url);
  folder.search = "";
  folder.hash = "";
  if (!folder.pathname.endsWith("/")) folder.pathname += "/";
  return CARD_PATHS.map((path) => new URL(path, folder));
}

async function cardText(answer: Response, place: RemotePlace): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length;
      if (bytes > CARD_BYTES_MAX) throw badCard(place, `it has more than ${CARD_BYTES_MAX} bytes`);
      chunks.push(chunk);
    }
  } catch (thrown) {
    throw callFailure(place.url.host, thrown);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function cardIn(text: string, place: RemotePlace): Readonly<Record<string, unknown>> {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (cause) {
    throw badCard(place, "it is no JSON", cause);
  }
  if (!isRecord(raw)) throw badCard(place, "it is no object");
  const { name, skills, supportedInterfaces } = raw;
  if (typeof name !== "string" || name.trim() === "" || name.length > NAME_MAX)
    throw badCard(place, `its \`name\` is no text of up to ${NAME_MAX} characters`);
  if (skills !== undefined && !(Array.isArray(skills) && skills.every(isRecord)))
    throw badCard(place, "its `skills` are no list of objects");
  const isOfOne = Array.isArray(supportedInterfaces) && supportedInterfaces.every(isInterface);
  if (!isOfOne && typeof raw.url !== "string")
    throw badCard(place, "its `supportedInterfaces` say no address");
  return raw;
}

function isInterface(value: unknown): boolean {
  return isRecord(value) && typeof value.url === "string";
}

/** By their versions; the package loses what belongs together in streams of 0.3 over HTTP+JSON. */
const BINDINGS: Readonly<Record<string, readonly string[]>> = {
  "1": ["JSONRPC", "HTTP+JSON"],
  "0.3": ["JSONRPC"],
};

/** The first interface that both sides speak, of 1.0 before 0.3; its address must be one to which the card may lead. */
function chosenInterface({ supportedInterfaces = [] }: AgentCard, place: RemotePlace) {
  const spoken = supportedInterfaces.filter(({ protocolBinding = "", protocolVersion = "" }) => {
    const [version = ""] = /^(?:1|0\.3)(?=\.|$)/.exec(protocolVersion) ?? [];
    return BINDINGS[version]?.includes(protocolBinding.toUpperCase()) === true;
  });
  const chosen = spoken.find(({ protocolVersion }) => protocolVersion.startsWith("1")) ?? spoken[0];
  if (chosen === undefined)
    throw badCard(
      place,
      "it offers neither JSON-RPC nor HTTP+JSON of A2A 1.0, nor JSON-RPC of 0.3",
    );
  if (!URL.canParse(chosen.url)) throw badCard(place, `\`${chosen.url}\` is no address`);
  const { origin } = new URL(chosen.url);
  if (origin !== place.url.origin && !place.origins.includes(origin))
    throw remoteFailure("M5210", {
      agent: place.url.host,
      message: `leads to ${origin} by its card`,
      hint: `where that is meant: \`controller a2a("${place.url.href}", origins: ["${origin}"])\``,
    });
  return chosen;
}

function badCard({ url }: RemotePlace, why: string, cause?: unknown) {
  return remoteFailure("M5209", {
    agent: url.host,
    message: `has no card that can be used: ${why}`,
    hint: `look at what ${cardAddresses({ url } as RemotePlace)[0]} answers`,
    cause,
  });
}
