/** Resolves where spans are sent: a given address, or what the environment variables of OpenTelemetry name. */
import { messageOf, RunError } from "../../../failure.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface OtlpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly gzip: boolean;
}

const TIMEOUT_MS = 10_000;

/** The target at `address`, else that of the environment; undefined where neither says one. M5431 for one that can't be. */
export function targetOf(env: Env, address?: string): OtlpTarget | undefined {
  const target = address === undefined ? fromEnvironment(env) : atBase(address);
  if (target === undefined) return undefined;
  const timeoutMs = Number(env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? env.OTEL_EXPORTER_OTLP_TIMEOUT);
  const compression =
    env.OTEL_EXPORTER_OTLP_TRACES_COMPRESSION ?? env.OTEL_EXPORTER_OTLP_COMPRESSION;
  return {
    url: target,
    headers: {
      ...headersOf(env.OTEL_EXPORTER_OTLP_HEADERS),
      ...headersOf(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS),
    },
    timeoutMs: timeoutMs > 0 ? timeoutMs : TIMEOUT_MS,
    gzip: compression === "gzip",
  };
}

/** Returns whether an argument is an address rather than a file. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** An address without its user, password and query: what may be shown. */
export function shownAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

function fromEnvironment(env: Env): string | undefined {
  const traces = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!traces && !base) return undefined;
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol !== undefined && protocol !== "http/json") {
    throw new RunError("M5431", `the environment asks for ${protocol}, and we speak http/json`, {
      hint: "set OTEL_EXPORTER_OTLP_PROTOCOL=http/json and an endpoint that takes it, or name the address",
    });
  }
  return traces ? checked(traces).href : atBase(`${base}/`, true);
}

/** An address without a path is that of a collector, whose traces are at `/v1/traces`. */
function atBase(address: string, always = false): string {
  const url = checked(address);
  if (always || url.pathname === "/")
    url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/traces`;
  return url.href;
}

function checked(address: string): URL {
  try {
    const url = new URL(address);
    if (url.username !== "" || url.password !== "") {
      throw new Error("a user or password stands in it");
    }
    if (url.protocol === "http:" || url.protocol === "https:") return url;
    throw new Error(`its scheme is ${url.protocol}`);
  } catch (error) {
    // biome-ignore lint/style/useErrorCause: the cause has the address, which may hold a password.
    throw new RunError("M5431", `spans can't be sent to this address: ${messageOf(error)}`, {
      hint: "write http://HOST:PORT or https://…; keys go into OTEL_EXPORTER_OTLP_HEADERS=NAME=VALUE",
    });
  }
}

/** `name=value,other=value`, percent-encoded. */
function headersOf(text = ""): Record<string, string> {
  const pairs = text.split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
