/** Lists the settings of a `model` declaration, and finds what is wrong with one. */
import { isRecord } from "../is-record.ts";
import { nearest } from "../names/nearest.ts";
import { readModelId } from "./model-ids.ts";

/** The forms that the value of a setting may have. */
type SettingForm =
  | "number"
  | "count"
  | "boolean"
  | "text"
  | "texts"
  | "object"
  | "address"
  | "headers"
  | "variable"
  | "variables"
  | "effort"
  | "mode"
  | "duration";

/** A setting that goes with each call, or that belongs to the provider or the cassette that the declaration names. */
export interface ModelSettingEntry {
  readonly form: SettingForm;
  readonly use: "call" | "provider" | "cassette";
  /** The only providers that have it; a provider by the name of its package has all. */
  readonly only?: readonly string[];
}

/** The uses of a cassette: to answer what was recorded, to ask and record, to ask what is missing. */
export const CASSETTE_MODES = ["replay", "record", "auto"] as const;

export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

export const MODEL_SETTINGS = {
  temperature: { form: "number", use: "call" },
  topP: { form: "number", use: "call" },
  topK: { form: "count", use: "call" },
  maxOutputTokens: { form: "count", use: "call" },
  presencePenalty: { form: "number", use: "call" },
  frequencyPenalty: { form: "number", use: "call" },
  seed: { form: "count", use: "call" },
  stopSequences: { form: "texts", use: "call" },
  effort: { form: "effort", use: "call" },
  firstTokenWithin: { form: "duration", use: "call" },
  nextTokenWithin: { form: "duration", use: "call" },
  baseURL: { form: "address", use: "provider" },
  headers: { form: "headers", use: "provider" },
  headerVariables: { form: "variables", use: "provider" },
  keyVariable: { form: "variable", use: "provider" },
  region: { form: "text", use: "provider", only: ["bedrock"] },
  thinking: { form: "count", use: "provider", only: ["anthropic", "google", "bedrock"] },
  cache: { form: "boolean", use: "provider" },
  threads: { form: "count", use: "provider", only: ["gguf"] },
  contextSize: { form: "count", use: "provider", only: ["gguf"] },
  options: { form: "object", use: "provider" },
  images: { form: "boolean", use: "provider" },
  toolResultImages: { form: "boolean", use: "provider" },
  files: { form: "boolean", use: "provider" },
  tools: { form: "boolean", use: "provider" },
  parallelTools: { form: "boolean", use: "provider" },
  structuredOutput: { form: "boolean", use: "provider" },
  mode: { form: "mode", use: "cassette", only: ["cassette"] },
  of: { form: "text", use: "cassette", only: ["cassette"] },
} as const satisfies Record<string, ModelSettingEntry>;

/** The fault of a setting, and what to do. */
export interface ModelSettingFault {
  readonly message: string;
  readonly hint: string;
}

/**
 * Returns the fault of a setting of a model: its name, its value, or that the provider of `id` has no such setting. A `value`
 * of undefined is one that only the run knows, and an `id` of undefined as well.
 */
export function modelSettingFault(
  name: string,
  value: unknown,
  id?: string,
): ModelSettingFault | undefined {
  const entry = entryOf(name);
  if (entry === undefined) return unknownSetting(name);
  const provider = id === undefined ? undefined : providerIn(id, entry.use);
  if (entry.only !== undefined && provider !== undefined && !entry.only.includes(provider)) {
    return {
      message: `\`${provider}\` has no \`${name}\``,
      hint:
        name === "thinking"
          ? `only ${listed(entry.only)} take a budget of tokens; \`effort\` works for every provider`
          : `only ${listed(entry.only)} has it`,
    };
  }
  return value === undefined ? undefined : wrongValue(name, entry.form, value);
}

function entryOf(name: string): ModelSettingEntry | undefined {
  return Object.hasOwn(MODEL_SETTINGS, name)
    ? MODEL_SETTINGS[name as keyof typeof MODEL_SETTINGS]
    : undefined;
}

function providerIn(id: string, use: ModelSettingEntry["use"]): string | undefined {
  const read = readModelId(id);
  if (read.kind === "gguf") return "gguf";
  // A cassette passes all other settings on to the model that it stands for.
  if (read.kind === "cassette") return use === "cassette" ? "cassette" : undefined;
  return read.kind === "provider" ? read.provider : undefined;
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function unknownSetting(name: string): ModelSettingFault {
  const message = `a model has no setting \`${name}\``;
  if (/^(api_?)?(key|token)$|secret|password|^auth/i.test(name)) {
    return { message, hint: KEY_HINT };
  }
  const names = Object.keys(MODEL_SETTINGS);
  const meant = nearest(name, names);
  return {
    message,
    hint:
      meant === undefined ? `its settings are ${names.join(", ")}` : `did you mean \`${meant}\`?`,
  };
}

const KEY_HINT =
  'keys stand in no program: name the environment variable that holds it, `keyVariable: "MY_KEY"`';

const VARIABLE = /^[A-Za-z_]\w*$/;
const SECRET_HEADER =
  /^(authorization|proxy-authorization|cookie|api-key|x-.*(key|token|secret).*)$/i;

const FORMS: Readonly<
  Record<SettingForm, readonly [words: string, is: (value: unknown) => boolean]>
> = {
  number: ["a number", (value) => typeof value === "number" && Number.isFinite(value)],
  count: ["a whole number of at least 0", (value) => Number.isInteger(value) && Number(value) >= 0],
  boolean: ["true or false", (value) => typeof value === "boolean"],
  text: ["a text", isText],
  texts: ["a list of texts", (value) => Array.isArray(value) && value.every(isText)],
  object: ["an object", isRecord],
  address: ["an http(s) address without a password", isAddress],
  headers: ["an object of texts", (value) => isRecord(value) && Object.values(value).every(isText)],
  variable: ["the name of an environment variable", isVariable],
  variables: [
    "an object with names of environment variables",
    (value) => isRecord(value) && Object.values(value).every(isVariable),
  ],
  mode: [
    `one of ${CASSETTE_MODES.join(", ")}`,
    (value) => CASSETTE_MODES.some((mode) => mode === value),
  ],
  duration: ["a duration, like `45s`", (value) => typeof value === "number" && value > 0],
  effort: [`one of ${EFFORTS.join(", ")}`, (value) => EFFORTS.some((effort) => effort === value)],
};

function wrongValue(
  name: string,
  form: SettingForm,
  value: unknown,
): ModelSettingFault | undefined {
  const [words, is] = FORMS[form];
  if (!is(value)) {
    const hint = form === "variable" || form === "variables" ? KEY_HINT : `write ${words}`;
    return { message: `\`${name}\` of a model is ${words}`, hint };
  }
  if (form !== "headers") return undefined;
  const secret = Object.keys(value as Readonly<Record<string, unknown>>).find((header) =>
    SECRET_HEADER.test(header),
  );
  return secret === undefined
    ? undefined
    : {
        message: `the header \`${secret}\` holds a key`,
        hint: `keys stand in no program: name the environment variable that holds it, \`headerVariables: { "${secret}": "MY_KEY" }\``,
      };
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isVariable(value: unknown): boolean {
  return typeof value === "string" && VARIABLE.test(value);
}

function isAddress(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}
