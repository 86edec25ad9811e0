/** Makes a model that loads its provider at the first call. */
import type { LanguageModelV4 } from "@ai-sdk/provider";

/** A model whose code is loaded when it is asked for the first time, and once. */
export function lazyModel(
  named: { readonly provider: string; readonly modelId: string },
  load: () => Promise<LanguageModelV4>,
): LanguageModelV4 {
  let loading: Promise<LanguageModelV4> | undefined;
  const loaded = () => {
    loading ??= load();
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
