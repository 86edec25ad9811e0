/** Says in which form a model on this machine has to answer: a text, JSON, or the call of a tool. */
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { JsonGrammar } from "./json-grammar.ts";

/** The form of one answer. */
export interface AnswerForm {
  /** Holds the model to the form; absent where any text will do. */
  readonly grammar?: string;
  /** Tells the model of its tools, behind the system's message; absent where it has none. */
  readonly instruction?: string;
  /** The names of the tools that the answer may call. */
  readonly tools: readonly string[];
  /** Keywords of the schemas that the grammar leaves out. */
  readonly ignored: readonly string[];
}

type AskedForm = Pick<LanguageModelV4CallOptions, "tools" | "toolChoice" | "responseFormat">;

/**
 * The form that a call asks for. A tool is called by `{"tool": NAME, "arguments": {…}}` and nothing else: small models
 * write the syntax of their own template too rarely to rely on it, and a grammar makes all of them write this.
 */
export function answerForm(asked: AskedForm): AnswerForm {
  const tools = offeredTools(asked);
  const { responseFormat } = asked;
  const names = tools.map(({ name }) => name);
  if (tools.length === 0 && responseFormat?.type !== "json") return { tools: names, ignored: [] };
  const grammar = new JsonGrammar();
  const calls = tools.map((tool) => callOf(tool, grammar));
  const root = [...calls, ...answers(asked, grammar)].join(" | ");
  return {
    grammar: grammar.text(root),
    ...(tools.length === 0 ? {} : { instruction: instructionFor(tools) }),
    tools: names,
    ignored: [...grammar.ignored],
  };
}

function offeredTools({
  tools = [],
  toolChoice,
}: AskedForm): readonly LanguageModelV4FunctionTool[] {
  const own = tools.filter((tool) => tool.type === "function");
  if (toolChoice?.type === "none") return [];
  return toolChoice?.type === "tool" ? own.filter(({ name }) => name === toolChoice.toolName) : own;
}

function callOf({ name, inputSchema }: LanguageModelV4FunctionTool, grammar: JsonGrammar): string {
  const start = JSON.stringify(`{"tool": ${JSON.stringify(name)}, "arguments": `);
  return `${start} ${grammar.add({ type: "object", ...inputSchema })} "}"`;
}

/** Lists what may be said beside calling a tool. A text that begins with a brace would look like such a call. */
function answers({ responseFormat, toolChoice }: AskedForm, grammar: JsonGrammar): string[] {
  if (toolChoice?.type === "required" || toolChoice?.type === "tool") return [];
  if (responseFormat?.type === "json") return [grammar.add(responseFormat.schema ?? {})];
  return [String.raw`[^{\x00] [^\x00]*`];
}

function instructionFor(tools: readonly LanguageModelV4FunctionTool[]): string {
  const lines = tools.map(
    ({ name, description = "", inputSchema }) =>
      `- ${name}: ${description} Its arguments fit this JSON Schema: ${JSON.stringify(inputSchema)}`,
  );
  return [
    'To call a tool, answer with nothing but {"tool": "NAME", "arguments": {…}}; you are then told its result. Tools:',
    ...lines,
  ].join("\n");
}
