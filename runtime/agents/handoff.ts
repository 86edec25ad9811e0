/** Offers an agent with `a | b` behind its arrow tools by which it hands its work over. */
import { isNodeTarget, type JsonSchema } from "../../dsl/index.ts";
import type { Handoff } from "../envelope.ts";
import { FailureError } from "../failure.ts";
import type { Attempt } from "../performer.ts";
import type { Choice } from "../scheduler/program/program.ts";
import { describeMisfit, misfits } from "../state/json-schema.ts";
import { choiceLine } from "./conversation/messages.ts";
import type { ToolCall } from "./models/model-step.ts";

/** A tool as a model sees it; it is no function of the scope. */
export interface HandoffTool {
  /** The name by which scripts call it: `handoff`, `handoff_booking`. */
  readonly name: string;
  readonly modelName: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** The node that it hands over to, whose parameters are its arguments; absent where the model names one. */
  readonly to?: string;
}

/**
 * The handoff tools of an attempt; none where its node has nobody to hand over to. A node with parameters that its arrow
 * leaves open has a tool of its own, all others share one. `taken` are names of its other tools.
 */
export function handoffTools(
  { node, choices = [] }: Attempt,
  taken: readonly string[],
): readonly HandoffTool[] {
  if (node.kind !== "agent") return [];
  const others = choices.filter(({ name }) => isNodeTarget(name));
  const named = others.filter(({ parameters }) => parameters === undefined);
  const shared = named.length === 0 ? [] : [sharedTool(named, taken)];
  return [...shared, ...others.flatMap((choice) => toolOf(choice, taken) ?? [])];
}

function sharedTool(others: readonly Choice[], taken: readonly string[]): HandoffTool {
  return {
    name: "handoff",
    modelName: freeName("handoff", taken),
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

function toolOf(choice: Choice, taken: readonly string[]): HandoffTool | undefined {
  const { name: to, parameters } = choice;
  if (parameters === undefined) return undefined;
  const name = `handoff_${to}`;
  return {
    name,
    modelName: freeName(name, taken),
    description: `Hands this work over and ends yours, without an answer:\n${choiceLine(choice)}`,
    inputSchema: parameters,
    to,
  };
}

function freeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let count = 2; taken.includes(free); count += 1) free = `${name}_${count}`;
  return free;
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
  tools: readonly HandoffTool[],
): HandedOver | undefined {
  const toolOfCall = ({ name }: ToolCall) => tools.find(({ modelName }) => modelName === name);
  const [call, ...more] = calls.filter((one) => toolOfCall(one) !== undefined);
  const tool = call && toolOfCall(call);
  if (call === undefined || tool === undefined) return undefined;
  if (more.length > 0) throw refused("work is handed over to one only, and once");
  if (call.broken) throw refused("its arguments are not JSON");
  // Whether the target is there, and whether the payload is what it takes, the scheduler says: M5204, M8720.
  if (tool.to !== undefined) return { to: tool.to, handoff: { payload: call.input } };
  const [misfit] = misfits(call.input, { ...tool.inputSchema, properties: INPUT });
  if (misfit !== undefined) throw refused(describeMisfit(misfit));
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
