/** Takes spans in: what looks like a secret is hidden before anything is kept, and what our tables read as JSON is JSON. */
import { stringify } from "../json-size.ts";
import type { Redact } from "../trace-json.ts";
import type { Attributes, TakenEvent, TakenSpan } from "./span.ts";

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
    attributes: clean(span.attributes, redact),
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
  const entries = Object.entries(attributes).map(([key, value]) => {
    if (typeof value === "string" && (JSON_TEXT.test(key) || MAYBE_JSON.test(key)))
      return [key, cleanJson(value, redact, JSON_TEXT.test(key))] as const;
    return [key, value] as const;
  });
  return redact(Object.fromEntries(entries)) as Attributes;
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
