/**
 * Keeps secrets out of what is stored and shown. Replaced text does not come back on reading: a marker that turned into
 * the secret again could be written by a web page, and would then hand the secret to whatever reads the page's text.
 */

import type { LogRecord } from "../records/records.ts";
import type { Completion } from "../scheduler/completion.ts";
import { isFrozenJson } from "../state/json.ts";
import { piecesRedactor, type TextPieces } from "./redact-pieces.ts";
import { isIdName, isSecretName, marker, withoutForms } from "./secret-forms.ts";

export interface Secret {
  readonly name: string;
  readonly value: string;
}

export interface Redactor {
  /** The record, or the completion it comes from, with `⟦secret:NAME⟧` for every known secret in its payload; itself when there is none. */
  redactRecord<T extends LogRecord | Completion>(record: T): T;
  /** The same for any text. */
  redactText(text: string): string;
  /** The same for a text that comes in pieces, where a secret may be split. */
  redactPieces(tell: (text: string) => void): TextPieces;
  /** For traces, exports and display: known secrets, and also what has the name or the form of one. */
  redactForTrace(value: unknown): unknown;
}

/** Shorter ones are likelier to be a word of the text than a secret in it. */
const secretLengthMin = 4;
const environmentLengthMin = 8;

/** A redactor that knows these secrets, as they are, in JSON and in a URL. Values under 4 characters are left alone. */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  const names = namesOf(secrets);
  // The longest first: one secret may be the beginning of another.
  const forms = [...names.keys()].sort((a, b) => b.length - a.length);
  const redactText = textRedactor(forms, names);
  return {
    redactText,
    redactPieces: piecesRedactor(forms, redactText),
    redactRecord:
      redactText === unchanged ? unchanged : (record) => changePayload(record, redactText),
    redactForTrace: shownRedactor((text, isId) => withoutForms(redactText(text), isId)),
  };
}

/**
 * Redacts values for traces as `createRedactor([])` does: by the names of keys, the forms of well-known tokens, and
 * randomness.
 */
export const redactForTrace: (value: unknown) => unknown = shownRedactor(withoutForms);

/** The environment's variables that have the name of a secret and a value of at least 8 characters. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): Secret[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    environmentName.test(name) && value.length >= environmentLengthMin ? [{ name, value }] : [],
  );
}

const environmentName =
  /(^|_)(key|secret|token|pass|password|passwd|passphrase|credentials?)s?($|_)|(key|secret|token|password|credentials?)$/i;

type ChangeText = (text: string) => string;
/** `isId`: the text stands under a name whose values are random, and no secrets. */
type HideText = (text: string, isId: boolean) => string;

function unchanged<T>(value: T): T {
  return value;
}

/** The names of secrets, by each form that they may stand in a text in. */
function namesOf(secrets: readonly Secret[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, value } of secrets) {
    if (value.length < secretLengthMin) continue;
    for (const form of formsOf(value)) names.set(form, name);
  }
  return names;
}

function textRedactor(forms: readonly string[], names: ReadonlyMap<string, string>): ChangeText {
  if (forms.length === 0) return unchanged;
  const pattern = new RegExp(forms.map(escaped).join("|"), "g");
  return (text) => text.replace(pattern, (found) => marker(names.get(found) ?? "secret"));
}

function formsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  // `isWellFormed`: half a surrogate pair has no form in a URL.
  return secret.isWellFormed() ? [secret, inJson, encodeURIComponent(secret)] : [secret, inJson];
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** The parts of a record that came from outside. All others, and every key, are the graph's: replay needs them as they are. */
const payloadKeys = new Set([
  "input",
  "state",
  "args",
  "items",
  "request",
  "value",
  "output",
  "payload",
  "task",
  "reason",
  "message",
  "hint",
  "feedback",
  "stack",
  "question",
  "shown",
  "options",
  "default",
  "answer",
  "edits",
  "conversation",
  "plan",
  "done",
]);

/** Returns a record with the texts changed that came from outside, and those for whose key and object `also` is true. */
export function changePayload<T>(
  part: T,
  change: (text: string) => string,
  also: (key: string, part: object) => boolean = () => false,
): T {
  return mapChildren(part, (child, key) => {
    if (payloadKeys.has(key) || also(key, Object(part))) return mapTexts(child, change);
    return typeof child === "string" ? child : changePayload(child, change, also);
  });
}

/** Returns a value with every text in it changed, names of members excepted; itself where none changes. */
export function mapTexts<T>(value: T, change: ChangeText): T {
  if (typeof value === "string") return change(value) as T & string;
  return mapChildren(value, (child) => mapTexts(child, change));
}

/** A text this long is looked through once: what a tool said stands in its result, and in what the model is asked next. */
const knownLengthMin = 256;
/** Of all texts together. */
const knownLengthMax = 2_000_000;

/** Redacts values for people. What is frozen all the way down, as values of the log are, is looked through once. */
function shownRedactor(change: HideText): (value: unknown) => unknown {
  const knownValues = new WeakMap<object, unknown>();
  const changeText = rememberingTexts(change);
  const redactShown = (value: unknown): unknown => {
    if (typeof value === "string") return changeText(value, false);
    if (typeof value !== "object" || value === null) return value;
    const known = knownValues.get(value);
    if (known !== undefined) return known;
    const secret = secretOf(value);
    const redacted = mapChildren(value, (child, key) => {
      if (isSecretName(key)) return hiddenUnder(key, child, redactShown);
      if (secret !== undefined && key === "value") return hiddenUnder(secret, child, redactShown);
      return typeof child === "string" ? changeText(child, isIdName(key)) : redactShown(child);
    });
    if (isFrozenJson(value)) knownValues.set(value, redacted);
    return redacted;
  };
  return redactShown;
}

/** A text under the name of a secret, or several, as headers are. */
function hiddenUnder(name: string, value: unknown, redact: (value: unknown) => unknown): unknown {
  const hidden = { $secret: name };
  if (typeof value === "string") return hidden;
  if (!Array.isArray(value)) return redact(value);
  return value.map((item) => (typeof item === "string" ? hidden : redact(item)));
}

/** Headers are often pairs: `{ name: "authorization", value: "…" }`. */
function secretOf(value: object): string | undefined {
  if (!("value" in value)) return undefined;
  const name = "name" in value ? value.name : "key" in value ? value.key : undefined;
  return typeof name === "string" && isSecretName(name) ? name : undefined;
}

function rememberingTexts(change: HideText): HideText {
  /** Null for those that stay as they are: the text itself is then given back, which is found equal without a look. */
  const known = new Map<string, string | null>();
  let length = 0;
  return (text, isId) => {
    // Ids are short.
    if (text.length < knownLengthMin || isId) return change(text, isId);
    const before = known.get(text);
    if (before !== undefined) return before ?? text;
    const changed = change(text, false);
    length += text.length;
    if (length > knownLengthMax) {
      known.clear();
      length = text.length;
    }
    if (text.length <= knownLengthMax) known.set(text, changed === text ? null : changed);
    return changed;
  };
}

/** The value itself when no child changes, so that what has no secret costs no copy. */
function mapChildren<T>(value: T, change: (child: unknown, key: string) => unknown): T {
  if (typeof value !== "object" || value === null) return value;
  const changed = Array.isArray(value) ? mapItems(value, change) : mapMembers(value, change);
  // The same shape with other texts in it.
  return changed as T;
}

function mapItems(items: readonly unknown[], change: (child: unknown, key: string) => unknown) {
  let changed: unknown[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const after = change(items[index], "");
    if (Object.is(after, items[index])) continue;
    changed ??= items.slice();
    changed[index] = after;
  }
  return changed ?? items;
}

function mapMembers(object: object, change: (child: unknown, key: string) => unknown) {
  const members = object as Readonly<Record<string, unknown>>;
  let changed: Map<string, unknown> | undefined;
  for (const key of Object.keys(members)) {
    const after = change(members[key], key);
    if (Object.is(after, members[key])) continue;
    changed ??= new Map(Object.entries(members));
    changed.set(key, after);
  }
  return changed === undefined ? object : Object.fromEntries(changed);
}
