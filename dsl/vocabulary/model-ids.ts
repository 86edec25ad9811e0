/** Reads the id of a model, and explains ids that can't run. */
import { nearest } from "../names/nearest.ts";

/** The meaning of a model's id, as far as the id alone decides it. */
export type ModelId =
  | { readonly kind: "rules" }
  | { readonly kind: "scripted" }
  /** A model on this machine: a file, or the name of a model that was fetched. */
  | { readonly kind: "gguf"; readonly path: string }
  /** The recorded calls of a file. */
  | { readonly kind: "cassette"; readonly path: string }
  | { readonly kind: "provider"; readonly provider: Provider; readonly model: string }
  /** A provider of the AI SDK by the name of its package: `@ai-sdk/groq/llama-3`. */
  | { readonly kind: "package"; readonly package: string; readonly model: string }
  | { readonly kind: "unknown"; readonly message: string; readonly hint: string };

/** The providers that ids name by a word of their own. */
export type Provider = (typeof PROVIDERS)[number];

export const PROVIDERS = [
  "openai",
  "openai-chat",
  "anthropic",
  "google",
  "azure",
  "bedrock",
  "mistral",
  "ollama",
  "openai-compatible",
] as const;

const USABLE =
  "`rules`, `cassette:FILE`, `gguf/PATH`, `PROVIDER/MODEL` such as `openai/MODEL`, or `@SCOPE/PACKAGE/MODEL`";

/** Reads `rules`, `scripted`, `cassette:FILE`, `gguf/PATH`, `PROVIDER/MODEL` or `@SCOPE/PACKAGE/MODEL`, and says of every other id why it cannot run. */
export function readModelId(text: string): ModelId {
  const id = text.trim();
  if (id === "rules" || id === "scripted") return { kind: id };
  if (id.startsWith(CASSETTE)) return cassetteOf(id);
  if (id.startsWith("@")) return packageModel(id);
  const slash = id.indexOf("/");
  const name = slash < 0 ? id : id.slice(0, slash);
  const model = slash < 0 ? "" : id.slice(slash + 1);
  if (name === "gguf" && model !== "") return { kind: "gguf", path: model };
  const provider = PROVIDERS.find((one) => one === name);
  if (provider === undefined) return unknown(id, name);
  return model === "" ? withoutModel(id, provider) : { kind: "provider", provider, model };
}

const CASSETTE = "cassette:";

function cassetteOf(id: string): ModelId {
  const path = id.slice(CASSETTE.length).trim();
  if (path !== "") return { kind: "cassette", path };
  return {
    kind: "unknown",
    message: `\`${id}\` is not a model: the file of the cassette is missing`,
    hint: "write `cassette:FILE`",
  };
}

function packageModel(id: string): ModelId {
  const [, name, model] = /^(@[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*)\/(.+)$/.exec(id) ?? [];
  if (name !== undefined && model !== undefined) return { kind: "package", package: name, model };
  return withoutModel(id, "@SCOPE/PACKAGE");
}

function unknown(id: string, provider: string): ModelId {
  const known = ["rules", "scripted", "cassette", "gguf", ...PROVIDERS];
  const meant = nearest(provider, known);
  const what = id.includes("/")
    ? `no provider is called \`${provider}\``
    : "there is no such model";
  return {
    kind: "unknown",
    message: `\`${id}\` is not a model: ${what}`,
    hint:
      meant === undefined ? `use ${USABLE}` : `did you mean \`${id.replace(provider, meant)}\`?`,
  };
}

function withoutModel(id: string, provider: string): ModelId {
  return {
    kind: "unknown",
    message: `\`${id}\` is not a model: the model's own name is missing`,
    hint: `write \`${provider}/MODEL\``,
  };
}
