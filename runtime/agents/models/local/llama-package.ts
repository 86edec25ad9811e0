/** Declares what we use of node-llama-cpp 3, which is installed by who wants a model on this machine. */

export interface LlamaPackage {
  getLlama(options: {
    readonly gpu: false;
    readonly build: "never";
    readonly skipDownload: true;
    readonly progressLogs: false;
    readonly maxThreads: number;
    readonly logger: (level: string, message: string) => void;
  }): Promise<Llama>;
  readonly LlamaChat: new (options: {
    contextSequence: LlamaSequence;
    chatWrapper: ChatWrapper;
  }) => LlamaChat;
  resolveChatWrapper(model: LlamaModel): ChatWrapper;
}

interface Llama {
  loadModel(options: { readonly modelPath: string; readonly gpuLayers: 0 }): Promise<LlamaModel>;
  createGrammar(options: { readonly grammar: string }): Promise<LlamaGrammar>;
}

/** Opaque: made by the package and given back to it. */
interface LlamaGrammar {
  readonly grammar: string;
}

interface LlamaModel {
  readonly trainContextSize: number;
  readonly tokenizer: unknown;
  tokenize(text: string): readonly number[];
  createContext(options: {
    readonly threads: number;
    readonly contextSize: number;
    readonly batchSize: number;
  }): Promise<{ readonly contextSize: number; getSequence(): LlamaSequence }>;
}

interface LlamaSequence {
  readonly tokenMeter: {
    getState(): { readonly usedInputTokens: number; readonly usedOutputTokens: number };
  };
}

interface ChatWrapper {
  generateContextState(options: { readonly chatHistory: readonly LlamaTurn[] }): {
    readonly contextText: { tokenize(tokenizer: unknown): readonly number[] };
  };
}

/** One turn of a chat, as the package has it. */
export type LlamaTurn =
  | { readonly type: "system" | "user"; readonly text: string }
  | { readonly type: "model"; readonly response: readonly string[] };

interface LlamaChat {
  generateResponse(
    history: readonly LlamaTurn[],
    options: LlamaChatOptions,
  ): Promise<{ readonly metadata: { readonly stopReason: string } }>;
}

interface LlamaChatOptions {
  readonly signal: AbortSignal;
  readonly maxTokens: number;
  readonly grammar?: LlamaGrammar;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly repeatPenalty?: {
    readonly presencePenalty?: number;
    readonly frequencyPenalty?: number;
  };
  readonly customStopTriggers?: readonly string[];
  /** Tokens that are dropped where the context is full, which it never is here. */
  readonly contextShift: { readonly size: number };
  readonly onResponseChunk: (chunk: { readonly type?: "segment"; readonly text: string }) => void;
}
