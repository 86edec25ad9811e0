/** Describes one line of a cassette, and reads and writes it. */
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { Failure } from "../../../failure.ts";
import type { KnownPrice } from "../../../price.ts";
import type { ModelSource } from "../../../records/call-records.ts";
import type { PackedPart } from "./packed-parts.ts";
import type { PlainRequest } from "./plain-request.ts";

/** The version of the layout of a line. */
export const CASSETTE_VERSION = 1;

/** One call of a model as a cassette has it: either an answer or a failure. */
export interface CassetteCall {
  readonly v: typeof CASSETTE_VERSION;
  /** The sha256 of `request` as canonical JSON. */
  readonly key: string;
  /** Counts equal requests, from 0, in the order in which they were asked. Of two lines with the same number the later one counts. */
  readonly n: number;
  /** The id of the model that was asked. */
  readonly model: string;
  /** The source of the answer: a live model, or a script or rules in its place. */
  readonly origin: ModelSource;
  /** The time at which it was asked, in ISO 8601. */
  readonly at: string;
  readonly request: PlainRequest;
  /** The parts of the stream between its start and its end. */
  readonly parts?: readonly PackedPart[];
  readonly finish?: LanguageModelV4FinishReason;
  readonly finishMetadata?: SharedV4ProviderMetadata;
  readonly usage?: LanguageModelV4Usage;
  /** The price of the model then, where it was known. */
  readonly price?: KnownPrice;
  /** In US dollars; null where nobody knew a price. */
  readonly costUsd?: number | null;
  /** In milliseconds since it was asked: the first piece of the answer, and its end. */
  readonly timings?: { readonly firstMs?: number; readonly totalMs: number };
  /** The failure that another try would have met, too. */
  readonly failure?: Failure;
}

/** A call as a line with its end. */
export function lineOf(call: CassetteCall): string {
  return `${JSON.stringify(call)}\n`;
}

/** The call of a line; undefined where the line is no whole call of this version. */
export function readLine(line: string): CassetteCall | undefined {
  try {
    const call: unknown = JSON.parse(line);
    return isCassetteCall(call) ? call : undefined;
  } catch {
    return undefined;
  }
}

function isCassetteCall(value: unknown): value is CassetteCall {
  if (typeof value !== "object" || value === null) return false;
  const call = value as Partial<Record<keyof CassetteCall, unknown>>;
  return (
    call.v === CASSETTE_VERSION &&
    typeof call.key === "string" &&
    typeof call.n === "number" &&
    typeof call.model === "string" &&
    typeof call.request === "object" &&
    ((Array.isArray(call.parts) && call.finish !== undefined) || call.failure !== undefined)
  );
}
