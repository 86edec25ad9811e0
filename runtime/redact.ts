/**
 * Keeps secrets out of what is stored and shown. Replaced text does not come back on reading: a marker that turned into
 * the secret again could be written by a web page, and would then hand the secret to whatever reads the page's text.
 */
import type { LogRecord } from "./records.ts";
import type { Completion } from "./scheduler/completion.ts";

export interface Secret {
  readonly name: string;
  readonly value: string;
}

export interface Redactor {
  /** The record, or the completion it comes from, with `⟦secret:NAME⟧` for every known secret in its payload; itself when there is none. */
  redactRecord<T extends LogRecord | Completion>(record: T): T;
  /** The same for any text. */
  redactText(text: string): string;
  /** For traces, exports and display: known secrets, and also what has the name or the form of one. */
  redactForTrace(value: unknown): unknown;
}

/** Shorter ones are likelier to be a word of the text than a secret in it. */
const secretLengthMin = 4;
const environmentLengthMin = 8;

/** A redactor that knows these secrets, as they are, in JSON and in a URL. Values under 4 characters are left alone. */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  const redactText = textRedactor(secrets);
  return {
    redactText,
    redactRecord:
      redactText === unchanged ? unchanged : (record) => redactPayload(record, redactText),
    redactForTrace: (value) => redactShown(value, (text) => redactForms(redactText(text))),
  };
}

/** What `createRedactor([])` does for traces: by the names of keys and the forms of well-known tokens. */
export function redactForTrace(value: unknown): unknown {
  return redactShown(value, redactForms);
}

/** The environment's variables that have the name of a secret and a value of at least 8 characters. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): Secret[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    environmentName.test(name) && value.length >= environmentLengthMin ? [{ name, value }] : [],
  );
}

const environmentName =
  /(^|_)(key|secret|token|pass|password|passwd|passphrase|credentials?)s?($|_)|(key|secret|token|password|credentials?)$/i;

/** `apiKey`, `x-api-key`, `Authorization`, `refresh_token`; not `key`, `tokens` or `inputTokens`. */
const keyName =
  /^(authorization|(set-?)?cookie|pass(word|wd|phrase)|secret|token|credentials?)$|(api|access|private|secret|signing)[-_ ]?key(id)?$|[-_a-z](secret|token|password|passwd|passphrase|credentials?)$/i;

/** Tokens that say what they are: OpenAI, Anthropic, GitHub, GitLab, Slack, AWS, Google, npm, JSON Web Tokens, bearer headers. */
const tokenForms = [
  /\bsk-[\w-]{20,}/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|npm_)[\w-]{20,}/g,
  /\bxox[abeprs]-[\w-]{10,}/g,
  /\bAKIA[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{35}/g,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]*/g,
  /(?<=\bBearer )[\w.~+/-]{16,}=*/gi,
];

type ChangeText = (text: string) => string;

function unchanged<T>(value: T): T {
  return value;
}

function textRedactor(secrets: readonly Secret[]): ChangeText {
  const names = new Map<string, string>();
  for (const { name, value } of secrets) {
    if (value.length < secretLengthMin) continue;
    for (const form of formsOf(value)) names.set(form, name);
  }
  if (names.size === 0) return unchanged;
  // The longest first: one secret may be the beginning of another.
  const forms = [...names.keys()].sort((a, b) => b.length - a.length);
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

function marker(name: string): string {
  return `⟦secret:${name}⟧`;
}

function redactForms(text: string): string {
  return tokenForms.reduce((rest, form) => rest.replace(form, marker("token")), text);
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
  "plan",
  "done",
]);

function redactPayload<T>(part: T, change: ChangeText): T {
  return mapChildren(part, (child, key) => {
    if (payloadKeys.has(key)) return mapTexts(child, change);
    return typeof child === "string" ? child : redactPayload(child, change);
  });
}

function mapTexts<T>(value: T, change: ChangeText): T {
  if (typeof value === "string") return change(value) as T & string;
  return mapChildren(value, (child) => mapTexts(child, change));
}

function redactShown(value: unknown, change: ChangeText): unknown {
  if (typeof value === "string") return change(value);
  return mapChildren(value, (child, key) =>
    typeof child === "string" && keyName.test(key) ? { $secret: key } : redactShown(child, change),
  );
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
