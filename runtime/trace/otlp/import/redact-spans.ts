/** Redacts spans before they are stored, and makes JSON of everything that the tables read as JSON. */
import { stringify } from "../../ingest/json-size.ts";
import type { Redact } from "../../ingest/trace-json.ts";
import { setOwn } from "../any-value.ts";
import type { Attributes, ImportedEvent, ImportedSpan } from "../span.ts";

/** Our own attributes that are JSON as text. */
const JSON_TEXT =
  /^madrigal\.(?:(?:begin|end|run|graph)\.)?(?:payload|patches|input|output|models|ir)$/;
/** Attributes of others that are often JSON as text. */
const MAYBE_JSON =
  /^(?:input\.value|output\.value|metadata|gen_ai\.|tool\.parameters|llm\.invocation)/;

/** The span without secrets. */
export function cleanSpan(span: ImportedSpan, redact: Redact): ImportedSpan {
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

function cleanEvent(event: ImportedEvent, redact: Redact): ImportedEvent {
  return { ...event, attributes: clean(event.attributes, redact) };
}

function redactedText(text: string, redact: Redact): string {
  return String(redact(text));
}

/** The same attributes where nothing in them is a secret. */
function clean(attributes: Attributes, redact: Redact): Attributes {
  let cleaned: Record<string, unknown> | undefined;
  for (const key of Object.keys(attributes)) {
    const before = attributes[key];
    const after = cleanValue(key, before, redact);
    if (Object.is(before, after)) continue;
    cleaned ??= { ...attributes };
    setOwn(cleaned, key, after);
  }
  return cleaned ?? attributes;
}

function cleanValue(key: string, value: unknown, redact: Redact): unknown {
  if (typeof value !== "string") return cleanNamed(key, value, redact);
  switch (kindOf(key)) {
    case "column":
      return value;
    case "json":
      return cleanJson(value, redact, true);
    case "maybe json":
      return cleanNamed(key, cleanJson(value, redact, false), redact);
    case "other":
      return cleanNamed(key, value, redact);
  }
}

type KeyKind = "column" | "json" | "maybe json" | "other";

const keyKinds = new Map<string, KeyKind>();
const KEYS_MAX = 10_000;

/** Names of attributes are few, and come again and again. */
function kindOf(key: string): KeyKind {
  const known = keyKinds.get(key);
  if (known !== undefined) return known;
  if (keyKinds.size >= KEYS_MAX) keyKinds.clear();
  const kind = JSON_TEXT.test(key)
    ? "json"
    : MAYBE_JSON.test(key)
      ? "maybe json"
      : isOwnColumn(key)
        ? "column"
        : "other";
  keyKinds.set(key, kind);
  return kind;
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
