/** Lists what well-known models cost and how many tokens they read, with the day and the source of each figure. */

/** The price of the table, in US dollars for a million tokens. */
export interface ListedPrice extends ListedRates {
  /** The rates of a call whose prompt is longer. */
  readonly long?: ListedRates & { readonly above: number };
  /** The day of the figures, YYYY-MM-DD; absent where a model runs in this process or on this machine. */
  readonly asOf?: string;
  /** The source of the figures. */
  readonly from: string;
}

interface ListedRates {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number;
  /** The price of writing into the provider's cache, for its shortest time. */
  readonly cacheWrite?: number;
}

/**
 * The figures of a model: the tokens that a prompt may have, and its prices. Those of a cache are absent where none is
 * published, and that costs what other input does.
 */
type ModelRow = readonly [
  model: string,
  window: number,
  input: number,
  output: number,
  cached?: number | undefined,
  write?: number | undefined,
  long?: LongPrompts,
];

/** The factors by which a whole call costs more whose prompt has more tokens. */
interface LongPrompts {
  readonly above: number;
  readonly input: number;
  readonly output: number;
}

interface ModelList {
  readonly asOf: string;
  readonly from: string;
  readonly rows: readonly ModelRow[];
}

/** Its model pages say so of each of these models: developers.openai.com/api/docs/models/gpt-6.2-sol. */
const OPENAI_LONG: LongPrompts = { above: 272_000, input: 2, output: 1.5 };
const GOOGLE_LONG: LongPrompts = { above: 200_000, input: 2, output: 1.5 };
/** platform.claude.com/docs/en/models/haiku-5-5/overview */
const HAIKU_LONG: LongPrompts = { above: 100_000, input: 5, output: 5 };

const NONE = undefined;
const LITELLM = "litellm 1.110.2 (PyPI), model_prices_and_context_window_backup.json";

// The standard tier: batches, regions and data residency cost otherwise. Names that move on (`…-latest`) are not listed,
// as their figures move with them. A window is the most that a prompt may have, without the answer.
const LISTS: Readonly<Record<string, ModelList>> = {
  // Checked against platform.claude.com/docs/en/models, which has the newest of them at the same figures.
  anthropic: {
    asOf: "2026-11-24",
    from: LITELLM,
    rows: [
      ["claude-fable-5-1", 1_000_000, 10, 50, 0.25, 12.5],
      ["claude-fable-5", 1_000_000, 10, 50, 1, 12.5],
      ["claude-opus-5-5", 1_000_000, 4, 20, 0.2, 5],
      ["claude-opus-5", 1_000_000, 5, 25, 0.5, 6.25],
      ["claude-opus-4-8", 1_000_000, 5, 25, 0.5, 6.25],
      ["claude-opus-4-7", 1_000_000, 5, 25, 0.5, 6.25],
      ["claude-opus-4-6", 1_000_000, 5, 25, 0.5, 6.25],
      ["claude-opus-4-5", 200_000, 5, 25, 0.5, 6.25],
      ["claude-sonnet-5-5", 1_000_000, 2, 10, 0.1, 2.5],
      ["claude-sonnet-5", 1_000_000, 2, 10, 0.2, 2.5],
      ["claude-sonnet-4-6", 1_000_000, 3, 15, 0.3, 3.75],
      ["claude-sonnet-4-5", 200_000, 3, 15, 0.3, 3.75],
      ["claude-haiku-5-5", 1_000_000, 0.1, 0.5, 0.01, 0.125, HAIKU_LONG],
      ["claude-haiku-4-5", 200_000, 1, 5, 0.1, 1.25],
    ],
  },
  openai: {
    asOf: "2026-11-24",
    from: LITELLM,
    rows: [
      // Its model page: developers.openai.com/api/docs/models/gpt-6.2-sol.
      ["gpt-6.2-sol", 922_000, 2, 10, 0.1, 2.5, OPENAI_LONG],
      ["gpt-6.1-sol", 922_000, 2, 10, 0.1, 2.5, OPENAI_LONG],
      ["gpt-6.1-terra", 922_000, 1, 5, 0.05, 1.25, OPENAI_LONG],
      ["gpt-6-astra", 922_000, 10, 50, 1, 12.5, OPENAI_LONG],
      ["gpt-6-sol", 922_000, 2, 10, 0.2, 2.5, OPENAI_LONG],
      ["gpt-6-luna", 922_000, 0.1, 0.5, 0.01, 0.125, OPENAI_LONG],
      ["gpt-5.6", 922_000, 4, 20, 0.4, 5, OPENAI_LONG],
      ["gpt-5.6-sol", 922_000, 4, 20, 0.4, 5, OPENAI_LONG],
      ["gpt-5.6-terra", 922_000, 2, 12, 0.2, 2.5, OPENAI_LONG],
      ["gpt-5.6-luna", 922_000, 0.2, 1.2, 0.02, 0.25, OPENAI_LONG],
      ["gpt-5.5", 922_000, 5, 30, 0.5, NONE, OPENAI_LONG],
      ["gpt-5.5-pro", 922_000, 30, 180, NONE, NONE, OPENAI_LONG],
      ["gpt-5.4", 922_000, 2.5, 15, 0.25, NONE, OPENAI_LONG],
      ["gpt-5.4-pro", 922_000, 30, 180, NONE, NONE, OPENAI_LONG],
      ["gpt-5.4-mini", 272_000, 0.75, 4.5, 0.075],
      ["gpt-5.4-nano", 272_000, 0.2, 1.25, 0.02],
      ["gpt-5.3-codex", 272_000, 1.75, 14, 0.175],
      ["gpt-5.2", 272_000, 1.75, 14, 0.175],
      ["gpt-5.2-pro", 272_000, 21, 168],
      ["gpt-5.1", 272_000, 1.25, 10, 0.125],
      ["gpt-5", 272_000, 1.25, 10, 0.125],
      ["gpt-5-mini", 272_000, 0.25, 2, 0.025],
      ["gpt-5-nano", 272_000, 0.05, 0.4, 0.005],
      ["gpt-4.1", 1_047_576, 2, 8, 0.5],
      ["gpt-4.1-mini", 1_047_576, 0.4, 1.6, 0.1],
      ["gpt-4o", 128_000, 2.5, 10, 1.25],
      ["gpt-4o-mini", 128_000, 0.15, 0.6, 0.075],
      ["o3", 200_000, 2, 8, 0.5],
      ["o3-pro", 200_000, 20, 80],
    ],
  },
  google: {
    asOf: "2026-11-24",
    from: LITELLM,
    rows: [
      // From 2026-12-01; until then half of it (github.com/BerriAI/litellm/discussions/46238).
      ["gemini-4-argon", 1_048_576, 4, 20, 0.2],
      // Until 2026-12-31, by ai.google.dev/gemini-api/docs/pricing.
      ["gemini-3.8-flash", 1_048_576, 0.75, 3.75, 0.075],
      ["gemini-3.7-flash", 1_048_576, 0.75, 3.75, 0.075],
      ["gemini-3.6-flash", 1_048_576, 0.75, 3.75, 0.075],
      ["gemini-3.5-flash", 1_048_576, 1.5, 9, 0.15],
      ["gemini-3.5-flash-lite", 1_048_576, 0.3, 2.5, 0.03],
      ["gemini-3.1-pro-preview", 1_048_576, 2, 12, 0.2, NONE, GOOGLE_LONG],
      ["gemini-3.1-flash-lite", 1_048_576, 0.25, 1.5, 0.025],
      ["gemini-3-flash-preview", 1_048_576, 0.5, 3, 0.05],
      ["gemini-2.5-pro", 1_048_576, 1.25, 10, 0.125, NONE, GOOGLE_LONG],
      ["gemini-2.5-flash", 1_048_576, 0.3, 2.5, 0.03],
      ["gemini-2.5-flash-lite", 1_048_576, 0.1, 0.4, 0.01],
    ],
  },
  mistral: {
    asOf: "2026-11-24",
    from: LITELLM,
    rows: [
      ["mistral-large-4-0", 1_048_576, 0.7, 2.1, 0.07],
      ["mistral-large-2512", 262_144, 0.5, 1.5, 0.05],
      ["mistral-medium-2604", 262_144, 1.5, 7.5, 0.15],
      ["mistral-small-2603", 262_144, 0.15, 0.6, 0.015],
      ["ministral-14b-2512", 262_144, 0.2, 0.2, 0.02],
      ["ministral-8b-2512", 262_144, 0.15, 0.15, 0.015],
      ["ministral-3b-2512", 131_072, 0.1, 0.1, 0.01],
      ["codestral-2508", 128_000, 0.3, 0.9, 0.03],
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
  const listed = listedModel(id);
  if (listed === undefined) return undefined;
  const [, , input, output, cached, write, long] = listed.row;
  const rates = (inputFactor: number, outputFactor: number): ListedRates => ({
    input: scaled(input, inputFactor),
    output: scaled(output, outputFactor),
    ...(cached === undefined ? {} : { cachedInput: scaled(cached, inputFactor) }),
    ...(write === undefined ? {} : { cacheWrite: scaled(write, inputFactor) }),
  });
  return {
    ...rates(1, 1),
    ...(long === undefined
      ? {}
      : { long: { above: long.above, ...rates(long.input, long.output) } }),
    asOf: listed.asOf,
    from: listed.from,
  };
}

/** Returns the most tokens that a prompt of a model may have, by its id; `undefined` where nobody has listed it. */
export function listedWindow(id: string): number | undefined {
  return listedModel(id)?.row[1];
}

function listedModel(
  id: string,
): (Pick<ModelList, "asOf" | "from"> & { readonly row: ModelRow }) | undefined {
  const slash = id.lastIndexOf("/");
  const list = listOf(id.slice(0, Math.max(0, slash)));
  const model = id.slice(slash + 1);
  const row =
    list?.rows.find(([name]) => name === model) ??
    list?.rows.find(([name]) => name === model.replace(SNAPSHOT, ""));
  return list === undefined || row === undefined
    ? undefined
    : { row, asOf: list.asOf, from: list.from };
}

/** As a price is written: 0.1 by 3 is 0.3. */
function scaled(dollars: number, factor: number): number {
  return Number((dollars * factor).toPrecision(9));
}

/** `-20250929`, `-2025-08-07`, `-001`: a fixed state of a model, which costs what the model does. */
const SNAPSHOT = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|00\d)$/;

function listOf(provider: string): ModelList | undefined {
  const name = provider.replace(/^@ai-sdk\//, "").split(".")[0] ?? "";
  const plain = name === "openai-chat" ? "openai" : name;
  return Object.hasOwn(LISTS, plain) ? LISTS[plain] : undefined;
}
