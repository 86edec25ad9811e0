/**
 * Runs as the process of `llama-process.ts`: holds the models that were loaded, answers one call after the other, and ends
 * with its parent. It is a process of its own because loading a model blocks the thread that does it, and because what
 * crashes in native code would take a kernel with it.
 */
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { ChatTurn } from "./chat-turns.ts";
import type {
  LlamaAsk,
  LlamaCount,
  LlamaFault,
  LlamaPlace,
  LlamaReply,
  LlamaTask,
} from "./llama-messages.ts";
import type { LlamaPackage, LlamaTurn } from "./llama-package.ts";

/** Tokens of a prompt between which a call can be stopped; larger ones were not faster on a processor. */
const BATCH_SIZE = 64;
const CONTEXT_SIZE_MAX = 8192;
/** A small model that has lost its way would go on until its context is full. */
const OUTPUT_TOKENS_MAX = 1024;
/** The last token of a context has no place for one behind it. */
const SPARE_TOKENS = 2;

const stops = new Map<number, AbortController>();
let last: Promise<void> = Promise.resolve();

process.on("message", (task: LlamaTask) => {
  if (task.kind === "stop") return stops.get(task.id)?.abort();
  // It takes no thread of an answer, and waits for none.
  if (task.kind === "count") return void count(task.id, task.count);
  stops.set(task.id, new AbortController());
  // The threads of one answer are all that there are: two at once would take turns token by token.
  last = last.then(() => answer(task.id, task.ask));
});
process.on("disconnect", die);
// Ctrl-C in a terminal reaches us too: whoever started us says what becomes of the calls.
process.on("SIGINT", () => {});

async function answer(id: number, ask: LlamaAsk): Promise<void> {
  const stop = stops.get(id) ?? new AbortController();
  try {
    stop.signal.throwIfAborted();
    reply({ id, ...(await generate(id, ask, stop.signal)) });
  } catch (thrown) {
    if (stop.signal.aborted) reply({ kind: "stopped", id });
    else reply({ kind: "failed", id, fault: faultOf(thrown) });
  } finally {
    stops.delete(id);
  }
}

async function count(id: number, { place, texts }: LlamaCount): Promise<void> {
  try {
    const { model, contextSize } = await loaded(place);
    const tokens = texts.map((text) => model.tokenize(text).length);
    reply({ kind: "counted", id, tokens, contextSize });
  } catch (thrown) {
    reply({ kind: "failed", id, fault: faultOf(thrown) });
  }
}

async function generate(id: number, ask: LlamaAsk, signal: AbortSignal) {
  const { llama, model, wrapper, sequence, chat, contextSize } = await loaded(ask.place);
  const history: LlamaTurn[] = [...ask.turns.map(turnOf), { type: "model", response: [] }];
  const { contextText } = wrapper.generateContextState({ chatHistory: history });
  const inputTokens = contextText.tokenize(model.tokenizer).length;
  const room = contextSize - inputTokens - SPARE_TOKENS;
  if (room < 1) throw new CallTrouble({ kind: "too long", tokens: inputTokens, contextSize });
  const before = sequence.tokenMeter.getState();
  const { grammar, presencePenalty, frequencyPenalty, stopSequences = [] } = ask;
  const penalties = presencePenalty ?? frequencyPenalty;
  const { metadata } = await chat.generateResponse(history, {
    signal,
    maxTokens: Math.min(room, ask.maxOutputTokens ?? OUTPUT_TOKENS_MAX),
    ...(grammar === undefined ? {} : { grammar: await llama.createGrammar({ grammar }) }),
    ...picked(ask, ["temperature", "topP", "topK", "seed"]),
    ...(penalties === undefined
      ? {}
      : { repeatPenalty: picked(ask, ["presencePenalty", "frequencyPenalty"]) }),
    customStopTriggers: stopSequences,
    contextShift: { size: 1 },
    onResponseChunk: ({ type, text }) => {
      if (text !== "") reply({ kind: type === "segment" ? "thought" : "text", id, text });
    },
  });
  const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter.getState();
  const computed = usedInputTokens - before.usedInputTokens;
  return {
    kind: "answered",
    isCutOff: metadata.stopReason === "maxTokens",
    usage: {
      inputTokens,
      cachedTokens: Math.max(0, inputTokens - computed),
      outputTokens: usedOutputTokens - before.usedOutputTokens,
    },
  } as const;
}

function picked<K extends keyof LlamaAsk>(ask: LlamaAsk, names: readonly K[]): Pick<LlamaAsk, K> {
  const given = names.filter((name) => ask[name] !== undefined).map((name) => [name, ask[name]]);
  return Object.fromEntries(given);
}

function turnOf({ role, text }: ChatTurn): LlamaTurn {
  return role === "model" ? { type: "model", response: [text] } : { type: role, text };
}

// ── loading ─────────────────────────────────────────────────────────────────────────────────────

type Loaded = Awaited<ReturnType<typeof load>>;

const models = new Map<string, Promise<Loaded>>();
/** Errors in the words of the native code; its exceptions say less. */
const complaints: string[] = [];

function loaded(place: LlamaPlace): Promise<Loaded> {
  const key = JSON.stringify(place);
  const model = models.get(key) ?? load(place).catch(rethrown("load"));
  models.set(key, model);
  // A failed load is tried again, since the file may have been replaced.
  model.catch(() => models.delete(key));
  return model;
}

let loading: ReturnType<typeof loadPackage> | undefined;

async function loadPackage(folder: string) {
  const code: LlamaPackage = await import(pathToFileURL(`${folder}/dist/index.js`).href);
  const llama = await code.getLlama({
    gpu: false,
    build: "never",
    skipDownload: true,
    progressLogs: false,
    // No more than each context asks for.
    maxThreads: 0,
    logger: (level, message) => {
      if (level === "error" || level === "fatal") complaints.push(message.trim());
    },
  });
  return { ...code, llama };
}

async function load({ packageFolder, file, threads, contextSize: wanted }: LlamaPlace) {
  complaints.length = 0;
  loading ??= loadPackage(packageFolder).catch((thrown) => {
    loading = undefined;
    throw thrown;
  });
  const { LlamaChat, resolveChatWrapper, llama } = await loading;
  const model = await llama.loadModel({ modelPath: file, gpuLayers: 0 });
  const contextSize = wanted ?? Math.min(model.trainContextSize, CONTEXT_SIZE_MAX);
  const context = await model
    .createContext({ threads, contextSize, batchSize: BATCH_SIZE })
    .catch(rethrown("context"));
  const sequence = context.getSequence();
  const wrapper = resolveChatWrapper(model);
  const chat = new LlamaChat({ contextSequence: sequence, chatWrapper: wrapper });
  return { llama, model, wrapper, sequence, chat, contextSize: context.contextSize };
}

// ── faults ──────────────────────────────────────────────────────────────────────────────────────

class CallTrouble extends Error {
  readonly fault: LlamaFault;

  constructor(fault: LlamaFault) {
    super(fault.kind);
    this.fault = fault;
  }
}

function rethrown(kind: "load" | "context") {
  return async (thrown: unknown): Promise<never> => {
    // The words of the native code arrive a little later.
    await setImmediate();
    throw thrown instanceof CallTrouble
      ? thrown
      : new CallTrouble({ kind, detail: detailOf(thrown) });
  };
}

function faultOf(thrown: unknown): LlamaFault {
  if (thrown instanceof CallTrouble) return thrown.fault;
  return { kind: "evaluation", detail: detailOf(thrown) };
}

function detailOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return [text, ...complaints.splice(0)].join("; ");
}

function reply(message: LlamaReply): void {
  process.send?.(message);
}

/** `process.exit` would wait for native threads. */
function die(): void {
  process.kill(process.pid, "SIGKILL");
}
