/** Makes one model call of an agent, journalled, with what the call adds to the conversation. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { InsteadOf } from "../records/call-records.ts";
import { contextFunction } from "../scheduler/attempts/attempt-view.ts";
import { untilCancelled } from "./abort.ts";
import { type Loop, type OfferedTool, offeredTools } from "./agent-loop.ts";
import { shownBy } from "./conversation/context-function.ts";
import { type Shaped, shaped } from "./conversation/context-policy.ts";
import { fitMedia } from "./conversation/fit-media.ts";
import { type ModelRequest, userMessage } from "./conversation/messages.ts";
import { estimateOf } from "./models/estimate.ts";
import { askModel, type ModelStep } from "./models/model-step.ts";
import { seenModelCall, withChanges } from "./models/seen-call.ts";

/** Asks the model; `sent` messages are in the log as earlier calls have logged them. */
export function ask(loop: Loop, sent: number, instead: InsteadOf | undefined): Promise<ModelStep> {
  const whole = wholeConversation(loop);
  if (contextFunction(loop.attempt.node) === undefined)
    return askWith(loop, { sent, instead }, shaped(whole, loop.policy));
  const { attempt, context, scope } = loop;
  const asking = shownBy(attempt, context, { messages: whole, scope });
  return asking.then((messages) => askWith(loop, { sent, instead }, { messages }));
}

function askWith(
  loop: Loop,
  { sent, instead }: { readonly sent: number; readonly instead: InsteadOf | undefined },
  { messages: shown, changes }: Shaped,
): Promise<ModelStep> {
  const { context, handle, clock, limiter, messages } = loop;
  const before = messages.length;
  const asked = [...shown];
  return context.effect<ModelStep>({
    effect: "model",
    name: handle.id,
    modelSource: handle.source,
    instead,
    estimate: estimateOf(handle, { prompt: shown, ...loop.options }),
    request: {
      ...requestOf(loop, sent),
      ...(changes === undefined ? {} : { shaped: changes }),
    },
    hear: (texts) => void messages.push(...texts.map(userMessage)),
    seen: seenModelCall(handle, { messages: asked, tools: loop.tools }),
    perform: async (cancellation, changed, identity) => {
      const called = withChanges({ ...loop.options, prompt: asked }, changed);
      // What it is to hear has come since.
      const prompt = [...called.prompt, ...messages.slice(before)];
      const call = { ...called, prompt: fitMedia(prompt, handle) };
      const pieces = loop.redactPieces((text) => context.delta(text));
      const delta = (text: string) => pieces.write(text);
      const options = { handle, clock, limiter, cancellation, identity, delta };
      const step = await untilCancelled(() => askModel(call, options), cancellation);
      pieces.end();
      return step;
    },
  });
}

/** With what its model sees of earlier ones behind the system's message. */
function wholeConversation({ messages, history }: Loop): readonly LanguageModelV4Message[] {
  if (history.messages.length === 0) return messages;
  return [...messages.slice(0, 1), ...history.messages, ...messages.slice(1)];
}

function requestOf({ messages, plan, handle, history, ...loop }: Loop, from: number): ModelRequest {
  const added = { from, messages: messages.slice(from) };
  if (from > 0) return added;
  const tools = offeredTools(loop);
  return {
    ...added,
    ...(history.logged === undefined ? {} : { history: history.logged }),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolRecord) }),
    ...(plan.kind === "text" ? {} : { output: plan.asked }),
    ...(handle.settings === undefined ? {} : { settings: handle.settings }),
  };
}

function toolRecord({ modelName, description, inputSchema }: OfferedTool) {
  return {
    name: modelName,
    ...(description === undefined ? {} : { description }),
    input: inputSchema,
  };
}
