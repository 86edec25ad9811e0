/** Reads the output of a node from a model's answer, and says what to repair where it does not fit. */
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { Ir, JsonSchema, NodeIr } from "../../../dsl/index.ts";
import { type Failure, FailureError } from "../../failure.ts";
import type { Choice } from "../../scheduler/program/program.ts";
import { describeMisfit, type Misfit, misfits } from "../../state/json-schema.ts";
import { withLists } from "../values/list-items.ts";

/** The form in which a node's answer is requested and read. */
export type OutputPlan =
  /** The answer's text is the output; nothing else is asked. */
  | { readonly kind: "text" }
  | {
      readonly kind: "json";
      /** The output's own type. */
      readonly schema: JsonSchema;
      /** The schema that the provider is sent; its root must be an object. */
      readonly asked: JsonSchema;
      /** The member that the output stands in, where its own type is no object. */
      readonly member?: string;
      /** The output with a list around what may be one item of it. */
      readonly withLists: (output: unknown) => unknown;
    };

/** Chooses the form of a node's answer by the type of the fields that it writes. */
export function outputPlan(
  node: NodeIr,
  fields: Ir["fields"],
  choices: readonly Choice[] = [],
): OutputPlan {
  if (node.kind === "router" && choices.length > 0) return choicePlan(choices);
  const schema = node.output;
  if (schema === undefined || isPlainText(schema)) return { kind: "text" };
  const lists = (output: unknown) => withLists(output, node, fields);
  if (schema.type === "object") return { kind: "json", schema, asked: schema, withLists: lists };
  const [write] = node.writes;
  const member = node.writes.length === 1 && write !== undefined ? write.field : "value";
  return { kind: "json", schema, asked: wrapped(schema, member), member, withLists: lists };
}

/** A router's answer is the name of one of its targets. */
function choicePlan(choices: readonly Choice[]): OutputPlan {
  const schema = { type: "string", enum: choices.map(({ name }) => name) };
  const asked = wrapped(schema, "next");
  return { kind: "json", schema, asked, member: "next", withLists: (output) => output };
}

function isPlainText(schema: JsonSchema): boolean {
  return schema.type === "string" && Object.keys(schema).length === 1;
}

/** The form of an answer of this type alone. */
export function planOfSchema(schema: JsonSchema): JsonPlan {
  const own = { kind: "json", schema, withLists: (output: unknown) => output } as const;
  if (schema.type === "object") return { ...own, asked: schema };
  return { ...own, asked: wrapped(schema, "value"), member: "value" };
}

// `$ref`s start at the root, so the definitions move there.
function wrapped({ $defs, ...schema }: JsonSchema, member: string): JsonSchema {
  return {
    type: "object",
    properties: { [member]: schema },
    required: [member],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
  };
}

/** Returns the response format of a call, by which providers that can will answer in shape. */
export function responseFormat(
  plan: OutputPlan,
  node: NodeIr,
): Pick<LanguageModelV4CallOptions, "responseFormat"> {
  if (plan.kind === "text") return {};
  const name = node.name.replace(/[^\w-]/g, "_").slice(0, 64);
  return { responseFormat: { type: "json", schema: plan.asked, name } };
}

/** Returns whether a provider's strict mode takes the schema: every object is closed and every member required. */
export function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== "object" || schema === null) return true;
  const { type, properties, required, additionalProperties } = schema as JsonSchema;
  if (Object.keys(schema).length === 0 || "prefixItems" in schema) return false;
  if (type === "object") {
    const names = Object.keys(properties ?? {});
    if (additionalProperties !== false || !Array.isArray(required)) return false;
    if (names.some((name) => !required.includes(name))) return false;
    return isStrict(Object.values(properties ?? {})) && isStrict((schema as JsonSchema).$defs);
  }
  return Object.values(schema).every(isStrict);
}

/** The same in words, for servers that ignore the format: part of the system text. */
export function formatInstruction(plan: OutputPlan, hasTools: boolean): string | undefined {
  if (plan.kind === "text") return undefined;
  const when = hasTools ? "When you need no more tools, answer" : "Answer";
  return [
    `${when} with one JSON value only, no other text and no code fence. It must fit this JSON Schema:`,
    JSON.stringify(plan.asked),
  ].join("\n");
}

/** The output that a text holds; throws class `invalid`, with what to tell the model, when there is none. */
export function readOutput(text: string, plan: OutputPlan, modelId: string): unknown {
  if (plan.kind === "text") return text;
  const candidates = jsonCandidates(text);
  let nearest: readonly Misfit[] | undefined;
  for (const candidate of candidates) {
    for (const value of readings(candidate, plan)) {
      const wrong = misfits(value, plan.schema);
      if (wrong.length === 0) return value;
      nearest ??= wrong;
    }
  }
  // `ship` for a field of "ship" | "revise": not JSON, but said plainly.
  const plain = text.trim();
  if (candidates.length === 0 && misfits(plain, plan.schema).length === 0) return plain;
  throw new FailureError(invalid({ text, modelId, plan, wrong: nearest }));
}

export type JsonPlan = OutputPlan & { readonly kind: "json" };

/** The outputs that a parsed value may stand for: its wrapped member first, then itself, then items in place of lists. */
function readings(value: unknown, { member, withLists }: JsonPlan): unknown[] {
  const inside = member === undefined ? undefined : readMember(value, member);
  const whole = inside === undefined ? [value] : [inside, value];
  return [...whole, ...whole.map(withLists)];
}

function readMember(value: unknown, member: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, member))
    return undefined;
  return (value as JsonSchema)[member];
}

interface Invalid {
  readonly text: string;
  readonly modelId: string;
  readonly plan: JsonPlan;
  /** Undefined when the text holds no JSON at all. */
  readonly wrong: readonly Misfit[] | undefined;
}

const SHOWN_MAX = 8;

function invalid({ text, modelId, plan, wrong }: Invalid): Failure {
  const oneLine = text.trim().replace(/\s+/g, " ");
  const start = oneLine.length > 80 ? `${oneLine.slice(0, 77)}…` : oneLine;
  const reasons = (wrong ?? [])
    .slice(0, SHOWN_MAX)
    .map((one) => describeMisfit({ ...one, path: within(plan.member, one.path) }));
  const [first = oneLine === "" ? "it is empty" : `it holds no JSON: ${start}`] = reasons;
  return {
    class: "invalid",
    code: "M8120",
    message: `the answer of \`${modelId}\` does not fit: ${first}`,
    hint: "the type is that of the field the node writes; say in the prompt what each part means",
    feedback: feedbackText(reasons.length === 0 ? [first] : reasons, plan),
  };
}

// Paths are told as the model was asked: from the member that its output stands in.
function within(member: string | undefined, path: string): string {
  if (member === undefined || path === "") return member ?? path;
  return path.startsWith("[") ? `${member}${path}` : `${member}.${path}`;
}

function feedbackText(reasons: readonly string[], plan: JsonPlan): string {
  return [
    "Your answer could not be used:",
    ...reasons.map((reason) => `- ${reason}`),
    "Answer again, with one JSON value only, that fits this JSON Schema:",
    JSON.stringify(plan.asked),
  ].join("\n");
}

/**
 * Every piece of JSON that a model may have meant by its answer, likeliest first: the whole text, what stands in code
 * fences, then each outermost `{…}` or `[…]` in prose. Models wrap JSON in words however they are asked not to.
 */
export function jsonCandidates(text: string): unknown[] {
  const whole = text.trim();
  const pieces = [whole, ...fenced(whole), ...bracketed(whole)];
  return pieces.flatMap((piece) => {
    const parsed = parse(piece);
    return parsed === undefined ? [] : [parsed.value];
  });
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function fenced(text: string): string[] {
  return [...text.matchAll(/```[\w-]*\s*\n?([\s\S]*?)```/g)].map(([, inner = ""]) => inner.trim());
}

function bracketed(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const open = text[at];
    if (open !== "{" && open !== "[") continue;
    const end = closingOf(text, at);
    if (end === undefined) continue;
    found.push(text.slice(at, end + 1));
    at = end;
  }
  return found;
}

/** The bracket that closes the one at `start`, brackets inside strings left out. */
function closingOf(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}
