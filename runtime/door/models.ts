/** Groups for the door what is known of models before a run: which an alias stands for, which can be asked, what is here. */
export {
  fetchedModels,
  findLlama,
  type InstalledLlama,
  isUsableLlama,
  LLAMA_PACKAGE,
  LLAMA_VERSION,
  llamaCacheFolder,
  modelCacheFolder,
} from "../agents/models/local/local-place.ts";
export { resolveModel } from "../agents/models/model.ts";
export type { ModelHandle } from "../agents/models/model-handle.ts";
export { type ModelTrial, tryModel } from "../agents/models/try-model.ts";
export { type ExplainedAlias, explainAliases } from "../attempt/explain-aliases.ts";
