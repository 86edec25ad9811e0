/** Performs `agent` nodes: calls the model and its tools in turns until the model answers. */
import { systemClock } from "../clock.ts";
import { FailureError, RunError } from "../failure.ts";
import { type Attempt, conversed, decided, type Performer } from "../performer.ts";
import { ask } from "./agent-call.ts";
import {
  CONTINUES_MAX,
  noAnswer,
  stoppedEarly,
  TOOL_ERRORS_MAX,
  TURNS_MAX,
  tooManyErrors,
} from "./agent-failures.ts";
import { type AgentOptions, askedBy, type Loop, loopOf, offeredTools } from "./agent-loop.ts";
import { isAllWritten, withWritten, writtenBy } from "./built-in-tools/state-tools.ts";
import { assistantMessage, toolMessage, userMessage } from "./conversation/messages.ts";
import { type OutputPlan, readOutput } from "./conversation/output.ts";
import type { ConversationViewer } from "./conversation/shared-conversation.ts";
import { spokenMessages } from "./conversation/spoken-messages.ts";
import { remembered } from "./conversation/summarize.ts";
import { handedOver } from "./handoff.ts";
import { createLimiter } from "./models/limiter.ts";
import type { ModelStep, ToolCall } from "./models/model-step.ts";
import type { ResolvedTool } from "./scope/tools.ts";
import { skillsOf } from "./skills/agent-skills.ts";
import type { ToolAnswer } from "./tools/call-tool.ts";
import { callTools } from "./tools/call-tools.ts";
import { readExplained } from "./tools/explained-calls.ts";
import { reportCalls } from "./tools/report-calls.ts";
import { consented } from "./tools/tool-consent.ts";

/** Performs `agent` and `router` nodes: asks the model, performs the tools it calls, and so on until it answers. */
export function createAgentPerformer(options: AgentOptions): Performer {
  const { clock = systemClock } = options;
  const limiter = options.limiter ?? createLimiter(clock);
  return {
    perform: async (attempt, context) => {
      const { servers } = options;
      const served = await servers?.toolsOf(attempt, context);
      const places = options.skillPlaces?.(attempt.ir);
      const skills = places && (await skillsOf(attempt, context, { places, servers }));
      const parts = { ...options, clock, limiter, served, skills };
      const loop = setUp(() => loopOf(attempt, context, parts));
      const { turns } = loop;
      const viewer = viewerOf(loop);
      const history = await remembered(attempt, context, { turns, clock, limiter, viewer });
      return answer({ ...loop, history });
    },
  };
}

// A model or a tool that is not there is the program's fault, so it ends the attempt with a code and not as a bug.
function setUp<T>(make: () => T): T {
  try {
    return make();
  } catch (thrown) {
    if (!(thrown instanceof RunError)) throw thrown;
    const { code, message, hint } = thrown;
    const failure = {
      class: "tool",
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
    } as const;
    throw new FailureError(failure, { cause: thrown });
  }
}

async function answer(loop: Loop): Promise<unknown> {
  let sent = 0;
  let errorsInARow = 0;
  /** The pieces of an answer that came to its length limit. */
  let pieces: readonly string[] = [];
  const turnsMax = isLimited(loop.attempt) ? Number.POSITIVE_INFINITY : TURNS_MAX;
  for (let turn = 0; turn < turnsMax; turn += 1) {
    const step = await loop.turns.ask((handle, instead) =>
      ask(askedBy(loop, handle), sent, instead),
    );
    loop.shaper.scales.learn(loop.turns.current.id, step);
    sent = loop.messages.length;
    loop.messages.push(assistantMessage(step));
    if (isToGoOn(step, loop.plan) && pieces.length < CONTINUES_MAX) {
      pieces = [...pieces, step.text];
      loop.messages.push(userMessage(GO_ON));
      continue;
    }
    if (step.toolCalls.length === 0) {
      const whole = { ...step, text: [...pieces, step.text].join("") };
      const output = outputOf(whole, loop);
      await reportCalls(loop);
      return withConversation(output, loop, whole.text);
    }
    pieces = [];
    const over = handedOver(step.toolCalls, loop.handoffs);
    // What it asked for beside it is done all the same.
    const calls = step.toolCalls
      .filter(({ name }) => !loop.handoffs.some(({ modelName }) => modelName === name))
      .map((call) => (loop.explains ? readExplained(call, toolNamed(call, loop)) : call));
    const allowed = await consented({ ...step, toolCalls: calls }, loop.tools, {
      ...loop,
      isTainted: hasReadResults(loop),
    });
    loop.caller.step = turn + 1;
    const answers = await callTools(allowed, loop);
    const { written } = loop;
    written.fields = { ...written.fields, ...writtenBy(answers, loop.tools) };
    if (answers.length > 0) loop.messages.push(toolMessage(answers));
    if (over !== undefined) {
      await reportCalls(loop);
      return withConversation(decided(null, over.to, over.handoff), loop, undefined);
    }
    errorsInARow = countErrors(answers, errorsInARow);
    loop.shaper.remember(answers);
  }
  throw noAnswer(loop.turns.current);
}

/** The result with what was said, where the node writes a conversation. */
function withConversation(result: unknown, loop: Loop, answer: string | undefined): unknown {
  const { attempt, messages } = loop;
  if (attempt.node.conversation === undefined) return result;
  return conversed(result, spokenMessages(messages, answer, loop));
}

function viewerOf(loop: Loop): ConversationViewer {
  const { attempt, tools } = loop;
  return { agent: attempt.node.name, tools, callsTools: offeredTools(loop).length > 0 };
}

/** Returns whether the model has read what tools, other nodes, earlier conversations or memories said. */
function hasReadResults({ attempt, history, messages }: Loop): boolean {
  return (
    attempt.node.recalls.length > 0 ||
    (attempt.inbox ?? []).length > 0 ||
    history.messages.length > 0 ||
    messages.some(({ role }) => role === "tool")
  );
}

/** Returns whether the scheduler counts the model calls of the attempt: then that limit is the only one. */
function isLimited({ node, ir }: Attempt): boolean {
  return [node.limit, ir.limit].some((limit) =>
    limit?.quantities.some(({ unit }) => unit === "turns"),
  );
}

const GO_ON =
  "Your answer was cut off at its length limit. Go on exactly where it stopped: repeat nothing and add no remark.";

/** Returns whether a text came to its length limit. JSON is not gone on with: models begin it anew. */
function isToGoOn({ finish, text, toolCalls }: ModelStep, plan: OutputPlan): boolean {
  return finish === "length" && plan.kind === "text" && text !== "" && toolCalls.length === 0;
}

function outputOf(step: ModelStep, { plan, turns, attempt, written }: Loop): unknown {
  const handle = turns.current;
  if (step.finish !== "stop" && step.finish !== "tool-calls" && step.finish !== "other") {
    throw stoppedEarly(step, handle, plan);
  }
  const { node } = attempt;
  const output = isAllWritten(node, written.fields)
    ? undefined
    : readOutput(step.text, plan, handle.id);
  return withWritten(output, node, written.fields);
}

function toolNamed({ name }: ToolCall, { tools }: Loop): ResolvedTool | undefined {
  return tools.find(({ modelName }) => modelName === name);
}

function countErrors(answers: readonly ToolAnswer[], before: number): number {
  let inARow = before;
  for (const { error } of answers) {
    inARow = error === undefined ? 0 : inARow + 1;
    if (error !== undefined && inARow >= TOOL_ERRORS_MAX) throw tooManyErrors(error);
  }
  return inARow;
}
