/** Makes the handle of a model that runs on this machine, from a GGUF file through node-llama-cpp. */
import { lazyModel } from "../lazy-model.ts";
import type { ModelCapabilities, ModelEnvironment, ModelHandle } from "../model-handle.ts";
import type { LlamaPlace } from "./llama-messages.ts";
import { defaultThreads, ggufFile, llamaFolder } from "./local-place.ts";

/** The model `gguf/PATH`; what it needs and is not there throws here, and nothing is loaded before its first call. */
export function localModel(
  { id, path }: { readonly id: string; readonly path: string },
  environment: ModelEnvironment,
): ModelHandle {
  const { threads = defaultThreads(), contextSize } = environment.settings ?? {};
  const place: LlamaPlace = {
    file: ggufFile(path, environment.env),
    packageFolder: llamaFolder(id, environment),
    threads,
    ...(contextSize === undefined ? {} : { contextSize }),
  };
  const named = { id, modelId: path, place };
  const loaded = () => import("./gguf-model.ts");
  const model = lazyModel({ provider: "gguf", modelId: path }, async () =>
    (await loaded()).ggufModel(named),
  );
  const price = { input: 0, output: 0, source: "table" } as const;
  const tokenizer = async (texts: readonly string[]) => (await loaded()).countTokens(named, texts);
  return { id, source: "live", price, capabilities: ABILITIES, tokenizer, model };
}

const ABILITIES: ModelCapabilities = {
  images: false,
  toolResultImages: false,
  files: false,
  tools: true,
  parallelTools: false,
  structuredOutput: true,
};
