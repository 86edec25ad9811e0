/** Makes one model call of an agent, journalled, with what the call adds to the conversation. */

import type { CallChanges } from "../performer.ts";
import type { InsteadOf } from "../records/call-records.ts";
import { untilCancelled } from "./abort.ts";
import { type Loop, type OfferedTool, offeredTools } from "./agent-loop.ts";
import type { ShownContext } from "./conversation/context-shaper.ts";
import { fitMedia } from "./conversation/fit-media.ts";
import { withKeptFiles } from "./conversation/kept-files.ts";
import { type ModelRequest, userMessage } from "./conversation/messages.ts";
import { isTooLong } from "./models/call-fault.ts";
import { estimateOf } from "./models/estimate.ts";
import { askModel, type ModelStep } from "./models/model-step.ts";
import { type ModelMessage, seenModelCall, withChanges } from "./models/seen-call.ts";

/**
 * Asks the model; `sent` messages are in the log as earlier calls have logged them. What is too long for it is asked once
 * more without its middle.
 */
export async function ask(
  loop: Loop,
  sent: number,
  instead: InsteadOf | undefined,
): Promise<ModelStep> {
  const { shaper, messages } = loop;
  const conversation = { messages, history: loop.history.messages };
  const showing = shaper.show(conversation);
  const shown = showing instanceof Promise ? await showing : showing;
  try {
    return await askWith(loop, { sent, instead }, shown);
  } catch (thrown) {
    const shorter = isTooLong(thrown) ? await shaper.shorter(shown, conversation) : undefined;
    if (shorter === undefined) throw thrown;
    return await askWith(loop, { sent: messages.length, instead }, shorter);
  }
}

function askWith(
  loop: Loop,
  { sent, instead }: { readonly sent: number; readonly instead: InsteadOf | undefined },
  { messages: shown, logged }: ShownContext,
): Promise<ModelStep> {
  const { context, handle, clock, limiter, messages } = loop;
  const before = messages.length;
  const asked = [...shown];
  // Texts of people that come once the call is decided stand behind it all.
  const callWith = (changed: CallChanges, steers: readonly ModelMessage[] = []) => {
    const called = withChanges({ ...loop.options, prompt: asked }, changed);
    const fitted = fitMedia([...called.prompt, ...steers], handle);
    return { ...called, prompt: withKeptFiles(fitted, loop.bytesOf) };
  };
  return context.effect<ModelStep>({
    effect: "model",
    name: handle.id,
    modelSource: handle.source,
    instead,
    estimate: (changed) =>
      estimateOf(handle, () => callWith(changed), loop.shaper.scales.of(handle)),
    request: { ...requestOf(loop, sent), ...logged },
    hear: (texts) => {
      for (const text of texts) loop.steering.add(text);
      messages.push(...texts.map(userMessage));
    },
    seen: seenModelCall(handle, { messages: asked, tools: loop.tools }),
    perform: async (cancellation, changed, identity) => {
      const call = callWith(changed, messages.slice(before));
      const pieces = loop.redactPieces((text) => context.delta(text));
      const delta = (text: string) => pieces.write(text);
      const options = { handle, clock, limiter, cancellation, identity, delta };
      const step = await untilCancelled(() => askModel(call, options), cancellation);
      pieces.end();
      return step;
    },
  });
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
