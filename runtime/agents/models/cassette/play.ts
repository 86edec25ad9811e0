/** Plays recorded answers in place of a model. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { FailureError } from "../../../failure.ts";
import { atOnce } from "../heard-model.ts";
import type { CassetteCall } from "./cassette-call.ts";
import type { CassetteFile } from "./cassette-file.ts";
import { nearestRequest } from "./nearest-request.ts";
import { unpackParts } from "./packed-parts.ts";
import {
  type HideSecrets,
  keyOfRequest,
  type PlainRequest,
  plainRequest,
} from "./plain-request.ts";
import { withPlayedCost } from "./played-cost.ts";

/** A cassette as a model uses it. */
export interface CassetteTape {
  /** The id of the model, for errors: `cassette:calls.jsonl`. */
  readonly id: string;
  readonly file: CassetteFile;
  readonly hide: HideSecrets;
  /** Serves the answers of this model alone. */
  readonly model?: string;
  /** Added to the hint of a request that is not recorded. */
  readonly whyNotAsked?: string;
}

/** A model that answers what was recorded, the last answer to a request again and again; what was not is M8160. */
export function playingModel(tape: CassetteTape): LanguageModelV4 {
  const parts = (call: LanguageModelV4CallOptions) => {
    const request = plainRequest(call, tape.hide);
    const { file, model } = tape;
    const found = file.nextAnswer(keyOfRequest(request), { model, again: true });
    if (found === undefined) throw notRecorded(request, tape);
    return partsOfCall(found.call);
  };
  return atOnce(
    {
      specificationVersion: "v4",
      provider: "madrigal",
      modelId: tape.id,
      supportedUrls: {},
      doGenerate: async (call) => generatedFrom(parts(call)),
    },
    parts,
  );
}

/** The stream of a recorded answer; throws where the answer was a failure. */
export function partsOfCall(call: CassetteCall): readonly LanguageModelV4StreamPart[] {
  const { failure, parts = [], finish, finishMetadata, usage, costUsd = null } = call;
  if (failure !== undefined) throw new FailureError(failure);
  if (finish === undefined || usage === undefined)
    throw new Error("M9000: an answer without an end");
  const metadata = finishMetadata === undefined ? {} : { providerMetadata: finishMetadata };
  const end = { type: "finish" as const, finishReason: finish, usage, ...metadata };
  return [...unpackParts(parts), withPlayedCost(end, costUsd)];
}

/** The whole answer of a stream, as models give it to who does not want to hear it come. */
export function generatedFrom(
  parts: readonly LanguageModelV4StreamPart[],
): LanguageModelV4GenerateResult {
  const content: LanguageModelV4Content[] = [];
  const blocks = new Map<string, { type: "text" | "reasoning"; text: string }>();
  let result: LanguageModelV4GenerateResult | undefined;
  const warnings = parts.flatMap((part) => (part.type === "stream-start" ? part.warnings : []));
  for (const part of parts) {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const type = part.type === "text-start" ? "text" : "reasoning";
        const { providerMetadata } = part;
        const block = { type, text: "", ...(providerMetadata && { providerMetadata }) } as const;
        const kept = { ...block };
        blocks.set(`${type} ${part.id}`, kept);
        content.push(kept);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const block = blocks.get(`${part.type.replace("-delta", "")} ${part.id}`);
        if (block !== undefined) block.text += part.delta;
        break;
      }
      case "tool-call":
      case "tool-result":
      case "tool-approval-request":
      case "file":
      case "reasoning-file":
      case "source":
      case "custom":
        content.push(part);
        break;
      case "finish": {
        const { finishReason, usage, providerMetadata } = part;
        result = {
          content,
          finishReason,
          usage,
          warnings,
          ...(providerMetadata && { providerMetadata }),
        };
        break;
      }
      default:
    }
  }
  if (result === undefined) throw new Error("the stream ended before the answer did");
  return result;
}

// No arrow, retry or other model takes it: the cassette lacks something, and the run would go another way unseen.
export function notRecorded(request: PlainRequest, tape: CassetteTape): FailureError {
  const { id, file, whyNotAsked } = tape;
  const nearest = nearestRequest(request, file.entries());
  const message =
    nearest === undefined
      ? `\`${id}\` has no answer to this request; it has none at all`
      : `\`${id}\` has no answer to this request; the nearest one it has, of line ${nearest.line}, differs ${nearest.difference}`;
  const record = "record it: `madrigal run … --record FILE`, or the mode `auto`";
  const hint =
    whyNotAsked === undefined ? record : `${record}; it was not asked now: ${whyNotAsked}`;
  return new FailureError({ class: "aborted", code: "M8160", message, hint });
}
