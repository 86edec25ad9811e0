/** Takes tools of the AI SDK and of LangChain as they are: objects that say what they take, with a function that is called. */
import type { JsonSchema } from "../../../dsl/index.ts";
import { isStandardSchema, type StandardSchema } from "./tool-input.ts";

/** The part of a tool of the AI SDK that is used here: what `tool({ … })` of the package `ai` returns. */
interface SdkTool {
  readonly description?: string;
  readonly inputSchema: object;
  readonly execute: (input: unknown, options: object) => unknown;
}

/** The part of a tool of LangChain that is used here: what its `tool(fn, { … })` returns. */
interface LangChainTool {
  readonly description?: string;
  readonly schema: object;
  readonly invoke: (input: unknown, options: object) => Promise<unknown>;
}

/** The part of the context of a tool that they are given. */
interface ForeignCallContext {
  readonly signal: AbortSignal;
  readonly idempotencyKey: string;
}

type ToolCallFunction = (input: unknown, context: ForeignCallContext) => unknown;

const converted = new WeakMap<object, ToolCallFunction>();

/** The mark of what `tool()` makes, which is below this file's callers. */
const TOOL = Symbol.for("madrigal.tool");

/** Returns whether a value is a tool of another library. */
export function isForeignTool(value: unknown): value is SdkTool | LangChainTool {
  if (typeof value !== "object" || value === null) return false;
  const { execute, inputSchema, invoke, schema } = value as Partial<SdkTool & LangChainTool>;
  const isSdks = typeof execute === "function" && typeof inputSchema === "object";
  return isSdks || (typeof invoke === "function" && typeof schema === "object" && schema !== null);
}

/** Makes a tool of ours of one of another library, once for each; it is `external`, since neither library says what a tool touches. */
export function fromForeign(value: SdkTool | LangChainTool): ToolCallFunction {
  const known = converted.get(value);
  if (known !== undefined) return known;
  const { description } = value;
  const options = {
    effect: "external",
    ...(description === undefined ? {} : { description }),
    input: schemaIn("execute" in value ? value.inputSchema : value.schema),
  };
  const made = Object.assign(callOf(value), { [TOOL]: options });
  converted.set(value, made);
  return made;
}

function callOf(value: SdkTool | LangChainTool): ToolCallFunction {
  if ("execute" in value)
    return (input, { signal, idempotencyKey }) =>
      value.execute(input, { toolCallId: idempotencyKey, messages: [], abortSignal: signal });
  return (input, { signal }) => value.invoke(input, { signal });
}

/** A schema of zod or the like, the wrapper that `jsonSchema()` of the AI SDK makes, or JSON Schema itself. */
function schemaIn(given: object): JsonSchema | StandardSchema {
  const schema = given as JsonSchema | StandardSchema;
  if (isStandardSchema(schema)) return schema;
  const { jsonSchema } = given as { readonly jsonSchema?: JsonSchema };
  return jsonSchema ?? (schema as JsonSchema);
}
