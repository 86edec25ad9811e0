/** Makes the handle of a model that runs on this machine, from a GGUF file through node-llama-cpp. */
import { lazyModel } from "../lazy-model.ts";
import type { ModelEnvironment, ModelHandle } from "../model-handle.ts";
import type { LlamaPlace } from "./llama-messages.ts";
import { defaultThreads, ggufFile, type LocalSettings, llamaFolder } from "./local-place.ts";

/** The model `gguf/PATH`; what it needs and is not there throws here, and nothing is loaded before its first call. */
export function localModel(
  { id, path }: { readonly id: string; readonly path: string },
  { env }: ModelEnvironment,
): ModelHandle {
  const file = ggufFile(path, env);
  const packageFolder = llamaFolder(id, env);
  const placeOf = ({ threads = defaultThreads(), contextSize }: LocalSettings): LlamaPlace => ({
    packageFolder,
    file,
    threads,
    ...(contextSize === undefined ? {} : { contextSize }),
  });
  const model = lazyModel({ provider: "gguf", modelId: path }, async () =>
    (await import("./gguf-model.ts")).ggufModel(id, path, placeOf),
  );
  return { id, source: "live", price: { input: 0, output: 0, source: "table" }, model };
}
