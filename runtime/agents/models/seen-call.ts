/** A model call as interceptors see it, and as it is made with what they changed. */
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import type { CallSeen } from "../../performer.ts";
import type { CallPurpose } from "../../records/call-records.ts";
import type { CallSettings, ModelHandle } from "./model-handle.ts";

/** A message of a prompt, as the AI SDK has it. */
export type ModelMessage = LanguageModelV4Message;

/** Shows the prompt and the settings of a call; `purpose` where it is not the node's own conversation. */
export function seenModelCall(
  { id, settings = {} }: ModelHandle,
  of: {
    readonly messages: readonly ModelMessage[];
    readonly tools?: readonly { readonly name: string }[];
    readonly purpose?: CallPurpose;
  },
): CallSeen {
  const { messages, tools = [], purpose } = of;
  const why = purpose === undefined ? {} : { purpose };
  return {
    facts: { model: id, tools: tools.map(({ name }) => name), ...why },
    members: { messages, settings, headers: {} },
    value: "members",
  };
}

/** Returns the options of a call with the members that interceptors changed. */
export function withChanges(
  call: LanguageModelV4CallOptions,
  changed: Readonly<Record<string, unknown>>,
): LanguageModelV4CallOptions {
  const {
    messages = call.prompt,
    settings = {},
    headers,
  } = changed as {
    readonly messages?: ModelMessage[];
    readonly settings?: CallSettings;
    readonly headers?: Record<string, string>;
  };
  const { stopSequences, ...others } = settings;
  return {
    ...call,
    ...others,
    ...(stopSequences === undefined ? {} : { stopSequences: [...stopSequences] }),
    ...(headers === undefined ? {} : { headers: { ...call.headers, ...headers } }),
    prompt: messages,
  };
}
