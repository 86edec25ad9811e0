/** Calls a tool with checked arguments, and turns what it throws into a failure. */
import { type Code, nearest } from "../../../dsl/index.ts";
import type { Made } from "../../artifact.ts";
import type { Cancellation } from "../../cancellation.ts";
import type { SleepClock } from "../../clock.ts";
import { DoubtfulEnd, FailureError, stackOf } from "../../failure.ts";
import type {
  Attempt,
  CallGraph,
  CallIdentity,
  CallSeen,
  EffectOutcome,
  PerformerContext,
} from "../../performer.ts";
import type { GuardFacts } from "../../records/call-records.ts";
import { noUsage } from "../../usage.ts";
import { abortFailure, inOwnTurn, isThenable, within } from "../abort.ts";
import type { ToolCall } from "../models/model-step.ts";
import type {
  AskingToolContext,
  CalledToolContext,
  FollowingToolContext,
  GraphToolContext,
  ResolvedTool,
  ToolContext,
} from "../scope/tools.ts";
import type { Json } from "../values/json.ts";
import { isLostConnection } from "../values/lost-connection.ts";
import { makeArtifact } from "../values/make-artifact.ts";
import { thrownText } from "../values/thrown.ts";
import { withoutUnseen } from "../values/unseen-characters.ts";
import type { AgentCaller, ToolCaller } from "./tool-caller.ts";
import { reasonAgainst } from "./tool-consent.ts";
import { stored, toolResult } from "./tool-result.ts";

/** The result of a tool call, as the model is told it. */
export interface ToolAnswer {
  readonly call: ToolCall;
  /** The tool's value as it stands in the log. */
  readonly value?: unknown;
  /** The error message; the model may try something else. */
  readonly error?: string;
}

/**
 * Performs one call that a model asked for, as one journalled effect. A tool that fails is an answer to the model;
 * only what ends the attempt (a limit, an abort) is thrown.
 */
export async function callTool(
  call: ToolCall,
  tools: readonly ResolvedTool[],
  of: {
    readonly attempt: Pick<Attempt, "decideOn">;
    readonly context: PerformerContext;
    readonly clock: SleepClock;
    /** The reason why the call was denied, which the model is told. */
    readonly denied?: string | undefined;
    readonly guard?: GuardFacts | undefined;
    readonly caller?: AgentCaller;
  },
): Promise<ToolAnswer> {
  const { attempt, context, clock, denied, guard, caller } = of;
  const tool = tools.find(({ modelName }) => modelName === call.name);
  const made = { tool: tool?.name ?? call.name, input: call.input };
  try {
    if (denied === undefined) await tool?.prepare?.(call.input, (one) => context.effect(one));
    const value = await context.effect<unknown>({
      effect: "tool",
      name: made.tool,
      toolCallId: call.id,
      request: call.input,
      ...(call.explanation === undefined ? {} : { explanation: call.explanation }),
      // A call that is not made can't be in doubt.
      // A graph journals its own calls.
      external: tool?.effect === "external" && denied === undefined && tool.isGraph === undefined,
      guard,
      ...(tool?.repeats === undefined ? {} : { repeats: tool.repeats }),
      ...(tool?.asks === undefined ? {} : { asks: true }),
      ...(tool === undefined || denied !== undefined ? {} : { seen: seenCall(tool, call.input) }),
      ...(tool?.isGraph === undefined ? {} : { encloses: true }),
      perform: async (cancellation, { args = call.input }, identity, callGraph) => {
        if (denied !== undefined) throw toolFailure(denied);
        const changed = { ...call, input: args as Json };
        const { ask, progress } = context;
        const people = { ask, progress };
        const around = {
          cancellation,
          identity,
          clock,
          tools,
          ...people,
          attempt,
          caller,
          callGraph,
        };
        return perform(changed, tool, around);
      },
    });
    caller?.learn({ ...made, value });
    return { call, value };
  } catch (thrown) {
    if (!isToolFailure(thrown)) throw thrown;
    const error = thrown.failure.message;
    caller?.learn({ ...made, error });
    return { call, error };
  }
}

/** A call of a tool as interceptors see it. */
export function seenCall({ name, effect }: ResolvedTool, args: unknown): CallSeen {
  return { facts: { tool: name, effect }, members: { args }, value: "result" };
}

/** The codes of failures that a model is told: a tool failed, or an API said so or did not take the arguments. */
const TOLD_CODES: readonly Code[] = ["M8202", "M8418", "M8419", "M8420"];

/** A veto of an interceptor is told to the model, too. */
function isToolFailure(thrown: unknown): thrown is FailureError {
  if (!(thrown instanceof FailureError)) return false;
  const { class: kind, code } = thrown.failure;
  return code === "M8170" || (kind === "tool" && TOLD_CODES.includes(code));
}

interface ToolCallContext {
  readonly attempt: Pick<Attempt, "decideOn">;
  readonly cancellation: Cancellation;
  readonly identity: CallIdentity;
  readonly clock: SleepClock;
  readonly ask: PerformerContext["ask"];
  readonly progress: PerformerContext["progress"];
  readonly callGraph: CallGraph;
  readonly tools: readonly ResolvedTool[];
  readonly caller: ToolCaller | undefined;
}

async function perform(
  call: ToolCall,
  tool: ResolvedTool | undefined,
  { tools, ...surroundings }: ToolCallContext,
): Promise<EffectOutcome<unknown>> {
  if (tool === undefined) throw toolFailure(unknownName(call.name, tools));
  const input = await readInput(call, tool);
  const made: Made[] = [];
  const value = await withinTime(tool, input, { ...surroundings, made });
  return { value, usage: { ...noUsage, toolCalls: 1 }, ...madeWith(made) };
}

function unknownName(name: string, tools: readonly ResolvedTool[]): string {
  const names = tools.map(({ modelName }) => modelName);
  if (names.length === 0) return `there is no tool \`${name}\`; there are none here`;
  const meant = nearest(name, names);
  const near = meant === undefined ? "" : `did you mean \`${meant}\`? `;
  return `there is no tool \`${name}\`; ${near}there are: ${names.join(", ")}`;
}

async function readInput(call: ToolCall, tool: ResolvedTool): Promise<unknown> {
  if (call.broken) throw toolFailure(`the arguments of \`${call.name}\` are not JSON`);
  const reading = await tool.readInput(call.input);
  if ("value" in reading) return reading.value;
  throw toolFailure(`the arguments of \`${call.name}\` do not fit: ${reading.misfits.join("; ")}`);
}

interface Time {
  readonly attempt: Pick<Attempt, "decideOn">;
  readonly cancellation: Cancellation;
  readonly identity: CallIdentity;
  readonly clock: SleepClock;
  readonly ask: PerformerContext["ask"];
  readonly progress: PerformerContext["progress"];
  readonly caller?: ToolCaller | undefined;
  readonly callGraph?: CallGraph | undefined;
  /** The tool's result as JSON. */
  readonly read?: (result: unknown) => Json;
  /** Gets what it makes to be kept. */
  readonly made: Made[];
}

/** Returns the artifacts that an effect has made, as a part of its record. */
export function madeWith(made: readonly Made[]): { readonly artifacts?: readonly Made[] } {
  return made.length === 0 ? {} : { artifacts: made };
}

/** Stores a result for the log; one that is too long for it becomes an artifact, which the agent can read part by part. */
function forModel(result: unknown, { name, keep }: ResolvedTool, made: Made[]): Json {
  if (keep === undefined) return stored(toolResult(result));
  return stored(toolResult(result), (data) => {
    const one = makeArtifact({ name: `result of ${name}`, kind: "log", data }, name, keep);
    made.push(one);
    return one.hash;
  });
}

// The tool gets a signal of its own, so that one that is out of time can stop its work.
export async function withinTime(
  tool: ResolvedTool,
  input: unknown,
  {
    attempt,
    cancellation,
    identity,
    clock,
    ask,
    progress,
    caller,
    callGraph,
    made,
    ...reading
  }: Time,
): Promise<Json> {
  const { read = (result: unknown) => forModel(result, tool, made) } = reading;
  const own = cancellation.child();
  const context = toolContext(own, {
    identity,
    ask,
    progress: (of) => progress({ tool: tool.name, ...of }),
    caller,
    callGraph,
    artifact: maker(tool, made),
    reasonAgainst: (args) => reasonAgainst(attempt, tool, args),
  });
  const late = () => {
    throw new DoubtfulEnd(toolFailure(outOfTimeText(tool)).failure);
  };
  const work = () => {
    const returned = tool.call(input, context);
    // What comes back at once needs no watching of the time.
    if (!isThenable(returned)) return read(returned);
    const limits = { ms: tool.timeoutMs, clock, cancellation, late };
    return within(async () => read(await returned), limits);
  };
  try {
    return await inOwnTurn(work, cancellation);
  } catch (thrown) {
    own.cancel(thrown);
    if (cancellation.isCancelled) throw abortFailure(cancellation);
    throw thrown instanceof FailureError ? thrown : thrownByTool(tool, thrown);
  } finally {
    own.leave();
  }
}

/** Few tools look at their signal. */
function toolContext(
  own: Cancellation,
  {
    identity,
    ask,
    progress,
    caller,
    callGraph,
    artifact,
    reasonAgainst: against,
  }: Pick<ToolCallContext, "identity" | "ask" | "caller"> &
    Required<Pick<AskingToolContext, "progress">> &
    Pick<Time, "callGraph"> &
    Required<Pick<FollowingToolContext, "artifact" | "reasonAgainst">>,
): CalledToolContext & FollowingToolContext & GraphToolContext {
  return {
    ask,
    progress,
    reasonAgainst: against,
    ...(caller === undefined ? {} : { caller }),
    ...(callGraph === undefined ? {} : { callGraph }),
    get idempotencyKey() {
      return identity.idempotencyKey;
    },
    get askedAt() {
      return identity.askedAt;
    },
    get seq() {
      return identity.seq;
    },
    get signal() {
      return own.signal;
    },
    artifact,
  };
}

function maker({ name, keep }: ResolvedTool, made: Made[]): ToolContext["artifact"] {
  return async (options) => {
    const one = makeArtifact(options, name, keep);
    made.push(one);
    return one;
  };
}

function outOfTimeText({ modelName, timeoutMs }: ResolvedTool): string {
  return `\`${modelName}\` did not answer within ${timeoutMs / 1000} s`;
}

function thrownByTool(tool: ResolvedTool, thrown: unknown): FailureError {
  const failed = toolFailure(
    `\`${tool.modelName}\` failed: ${withoutUnseen(thrownText(thrown))}`,
    thrown,
  );
  return isLostConnection(thrown) ? new DoubtfulEnd(failed.failure, { cause: thrown }) : failed;
}

function toolFailure(message: string, cause?: unknown): FailureError {
  const failure = { class: "tool", code: "M8202", message, ...stackOf(cause) } as const;
  return new FailureError(failure, { cause });
}
