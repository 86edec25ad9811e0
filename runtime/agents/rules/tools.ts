/** Tells from names, descriptions and schemas what a tool is good for, and finds arguments for it. */
import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { matchOf, termSet } from "./match.ts";
import type { Passage } from "./material.ts";
import { describeMember, type Property, type SchemaView, viewSchema } from "./schema.ts";
import { keywordsOf, type Subject } from "./subject.ts";

/** A call to make. */
export interface RulesToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const QUERY = /\b(?:query|question|keywords?|search|terms?|topic|phrase|q)\b/;
const SEARCHING = /\b(?:search(?:es)?|find(?:s)?|look(?:s)? ?up|query|queries|retrieve(?:s)?)\b/;

/** Returns whether a tool takes search words and requires no other argument. */
export function isSearch(tool: LanguageModelV4FunctionTool): boolean {
  return queryMember(tool) !== undefined && searchCall(tool, "") !== undefined;
}

/** The tools that search, those for what is asked first. */
export function searchTools(
  tools: readonly LanguageModelV4FunctionTool[],
  subject: Subject,
): LanguageModelV4FunctionTool[] {
  const merit = (tool: LanguageModelV4FunctionTool) =>
    affinity(tool, subject) + (SEARCHING.test(describeTool(tool)) ? 1 : 0);
  return tools.filter(isSearch).sort((a, b) => merit(b) - merit(a));
}

/** The call of a searching tool with `query`. */
export function searchCall(
  tool: LanguageModelV4FunctionTool,
  query: string,
): RulesToolCall | undefined {
  const member = queryMember(tool);
  if (member === undefined) return undefined;
  const input: Record<string, unknown> = {};
  for (const { name, schema, required } of viewSchema(tool.inputSchema, tool.inputSchema)
    .properties) {
    if (name === member) input[name] = query;
    else if (required) {
      const value = neutralValue(viewSchema(schema, tool.inputSchema));
      if (value === undefined) return undefined;
      input[name] = value;
    }
  }
  return { tool: tool.name, input };
}

/** Counts the keywords that a tool's name and description match. */
export function affinity(tool: LanguageModelV4FunctionTool, { prose }: Subject): number {
  const terms = termSet(describeTool(tool));
  return keywordsOf(prose, "question").filter((keyword) => matchOf(keyword, terms) > 0).length;
}

/** The call of a tool whose required texts stand in `passage` under the same names (or names for the same). */
export function callFor(
  tool: LanguageModelV4FunctionTool,
  passage: Passage,
): RulesToolCall | undefined {
  const input: Record<string, unknown> = {};
  let texts = 0;
  for (const property of viewSchema(tool.inputSchema, tool.inputSchema).properties) {
    const view = viewSchema(property.schema, tool.inputSchema);
    const value = besideMember(property, view, passage);
    if (value !== undefined) {
      input[property.name] = value;
      if (property.required && view.type === "string") texts += 1;
    } else if (property.required) return undefined;
  }
  return texts === 0 ? undefined : { tool: tool.name, input };
}

/** The call of a tool whose required members the question itself names: a place, a number, one of the allowed words. */
export function callFromSubject(
  tool: LanguageModelV4FunctionTool,
  subject: Subject,
): RulesToolCall | undefined {
  const input: Record<string, unknown> = {};
  for (const { name, schema, required } of viewSchema(tool.inputSchema, tool.inputSchema)
    .properties) {
    const view = viewSchema(schema, tool.inputSchema);
    const value = valueInSubject(view, subject);
    if (required && value === undefined) return undefined;
    if (required || (view.values.length > 0 && value !== undefined)) input[name] = value;
  }
  return { tool: tool.name, input };
}

function queryMember(tool: LanguageModelV4FunctionTool): string | undefined {
  const strings = viewSchema(tool.inputSchema, tool.inputSchema).properties.filter(({ schema }) => {
    const view = viewSchema(schema, tool.inputSchema);
    return view.type === "string" && view.values.length === 0;
  });
  const meant = (property: Property, words: (property: Property) => string) =>
    QUERY.test(words(property));
  const byName = strings.find((property) =>
    meant(property, ({ name }) => describeMember(name, "")),
  );
  const byDescription = strings.find((property) =>
    meant(property, ({ schema }) => viewSchema(schema, tool.inputSchema).description.toLowerCase()),
  );
  return (byName ?? byDescription)?.name;
}

function describeTool({ name, description = "" }: LanguageModelV4FunctionTool): string {
  return describeMember(name, description);
}

function neutralValue(view: SchemaView): unknown {
  if (view.default !== undefined) return view.default;
  if (view.values.length > 0) return view.values[0];
  if (view.type === "boolean") return false;
  if (view.type !== "integer" && view.type !== "number") return undefined;
  return Math.max(view.minimum, Math.min(5, view.maximum));
}

/** Names that tools use for the same thing. */
const SAME: readonly (readonly string[])[] = [
  ["url", "uri", "link", "href"],
  ["file", "path", "filepath", "filename", "document"],
  ["id", "key", "identifier", "documentid"],
];

function besideMember(
  { name, required }: Property,
  view: SchemaView,
  { fields }: Passage,
): unknown {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const names = SAME.find((group) => group.includes(plain(name))) ?? [plain(name)];
  const entry =
    Object.entries(fields).find(([field]) => plain(field) === plain(name)) ??
    (required ? Object.entries(fields).find(([field]) => names.includes(plain(field))) : undefined);
  const type = view.type === "integer" ? "number" : view.type;
  return typeof entry?.[1] === type ? entry?.[1] : undefined;
}

function valueInSubject({ type, values }: SchemaView, { text }: Subject): unknown {
  if (values.length > 0) {
    return values.find(
      (value) => typeof value === "string" && text.toLowerCase().includes(value.toLowerCase()),
    );
  }
  if (type === "integer" || type === "number") {
    const number = /-?\d+(?:\.\d+)?/.exec(text)?.[0];
    return number === undefined ? undefined : Number(number);
  }
  return type === "string" ? nameIn(text) : undefined;
}

/** Returns a quoted text, a link or address, or a capitalised name inside a sentence. */
function nameIn(text: string): string | undefined {
  const quoted = /[“"`]([^”"`]+)[”"`]/.exec(text)?.[1];
  const address = /\b\w+:\/\/\S+|\S+@\S+\.\w+/.exec(text)?.[0];
  const name = /(?<=[\p{L}\p{N},]\s+)\p{Lu}[\p{L}\p{N}]*(?:[ -]\p{Lu}[\p{L}\p{N}]*)*/u.exec(
    text,
  )?.[0];
  return quoted ?? address ?? name;
}
