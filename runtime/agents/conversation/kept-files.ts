/** Shows pictures and documents of a run to a model: in the log they stand by their hashes, in a call with their bytes. */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";
import type { Made } from "../../artifact.ts";

/** The name under which a part of a message refers to bytes that are kept in the run's artifacts. */
const KEPT = "madrigal";

/** A picture or document as it stands in a message of the log. */
export function keptFile({
  name,
  mime,
  hash,
}: Pick<Made, "name" | "mime" | "hash">): LanguageModelV4FilePart {
  const data = { type: "reference", reference: { [KEPT]: hash } } as const;
  return { type: "file", filename: name, mediaType: mime, data };
}

/** The prompt with the bytes of what it names by a hash. */
export function withKeptFiles(
  prompt: LanguageModelV4Prompt,
  bytesOf: ((hash: string) => Uint8Array) | undefined,
): LanguageModelV4Prompt {
  if (bytesOf === undefined || !prompt.some(namesKept)) return prompt;
  return prompt.map((message) => {
    if (!namesKept(message)) return message;
    const content = message.content.map((part) => {
      const hash = part.type === "file" ? hashOf(part) : undefined;
      if (hash === undefined) return part;
      return { ...part, data: { type: "data", data: bytesOf(hash) } } as LanguageModelV4FilePart;
    });
    return { ...message, content };
  });
}

type MessageWithKept = Extract<LanguageModelV4Message, { readonly role: "user" }>;

function namesKept(message: LanguageModelV4Message): message is MessageWithKept {
  return (
    message.role === "user" &&
    message.content.some((part) => part.type === "file" && hashOf(part) !== undefined)
  );
}

function hashOf({ data }: LanguageModelV4FilePart): string | undefined {
  return data.type === "reference" ? data.reference[KEPT] : undefined;
}
