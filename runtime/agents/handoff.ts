/** Offers an agent with `a | b` behind its arrow a tool by which it hands its work over. */
import type { JsonSchema } from "../../dsl/index.ts";
import type { Handoff } from "../envelope.ts";
import { FailureError } from "../failure.ts";
import type { Attempt } from "../performer.ts";
import { describeMisfit, misfits } from "../state/json-schema.ts";
import { choiceLine } from "./conversation/messages.ts";
import type { ToolCall } from "./models/model-step.ts";

/** The tool as a model sees it; it is no function of the scope. */
export interface HandoffTool {
  readonly modelName: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** The handoff tool of an attempt; none where its node has nobody to hand over to. `taken` are names of its other tools. */
export function handoffTool(
  { node, choices = [] }: Attempt,
  taken: readonly string[],
): HandoffTool | undefined {
  const others = choices.filter(({ name }) => name !== "end");
  if (node.kind !== "agent" || others.length === 0) return undefined;
  let modelName = "handoff";
  for (let count = 2; taken.includes(modelName); count += 1) modelName = `handoff_${count}`;
  return {
    modelName,
    description: [
      "Hands this work over to another one and ends yours, without an answer. You can hand over to:",
      ...others.map(choiceLine),
    ].join("\n"),
    inputSchema: {
      type: "object",
      properties: { ...INPUT, to: { type: "string", enum: others.map(({ name }) => name) } },
      required: ["to", "task"],
      additionalProperties: false,
    },
  };
}

const INPUT = {
  to: { type: "string" },
  task: {
    type: "string",
    description: "What is to be done, with all that the other one needs to know.",
  },
  payload: { description: "Data for it, where a text is not enough." },
};

/** A handoff that a model asked for. */
export interface HandedOver {
  readonly to: string;
  readonly handoff: Handoff;
}

/** The one handoff among the calls of a turn; throws what the model is told when it can't be used. */
export function handedOver(
  calls: readonly ToolCall[],
  tool: HandoffTool | undefined,
): HandedOver | undefined {
  const [call, ...more] = calls.filter(({ name }) => name === tool?.modelName);
  if (call === undefined || tool === undefined) return undefined;
  if (more.length > 0) throw refused("work is handed over to one only, and once");
  // Who there is to hand over to is the scheduler's to say: M5204.
  const [misfit] = misfits(call.input, { ...tool.inputSchema, properties: INPUT });
  if (call.broken || misfit !== undefined) {
    throw refused(misfit === undefined ? "its arguments are not JSON" : describeMisfit(misfit));
  }
  const { to, task, payload } = call.input as { to: string; task: string; payload?: unknown };
  return { to, handoff: { task, ...(payload === undefined ? {} : { payload }) } };
}

function refused(why: string): FailureError {
  return new FailureError({
    class: "invalid",
    code: "M8205",
    message: `the handoff can't be used: ${why}`,
    hint: "the model is told so, twice; then it is an error, for which an arrow `on error` may stand",
    feedback: `Your handoff could not be used: ${why}. Hand over again, or answer yourself.`,
  });
}
