/** Lists the settings of `mcp` and `openapi` declarations, and reads a declaration whose values are written out. */
import type { ExprIr, McpIr } from "../ir/ir.ts";
import { isRecord } from "../is-record.ts";
import { nearest } from "../names/nearest.ts";
import { type Directory, isDirectory } from "./directory.ts";

/** A server of tools, or an API, as a program declares it. */
export interface DeclaredServer {
  readonly name: string;
  readonly connection: ServerCommand | ServerAddress | DescribedApi;
  /** The time to start and to answer the first request, and the time of one call without a sign of life, in milliseconds. */
  readonly startMs: number;
  readonly callMs: number;
  /** The effects of its tools follow from what the server says of them. */
  readonly trustAnnotations: boolean;
  /** By the name of a tool as the program writes it: the arguments that choose where a call goes. */
  readonly targets: Readonly<Record<string, readonly string[]>>;
  /** By the name of a tool as well: the tools whose results hold records that trusted values may name. */
  readonly directories: Readonly<Record<string, Directory>>;
  readonly optional: boolean;
}

/** A server that is started as a process. */
export interface ServerCommand {
  readonly kind: "stdio";
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[];
  /** The environment variables that it gets beside those that every program needs. */
  readonly env: readonly string[];
}

/** A server that is asked over HTTP. */
export interface ServerAddress {
  readonly kind: "http";
  readonly url: string;
  /** The environment variable of each header. */
  readonly headers: Readonly<Record<string, string>>;
  /** `oauth`, or the environment variable that holds a bearer token. */
  readonly auth?: string;
}

/** An HTTP API whose operations an OpenAPI description lists. */
export interface DescribedApi {
  readonly kind: "openapi";
  /** The description: a file beside the program, or an address. */
  readonly description: string;
  /** The address of the API, in the place of those that its description names. */
  readonly url?: string;
  /** The environment variable of each header. */
  readonly headers: Readonly<Record<string, string>>;
  /** The environment variable that holds what the security scheme of an operation wants: a token, a key, `user:password`. */
  readonly auth?: string;
}

/** The fault of a declaration: at one of its settings, or at its command or address. */
export interface ServerFault {
  readonly setting?: string;
  readonly message: string;
  readonly hint: string;
}

/** Exactly one of both; neither where a value is computed, which only the run knows. */
export interface ServerReading {
  readonly server?: DeclaredServer;
  readonly fault?: ServerFault;
}

const START_MS = 30_000;
const CALL_MS = 60_000;

interface SettingEntry {
  readonly only?: readonly DeclaredServer["connection"]["kind"][];
  /** The words for its values, and the test of one. */
  readonly words: string;
  readonly is: (value: unknown) => boolean;
}

const VARIABLE = /^[A-Za-z_]\w*$/;
const isVariable = (value: unknown) => typeof value === "string" && VARIABLE.test(value);
const isDuration = (value: unknown) =>
  typeof value === "number" && Number.isFinite(value) && value > 0;

const isListOfNames = (value: unknown) =>
  Array.isArray(value) && value.every((name) => typeof name === "string");

export const SERVER_SETTINGS = {
  env: {
    only: ["stdio"],
    words: 'a list of names of environment variables, such as ["GITHUB_TOKEN"]',
    is: (value) => Array.isArray(value) && value.every(isVariable),
  },
  headers: {
    only: ["http", "openapi"],
    words: "an object with the name of an environment variable for each header",
    is: (value) => isRecord(value) && Object.values(value).every(isVariable),
  },
  auth: {
    only: ["http", "openapi"],
    words: '"oauth", or the name of the environment variable that holds a token',
    is: isVariable,
  },
  url: {
    only: ["openapi"],
    words: "the address of the API, http://… or https://…",
    is: (value) => typeof value === "string" && isServerAddress(value) && URL.canParse(value),
  },
  startWithin: { only: ["stdio", "http"], words: "a duration, such as 30s", is: isDuration },
  callWithin: { words: "a duration, such as 30s", is: isDuration },
  trustAnnotations: {
    only: ["stdio", "http"],
    words: "true or false",
    is: (value) => typeof value === "boolean",
  },
  targets: {
    only: ["stdio", "http"],
    words: 'an object with a list of arguments for each tool, such as { send: ["to"] }',
    is: (value) => isRecord(value) && Object.values(value).every(isListOfNames),
  },
  directories: {
    only: ["stdio", "http"],
    words:
      'an object with the name and the gifts of its records for each tool, such as { find: { by: "name", gives: { to: "email" } } }',
    is: (value) => isRecord(value) && Object.values(value).every(isDirectory),
  },
} as const satisfies Record<string, SettingEntry>;

/** Reads a declaration of a server; the first thing that is wrong with it is its fault. */
export function readServer({ protocol, name, value, options, optional }: McpIr): ServerReading {
  const missing = protocol === undefined ? NO_ADDRESS : NO_DESCRIPTION;
  const address = writtenOut(value);
  const settings = options === undefined ? {} : writtenOut(options);
  if (typeof address !== "string" || !isRecord(settings)) {
    return address === COMPUTED || settings === COMPUTED ? {} : { fault: missing };
  }
  const read = protocol === undefined ? readAddress : readDescription;
  const { fault, connection } = read(address.trim());
  if (connection === undefined) return { fault: fault ?? missing };
  for (const [setting, given] of Object.entries(settings)) {
    const wrong = settingFault(setting, given, connection.kind);
    if (wrong !== undefined) return { fault: { setting, ...wrong } };
  }
  if (Object.values(settings).includes(COMPUTED)) return {};
  const { env = [], headers = {}, auth, url } = settings;
  const { startWithin, callWithin, trustAnnotations, targets = {}, directories = {} } = settings;
  return {
    server: {
      name,
      connection:
        connection.kind === "stdio"
          ? { ...connection, env: env as readonly string[] }
          : {
              ...connection,
              headers: headers as Readonly<Record<string, string>>,
              ...(auth === undefined ? {} : { auth: auth as string }),
              ...(url === undefined ? {} : { url: url as string }),
            },
      startMs: Number(startWithin ?? START_MS),
      callMs: Number(callWithin ?? CALL_MS),
      trustAnnotations: trustAnnotations === true,
      targets: targets as DeclaredServer["targets"],
      directories: directories as DeclaredServer["directories"],
      optional,
    },
  };
}

const NO_ADDRESS: ServerFault = {
  message: "the server has neither a command nor an address",
  hint: 'write `mcp files = "npx server"`, `stdio("npx server")` or `http("https://…")`',
};

const NO_DESCRIPTION: ServerFault = {
  message: "the API has no description",
  hint: 'write `openapi weather = "weather.yaml"`, with a file of OpenAPI 3 or its address',
};

/** Returns whether a text is the address of a server; any other is a command. */
export function isServerAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

function readAddress(
  text: string,
): Pick<ServerReading, "fault"> & { readonly connection?: DeclaredServer["connection"] } {
  if (isServerAddress(text)) {
    if (URL.canParse(text)) return { connection: { kind: "http", url: text, headers: {} } };
    return {
      fault: { message: `\`${text}\` is not an address`, hint: "write http://… or https://…" },
    };
  }
  const command = wordsOf(text);
  if (command !== undefined && command.length > 0)
    return { connection: { kind: "stdio", command, env: [] } };
  if (command !== undefined) return { fault: NO_ADDRESS };
  return {
    fault: { message: "a quote in the command is not closed", hint: "close it, or remove it" },
  };
}

function readDescription(description: string): ReturnType<typeof readAddress> {
  if (description === "") return {};
  return { connection: { kind: "openapi", description, headers: {} } };
}

/** The words of a command: a part in quotes is one of them. Nothing in it is expanded. Undefined where a quote is open. */
function wordsOf(command: string): readonly string[] | undefined {
  const words = [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+|["']/g)].map(([word]) => word);
  if (words.some((word) => word === '"' || word === "'")) return undefined;
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

function settingFault(
  name: string,
  value: unknown,
  kind: DeclaredServer["connection"]["kind"],
): Omit<ServerFault, "setting"> | undefined {
  const names = Object.keys(SERVER_SETTINGS);
  if (!Object.hasOwn(SERVER_SETTINGS, name)) {
    const meant = nearest(name, names);
    return {
      message: `a server has no setting \`${name}\``,
      hint:
        meant === undefined ? `its settings are ${names.join(", ")}` : `did you mean \`${meant}\`?`,
    };
  }
  const entry: SettingEntry = SERVER_SETTINGS[name as keyof typeof SERVER_SETTINGS];
  if (entry.only?.includes(kind) === false)
    return { message: `${KIND_WORDS[kind]} has no \`${name}\``, hint: "remove it" };
  if (kind === "openapi" && value === "oauth")
    return {
      message: "an API has no `oauth` here",
      hint: "get a token, and name the environment variable that holds it",
    };
  if (value === COMPUTED || entry.is(value)) return undefined;
  return { message: `\`${name}\` is not ${entry.words}`, hint: `write ${entry.words}` };
}

const KIND_WORDS = {
  stdio: "a server that is started as a process",
  http: "a server that has an address",
  openapi: "an API",
} as const;

const COMPUTED = Symbol("computed");

/** The value of an expression that is written out; `COMPUTED` for any other. */
function writtenOut(expression: ExprIr): unknown {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "duration":
      return expression.ms;
    case "list": {
      const items = expression.items.map(writtenOut);
      return items.includes(COMPUTED) ? COMPUTED : items;
    }
    case "object":
      return Object.fromEntries(
        expression.entries.map(({ key, value }) => [
          key,
          value === undefined ? COMPUTED : writtenOut(value),
        ]),
      );
    default:
      return COMPUTED;
  }
}
