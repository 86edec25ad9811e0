/** Answers completion, inspection and completeness by asking worker 2, with positions converted. */
import type { CompletionItem } from "../../types/service.ts";
import { wrongContent } from "../wire/failed-request.ts";
import type { Dict } from "../wire/message.ts";
import { toCodePoints, toUtf16 } from "./code-points.ts";
import type { TypePort } from "./type-client.ts";

/** The content of a `complete_reply`; without matches when nothing is known or worker 2 does not answer. */
export async function complete(types: TypePort, content: Dict): Promise<Dict> {
  const { code, offset } = cursorIn("complete_request", content);
  const found = await types.call("complete", { code, offset });
  const { items = [], start = offset, end = offset } = found ?? {};
  const place = { start: toCodePoints(code, start), end: toCodePoints(code, end) };
  return {
    status: "ok",
    matches: items.map(({ text }) => text),
    cursor_start: place.start,
    cursor_end: place.end,
    metadata: {
      _jupyter_types_experimental: items.map((item) => ({ ...typedItem(item), ...place })),
    },
  };
}

function typedItem({ text, type, signature = "" }: CompletionItem): Dict {
  return { text, type, signature };
}

/** The content of an `inspect_reply`. */
export async function inspect(types: TypePort, content: Dict): Promise<Dict> {
  const place = cursorIn("inspect_request", content);
  const detail = content.detail_level === 1 ? 1 : 0;
  const found = await types.call("inspect", { ...place, detail });
  const data =
    found === undefined ? {} : { "text/plain": found.plain, "text/markdown": found.markdown };
  return { status: "ok", found: found !== undefined, data, metadata: {} };
}

/** The content of an `is_complete_reply`. */
export async function isComplete(types: TypePort, { code }: Dict): Promise<Dict> {
  if (typeof code !== "string") throw wrongContent("is_complete_request", "has no `code`");
  const found = await types.call("isComplete", code);
  if (found === undefined) return { status: "unknown" };
  const { status, indent } = found;
  return status === "incomplete" ? { status, indent } : { status };
}

function cursorIn(type: string, { code, cursor_pos }: Dict): { code: string; offset: number } {
  if (typeof code !== "string") throw wrongContent(type, "has no `code`");
  const isGiven = typeof cursor_pos === "number" && cursor_pos >= 0;
  return { code, offset: isGiven ? toUtf16(code, cursor_pos) : code.length };
}
