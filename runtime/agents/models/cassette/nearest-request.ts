/** Finds the recorded request that is nearest to one that was not recorded, and says in words what differs. */
import { firstDifference } from "../../../compare/json-difference.ts";
import type { CassetteEntry } from "./cassette-file.ts";
import type { PlainMessage, PlainPart, PlainRequest } from "./plain-request.ts";

export interface NearestRequest {
  readonly line: number;
  /** `in message 2 (user), which was "…" and is "…"`. */
  readonly difference: string;
}

/** The nearest of the recorded requests; undefined where there is none. */
export function nearestRequest(
  asked: PlainRequest,
  entries: readonly CassetteEntry[],
): NearestRequest | undefined {
  let best: { readonly entry: CassetteEntry; readonly likeness: number } | undefined;
  for (const entry of entries) {
    const likeness = likenessOf(entry.call.request, asked);
    if (best === undefined || likeness > best.likeness) best = { entry, likeness };
  }
  if (best === undefined) return undefined;
  const { line, call } = best.entry;
  return { line, difference: differenceOf(call.request, asked) };
}

// ── how alike ───────────────────────────────────────────────────────────────────────────────────

/** A conversation counts by its messages; what is asked beside it decides between equal ones. */
function likenessOf(recorded: PlainRequest, asked: PlainRequest): number {
  const shared = asked.messages.reduce((sum, message, index) => {
    const other = recorded.messages[index];
    return other === undefined ? sum : sum + messageLikeness(other, message);
  }, 0);
  const surplus = Math.abs(asked.messages.length - recorded.messages.length);
  const beside = (["tools", "format", "settings"] as const).filter((name) =>
    isEqual(recorded[name], asked[name]),
  ).length;
  return shared - surplus * 0.5 + beside * 0.1;
}

function messageLikeness(a: PlainMessage, b: PlainMessage): number {
  if (a.role !== b.role) return 0;
  if (isEqual(a.content, b.content)) return 1;
  const [left, right] = [shownContent(a), shownContent(b)];
  const { head, tail } = sharedEnds(left, right);
  return (0.9 * (head + tail)) / Math.max(left.length, right.length, 1);
}

function isEqual(a: unknown, b: unknown): boolean {
  return firstDifference(a, b) === undefined;
}

// ── in words ────────────────────────────────────────────────────────────────────────────────────

function differenceOf(recorded: PlainRequest, asked: PlainRequest): string {
  const at = asked.messages.findIndex(
    (message, index) => !isEqual(recorded.messages[index], message),
  );
  const message = asked.messages[at];
  if (message !== undefined) return messageDifference(recorded.messages[at], message, at + 1);
  if (recorded.messages.length > asked.messages.length) {
    return `in the number of messages, which was ${recorded.messages.length} and is ${asked.messages.length}`;
  }
  if (!isEqual(recorded.tools, asked.tools)) return toolDifference(recorded, asked);
  const name = isEqual(recorded.format, asked.format) ? "settings" : "format";
  const found = firstDifference(recorded[name], asked[name]);
  const what = name === "settings" ? "the settings" : "the schema of the answer";
  const where = found === undefined || found.path.length === 0 ? "" : ` (${found.path.join(".")})`;
  return `in ${what}${where}, which ${wasAndIs(shownValue(found?.a), shownValue(found?.b))}`;
}

function messageDifference(
  recorded: PlainMessage | undefined,
  asked: PlainMessage,
  number: number,
): string {
  const where = `in message ${number} (${asked.role})`;
  if (recorded === undefined) return `${where}, which it lacks: ${quoted(shownContent(asked), 0)}`;
  if (recorded.role !== asked.role) return `${where}, which was of the role ${recorded.role}`;
  const [was, is] = [shownContent(recorded), shownContent(asked)];
  const { head } = sharedEnds(was, is);
  return `${where}, which ${wasAndIs(quoted(was, head), quoted(is, head))}`;
}

function toolDifference(
  { tools: was = [] }: PlainRequest,
  { tools: is = [] }: PlainRequest,
): string {
  const gone = was.find(({ name }) => !is.some((tool) => tool.name === name));
  if (gone !== undefined) return `in the tools: \`${gone.name}\` is not offered any more`;
  const added = is.find(({ name }) => !was.some((tool) => tool.name === name));
  if (added !== undefined) return `in the tools: \`${added.name}\` was not offered`;
  const other = is.find(
    (tool) =>
      !isEqual(
        was.find(({ name }) => name === tool.name),
        tool,
      ),
  );
  if (other === undefined) return "in the order of the tools";
  const found = firstDifference(
    was.find(({ name }) => name === other.name),
    other,
  );
  const where = found?.path.join(".") ?? "";
  return `in the tool \`${other.name}\` (${where}), which ${wasAndIs(shownValue(found?.a), shownValue(found?.b))}`;
}

function wasAndIs(was: string, is: string): string {
  return `was ${was} and is ${is}`;
}

/** The content of a message as one text. */
export function shownContent({ content }: PlainMessage): string {
  return typeof content === "string" ? content : content.map(shownPart).join("\n");
}

function shownPart(part: PlainPart): string {
  return typeof part === "string" ? part : JSON.stringify(part);
}

function shownValue(value: unknown): string {
  if (value === undefined) return "absent";
  return quoted(typeof value === "string" ? value : JSON.stringify(value), 0);
}

/** Characters of a text that are shown of the place where it differs. */
const SHOWN = 60;
const SHOWN_BEFORE = 20;

function quoted(text: string, at: number): string {
  const from = Math.max(0, Math.min(at - SHOWN_BEFORE, text.length - SHOWN));
  const piece = text.slice(from, from + SHOWN).replace(/\s+/g, " ");
  return `"${from > 0 ? "…" : ""}${piece}${from + SHOWN < text.length ? "…" : ""}"`;
}

/** The lengths of what both texts begin and end with. */
function sharedEnds(a: string, b: string): { readonly head: number; readonly tail: number } {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  return { head, tail };
}
