/** Fills a JSON Schema: names, types and descriptions say what belongs where, the material what it is. */
import { isRecord } from "../../../dsl/index.ts";
import { isRequestWord, isStopWord } from "../words/stop-words.ts";
import { isIdentifier, tokensOf } from "../words/words.ts";
import type { Quote } from "./rank.ts";
import { nothingFound, writeReport } from "./report.ts";
import { describeMember, type Property, type SchemaView, viewSchema } from "./schema.ts";
import { keywordsOf, type Subject } from "./subject.ts";

/** The material for filling a schema. */
export interface Filling {
  readonly root: unknown;
  readonly subject: Subject;
  readonly quotes: readonly Quote[];
  /** The possible origin of quotes: results of tools, the prompt alone, or nothing. */
  readonly material: "searched" | "given" | "none";
}

/** A value of the schema `filling.root`. */
export function fillSchema(filling: Filling): unknown {
  return fill(filling.root, { ...filling, name: "" });
}

/** A place in the schema: which member, and for which quote or part of the question. */
interface FillingPlace extends Filling {
  readonly name: string;
  readonly quote?: Quote;
  readonly part?: TextPart;
}

const LIST_MAX = 4;
const NO_VALUE = Symbol("no value");

function fill(schema: unknown, place: FillingPlace): unknown {
  const view = viewSchema(schema, place.root);
  if (view.alternatives.length > 0) return fillAlternative(view, place);
  if (view.values.length > 0) return chooseValue(view, place);
  switch (view.type) {
    case "object":
      return fillObject(view, place);
    case "array":
      return fillList(view, place);
    case "number":
    case "integer":
      return fillNumber(view, place);
    case "boolean":
      return copied(place, "boolean") ?? (isFound(place) || place.part !== undefined);
    case "null":
      return null;
    default:
      return fillString(view, place);
  }
}

function fillAlternative({ alternatives }: SchemaView, place: FillingPlace): unknown {
  const views = alternatives.map((schema) => ({ schema, view: viewSchema(schema, place.root) }));
  const isNull = ({ view }: { view: SchemaView }) =>
    view.type === "null" || view.values[0] === null;
  if (!isFound(place) && place.part === undefined && views.some(isNull)) return null;
  const chosen = views.find((one) => !isNull(one)) ?? views[0];
  return fill(chosen?.schema, place);
}

/** A value that the quote or the question mentions, else the first: one must be chosen. */
function chooseValue({ values, default: otherwise }: SchemaView, place: FillingPlace): unknown {
  const beside = place.quote?.passage.fields[place.name];
  if (values.includes(beside)) return beside;
  const text = `${place.quote?.text ?? ""} ${place.subject.text}`.toLowerCase();
  const isMentioned = (value: unknown) =>
    typeof value === "string" && text.includes(value.toLowerCase());
  return values.find(isMentioned) ?? otherwise ?? values[0];
}

function fillObject(view: SchemaView, place: FillingPlace): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const property of view.properties) {
    const member = fillMember(property, place);
    if (member !== NO_VALUE) value[property.name] = member;
  }
  return value;
}

/** A member that may be absent is only written when something is known for it. */
function fillMember({ name, schema, required }: Property, place: FillingPlace): unknown {
  const view = viewSchema(schema, place.root);
  const isKnown = place.quote?.passage.fields[name] !== undefined || kindOf(name, view) !== "other";
  if (!required && !isKnown && !isRecord(view.items)) return NO_VALUE;
  return fill(schema, { ...place, name });
}

function fillList(view: SchemaView, place: FillingPlace): unknown[] {
  if (view.prefixItems.length > 0) return view.prefixItems.map((schema) => fill(schema, place));
  const max = Math.min(view.itemsMax, place.subject.countMax ?? Number.POSITIVE_INFINITY);
  // A list's name is in the plural and says nothing about what one item is made of.
  const item = (more: Partial<FillingPlace>) => fill(view.items, { ...place, ...more, name: "" });
  if (!isPlan(view, place)) {
    return place.quotes.slice(0, Math.min(max, LIST_MAX)).map((quote) => item({ quote }));
  }
  return splitSubject(place.subject, Math.min(max, LIST_MAX)).map((part) => item({ part }));
}

/** A list of what to look for or to do (strings, or objects with a member for it), rather than of what was found. */
function isPlan({ items }: SchemaView, { material, root }: FillingPlace): boolean {
  const view = viewSchema(items, root);
  if (material === "searched") return false;
  if (view.type === "string") return material === "none";
  const kinds = view.properties.map(({ name, schema }) => kindOf(name, viewSchema(schema, root)));
  return kinds.includes("query");
}

type FilledKind = "query" | "why" | "quote" | "prose" | "link" | "score" | "count" | "other";

const KINDS: readonly (readonly [FilledKind, RegExp])[] = [
  ["score", /\b(?:score|confidence|relevance|probability|rating|similarity)\b/],
  ["count", /\b(?:count|total|number of|how many)\b/],
  ["why", /\b(?:why|reason|rationale|justification|because|motivation)\b/],
  ["query", /\b(?:query|queries|question|search|keywords?|topic|task|title|step|goal)\b/],
  ["link", /\b(?:url|uri|link|href)\b/],
  [
    "quote",
    /\b(?:claim|details?|evidence|excerpt|fact|finding|passage|quotes?|sentence|snippet)\b/,
  ],
  [
    "prose",
    /\b(?:abstract|answer|body|conclusion|content|message|notes?|report|result|summary|text|value)\b/,
  ],
];

/** Returns the kind of a member: by its name first, else by its description. */
function kindOf(name: string, { description }: SchemaView): FilledKind {
  const of = (words: string) => KINDS.find(([, pattern]) => pattern.test(words))?.[0];
  return of(describeMember(name, "")) ?? of(description.toLowerCase()) ?? "other";
}

function fillString(view: SchemaView, place: FillingPlace): string {
  const { part, quote, subject } = place;
  const beside = copied(place, "string");
  if (typeof beside === "string") return beside;
  const kind = kindOf(place.name, view);
  if (kind === "query") return part?.query ?? subject.keywords.map(({ raw }) => raw).join(" ");
  if (kind === "why") return part?.why ?? whyChosen(place);
  const isText = kind === "quote" || kind === "prose" || place.name === "";
  if (part !== undefined) return isText ? part.query : "";
  if (kind === "link") return linkBeside(quote ?? place.quotes[0]) ?? "";
  if (quote !== undefined) return isText ? quote.text : "";
  if (isText && kind !== "quote") return writeReport(subject, place.quotes);
  return place.quotes[0]?.text ?? nothingFound(subject);
}

function whyChosen({ quote, quotes, subject }: FillingPlace): string {
  const chosen = quote ?? quotes[0];
  if (chosen === undefined) return nothingFound(subject);
  return `it has the words of the question: ${subject.text}`;
}

/** Returns the value beside the quote under the member's name. */
function copied(
  { quote, quotes, name }: FillingPlace,
  type: "string" | "number" | "boolean",
): unknown {
  const value = (quote ?? quotes[0])?.passage.fields[name];
  return typeof value === type ? value : undefined;
}

function linkBeside(quote: Quote | undefined): string | undefined {
  const values = Object.values(quote?.passage.fields ?? {});
  return values.find(
    (value): value is string => typeof value === "string" && /^\w+:\/\//.test(value),
  );
}

function fillNumber(view: SchemaView, place: FillingPlace): number {
  const number = copied(place, "number") ?? guessNumber(view, place);
  const inRange = Math.min(Math.max(Number(number), view.minimum), view.maximum);
  return view.type === "integer" ? Math.round(inRange) : inRange;
}

function guessNumber(view: SchemaView, place: FillingPlace): number {
  const kind = kindOf(place.name, view);
  const quote = place.quote ?? place.quotes[0];
  if (kind === "count") return place.quotes.length;
  if (kind === "score") return Math.round((quote?.coverage ?? 0) * 100) / 100;
  return Number(/-?\d+(?:\.\d+)?/.exec(quote?.text ?? "")?.[0] ?? 0);
}

function isFound({ quotes }: FillingPlace): boolean {
  return quotes.length > 0;
}

/** A part of what is asked. */
interface TextPart {
  /** The words to look for. */
  readonly query: string;
  readonly why: string;
}

/**
 * Returns at most `countMax` parts: first all distinctive words together, then the phrases that
 * narrow the question most.
 */
function splitSubject(subject: Subject, countMax: number): TextPart[] {
  const { text, keywords } = subject;
  const parts: TextPart[] = [];
  const add = (query: string, why: string) => {
    if (query !== "" && !parts.some((part) => part.query === query)) parts.push({ query, why });
  };
  add(keywords.map(({ raw }) => raw).join(" "), `the whole question: ${text}`);
  if (keywords.length > 2) {
    for (const query of phrasesOf(text))
      add(query, `“${query}” is a part of the question: ${text}`);
  }
  return parts.slice(0, countMax);
}

/** Telling words that stand together, at least two of them, most telling first; `and` and commas part them too. */
function phrasesOf(text: string): string[] {
  const phrases = runsOf(text).filter((words) => words.length > 1 && words.length < 5);
  const weight = (words: readonly string[]) =>
    keywordsOf(words.join(" "), "question").reduce((sum, keyword) => sum + keyword.weight, 0);
  return phrases.sort((a, b) => weight(b) - weight(a)).map((words) => words.join(" "));
}

function runsOf(text: string): string[][] {
  const runs: string[][] = [[]];
  for (const clause of text.split(/[,;:?!()“”"]|\.\s/)) {
    runs.push([]);
    for (const word of tokensOf(clause)) {
      if (isStopWord(word) || (isRequestWord(word) && !isIdentifier(word))) runs.push([]);
      else runs.at(-1)?.push(word);
    }
  }
  return runs;
}
