/** Reads pictures and files out of what a tool returned, in the form of MCP: `{ content: [{ type: "image", data, mimeType }] }`. */
import type { Json } from "../values/json.ts";

/** A part of a result: a text, or a picture or file as base64. */
export type ResultPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly data: string; readonly mediaType: string };

/** The bytes of pictures and files in one result that the log keeps, as base64. */
export const MEDIA_BYTES_MAX = 1024 * 1024;

/** The parts of a result with pictures or files; `undefined` of any other result. */
export function mediaParts(value: Json): readonly ResultPart[] | undefined {
  const content = contentOf(value);
  if (content === undefined) return undefined;
  const parts = content.map(partOf);
  return parts.some(({ type }) => type === "file") ? parts : undefined;
}

/** The result with a text in place of each picture or file that the log does not keep. */
export function withoutLargeMedia(value: Json): Json {
  const content = contentOf(value);
  if (content === undefined) return value;
  let bytes = 0;
  const kept = content.map((one) => {
    const part = partOf(one);
    if (part.type === "text") return one;
    if (bytes + part.data.length <= MEDIA_BYTES_MAX) {
      bytes += part.data.length;
      return one;
    }
    const size = Math.round((part.data.length * 3) / 4);
    return {
      type: "text",
      text: `[${part.mediaType} of ${size} bytes left out: a result may have ${(MEDIA_BYTES_MAX * 3) / 4} bytes of pictures and files]`,
    };
  });
  return { ...(value as object), content: kept };
}

function contentOf(value: Json): readonly Json[] | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { content } = value as { readonly content?: Json };
  return Array.isArray(content) && content.some((one) => partOf(one).type === "file")
    ? content
    : undefined;
}

function partOf(one: Json): ResultPart {
  const { type, text, data, mimeType } = (one ?? {}) as Readonly<Record<string, Json>>;
  const isMedia = type === "image" || type === "file" || type === "audio";
  if (isMedia && typeof data === "string" && typeof mimeType === "string")
    return { type: "file", data, mediaType: mimeType };
  return { type: "text", text: typeof text === "string" ? text : JSON.stringify(one) };
}
