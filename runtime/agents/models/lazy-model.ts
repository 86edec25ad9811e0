/** Makes a model that loads its provider at the first call. */
import type { LanguageModelV4 } from "@ai-sdk/provider";

/** A model whose code is loaded when it is asked for the first time, and once; what fails is tried again by the next call. */
export function lazyModel(
  named: { readonly provider: string; readonly modelId: string },
  load: () => Promise<LanguageModelV4>,
): LanguageModelV4 {
  let loading: Promise<LanguageModelV4> | undefined;
  const loaded = () => {
    loading ??= load().catch((thrown: unknown) => {
      loading = undefined;
      throw thrown;
    });
    return loading;
  };
  return {
    specificationVersion: "v4",
    ...named,
    supportedUrls: {},
    doGenerate: async (options) => (await loaded()).doGenerate(options),
    doStream: async (options) => (await loaded()).doStream(options),
  };
}

/** Models that runs share, by all that they were made of. */
const shared = new Map<string, LanguageModelV4>();

const SHARED_MAX = 64;

/** The model of this key, made where there is none: a package takes as long to make one as to ask it, and 20 kB. */
export function sharedModel(key: string, make: () => LanguageModelV4): LanguageModelV4 {
  const known = shared.get(key);
  if (known !== undefined) return known;
  const [oldest] = shared.keys();
  if (oldest !== undefined && shared.size >= SHARED_MAX) shared.delete(oldest);
  const made = make();
  shared.set(key, made);
  return made;
}
