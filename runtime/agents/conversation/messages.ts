/** Builds the messages of a conversation with a model: prompt, inbox, answers, tool calls and results. */
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { type Ir, type NodeIr, RETURN } from "../../../dsl/index.ts";
import type { Made } from "../../artifact.ts";
import type { Envelope } from "../../envelope.ts";
import type { ConversationMessage } from "../../messages/message.ts";
import type { Attempt, EffectResult } from "../../performer.ts";
import type { CallPurpose } from "../../records/call-records.ts";
import { shownInText } from "../../scheduler/expressions/evaluate.ts";
import type { Choice } from "../../scheduler/program/program.ts";
import type { ModelStep, ToolCall } from "../models/model-step.ts";
import { originMark } from "../models/origin.ts";
import type { StepPart } from "../models/step-parts.ts";
import { type OfferedSkill, skillsText } from "../skills/offered-skill.ts";
import type { ToolAnswer } from "../tools/call-tool.ts";
import { isStateful } from "../tools/tool-caller.ts";
import { mediaParts, type ResultPart } from "../tools/tool-media.ts";
import { showResult } from "../tools/tool-result.ts";
import type { Json } from "../values/json.ts";
import { keptFile } from "./kept-files.ts";
import type { PlaceRange } from "./message-groups.ts";
import { formatInstruction, type OutputPlan, outputPlan } from "./output.ts";

/** The source of the messages of a node's first model call. */
export interface PromptSource {
  readonly ir: Pick<Ir, "name" | "fields">;
  readonly node: NodeIr;
  /** Rendered, where the node has them. */
  readonly system?: string;
  readonly prompt?: string;
  /** The pictures and documents that the prompt names. */
  readonly media?: readonly Made[];
  /** The targets that the node may choose, if it chooses. */
  readonly choices?: readonly Choice[];
  /** The skills that the node has. */
  readonly offered?: readonly OfferedSkill[] | undefined;
  /** The messages that the node found in its inbox. */
  readonly inbox?: readonly Envelope[];
  /** The messages that earlier runs of the node found, if these are its history. */
  readonly earlier?: readonly Envelope[];
  /** The conversation of the field that its `history` names. */
  readonly conversation?: readonly ConversationMessage[];
  /** The round of a node with `every`. */
  readonly round?: Attempt["round"];
}

/** Builds the messages that the model sees first. The function is pure, so that they can be shown without a run. */
export function firstMessages(source: PromptSource): LanguageModelV4Prompt {
  const { node, ir, choices } = source;
  const plan = outputPlan(node, ir.fields, choices);
  return [
    { role: "system", content: systemText(source, plan) },
    ...inboxMessages(source),
    ...(isSpokenTo(source) ? [] : [promptMessage(source)]),
  ];
}

/** Returns whether the conversation of a node without a prompt says what there is to answer. */
function isSpokenTo({ node, conversation = [], round }: PromptSource): boolean {
  if (node.prompt !== undefined || round !== undefined) return false;
  const last = conversation.at(-1)?.role;
  return last === "user" || last === "tool" || last === "system";
}

/** The prompt, and what it names: the log has that by its hash, without its bytes. */
function promptMessage(source: PromptSource): LanguageModelV4Message {
  const { prompt, node, media = [], conversation = [] } = source;
  // Providers refuse a conversation that ends with an answer.
  const otherwise = conversation.length > 0 ? "It is your turn." : undefined;
  const text = [prompt ?? otherwise ?? node.description ?? node.name, ...roundText(source)].join(
    "\n\n",
  );
  return { role: "user", content: [{ type: "text", text }, ...media.map(keptFile)] };
}

/** Returns the text that names the round of a sentinel; its conversation begins anew with each round. */
function roundText({ round }: PromptSource): readonly string[] {
  if (round === undefined) return [];
  const of = round.max === undefined ? "" : ` of at most ${round.max}`;
  return [`(Round ${round.number}${of}.)`];
}

/** The same as one text, for people: `graph.prompt(node, input)`. */
export function promptText(source: PromptSource): string {
  return firstMessages(source).map(messageText).join("\n\n");
}

function messageText(message: LanguageModelV4Message): string {
  if (message.role === "system") return `[system]\n${message.content}`;
  const texts = message.content.map((part) =>
    part.type === "text" ? part.text : `(${part.type})`,
  );
  return `[${message.role}]\n${texts.join("\n")}`;
}

function systemText(
  { system, node, ir, choices, offered = [] }: PromptSource,
  plan: OutputPlan,
): string {
  const own = system ?? neutralSystem(node, ir.name);
  const skills = offered.length === 0 ? undefined : skillsText(offered);
  const format = formatInstruction(plan, node.tools.length > 0 || offered.length > 0);
  return [own, choiceText(node, choices), skills, format]
    .filter((text) => text !== undefined)
    .join("\n\n");
}

/** Returns the description of the targets among which a router chooses. */
function choiceText({ kind }: NodeIr, choices: readonly Choice[] = []): string | undefined {
  if (kind !== "router" || choices.length === 0) return undefined;
  return ["Choose who goes on:", ...choices.map(choiceLine)].join("\n");
}

/** `- writer: writes it down` */
export function choiceLine({ name, description }: Choice): string {
  const about = description ?? ABOUT_TARGETS[name];
  return about === undefined ? `- ${name}` : `- ${name}: ${about}`;
}

const ABOUT_TARGETS: Readonly<Record<string, string>> = {
  end: "nobody: it is done",
  [RETURN]: "back to who handed this over",
};

function neutralSystem({ name, description, tools }: NodeIr, graph: string): string {
  const role = description === undefined ? "" : ` Your part: ${description.replace(/\.$/, "")}.`;
  const use = tools.length === 0 ? "" : " Use the tools for what you do not know.";
  return `You are \`${name}\`, one step of the program \`${graph}\`.${role}${use} Do what is asked and nothing else.`;
}

/** A message from the graph, or from whoever speaks through it. */
export function userMessage(text: string): LanguageModelV4Message {
  return { role: "user", content: [{ type: "text", text }] };
}

/** Converts the answer of a model into the message that its next call contains. */
export function assistantMessage(step: ModelStep): LanguageModelV4Message {
  const { text, toolCalls, parts, origin = "" } = step;
  if (parts !== undefined) {
    const content = parts.flatMap((part) => sentBack(part, step));
    return { role: "assistant", content, providerOptions: originMark(origin) };
  }
  const calls = toolCalls.map(callPart);
  const textParts = text === "" && calls.length > 0 ? [] : [{ type: "text" as const, text }];
  return { role: "assistant", content: [...textParts, ...calls] };
}

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

/** A part as its provider gave it. */
function sentBack(part: StepPart, step: ModelStep): readonly AssistantPart[] {
  if (part.type === "tool-call") {
    return step.toolCalls.filter(({ id }) => id === part.id).map(callPart);
  }
  const { type, metadata } = part;
  const text = part.text ?? (type === "text" ? step.text : step.reasoning) ?? "";
  if (text === "" && metadata === undefined) return [];
  return [{ type, text, ...(isProviderOptions(metadata) ? { providerOptions: metadata } : {}) }];
}

function callPart({ id, name, input, metadata }: ToolCall): AssistantPart {
  return {
    type: "tool-call",
    toolCallId: id,
    toolName: name,
    input,
    ...(isProviderOptions(metadata) ? { providerOptions: metadata } : {}),
  };
}

type ProviderOptions = NonNullable<LanguageModelV4Message["providerOptions"]>;

// It came from the provider as just this and went through the log as JSON.
function isProviderOptions(metadata: unknown): metadata is ProviderOptions {
  return typeof metadata === "object" && metadata !== null && !Array.isArray(metadata);
}

/** The results of one turn's tool calls, in the order of the calls. */
export function toolMessage(answers: readonly ToolAnswer[]): LanguageModelV4Message {
  return {
    role: "tool",
    content: answers.map(({ call, value, error }) => ({
      type: "tool-result",
      toolCallId: call.id,
      toolName: call.name,
      output:
        error === undefined ? asOutput(value) : { type: "error-text", value: `Error: ${error}` },
    })),
  };
}

type ToolOutput = Extract<
  Extract<LanguageModelV4Message, { role: "tool" }>["content"][number],
  { type: "tool-result" }
>["output"];

function asOutput(value: unknown): ToolOutput {
  const parts = mediaParts((isStateful(value) ? value.value : value) as Json);
  if (parts !== undefined) return { type: "content", value: parts.map(sentPart) };
  const { type, value: seen } = showResult(value);
  return { type, value: seen } as ToolOutput;
}

function sentPart(part: ResultPart) {
  if (part.type === "text") return part;
  const { mediaType, data } = part;
  return { type: "file" as const, mediaType, data: { type: "data" as const, data } };
}

/** The number of changes by which a call shows its conversation shortened. */
export interface ShapedCounts {
  /** Results of tools that are shown by their ends. */
  readonly offloaded: number;
  /** Turns of tool calls that are left out. */
  readonly dropped: number;
  /** Images and files that are not shown any more. */
  readonly media?: number;
  /** Results of tools that are not shown again. */
  readonly repeated?: number;
}

/**
 * A cut of a conversation to a size. Places count the messages of the whole conversation from 0, the system's message,
 * with those of earlier conversations that the model is shown behind it.
 */
export interface Compaction {
  /** `too long`: the provider had refused the call before. */
  readonly policy: "limit" | "summarize" | "too long";
  /** The tokens before and after, as far as they can be counted. */
  readonly before: number;
  readonly after: number;
  readonly limit?: number;
  /** The messages that are left out: from the first place to before the second. */
  readonly dropped?: readonly PlaceRange[];
  /** The messages for which a summary stands from now on. */
  readonly covered?: PlaceRange;
}

/** The messages that one model call adds to the conversation in the log. */
export interface ModelRequest {
  readonly purpose?: CallPurpose;
  /** The ids of the entries whose texts a call embeds for a memory; the texts are not in the log. */
  readonly entries?: readonly string[];
  /** The number of turns, from the oldest, for which a summary of earlier conversations stands. */
  readonly turns?: number;
  /** The hash of these turns, where they are of a field, whose messages may be removed. */
  readonly of?: string;
  /** The messages for which a summary of this conversation stands, and the number of messages when it was made. */
  readonly covers?: { readonly from: number; readonly to: number; readonly of: number };
  /** The number of messages that this call shows shortened, as the node's `context` says. */
  readonly shaped?: ShapedCounts;
  /** The reasons for which this call shows fewer messages than there are, in the order in which they were applied. */
  readonly compacted?: readonly Compaction[];
  /**
   * The earlier conversations between the system's message and the others; present in the first call of a conversation
   * only.
   */
  readonly history?: {
    readonly turns: number;
    readonly messages: number;
    /** Turns that are not shown any more. */
    readonly dropped?: number;
    readonly summarized?: true;
  };
  /** The number of messages before these, as the earlier calls have logged them. */
  readonly from: number;
  readonly messages: LanguageModelV4Prompt;
  /** Only where the conversation begins. */
  readonly tools?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly input: unknown;
  }[];
  readonly output?: unknown;
  readonly settings?: unknown;
}

/**
 * The conversation of an earlier attempt, from its effects: what its calls were asked, what the model said, and the
 * results of its tool calls, also of those after the last answer. `unmade` is what a call came to that is no effect: of
 * a conversation that ended well, it handed the work over.
 */
export function earlierMessages(
  session: readonly EffectResult[],
  unmade?: string,
): LanguageModelV4Message[] {
  let messages: LanguageModelV4Message[] = [];
  session.forEach((effect, index) => {
    if (effect.effect !== "model") return;
    const request = effect.request as ModelRequest;
    if (request.purpose !== undefined) return;
    const steering = (effect.heard ?? []).map(userMessage);
    messages = [...messages.slice(0, request.from), ...request.messages, ...steering];
    if (effect.value === undefined) return;
    const step = effect.value as ModelStep;
    messages.push(assistantMessage(step));
    if (step.toolCalls.length > 0)
      messages.push(toolMessage(answersAfter(session.slice(index + 1), step, unmade)));
  });
  return messages;
}

// A call without a result would make the provider refuse the whole conversation. One that was handed over has none.
function answersAfter(
  after: readonly EffectResult[],
  { toolCalls }: ModelStep,
  unmade: string | undefined,
): ToolAnswer[] {
  const effects = after.slice(0, toolCalls.length);
  return toolCalls.map((call, at) => {
    const known = effects.find(({ toolCallId }) => toolCallId === call.id);
    const effect = known ?? (effects[at]?.toolCallId === undefined ? effects[at] : undefined);
    if (effect?.effect !== "tool") {
      return unmade === undefined
        ? { call, error: "this call was not made" }
        : { call, value: unmade };
    }
    return effect.failure === undefined
      ? { call, value: effect.value }
      : { call, error: effect.failure.message };
  });
}

interface ReadMessages {
  readonly node: NodeIr;
  readonly inbox?: readonly Envelope[];
  readonly earlier?: readonly Envelope[];
}

/**
 * Builds the inbox messages that precede a node's prompt: with `history inbox` all of them, else the new ones, unless
 * its prompts show those themselves.
 */
function inboxMessages({ node, inbox = [], earlier = [] }: ReadMessages): LanguageModelV4Message[] {
  const found = namesInbox([node.prompt, node.system]) ? [] : inbox;
  return [...earlier, ...found].map((message) => ({
    role: "user",
    content: [{ type: "text", text: envelopeText(message) }],
  }));
}

/** Returns whether an expression names the inbox. */
function namesInbox(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  const { kind, name, of } = part as { kind?: unknown; name?: unknown; of?: unknown };
  if (kind === "name" && of === "special" && name === "inbox") return true;
  return Object.values(part).some(namesInbox);
}

/** A message in words: who says it, as what, about what, and its content. */
function envelopeText({ sender, kind, topic, payload }: Envelope): string {
  const about = topic === undefined ? "" : ` about ${topic}`;
  return `[${kind} from ${sender}${about}]\n${payloadText(kind, payload)}`;
}

function payloadText(kind: Envelope["kind"], payload: unknown): string {
  if (kind !== "handoff" || typeof payload !== "object" || payload === null) {
    return shownInText(payload);
  }
  const { task, payload: data } = payload as {
    readonly task?: unknown;
    readonly payload?: unknown;
  };
  const parts = [task, data].filter((part) => part !== undefined);
  return parts.map(shownInText).join("\n");
}
