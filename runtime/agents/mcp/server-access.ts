/** Reads what a declared server needs of the environment: the variables that it gets, its headers and its token. */
import type { DeclaredServer, ServerAddress } from "../../../dsl/index.ts";
import { FailureError } from "../../failure.ts";
import type { Secret } from "../../redaction/redact.ts";

export type ServerVariables = Readonly<Record<string, string | undefined>>;

/** The variables of the environment that a server is given. */
export interface ServerAccess {
  /** The whole environment of a process; empty where there is none. */
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The values of the variables that the program names, which no log has. */
  readonly secrets: readonly Secret[];
}

/** The variables that a program needs to run at all; no other is inherited. */
const INHERITED = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "TZ", "SHELL"] as const;

/** Returns the access to a server; throws M8415 for a variable that is not set. */
export function serverAccess(
  { name, connection }: DeclaredServer,
  env: ServerVariables,
): ServerAccess {
  const secrets: Secret[] = [];
  const read = (variable: string): string => {
    const value = env[variable];
    if (value === undefined || value === "") throw notSet(name, variable);
    secrets.push({ name: variable, value });
    return value;
  };
  if (connection.kind === "openapi") {
    if (connection.auth !== undefined) read(connection.auth);
    const { auth: _, ...headersAlone } = connection;
    return { env: {}, headers: headersOf(headersAlone, read), secrets };
  }
  if (connection.kind === "http") return { env: {}, headers: headersOf(connection, read), secrets };
  const named = connection.env.map((variable) => [variable, read(variable)]);
  const inherited = INHERITED.flatMap((variable) => {
    const value = env[variable];
    return value === undefined ? [] : [[variable, value]];
  });
  return { env: Object.fromEntries([...inherited, ...named]), headers: {}, secrets };
}

function headersOf(
  { headers, auth }: Pick<ServerAddress, "headers" | "auth">,
  read: (variable: string) => string,
) {
  const own = Object.entries(headers).map(([header, variable]) => [header, read(variable)]);
  const token =
    auth === undefined || auth === "oauth" ? [] : [["Authorization", `Bearer ${read(auth)}`]];
  return Object.fromEntries([...own, ...token]);
}

function notSet(name: string, variable: string): FailureError {
  return new FailureError({
    class: "tool",
    code: "M8415",
    message: `the server \`${name}\` can't be used: ${variable} is not set`,
    hint: `set ${variable}, or take it out of the declaration of \`${name}\``,
  });
}
