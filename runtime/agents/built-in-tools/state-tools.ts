/** Makes tools by which an agent reads and writes the state while it works. */
import { type Ir, type JsonSchema, type NodeIr, toJsonSchema } from "../../../dsl/index.ts";
import type { Attempt } from "../../performer.ts";
import { type ResolvedTool, resolveTools, type ToolOptions, tool } from "../scope/tools.ts";
import type { ToolAnswer } from "../tools/call-tool.ts";

type ToolFields = Readonly<Record<string, unknown>>;

/** Returns whether a node's tool is one of the state tools. */
export function isStateTool([group]: readonly string[]): boolean {
  return group === "state";
}

/** Those that a node lists; `written` is what its attempt has written so far. */
export function stateTools(attempt: Attempt, written: () => ToolFields): readonly ResolvedTool[] {
  const names = attempt.node.tools.filter(isStateTool);
  return names.length === 0 ? [] : resolveTools(names, { state: toolsOf(attempt, written) });
}

/**
 * Returns the fields that calls of `state.write` wrote, served calls included; they become true with the commit of the
 * attempt.
 */
export function writtenBy(
  answers: readonly ToolAnswer[],
  tools: readonly ResolvedTool[],
): ToolFields {
  const write = tools.find(({ name }) => name === "state.write");
  const own = answers.filter(({ call, value }) => call.name === write?.modelName && value != null);
  return Object.assign({}, ...own.map(({ value }) => (value as { written: ToolFields }).written));
}

/** Returns the fields written by the attempts that this one repairs; the model knows of them. */
export function writtenBefore({ feedback, session = [] }: Attempt): ToolFields {
  if (feedback === undefined) return {};
  const own = session.filter(({ name, value }) => name === "state.write" && value != null);
  return Object.assign({}, ...own.map(({ value }) => (value as { written: ToolFields }).written));
}

/** The output of a node whose attempt has written some of its fields itself; its answer has the rest. */
export function withWritten(output: unknown, { writes }: NodeIr, written: ToolFields): unknown {
  if (Object.keys(written).length === 0) return output;
  const [only] = writes;
  if (writes.length === 1 && only !== undefined) return written[only.field] ?? output;
  return typeof output === "object" ? { ...output, ...written } : written;
}

/** Returns whether every field of `writes` is written, so that the answer has nothing left to say. */
export function isAllWritten({ writes }: NodeIr, written: ToolFields): boolean {
  return writes.length > 0 && writes.every(({ field }) => Object.hasOwn(written, field));
}

function toolsOf({ node, ir, readable = {} }: Attempt, written: () => ToolFields) {
  const seen = () => ({ ...readable, ...written() });
  const names = Object.keys(readable);
  const writable = schemasOf(node, ir);
  const listed = { readable: names, writable: Object.keys(writable) };
  const read = ({ names: asked }: { names: readonly string[] }) =>
    Object.fromEntries(asked.map((name) => [name, seen()[name] ?? null]));
  return {
    list: tool(() => listed, effectless("The names of what you can read and write.", {})),
    read: tool(
      read,
      effectless("Gives the values of these names, as they are for you now.", {
        names: { type: "array", items: { type: "string", enum: names } },
      }),
    ),
    write: tool((values: ToolFields) => ({ written: values }), {
      ...effectless("Writes values; the last one of a name wins. They count with your answer.", {}),
      input: { type: "object", properties: writable, additionalProperties: false },
    }),
  };
}

function effectless(
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
): ToolOptions {
  const required = Object.keys(properties);
  const input = { type: "object", properties, required, additionalProperties: false } as const;
  return { effect: "none", description, input };
}

function schemasOf({ writes }: NodeIr, { fields, types }: Ir): Record<string, JsonSchema> {
  const known = new Map(types.map(({ name, type }) => [name, type]));
  return Object.fromEntries(
    writes.map(({ field }) => {
      const type = fields.find(({ name }) => name === field)?.type;
      return [field, (type && toJsonSchema(type, known).schema) ?? {}];
    }),
  );
}
