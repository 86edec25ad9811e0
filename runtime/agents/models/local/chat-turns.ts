/** Turns the messages of a call into the turns of a chat, which is all that the template of a local model knows. */
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

/** One turn of a chat, as text. */
export interface ChatTurn {
  readonly role: "system" | "user" | "model";
  readonly text: string;
}

/** The turns of a conversation; of one role after the other, as many templates ask for it. */
export function chatTurns(prompt: LanguageModelV4Prompt, instruction?: string): ChatTurn[] {
  const turns: ChatTurn[] = [];
  const tools = instruction === undefined ? [] : [{ role: "system", text: instruction } as const];
  const all = prompt.map(turnOf);
  const systems = all.filter(({ role }) => role === "system");
  const others = all.filter(({ role }) => role !== "system");
  for (const turn of [...systems, ...tools, ...others]) {
    const last = turns.at(-1);
    if (last?.role !== turn.role) turns.push(turn);
    else turns[turns.length - 1] = { role: turn.role, text: `${last.text}\n\n${turn.text}` };
  }
  return turns;
}

function turnOf(message: LanguageModelV4Message): ChatTurn {
  switch (message.role) {
    case "system":
      return { role: "system", text: message.content };
    case "user":
      return { role: "user", text: message.content.map(partText).join("\n") };
    case "assistant":
      return { role: "model", text: message.content.map(partText).join("\n") };
    case "tool":
      return { role: "user", text: message.content.map(partText).join("\n\n") };
  }
}

type ChatMessagePart = Exclude<LanguageModelV4Message["content"], string>[number];

function partText(part: ChatMessagePart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "tool-call":
      return `{"tool": ${JSON.stringify(part.toolName)}, "arguments": ${JSON.stringify(part.input)}}`;
    case "tool-result":
      return `Result of ${part.toolName}:\n${resultText(part.output)}`;
    case "reasoning":
      return "";
    default:
      return `(${part.type} that a model on this machine can't read)`;
  }
}

type ToolResultOutput = Extract<ChatMessagePart, { type: "tool-result" }>["output"];

function resultText(output: ToolResultOutput): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value);
    case "execution-denied":
      return `not allowed${output.reason === undefined ? "" : `: ${output.reason}`}`;
    case "content":
      return output.value.map((part) => ("text" in part ? part.text : `(${part.type})`)).join("\n");
  }
}
