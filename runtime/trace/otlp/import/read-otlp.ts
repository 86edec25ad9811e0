/** Reads the body of a request to `/v1/traces`, or of a file of such bodies, as spans. */
import { itemsOf, membersOf, readAttributes } from "../any-value.ts";
import { type ImportedEvent, type ImportedSpan, SCOPE } from "../span.ts";

/** The spans that were read; those that could not be are counted, with the first reason. */
export interface ReadSpans {
  readonly spans: readonly ImportedSpan[];
  readonly rejected: number;
  readonly reason?: string;
}

/** Returns whether a value is the body of an export request. */
export function isOtlp(body: unknown): boolean {
  return Array.isArray(membersOf(body).resourceSpans);
}

/** The spans of a body; what has no valid id or time is left out. */
export function readOtlp(body: unknown): ReadSpans {
  const spans: ImportedSpan[] = [];
  const problems: string[] = [];
  for (const each of itemsOf(membersOf(body).resourceSpans).map(membersOf)) {
    const resource = readAttributes(membersOf(each.resource).attributes);
    for (const group of itemsOf(each.scopeSpans).map(membersOf)) {
      const scope = String(membersOf(group.scope).name ?? "");
      for (const span of itemsOf(group.spans)) {
        const read = readSpan(membersOf(span), { resource, scope });
        if (typeof read === "string") problems.push(read);
        else spans.push(read);
      }
    }
  }
  const [reason] = problems;
  return { spans, rejected: problems.length, ...(reason === undefined ? {} : { reason }) };
}

/** The span, or what is wrong with it. */
function readSpan(
  span: Readonly<Record<string, unknown>>,
  around: Pick<ImportedSpan, "resource" | "scope">,
): ImportedSpan | string {
  const traceId = hexId(span.traceId, 32);
  const spanId = hexId(span.spanId, 16);
  if (traceId === undefined) return "a span has no traceId of 32 hexadecimal digits";
  if (spanId === undefined) return "a span has no spanId of 16 hexadecimal digits";
  const parentSpanId = hexId(span.parentSpanId, 16);
  const start = nanos(span.startTimeUnixNano);
  const ended = nanos(span.endTimeUnixNano);
  const end = ended === "0" ? start : (ended ?? start);
  if (start === undefined || end === undefined) return `span ${spanId} has no startTimeUnixNano`;
  const links = itemsOf(span.links);
  const { code, message } = membersOf(span.status);
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: typeof span.name === "string" ? span.name : "",
    start,
    end,
    attributes: readAttributes(span.attributes, around.scope === SCOPE ? isOwnName : undefined),
    events: itemsOf(span.events).flatMap((event) => readEvent(membersOf(event))),
    ...(links.length === 0 ? {} : { links: links.map((link) => readLink(membersOf(link))) }),
    status: { code: statusCode(code), ...(typeof message === "string" ? { message } : {}) },
    ...around,
  };
}

/** Of our own spans, all that the conventions have names for stands in our attributes too. */
function isOwnName(key: string): boolean {
  return key.startsWith("madrigal.");
}

function readEvent(event: Readonly<Record<string, unknown>>): ImportedEvent[] {
  const time = nanos(event.timeUnixNano);
  if (time === undefined) return [];
  return [{ name: String(event.name ?? ""), time, attributes: readAttributes(event.attributes) }];
}

function readLink({ traceId, spanId, attributes }: Readonly<Record<string, unknown>>) {
  return { traceId, spanId, attributes: readAttributes(attributes) };
}

/** Ids are hexadecimal, whatever their case; nothing but zeros is no id. */
function hexId(value: unknown, digits: number): string | undefined {
  if (typeof value !== "string" || value.length !== digits) return undefined;
  return /^[\da-f]+$/i.test(value) && !/^0+$/.test(value) ? value.toLowerCase() : undefined;
}

/** Texts and numbers are both allowed. */
function nanos(value: unknown): string | undefined {
  const digits =
    typeof value === "number" ? BigInt(Math.max(0, Math.trunc(value))).toString() : value;
  if (typeof digits !== "string" || !/^\d{1,19}$/.test(digits)) return undefined;
  return digits;
}

/** Enums are integers; some write their names. */
function statusCode(code: unknown): number {
  if (code === "STATUS_CODE_ERROR") return 2;
  return typeof code === "number" ? code : 0;
}
