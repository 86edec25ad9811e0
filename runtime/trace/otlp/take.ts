/** Takes spans in: what looks like a secret is hidden before anything is kept, and what our tables read as JSON is JSON. */
import { stringify } from "../json-size.ts";
import type { Redact } from "../trace-json.ts";
import { type Attributes, SCOPE, type TakenEvent, type TakenSpan } from "./span.ts";

/** Our own attributes that are JSON as text. */
const JSON_TEXT =
  /^madrigal\.(?:(?:begin|end|run|graph)\.)?(?:payload|patches|input|output|models|ir)$/;
/** Attributes of others that are often JSON as text. */
const MAYBE_JSON =
  /^(?:input\.value|output\.value|metadata|gen_ai\.|tool\.parameters|llm\.invocation)/;

/** The span without secrets. */
export function cleanSpan(span: TakenSpan, redact: Redact): TakenSpan {
  const { links, status } = span;
  return {
    ...span,
    name: redactedText(span.name, redact),
    attributes: clean(kept(span), redact),
    events: span.events.map((event) => cleanEvent(event, redact)),
    ...(links === undefined ? {} : { links: redact(links) as readonly unknown[] }),
    status:
      status.message === undefined
        ? status
        : { ...status, message: redactedText(status.message, redact) },
    resource: clean(span.resource, redact),
  };
}

function cleanEvent(event: TakenEvent, redact: Redact): TakenEvent {
  return { ...event, attributes: clean(event.attributes, redact) };
}

function redactedText(text: string, redact: Redact): string {
  return String(redact(text));
}

function clean(attributes: Attributes, redact: Redact): Attributes {
  const cleaned: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(attributes)) {
    const isJson = JSON_TEXT.test(key);
    if (typeof value !== "string") cleaned[key] = cleanNamed(key, value, redact);
    else if (isJson) cleaned[key] = cleanJson(value, redact, true);
    else if (MAYBE_JSON.test(key))
      cleaned[key] = cleanNamed(key, cleanJson(value, redact, false), redact);
    else cleaned[key] = isOwnColumn(key) ? value : cleanNamed(key, value, redact);
  }
  return cleaned;
}

/** Of our own spans, all that the conventions have names for stands in our attributes too. */
function kept({ scope, attributes }: TakenSpan): Attributes {
  if (scope !== SCOPE) return attributes;
  return Object.fromEntries(
    Object.entries(attributes).filter(([key]) => key.startsWith("madrigal.")),
  );
}

/** Our columns but for what was said have names, kinds and codes. */
function isOwnColumn(key: string): boolean {
  return key.startsWith("madrigal.") && key !== "madrigal.run.error_message";
}

function cleanNamed(key: string, value: unknown, redact: Redact): unknown {
  if (typeof value === "number" || typeof value === "boolean") return value;
  return (redact({ [key]: value }) as Attributes)[key];
}

/** JSON is looked through by its members, since their names say what a secret is. */
function cleanJson(text: string, redact: Redact, isJson: boolean): string {
  try {
    const value: unknown = JSON.parse(text);
    const hidden = redact(value);
    return hidden === value ? text : stringify(hidden);
  } catch {
    return isJson ? stringify(redact(text)) : text;
  }
}
