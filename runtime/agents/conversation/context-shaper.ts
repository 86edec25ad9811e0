/** Decides before each call what a model is shown of its conversation. The log keeps all of it. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { listedWindow } from "../../../dsl/index.ts";
import { FailureError } from "../../failure.ts";
import type { Attempt, PerformerContext } from "../../performer.ts";
import { contextFunction } from "../../scheduler/attempts/attempt-view.ts";
import { resultsTool } from "../built-in-tools/results-tool.ts";
import type { ModelHandle } from "../models/model-handle.ts";
import type { Scope } from "../scope/scope.ts";
import type { ResolvedTool } from "../scope/tools.ts";
import type { ToolAnswer } from "../tools/call-tool.ts";
import { shownBy } from "./context-function.ts";
import { type ContextPolicy, readPolicy } from "./context-policy.ts";
import { ConversationSummaries } from "./conversation-summaries.ts";
import { CountedTexts } from "./counted-texts.ts";
import { type PlacedMessage, withoutMiddle, withoutMiddleTurns } from "./message-groups.ts";
import {
  type Compaction,
  firstMessages,
  type ModelRequest,
  type ShapedCounts,
} from "./messages.ts";
import { type CountedResultPart, shortenParts } from "./shorten-parts.ts";
import type { SummarizeOptions } from "./summarize.ts";
import { TokenScales } from "./token-scales.ts";
import { type CountTokens, estimateTokens, tokensOf } from "./tokens.ts";

/** The messages of one call, and what its request says of how they were shortened. */
export interface ShownContext {
  readonly messages: readonly LanguageModelV4Message[];
  readonly logged?: Pick<ModelRequest, "shaped" | "compacted">;
}

/** The parts of an agent on which a shaper depends. */
export interface ShaperOptions {
  readonly attempt: Attempt;
  readonly context: PerformerContext;
  readonly ask: SummarizeOptions;
  /** The model that a summary names. */
  readonly summarizer: (by: string) => ModelHandle | undefined;
  readonly scope: () => Scope;
  /** Reads results that are too long for the log. */
  readonly bytesOf?: ((hash: string) => Uint8Array) | undefined;
}

/** A conversation: the messages of the attempt, and those of earlier ones that are shown behind the system's. */
interface WholeConversation {
  readonly messages: readonly LanguageModelV4Message[];
  readonly history: readonly LanguageModelV4Message[];
}

/** The context of one attempt. What it shows follows from the journal and the node's `context` alone. */
export class ContextShaper {
  readonly #of: ShaperOptions;
  readonly #policy: ContextPolicy;
  readonly #results = new Map<string, unknown>();
  readonly #previews = new WeakMap<object, CountedResultPart>();
  readonly #summaries: ConversationSummaries;
  /** The providers' counts of tokens, by which limits are held. */
  readonly scales: TokenScales;
  /** The tools beside the node's own. */
  readonly tools: readonly ResolvedTool[];
  #names: ReadonlyMap<string, string> = new Map();
  #fixed: unknown;
  #fixedSize: number | undefined;
  #counted: { readonly handle: ModelHandle; readonly tokens?: CountedTexts } | undefined;
  /** The most that calls show, in tokens, after the provider has refused one. */
  #tight: number | undefined;

  constructor(of: ShaperOptions) {
    const { attempt } = of;
    this.#of = of;
    const { history = [], session = [] } = attempt;
    this.scales = new TokenScales([...history.flat(), ...session]);
    this.#policy = readPolicy(attempt.context, attempt.node.name);
    this.#summaries = new ConversationSummaries(of, this.#policy.summarize);
    const { offload, repeated } = this.#policy;
    const isRead = offload !== undefined || repeated !== undefined;
    this.tools = isRead ? resultsTool((call) => this.#resultOf(call), of.bytesOf) : [];
  }

  /** Tells it what each call sends beside the messages, and how the program names the tools. */
  sends(
    {
      tools: offered,
      responseFormat,
    }: { readonly tools?: unknown; readonly responseFormat?: unknown },
    tools: readonly ResolvedTool[],
  ): void {
    if (offered !== undefined || responseFormat !== undefined)
      this.#fixed = { tools: offered, responseFormat };
    this.#names = new Map(tools.map(({ modelName, name }) => [modelName, name]));
  }

  /** Keeps the results of tools, which the agent may read again. */
  remember(answers: readonly ToolAnswer[]): void {
    if (this.tools.length === 0) return;
    for (const { call, value } of answers) this.#results.set(call.id, value);
  }

  /** Returns what the next call shows. Throws M8123 where a limit can't be held, M8124 where it is a share of nobody knows what. */
  show(conversation: WholeConversation): ShownContext | Promise<ShownContext> {
    const whole = wholeOf(conversation);
    if (contextFunction(this.#of.attempt.node) !== undefined) return this.#byFunction(whole);
    const isPlain = Object.keys(this.#policy).length === 0 && this.#tight === undefined;
    return isPlain ? { messages: whole } : this.#shaped(whole, conversation);
  }

  /**
   * Returns a shorter context than the one that a provider has refused as too long: about half of it, without the middle.
   * Nothing where there is nothing to leave out.
   */
  async shorter(
    { messages }: ShownContext,
    conversation: WholeConversation,
  ): Promise<ShownContext | undefined> {
    const count = await this.#counter(messages);
    const refused = tokensOf(messages, count);
    this.#tight = Math.floor(refused / 2);
    const shown =
      contextFunction(this.#of.attempt.node) === undefined
        ? await this.#shaped(wholeOf(conversation), conversation)
        : this.#cutFunction(messages, count);
    return tokensOf(shown.messages, count) < refused ? shown : undefined;
  }

  async #byFunction(whole: readonly LanguageModelV4Message[]): Promise<ShownContext> {
    const { attempt, context, scope } = this.#of;
    const messages = await shownBy(attempt, context, { messages: whole, scope });
    if (this.#tight === undefined) return { messages };
    return this.#cutFunction(messages, await this.#counter(messages));
  }

  /** Cuts what a function gave: its first message of a user counts as the task. */
  #cutFunction(messages: readonly LanguageModelV4Message[], count: CountTokens): ShownContext {
    const placed = messages.map((message, place) => ({ message, place }));
    const task = messages.findIndex(({ role }) => role === "user");
    const cut = this.#limited(placed, task, count);
    return shownOf(cut.messages, {}, cut.compacted);
  }

  async #shaped(
    whole: readonly LanguageModelV4Message[],
    conversation: WholeConversation,
  ): Promise<ShownContext> {
    const count = await this.#counter(whole);
    const fixed = this.#fixedTokens(count);
    const placed = whole.map((message, place) => ({ message, place }));
    const compacted: Compaction[] = [];
    const offset = conversation.history.length;
    const shape = () => this.#shorten(this.#summaries.visible(placed, offset), count);
    let shown = shape();
    const scale = this.#scale;
    const size = () => Math.ceil((fixed + placedTokens(shown.messages, count)) * scale);
    const before = this.#policy.summarize === undefined ? 0 : size();
    const { messages } = conversation;
    const grown = { shown: shown.messages, messages, offset, size: before, count };
    const covered = await this.#summaries.add(grown);
    if (covered !== undefined) {
      shown = shape();
      compacted.push({ policy: "summarize", before, after: size(), covered });
    }
    const cut = this.#limited(shown.messages, this.#task(conversation), count);
    return shownOf(cut.messages, shown.counts, [...compacted, ...cut.compacted]);
  }

  #shorten(messages: readonly PlacedMessage[], count: CountTokens) {
    const { keep } = this.#policy;
    const kept = keep === undefined ? messages : withoutMiddleTurns(messages, keep);
    const { messages: shown, shortened } = shortenParts(kept, {
      policy: this.#policy,
      count,
      nameOf: (modelName) => this.#names.get(modelName) ?? modelName,
      previews: this.#previews,
    });
    const dropped = (messages.length - kept.length) / 2;
    const { offloaded, media, repeated } = shortened;
    const counts = { offloaded, dropped, ...positive({ media, repeated }) };
    return { messages: shown, counts };
  }

  /** Cuts a conversation to the node's limit, which must hold, and to what a refusal has left of it, as far as that goes. */
  #limited(messages: readonly PlacedMessage[], task: number, count: CountTokens) {
    const scale = this.#scale;
    const limit = Math.floor((this.#limit() ?? Number.POSITIVE_INFINITY) / scale);
    const fixed = this.#fixedTokens(count);
    const tight = this.#tight === undefined ? Number.POSITIVE_INFINITY : this.#tight + fixed;
    const most = Math.min(limit, tight);
    if (most === Number.POSITIVE_INFINITY) return { messages, compacted: [] };
    const cut = withoutMiddle(messages, { limit: most - fixed, count, task });
    const after = fixed + cut.after;
    const counted = (tokens: number) => Math.floor(tokens * scale);
    if (after > limit)
      throw this.#cannotBeCut({
        limit: this.#limit() ?? 0,
        after: counted(after),
        fixed: counted(fixed),
      });
    if (cut.dropped.length === 0) return { messages, compacted: [] };
    const policy = tight < limit ? "too long" : "limit";
    const compaction: Compaction = {
      policy,
      before: counted(fixed + cut.before),
      after: counted(after),
      limit: policy === "limit" ? (this.#limit() ?? 0) : counted(most),
      dropped: cut.dropped,
    };
    return { messages: cut.messages, compacted: [compaction] };
  }

  #limit(): number | undefined {
    const { limit } = this.#policy;
    if (limit === undefined || limit > 1) return limit;
    const handle = this.#of.ask.turns.current;
    const measured = this.#counted?.tokens?.contextTokens;
    const window = handle.contextTokens ?? measured ?? listedWindow(handle.id);
    if (window === undefined) throw unknownWindow(handle.id, limit);
    return Math.floor(window * limit);
  }

  get #scale(): number {
    return this.scales.of(this.#of.ask.turns.current);
  }

  /** The place of the node's prompt. */
  #task({ history }: WholeConversation): number {
    return history.length + firstMessages(this.#of.attempt).length - 1;
  }

  #fixedTokens(count: CountTokens): number {
    this.#fixedSize ??= this.#fixed === undefined ? 0 : count(JSON.stringify(this.#fixed));
    return this.#fixedSize;
  }

  /** Returns how the model counts that is asked now; its own tokenizer has counted these messages. */
  async #counter(messages: readonly LanguageModelV4Message[]): Promise<CountTokens> {
    const handle = this.#of.ask.turns.current;
    if (this.#counted?.handle !== handle) {
      const tokens = handle.tokenizer && new CountedTexts(handle.tokenizer);
      this.#counted = { handle, ...(tokens === undefined ? {} : { tokens }) };
      this.#fixedSize = undefined;
    }
    const { tokens } = this.#counted;
    if (tokens === undefined) return estimateTokens;
    await tokens.add(messages, this.#fixed === undefined ? [] : [JSON.stringify(this.#fixed)]);
    return tokens.count;
  }

  /** The newest result of a call, also one of an earlier conversation. */
  #resultOf(call: string): { readonly value: unknown } | undefined {
    if (this.#results.has(call)) return { value: this.#results.get(call) };
    const { session = [], history = [] } = this.#of.attempt;
    const found = [...history.flat(), ...session].findLast(
      ({ effect, toolCallId, value }) =>
        effect === "tool" && toolCallId === call && value !== undefined,
    );
    return found === undefined ? undefined : { value: found.value };
  }

  #cannotBeCut(of: { readonly limit: number; readonly after: number; readonly fixed: number }) {
    const { limit, after, fixed } = of;
    const { label } = this.#of.attempt;
    return new FailureError({
      class: "model",
      code: "M8123",
      message: `the context of \`${label}\` can't be cut to ${limit} tokens: what always stays has ${after}, ${fixed} of them for tools and the form of the answer`,
      hint: "raise `limit` of its `context`, shorten its prompt, or add `offload: 2k` for long results",
    });
  }
}

function placedTokens(messages: readonly PlacedMessage[], count: CountTokens): number {
  return tokensOf(
    messages.map(({ message }) => message),
    count,
  );
}

/** With what its model sees of earlier conversations behind the system's message. */
function wholeOf({ messages, history }: WholeConversation): readonly LanguageModelV4Message[] {
  if (history.length === 0) return messages;
  return [...messages.slice(0, 1), ...history, ...messages.slice(1)];
}

function shownOf(
  placed: readonly PlacedMessage[],
  counts: Partial<ShapedCounts>,
  compacted: readonly Compaction[],
): ShownContext {
  const { offloaded = 0, dropped = 0, ...more } = counts;
  const isShaped = offloaded + dropped > 0 || Object.keys(more).length > 0;
  return {
    messages: placed.map(({ message }) => message),
    logged: {
      ...(isShaped ? { shaped: { offloaded, dropped, ...more } } : {}),
      ...(compacted.length === 0 ? {} : { compacted }),
    },
  };
}

function positive<T extends Readonly<Record<string, number>>>(counts: T): Partial<T> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)) as Partial<T>;
}

function unknownWindow(id: string, share: number): FailureError {
  return new FailureError({
    class: "model",
    code: "M8124",
    message: `nobody knows how many tokens \`${id}\` can read, so \`limit: ${share}\` of its context is no number`,
    hint: "write the limit in tokens, like `context { limit: 110k }`",
  });
}
