/** Embeds what a memory is asked, and those of its entries that have no vector yet, by one journalled model call. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { Ir } from "../../../dsl/index.ts";
import { type SleepClock, systemClock } from "../../clock.ts";
import { FailureError, RunError } from "../../failure.ts";
import type { PerformerContext } from "../../performer.ts";
import type { QueryVector, RecallRequest } from "../../records/memory-records.ts";
import { warnOfMemory } from "../../store/memories/apply-memory.ts";
import type { Memories, MemorySpace, UnembeddedEntry } from "../../store/memories/memory.ts";
import { cutToEmbed } from "../../store/memories/words.ts";
import { untilCancelled } from "../abort.ts";
import { type ModelRequest, userMessage } from "../conversation/messages.ts";
import { vectorsIn } from "../models/embedding/embedding-model.ts";
import { estimateOf } from "../models/estimate.ts";
import type { Limiter } from "../models/limiter.ts";
import type { ModelHandle } from "../models/model-handle.ts";
import { askModel, type ModelStep } from "../models/model-step.ts";
import { seenModelCall, withChanges } from "../models/seen-call.ts";

export interface EmbedderOptions {
  /** The embedding model of this name in a graph; throws where it is not configured. */
  readonly model: (ir: Ir, name: string) => ModelHandle;
  readonly memories: Memories | undefined;
  /** The memory that a request of the run is about. */
  readonly space: (request: RecallRequest) => MemorySpace;
  readonly limiter: Limiter;
  readonly clock?: SleepClock;
}

/** Returns the vector of a request; undefined where its memory has no embedding model, or that one can't be asked: words find entries then. */
export type EmbedQuery = (
  of: { readonly ir: Ir; readonly request: RecallRequest },
  effect: PerformerContext["effect"],
) => Promise<QueryVector | undefined>;

/** As many entries without a vector are embedded with a query, the newest first; the others with the next ones. */
const ENTRIES_MAX = 512;

/** So much of their texts goes into one request: servers take about 300,000 tokens, of a byte at least. */
const BYTES_MAX = 250_000;

export function createEmbedder(options: EmbedderOptions): EmbedQuery {
  return async ({ ir, request }, effect) => {
    if (request.embed === undefined || request.text.trim() === "") return undefined;
    try {
      const handle = options.model(ir, request.embed);
      const { text } = await effect(embeddingCall(handle, request, options));
      const [values] = vectorsIn(text);
      return values === undefined ? undefined : { model: handle.id, values };
    } catch (thrown) {
      if (!isPassing(thrown)) throw thrown;
      warnOfMemory(`the memory \`${request.memory}\` could not be embedded`, thrown);
      return undefined;
    }
  };
}

const PASSING: readonly string[] = [
  "transport",
  "model",
  "filter",
  "refusal",
  "invalid",
  "timeout",
];

function isPassing(thrown: unknown): boolean {
  if (thrown instanceof RunError) return true;
  return thrown instanceof FailureError && PASSING.includes(thrown.failure.class);
}

function embeddingCall(
  handle: ModelHandle,
  { text, ...of }: RecallRequest,
  { memories, space, limiter, clock = systemClock }: EmbedderOptions,
) {
  const lacking = memories?.unembedded(space({ ...of, text }), handle.id, ENTRIES_MAX) ?? [];
  const entries = firstOf(lacking);
  const texts = [cutToEmbed(text), ...entries.map((entry) => entry.text)];
  const prompt: LanguageModelV4Message[] = texts.map((one) => userMessage(one));
  const call = { prompt };
  const request: ModelRequest = {
    purpose: "embedding",
    from: 0,
    messages: prompt.slice(0, 1),
    ...(entries.length === 0 ? {} : { entries: entries.map(({ id }) => id) }),
  };
  return {
    effect: "model" as const,
    name: handle.id,
    modelSource: handle.source,
    request,
    estimate: (changed: object) => estimateOf(handle, () => withChanges(call, { ...changed })),
    seen: seenModelCall(handle, { messages: prompt, purpose: "embedding" as const }),
    perform: async (
      cancellation: PerformerContext["cancellation"],
      changed: object,
      identity: Parameters<typeof askModel>[1]["identity"],
    ) => {
      const made = await untilCancelled(
        () =>
          askModel(withChanges(call, { ...changed }), {
            ...{ handle, limiter, clock, cancellation, delta: () => {} },
            ...(identity === undefined ? {} : { identity }),
          }),
        cancellation,
      );
      const [, ...vectors] = vectorsIn(made.value.text);
      memories?.embed(
        handle.id,
        entries.flatMap(({ id }, at) => {
          const values = vectors[at];
          return values === undefined ? [] : [{ id, values }];
        }),
      );
      return withoutEntries(made);
    },
  };
}

/** The entries whose texts go into one request. */
function firstOf(entries: readonly UnembeddedEntry[]): readonly UnembeddedEntry[] {
  let bytes = 0;
  const end = entries.findIndex((entry) => {
    bytes += Buffer.byteLength(entry.text);
    return bytes > BYTES_MAX;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

/** The log has the vector of the query alone; and a limit of turns counts what a node says. */
function withoutEntries(made: Awaited<ReturnType<typeof askModel>>) {
  const [first = ""] = made.value.text.split("\n", 1);
  const value: ModelStep = { ...made.value, text: first };
  return { ...made, value, isNoTurn: true as const };
}
