/** Puts summaries in the place of the older messages of a conversation, each made by a journalled call of a model. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { FailureError } from "../../failure.ts";
import type { Attempt, PerformerContext } from "../../performer.ts";
import { ModelTurns } from "../models/fallback.ts";
import type { ModelHandle } from "../models/model-handle.ts";
import type { ModelStep } from "../models/model-step.ts";
import { shortText } from "../values/text-size.ts";
import type { SummarizePolicy } from "./context-policy.ts";
import { groupsOf, type PlacedMessage, type PlaceRange } from "./message-groups.ts";
import { type ModelRequest, userMessage } from "./messages.ts";
import { type JsonPlan, planOfSchema, readOutput } from "./output.ts";
import { askForSummary, type SummarizeOptions, toMaterial } from "./summarize.ts";
import { type CountTokens, tokensOf } from "./tokens.ts";

interface SummariesOptions {
  readonly attempt: Attempt;
  readonly context: PerformerContext;
  readonly ask: SummarizeOptions;
  readonly summarizer: (by: string) => ModelHandle | undefined;
}

/** A summary, and the messages of the attempt that it stands for. */
interface ConversationSummary {
  readonly text: string;
  readonly message: LanguageModelV4Message;
  readonly covers: NonNullable<ModelRequest["covers"]>;
}

/** A conversation before a call. */
interface GrownConversation {
  /** As it would be shown. */
  readonly shown: readonly PlacedMessage[];
  /** The messages of the attempt; those of earlier conversations come behind the first one. */
  readonly messages: readonly LanguageModelV4Message[];
  /** The number of messages of earlier conversations. */
  readonly offset: number;
  /** The tokens of what would be shown. */
  readonly size: number;
  readonly count: CountTokens;
}

/** The longest text of a message that is given to be summarised, in characters. */
const MESSAGE_MAX = 8_000;

/** The summaries of one attempt's conversation: each stands for what the one before stood for, and for what came then. */
export class ConversationSummaries {
  readonly #of: SummariesOptions;
  readonly #policy: SummarizePolicy | undefined;
  readonly #plan: JsonPlan | undefined;
  #last: ConversationSummary | undefined;
  #own: ModelTurns | undefined;

  constructor(of: SummariesOptions, policy: SummarizePolicy | undefined) {
    this.#of = of;
    this.#policy = policy;
    this.#plan = policy?.schema === undefined ? undefined : planOfSchema(policy.schema);
    const { feedback, session = [] } = of.attempt;
    // A repair goes on in the same conversation.
    if (policy !== undefined && feedback !== undefined) this.#last = this.#lastIn(session);
  }

  /** The conversation with the last summary in the place of what it stands for. */
  visible(whole: readonly PlacedMessage[], offset: number): readonly PlacedMessage[] {
    if (this.#last === undefined) return whole;
    const { message, covers } = this.#last;
    return [
      ...whole.slice(0, offset + covers.from),
      { message },
      ...whole.slice(offset + covers.to),
    ];
  }

  /** Makes a further summary where the conversation has grown enough, and returns the places that it stands for. */
  async add(of: GrownConversation): Promise<PlaceRange | undefined> {
    if (this.#policy === undefined) return undefined;
    const covers = this.#due(of, this.#policy);
    if (covers === undefined) return undefined;
    const { offset } = of;
    const to = offset + covers.to;
    const since = offset + (this.#last?.covers.to ?? covers.from);
    const pieces = of.shown.flatMap(({ message, place }) =>
      place !== undefined && place >= since && place < to
        ? [shortText(toMaterial(message), MESSAGE_MAX)]
        : [],
    );
    const { attempt, context } = this.#of;
    const text = await askForSummary({
      attempt,
      context,
      options: { ...this.#of.ask, turns: this.#turns() },
      request: { covers },
      before: this.#last?.text,
      pieces,
      ...(this.#plan === undefined ? {} : { plan: this.#plan }),
    });
    this.#last = summaryOf(text, covers);
    return [offset + covers.from, to];
  }

  /** The messages for which a summary is to stand now: all behind the task but the newest ones. */
  #due(
    { shown, messages, offset, size, count }: GrownConversation,
    { at, every }: SummarizePolicy,
  ): ConversationSummary["covers"] | undefined {
    const known = this.#last?.covers.of ?? 0;
    const answers = messages.slice(known).filter(({ role }) => role === "assistant");
    const isDue = every !== undefined && answers.length >= every;
    if (!isDue && (at === undefined || size < at)) return undefined;
    const from = this.#last?.covers.from ?? messages.findIndex(({ role }) => role === "assistant");
    if (from < 0) return undefined;
    const since = this.#last?.covers.to ?? from;
    const behind = shown.filter(({ place }) => place !== undefined && place >= offset + since);
    const recent = at === undefined ? 0 : Math.floor(at / 4);
    const kept = newest(behind, recent, count);
    const to = (behind.at(-kept)?.place ?? 0) - offset;
    if (to <= since) return undefined;
    // A task that is itself longer than the limit would be summarised after each turn, without getting shorter.
    const gone = tokensOf(
      behind.slice(0, -kept).map(({ message }) => message),
      count,
    );
    const isWorthIt = isDue || (at !== undefined && gone > at / 8);
    return isWorthIt ? { from, to, of: messages.length } : undefined;
  }

  /** The models of the node, or those that the policy names. */
  #turns(): ModelTurns {
    const by = this.#policy?.by;
    if (by === undefined) return this.#of.ask.turns;
    const handle = this.#of.summarizer(by);
    this.#own ??= handle && new ModelTurns(handle);
    if (this.#own !== undefined) return this.#own;
    const message = `no model is called \`${by}\`, which is to summarise for \`${this.#of.attempt.node.name}\``;
    const hint = "name a model of the file behind `by`";
    throw new FailureError({ class: "model", code: "M8121", message, hint });
  }

  #lastIn(session: NonNullable<Attempt["session"]>): ConversationSummary | undefined {
    const found = session.findLast(
      ({ effect, request, value }) =>
        effect === "model" && value !== undefined && (request as ModelRequest).covers !== undefined,
    );
    const { covers } = (found?.request ?? {}) as Partial<ModelRequest>;
    if (found === undefined || covers === undefined) return undefined;
    const { text } = found.value as ModelStep;
    if (this.#plan === undefined) return summaryOf(text, covers);
    return summaryOf(JSON.stringify(readOutput(text, this.#plan, found.name)), covers);
  }
}

function summaryOf(text: string, covers: ConversationSummary["covers"]): ConversationSummary {
  return { text, covers, message: userMessage(`What was done before, in short:\n${text}`) };
}

/** The number of the newest messages that stay: the last group, and those before it that have at most so many tokens. */
function newest(messages: readonly PlacedMessage[], tokens: number, count: CountTokens): number {
  let kept = 0;
  let size = 0;
  for (const group of groupsOf(messages).toReversed()) {
    size += tokensOf(
      group.map(({ message }) => message),
      count,
    );
    if (kept > 0 && size > tokens) break;
    kept += group.length;
  }
  return kept;
}
