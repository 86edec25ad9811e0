/** Reads what a program says of a remote agent: its address, its token, its limits. */
import { type FailureError, RunError } from "../../failure.ts";
import { remoteFailure } from "./failures.ts";

/** Options of `a2a(URL, …)`. */
export interface A2aOptions {
  /** The variable of the environment with the token, sent as `Authorization: Bearer …`. */
  readonly auth?: string;
  /** The variables that further headers hold. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The origins to which the card may lead beside its own: `https://api.example.com`. */
  readonly origins?: readonly string[];
  /** The time for the card, for the first answer and for each request, in milliseconds; 30 s by default. */
  readonly timeoutMs?: number;
  /** The time in which a lost connection is looked for again, in milliseconds; a minute by default. */
  readonly reconnectMs?: number;
  /** The most bytes of one answer, a stream included; 64 MiB by default. */
  readonly bytesMax?: number;
}

/** A remote agent before it was looked at. */
export interface RemotePlace extends Required<Omit<A2aOptions, "auth">> {
  readonly url: URL;
  readonly auth: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if whoever wrote the program wrote the address, so that a private one is meant. */
  readonly isWritten: boolean;
}

const KNOWN: readonly string[] = [
  ...(["auth", "headers", "origins", "timeoutMs", "reconnectMs", "bytesMax"] as const),
];

/** The program around the options of a remote agent. */
interface AroundPlace extends Pick<RemotePlace, "env" | "isWritten"> {
  /** The origins that stand in the program: those alone get a token where the address comes from the state. */
  readonly writtenOrigins?: readonly unknown[];
}

/** Throws M5208 for what is no address or no option, and for a token that whoever fills the state could have sent to himself. */
export function remotePlace(
  address: unknown,
  options: A2aOptions = {},
  { env, isWritten, writtenOrigins = [] }: AroundPlace,
): RemotePlace {
  const unknown = Object.keys(options).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) throw notAnAgent(`\`${unknown}\` is no option of it`);
  const url = typeof address === "string" && URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password !== "")
    throw notAnAgent(`${JSON.stringify(address)} is no address of the web`);
  const { auth, headers = {}, origins = [] } = options;
  const isSecret = auth !== undefined || Object.keys(headers).length > 0;
  if (isSecret && !isWritten && !writtenOrigins.includes(url.origin))
    throw new RunError("M5208", `\`${url.origin}\` comes from the state, and is sent no token`, {
      hint: `where it is to have it, the program says so: \`origins: ["${url.origin}"]\``,
    });
  const { timeoutMs = 30_000, reconnectMs = 60_000, bytesMax = 64 * 1024 * 1024 } = options;
  return { url, auth, headers, origins, timeoutMs, reconnectMs, bytesMax, env, isWritten };
}

/** The headers that only the agent itself is sent; throws M5208 for a variable that is not set. */
export function secretHeaders({
  url,
  auth,
  headers,
  env,
}: RemotePlace): Readonly<Record<string, string>> {
  const read = (variable: string) => {
    const value = env[variable];
    if (value === undefined || value === "") throw notSet(url, variable);
    return value;
  };
  return {
    ...Object.fromEntries(
      Object.entries(headers).map(([name, of]) => [name.toLowerCase(), read(of)]),
    ),
    ...(auth === undefined ? {} : { authorization: `Bearer ${read(auth)}` }),
  };
}

function notSet({ host }: URL, variable: string): FailureError {
  return remoteFailure("M5208", {
    agent: host,
    message: `needs ${variable}, which is not set`,
    hint: `set ${variable}, or take it out of \`a2a(…)\``,
  });
}

function notAnAgent(why: string): RunError {
  return new RunError("M5208", `this is no remote agent: ${why}`, {
    hint: 'as in `controller a2a("https://agent.example", auth: "AGENT_TOKEN")`; options are named, and variables of the environment hold secrets',
  });
}
