/** Packs the stream of an answer for a line of a cassette, without secrets, and unpacks it again. */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { mapTexts } from "../../../redaction/redact.ts";
import type { HideSecrets } from "./plain-request.ts";

type DeltaPart = LanguageModelV4StreamPart & {
  type: "text-delta" | "reasoning-delta" | "tool-input-delta";
};

/** The pieces of one block in a row: each was a part of its own. */
interface PackedDeltas {
  readonly type: DeltaPart["type"];
  readonly id: string;
  readonly deltas: readonly string[];
}

export type PackedPart = PackedDeltas | LanguageModelV4StreamPart;

/**
 * The parts of a stream without its end and without what only this process can use. A block of text that has a secret,
 * perhaps in several pieces, becomes one piece.
 */
export function packParts(
  parts: readonly LanguageModelV4StreamPart[],
  hide: HideSecrets,
): PackedPart[] {
  const hidden = hiddenBlocks(parts, hide);
  const packed: PackedPart[] = [];
  for (const part of parts) {
    if (!isKept(part)) continue;
    if (isDelta(part)) addDelta({ ...part, delta: pieceOf(part, hidden) }, { packed, hide });
    else packed.push(mapTexts(plainPart(part), hide));
  }
  return packed;
}

/** The parts as they came, but for the secrets. */
export function unpackParts(packed: readonly PackedPart[]): LanguageModelV4StreamPart[] {
  return packed.flatMap((part): LanguageModelV4StreamPart[] => {
    if (!("deltas" in part)) return [part];
    const { type, id } = part;
    return part.deltas.map((delta) => ({ type, id, delta }));
  });
}

function isKept({ type }: LanguageModelV4StreamPart): boolean {
  return type !== "finish" && type !== "raw" && type !== "ping" && type !== "error";
}

function isDelta(part: LanguageModelV4StreamPart): part is DeltaPart {
  return part.type.endsWith("-delta");
}

function addDelta(
  part: DeltaPart,
  { packed, hide }: { readonly packed: PackedPart[]; readonly hide: HideSecrets },
): void {
  const { type, delta, providerMetadata } = part;
  const id = hide(part.id);
  if (providerMetadata !== undefined) {
    packed.push({ ...part, id, providerMetadata: mapTexts(providerMetadata, hide) });
    return;
  }
  if (delta === "") return;
  const last = packed.at(-1);
  if (last !== undefined && "deltas" in last && last.type === type && last.id === id)
    packed.splice(-1, 1, { ...last, deltas: [...last.deltas, delta] });
  else packed.push({ type, id, deltas: [delta] });
}

function blockOf({ type, id }: DeltaPart): string {
  return `${type} ${id}`;
}

/** The whole texts of the blocks that have a secret, by block. */
function hiddenBlocks(
  parts: readonly LanguageModelV4StreamPart[],
  hide: HideSecrets,
): Map<string, string> {
  const hidden = new Map<string, string>();
  for (const [block, deltas] of Map.groupBy(parts.filter(isDelta), blockOf)) {
    const text = deltas.map(({ delta }) => delta).join("");
    const shown = hide(text);
    if (shown !== text) hidden.set(block, shown);
  }
  return hidden;
}

/** The text of a piece; the first one of a block with a secret says the whole block. */
function pieceOf(part: DeltaPart, hidden: Map<string, string>): string {
  const block = blockOf(part);
  const whole = hidden.get(block);
  if (whole !== undefined) hidden.set(block, "");
  return whole ?? part.delta;
}

/** Without times, and with bytes as Base64. */
function plainPart(part: LanguageModelV4StreamPart): LanguageModelV4StreamPart {
  if (part.type === "response-metadata") {
    const { timestamp: _, ...metadata } = part;
    return metadata;
  }
  if (part.type !== "file" && part.type !== "reasoning-file") return part;
  const { data } = part;
  if (data.type !== "data" || typeof data.data === "string") return part;
  return { ...part, data: { ...data, data: Buffer.from(data.data).toString("base64") } };
}
