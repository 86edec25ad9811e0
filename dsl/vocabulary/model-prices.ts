/** Lists what well-known models cost, in US dollars for a million tokens, with the day and the source of each figure. */

/** A price of the table. */
export interface ListedPrice {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number;
  /** The price of writing into the provider's cache, for five minutes. */
  readonly cacheWrite?: number;
  /** The day of the figures, YYYY-MM-DD; absent where a model runs in this process or on this machine. */
  readonly asOf?: string;
  /** The source of the figures. */
  readonly from: string;
}

/** The figures of a model; those of a cache are absent where none is published, and that costs what other input does. */
type PriceRow = readonly [
  model: string,
  input: number,
  output: number,
  cached?: number,
  write?: number,
];

interface PriceList {
  readonly asOf: string;
  readonly from: string;
  readonly rows: readonly PriceRow[];
}

const LITELLM = "github.com/BerriAI/litellm model_prices_and_context_window.json";

// The standard tier: batches, long prompts, regions and data residency cost otherwise. Names that move on
// (`…-latest`) are not listed, as their price moves with them.
const LISTS: Readonly<Record<string, PriceList>> = {
  anthropic: {
    asOf: "2026-07-24",
    from: "platform.claude.com/docs/en/about-claude/pricing",
    rows: [
      ["claude-opus-5", 5, 25, 0.5, 6.25],
      ["claude-opus-4-8", 5, 25, 0.5, 6.25],
      ["claude-opus-4-7", 5, 25, 0.5, 6.25],
      ["claude-opus-4-6", 5, 25, 0.5, 6.25],
      ["claude-opus-4-5", 5, 25, 0.5, 6.25],
      ["claude-opus-4-1", 15, 75, 1.5, 18.75],
      ["claude-opus-4", 15, 75, 1.5, 18.75],
      ["claude-sonnet-4-6", 3, 15, 0.3, 3.75],
      ["claude-sonnet-4-5", 3, 15, 0.3, 3.75],
      ["claude-sonnet-4", 3, 15, 0.3, 3.75],
      ["claude-haiku-4-5", 1, 5, 0.1, 1.25],
      ["claude-3-haiku", 0.25, 1.25, 0.03, 0.3],
    ],
  },
  openai: {
    asOf: "2026-07-24",
    from: LITELLM,
    rows: [
      ["gpt-5.5", 5, 30, 0.5],
      ["gpt-5.4", 2.5, 15, 0.25],
      ["gpt-5.4-mini", 0.75, 4.5, 0.075],
      ["gpt-5.4-nano", 0.2, 1.25, 0.02],
      ["gpt-5.2", 1.75, 14, 0.175],
      ["gpt-5.1", 1.25, 10, 0.125],
      ["gpt-5", 1.25, 10, 0.125],
      ["gpt-5-mini", 0.25, 2, 0.025],
      ["gpt-5-nano", 0.05, 0.4, 0.005],
      ["gpt-5-pro", 15, 120],
      ["gpt-4.1", 2, 8, 0.5],
      ["gpt-4.1-mini", 0.4, 1.6, 0.1],
      ["gpt-4.1-nano", 0.1, 0.4, 0.025],
      ["gpt-4o", 2.5, 10, 1.25],
      ["gpt-4o-mini", 0.15, 0.6, 0.075],
      ["o3", 2, 8, 0.5],
      ["o3-mini", 1.1, 4.4, 0.55],
      ["o4-mini", 1.1, 4.4, 0.275],
    ],
  },
  google: {
    asOf: "2026-08-01",
    from: LITELLM,
    rows: [
      ["gemini-3.6-flash", 1.5, 7.5, 0.15],
      ["gemini-3.5-flash", 1.5, 9, 0.15],
      ["gemini-3.5-flash-lite", 0.3, 2.5, 0.03],
      ["gemini-3.1-pro-preview", 2, 12, 0.2],
      ["gemini-3.1-flash-lite", 0.25, 1.5, 0.025],
      ["gemini-3-pro-preview", 2, 12, 0.2],
      ["gemini-3-flash-preview", 0.5, 3, 0.05],
      ["gemini-2.5-pro", 1.25, 10, 0.125],
      ["gemini-2.5-flash", 0.3, 2.5, 0.03],
      ["gemini-2.5-flash-lite", 0.1, 0.4, 0.01],
      ["gemini-2.0-flash", 0.1, 0.4, 0.025],
    ],
  },
  mistral: {
    asOf: "2026-08-01",
    from: LITELLM,
    rows: [
      ["mistral-large-2512", 0.5, 1.5],
      ["mistral-large-2411", 2, 6],
      ["mistral-medium-2604", 1.5, 7.5],
      ["mistral-medium-2508", 0.4, 2],
      ["magistral-medium-2509", 2, 5],
      ["ministral-8b-2512", 0.15, 0.15],
      ["codestral-2508", 0.3, 0.9],
      ["devstral-2512", 0.4, 2],
      ["pixtral-large-2411", 2, 6],
    ],
  },
};

const FREE: ListedPrice = { input: 0, output: 0, from: "it runs in this process" };
const OWN_MACHINE: ListedPrice = { input: 0, output: 0, from: "it runs on this machine" };

/**
 * Returns the price of a model by its id, `PROVIDER/MODEL` as programs write it or as the AI SDK names it
 * (`anthropic.messages/claude-haiku-4-5`), also with the date of a snapshot behind it. What is not listed is unknown.
 */
export function listedPrice(id: string): ListedPrice | undefined {
  if (id === "rules" || id === "scripted" || id.startsWith("cassette:")) return FREE;
  if (id.startsWith("gguf/")) return OWN_MACHINE;
  const slash = id.lastIndexOf("/");
  const list = listOf(id.slice(0, Math.max(0, slash)));
  const model = id.slice(slash + 1);
  const row =
    list?.rows.find(([name]) => name === model) ??
    list?.rows.find(([name]) => name === model.replace(SNAPSHOT, ""));
  if (list === undefined || row === undefined) return undefined;
  const [, input, output, cachedInput, cacheWrite] = row;
  return {
    input,
    output,
    ...(cachedInput === undefined ? {} : { cachedInput }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    asOf: list.asOf,
    from: list.from,
  };
}

/** `-20250929`, `-2025-08-07`, `-001`: a fixed state of a model, which costs what the model does. */
const SNAPSHOT = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|00\d)$/;

function listOf(provider: string): PriceList | undefined {
  const name = provider.replace(/^@ai-sdk\//, "").split(".")[0] ?? "";
  const plain = name === "openai-chat" ? "openai" : name;
  return Object.hasOwn(LISTS, plain) ? LISTS[plain] : undefined;
}
