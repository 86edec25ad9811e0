/** Turns what a server returned into the value of a tool: its structure, its text, or its parts with pictures. */
import type {
  CallToolResult,
  GetPromptResult,
  ReadResourceResult,
} from "@modelcontextprotocol/client";

type Content = CallToolResult["content"][number];

/** The value of a call; throws what the server says of one that failed. */
export function calledValue({ content, structuredContent, isError }: CallToolResult): unknown {
  if (isError === true)
    throw new Error(contentText(content) || "the server says no more than that");
  if (structuredContent !== undefined) return structuredContent;
  return plainValue(content);
}

/** The text of a resource, or its parts. */
export function resourceValue({ contents }: ReadResourceResult): unknown {
  return plainValue(contents.map((resource) => ({ type: "resource", resource }) as Content));
}

/** The messages of a prompt, as a text with a line for whoever is not the user. */
export function promptText({ messages }: GetPromptResult): string {
  return messages
    .map(({ role, content }) => `${role === "user" ? "" : `${role}: `}${contentText([content])}`)
    .join("\n\n");
}

function plainValue(content: readonly Content[]): unknown {
  const parts = content.map(toPart);
  if (parts.every(({ type }) => type === "text")) return contentText(content);
  return { content: parts };
}

/** A part as tools return it: a text, or a picture or file as base64. */
function toPart(one: Content): Content {
  if (one.type === "resource" && "blob" in one.resource) {
    const { blob, mimeType = "application/octet-stream" } = one.resource;
    return { type: "file", data: blob, mimeType } as unknown as Content;
  }
  if (one.type === "image" || one.type === "audio") return one;
  return { type: "text", text: contentText([one]) };
}

function contentText(content: readonly Content[]): string {
  return content.map(contentLine).join("\n");
}

function contentLine(one: Content): string {
  switch (one.type) {
    case "text":
      return one.text;
    case "resource":
      return "text" in one.resource ? one.resource.text : `[${one.resource.uri}]`;
    case "resource_link":
      return `[${one.title ?? one.name}](${one.uri})`;
    default:
      return `[${one.type}, ${one.mimeType}]`;
  }
}
