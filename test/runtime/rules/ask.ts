/** The one place of these tests that knows the model's protocol: a prompt goes in, calls and an answer come out. */
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import { rules } from "../../../runtime/agents/rules/rules.ts";

/** A tool of a test: what the model sees of it, and what it does. */
export interface TestTool {
  readonly name: string;
  readonly description?: string;
  readonly input: Record<string, unknown>;
  readonly run: (input: Record<string, string>) => unknown;
}

/** What came of a prompt. */
export interface Asked {
  /** `name {"input":…}`, in their order; those of one turn are joined by `+`. */
  readonly turns: readonly string[];
  readonly text: string;
  readonly messages: readonly LanguageModelV4Message[];
}

/** Asks, calls the tools that the model wants, and gives back its answer. */
export async function ask(
  prompt: string | readonly LanguageModelV4Message[],
  options: { tools?: readonly TestTool[]; schema?: object; turnsMax?: number } = {},
): Promise<Asked> {
  const { tools = [], schema, turnsMax = 10 } = options;
  const messages = [...(typeof prompt === "string" ? [user(prompt)] : prompt)];
  const turns: string[] = [];
  while (turns.length < turnsMax) {
    const { content } = await rules().doGenerate(callOptions(messages, { tools, schema }));
    const calls = content.filter((part) => part.type === "tool-call");
    const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    if (calls.length === 0) return { turns, text, messages };
    turns.push(calls.map(({ toolName, input }) => `${toolName} ${input}`).join(" + "));
    const made = calls.map((call) => ({ ...call, input: JSON.parse(call.input) }));
    messages.push({ role: "assistant", content: made });
    messages.push(await answersOf(made, tools));
  }
  throw new Error(`the model still calls tools after ${turnsMax} turns: ${turns.join("\n")}`);
}

/** The answer of `ask`, parsed. */
export async function askJson(
  prompt: string,
  schema: object,
  tools: readonly TestTool[] = [],
): Promise<unknown> {
  return JSON.parse((await ask(prompt, { tools, schema })).text);
}

/** A message of the user. */
export function user(text: string): LanguageModelV4Message {
  return { role: "user", content: [{ type: "text", text }] };
}

/** The options of one model call. */
export function callOptions(
  prompt: readonly LanguageModelV4Message[],
  { tools = [], schema }: { tools?: readonly TestTool[]; schema?: object | undefined } = {},
): LanguageModelV4CallOptions {
  return {
    prompt: [...prompt],
    tools: tools.map(({ name, description, input }) => ({
      type: "function",
      name,
      ...(description === undefined ? {} : { description }),
      inputSchema: input,
    })),
    ...(schema === undefined ? {} : { responseFormat: { type: "json", schema } }),
  };
}

/** The schema of an object whose members are all required. */
export function object(properties: Record<string, object>): Record<string, unknown> {
  return { type: "object", properties, required: Object.keys(properties) };
}

async function answersOf(
  calls: readonly { toolCallId: string; toolName: string; input: Record<string, string> }[],
  tools: readonly TestTool[],
): Promise<LanguageModelV4Message> {
  const content = [];
  for (const { toolCallId, toolName, input } of calls) {
    const tool = tools.find(({ name }) => name === toolName);
    if (tool === undefined)
      throw new Error(`the model calls ${toolName}, which it was not offered`);
    const value = await tool.run(input);
    const output =
      typeof value === "string"
        ? { type: "text" as const, value }
        : { type: "json" as const, value: JSON.parse(JSON.stringify(value)) };
    content.push({ type: "tool-result" as const, toolCallId, toolName, output });
  }
  return { role: "tool", content };
}
