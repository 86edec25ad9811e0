/** Has a model explain its tool calls: adds arguments for that to the schemas of tools, and takes them out of its calls. */
import type { JsonSchema } from "../../../dsl/index.ts";
import type { ToolCall } from "../models/model-step.ts";
import type { ResolvedTool } from "../scope/tools.ts";
import type { Json } from "../values/json.ts";

type ExplainedTool = Pick<ResolvedTool, "inputSchema"> & Partial<Pick<ResolvedTool, "baseline">>;

const EXPLANATION = {
  type: "string",
  description: "The reason for this call and its effect, in one sentence, for a person.",
} as const;

const REQUIRE_APPROVAL = {
  type: "boolean",
  description: "True where a person should approve this call before it is made.",
} as const;

/**
 * Returns the tool as its model is told of it: with an `explanation`, and with `require_approval` where its baseline says that
 * a call may need a person, and not that it does. An argument that the tool itself has by that name stays the tool's.
 */
export function explainedTool<T extends ExplainedTool>(tool: T): T {
  const added = argumentsFor(tool);
  const names = Object.keys(added);
  if (names.length === 0) return tool;
  const { properties, required = [], ...schema } = tool.inputSchema as ObjectSchema;
  const inputSchema: JsonSchema = {
    ...schema,
    properties: { ...properties, ...added },
    required: [...required, ...names],
  };
  return { ...tool, inputSchema };
}

/** Returns a call as its tool takes it, with what the model said of it beside that. */
export function readExplained(call: ToolCall, tool: ExplainedTool | undefined): ToolCall {
  const { input } = call;
  if (tool === undefined || call.broken === true || !isObject(input)) return call;
  const names = Object.keys(argumentsFor(tool));
  const kept = Object.entries(input).filter(([name]) => !names.includes(name));
  const memberOf = (name: string) => (names.includes(name) ? input[name] : undefined);
  const explanation = memberOf("explanation");
  const wanted = memberOf("require_approval");
  return {
    ...call,
    input: Object.fromEntries(kept),
    ...(typeof explanation === "string" ? { explanation } : {}),
    ...(typeof wanted === "boolean" ? { guess: wanted ? ("always" as const) : "never" } : {}),
  };
}

/** The schema of a tool's input, which is always one of an object. */
interface ObjectSchema extends JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

function argumentsFor({ inputSchema, baseline }: ExplainedTool): Record<string, JsonSchema> {
  const { properties = {} } = inputSchema as ObjectSchema;
  const all = {
    explanation: EXPLANATION,
    ...(baseline === "maybe" ? { require_approval: REQUIRE_APPROVAL } : {}),
  };
  const own = Object.entries(all).filter(([name]) => !Object.hasOwn(properties, name));
  return Object.fromEntries(own);
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
