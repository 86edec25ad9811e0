/** Reads where a provider is and by which key it is asked, from the environment and the settings of a declaration. */
import { RunError } from "../../../failure.ts";
import type { Secret } from "../../../redaction/redact.ts";
import type { ModelEnvironment, ProviderSettings } from "../model-handle.ts";

/** A model as its id names it. */
export interface NamedModel {
  readonly id: string;
  /** The word before the model in its id. */
  readonly provider: string;
  /** The name that its provider knows. */
  readonly model: string;
}

/** The options that a provider is made with, and the address and keys in them. */
export interface Access {
  /** The options of the constructor of its package. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The address, for the limiter; it has no password. */
  readonly address: string;
  readonly keyVariable?: string;
  readonly secrets: readonly Secret[];
}

/** Reads the access to one model. */
export type ReadAccess = (named: NamedModel, environment: ModelEnvironment) => Access;

/** The variables of a provider that has one key. */
export interface KeyAccess {
  readonly keyVariable: string;
  readonly addressVariable: string;
  /** The address without that variable; undefined where there is none. */
  readonly address: (environment: ModelEnvironment) => string | undefined;
  /** The path that an address without one means. */
  readonly path?: string;
}

/**
 * Reads an address and its key. A key that belongs to one address is never sent to another: an address in the program
 * needs a `keyVariable` beside it.
 */
export function keyAccess({ address, path = "", ...variables }: KeyAccess): ReadAccess {
  return (named, environment) => {
    const { env, settings = {} } = environment;
    const keyVariable = settings.keyVariable ?? variables.keyVariable;
    if (settings.baseURL !== undefined && settings.keyVariable === undefined)
      throw keyNotNamed(named, keyVariable);
    const apiKey = env[keyVariable];
    if (!isSet(apiKey)) throw notConfigured(named, keyVariable, environment);
    const given = addressIn(named, variables.addressVariable, environment) ?? address(environment);
    if (given === undefined) throw notConfigured(named, variables.addressVariable, environment);
    const baseURL = new URL(given).pathname === "/" ? given.replace(/\/?$/, path) : given;
    return {
      options: { baseURL, apiKey },
      address: baseURL,
      keyVariable,
      secrets: [{ name: keyVariable, value: apiKey }],
    };
  };
}

/** The address that the settings or a variable give; throws M8101 for one that is none. */
export function addressIn(
  named: NamedModel,
  variable: string,
  { env, settings = {} }: ModelEnvironment,
): string | undefined {
  const [name, address] =
    settings.baseURL === undefined ? [variable, env[variable]] : ["baseURL", settings.baseURL];
  if (!isSet(address)) return undefined;
  assertAddress(named, name, address);
  return address;
}

function assertAddress({ id }: NamedModel, variable: string, address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new RunError("M8101", `\`${id}\` cannot run: ${variable} is not an http(s) address`, {
      hint: `set ${variable} to something like http://127.0.0.1:11434/v1`,
    });
  }
  if (url.username === "" && url.password === "") return;
  throw new RunError("M8101", `\`${id}\` cannot run: ${variable} has a password in its address`, {
    hint: "put it into an environment variable that `headerVariables` or `keyVariable` of the model names",
  });
}

/** The headers of a declaration, and the values among them that are secret. */
export function headersOf(
  named: NamedModel,
  environment: ModelEnvironment,
): { readonly headers?: Readonly<Record<string, string>>; readonly secrets: readonly Secret[] } {
  const { headers, headerVariables = {} }: ProviderSettings = environment.settings ?? {};
  const secrets = Object.values(headerVariables).map((name) => {
    const value = environment.env[name];
    if (!isSet(value)) throw notConfigured(named, name, environment);
    return { name, value };
  });
  const secret = Object.keys(headerVariables).map((header, at) => [header, secrets[at]?.value]);
  const all = { ...headers, ...Object.fromEntries(secret) };
  return Object.keys(all).length === 0 ? { secrets } : { headers: all, secrets };
}

/** Returns whether a variable has more than spaces. */
export function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}

function keyNotNamed({ id }: NamedModel, variable: string): RunError {
  return new RunError(
    "M8101",
    `\`${id}\` cannot run: its address is the program's, and no key is sent there that the program does not name`,
    {
      hint: `add \`keyVariable: "${variable}"\` beside \`baseURL\`, or the variable of that server's key`,
    },
  );
}

/** The error for a variable that is not set, with a hint that can be pasted. */
export function notConfigured(
  { id, provider }: NamedModel,
  variable: string,
  { alias = "ALIAS", isCommand = false }: ModelEnvironment,
): RunError {
  const example = variable.endsWith("_URL") ? "=http://127.0.0.1:11434/v1" : "";
  const inCall = `\`models: { ${alias}: "rules" }\``;
  const without = isCommand
    ? `\`--model ${alias}=rules\` or ${inCall}`
    : `${inCall} beside the input, or MADRIGAL_MODEL=rules`;
  return new RunError(
    "M8101",
    `\`${id}\` cannot run: the provider \`${provider}\` is not configured, ${variable} is not set`,
    { hint: `set ${variable}${example}, or run without a live model: ${without}` },
  );
}
