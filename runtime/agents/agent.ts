/** Performs `agent` nodes: calls the model and its tools in turns until the model answers. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { Ir, NodeIr } from "../../dsl/index.ts";
import { type SleepClock, systemClock } from "../clock.ts";
import { FailureError, RunError } from "../failure.ts";
import { type Attempt, decided, type Performer, type PerformerContext } from "../performer.ts";
import type { Redactor } from "../redaction/redact.ts";
import { plainPieces } from "../redaction/redact-pieces.ts";
import { contextFunction } from "../scheduler/attempts/attempt-view.ts";
import { untilCancelled } from "./abort.ts";
import {
  isAllWritten,
  isStateTool,
  stateTools,
  withWritten,
  writtenBefore,
  writtenBy,
} from "./built-in-tools/state-tools.ts";
import { shownBy } from "./conversation/context-function.ts";
import {
  type ContextPolicy,
  readPolicy,
  type Shaped,
  shaped,
} from "./conversation/context-policy.ts";
import {
  assistantMessage,
  earlierMessages,
  firstMessages,
  type ModelRequest,
  toolMessage,
  userMessage,
} from "./conversation/messages.ts";
import {
  isStrict,
  type OutputPlan,
  outputPlan,
  readOutput,
  responseFormat,
} from "./conversation/output.ts";
import { type RememberedTurns, remembered } from "./conversation/summarize.ts";
import { type HandoffTool, handedOver, handoffTool } from "./handoff.ts";
import { createLimiter, type Limiter } from "./models/limiter.ts";
import type { ModelHandle } from "./models/model-handle.ts";
import { askModel, type ModelStep } from "./models/model-step.ts";
import { type PriceTable, priceOf } from "./models/prices.ts";
import { ASKED_BY, type AskedBy } from "./models/scripted.ts";
import type { Scope } from "./scope/scope.ts";
import type { ResolvedTool, ToolSet } from "./scope/tools.ts";
import { callTool, type ToolAnswer } from "./tools/call-tool.ts";
import { type Consented, consented } from "./tools/tool-consent.ts";

/** Dependencies of agents on their run. */
export interface AgentOptions {
  /** The model of a node; asked at each attempt. */
  readonly model: (node: NodeIr, ir: Ir) => ModelHandle;
  readonly tools: ToolSet;
  /** Prices that the user knows, by model id, before the ones that the model brings. */
  readonly prices?: PriceTable;
  /** Returns the scope that has the function of a `context`. */
  readonly scope?: () => Scope;
  /** Shared by all runs of the process, so that all of them wait when a provider asks for it. */
  readonly limiter?: Limiter;
  readonly clock?: SleepClock;
  /** Hides secrets in what a model says while it says it. */
  readonly redactPieces?: Redactor["redactPieces"];
}

/** Performs `agent` and `router` nodes: asks the model, performs the tools it calls, and so on until it answers. */
export function createAgentPerformer(options: AgentOptions): Performer {
  const { clock = systemClock } = options;
  const limiter = options.limiter ?? createLimiter(clock);
  return {
    perform: async (attempt, context) => {
      const loop = setUp(() => loopOf(attempt, context, { ...options, clock, limiter }));
      const { handle } = loop;
      const history = await remembered(attempt, context, { handle, clock, limiter });
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

/** One attempt while it goes on. */
interface Loop {
  readonly attempt: Attempt;
  readonly context: PerformerContext;
  readonly handle: ModelHandle;
  readonly tools: readonly ResolvedTool[];
  /** The fields that the agent wrote by `state.write`. */
  readonly written: { fields: Readonly<Record<string, unknown>> };
  readonly handoff: HandoffTool | undefined;
  readonly plan: OutputPlan;
  readonly limiter: Limiter;
  readonly clock: SleepClock;
  readonly policy: ContextPolicy;
  readonly scope: () => Scope;
  readonly redactPieces: Redactor["redactPieces"];
  /** The options that each of its model calls sends beside the messages. */
  readonly options: ReturnType<typeof callOptions>;
  /** The earlier conversations that the model sees, behind the system's message. */
  readonly history: RememberedTurns;
  /** Grows at its end and nowhere else. */
  readonly messages: LanguageModelV4Message[];
}

function loopOf(
  attempt: Attempt,
  context: PerformerContext,
  options: AgentOptions & { readonly clock: SleepClock; readonly limiter: Limiter },
): Loop {
  const { node, ir } = attempt;
  const { clock, limiter } = options;
  const written = { fields: writtenBefore(attempt) };
  const tools = [
    ...options.tools.resolve(node.tools.filter((name) => !isStateTool(name))),
    ...stateTools(attempt, () => written.fields),
  ];
  const names = tools.map(({ modelName }) => modelName);
  const loop = {
    attempt,
    context,
    handle: withKnownPrice(options.model(node, ir), options.prices),
    tools,
    written,
    handoff: handoffTool(attempt, names),
    plan: outputPlan(node, ir.fields, attempt.choices),
    limiter,
    clock,
    policy: readPolicy(attempt.context, node.name),
    scope: options.scope ?? noScope,
    redactPieces: options.redactPieces ?? plainPieces,
    history: { messages: [] },
    messages: startingMessages(attempt),
  };
  return { ...loop, options: callOptions(loop) };
}

function withKnownPrice(handle: ModelHandle, prices: PriceTable = {}): ModelHandle {
  const price = priceOf(handle.id, prices) ?? handle.price;
  return price === undefined ? handle : { ...handle, price };
}

// A repair goes on in the same session: the model sees what it said and what was wrong with it.
function startingMessages(attempt: Attempt): LanguageModelV4Message[] {
  const earlier = attempt.feedback === undefined ? [] : earlierMessages(attempt.session ?? []);
  const messages = earlier.length > 0 ? earlier : firstMessages(attempt);
  return attempt.feedback === undefined ? messages : [...messages, userMessage(attempt.feedback)];
}

// ── the loop ────────────────────────────────────────────────────────────────────────────────────

/** Model calls of one attempt where no `limit … turns` of the node or the graph says how many. */
const TURNS_MAX = 50;

/** Tool calls in a row that may fail. */
const TOOL_ERRORS_MAX = 10;

async function answer(loop: Loop): Promise<unknown> {
  let sent = 0;
  let errorsInARow = 0;
  const turnsMax = isLimited(loop.attempt) ? Number.POSITIVE_INFINITY : TURNS_MAX;
  for (let turn = 0; turn < turnsMax; turn += 1) {
    const step = await ask(loop, sent);
    sent = loop.messages.length;
    loop.messages.push(assistantMessage(step));
    if (step.toolCalls.length === 0) return outputOf(step, loop);
    const over = handedOver(step.toolCalls, loop.handoff);
    // What it asked for beside it is done all the same.
    const calls = step.toolCalls.filter(({ name }) => name !== loop.handoff?.modelName);
    const allowed = await consented({ ...step, toolCalls: calls }, loop.tools, loop);
    const answers = await callTools(allowed, loop);
    const { written } = loop;
    written.fields = { ...written.fields, ...writtenBy(answers, loop.tools) };
    if (over !== undefined) return decided(null, over.to, over.handoff);
    errorsInARow = countErrors(answers, errorsInARow);
    loop.messages.push(toolMessage(answers));
  }
  throw noAnswer(loop);
}

/** Returns whether the scheduler counts the model calls of the attempt: then that limit is the only one. */
function isLimited({ node, ir }: Attempt): boolean {
  return [node.limit, ir.limit].some((limit) =>
    limit?.quantities.some(({ unit }) => unit === "turns"),
  );
}

function outputOf(step: ModelStep, { plan, handle, attempt, written }: Loop): unknown {
  if (step.finish !== "stop" && step.finish !== "tool-calls" && step.finish !== "other") {
    throw stoppedEarly(step, handle);
  }
  const { node } = attempt;
  const output = isAllWritten(node, written.fields)
    ? undefined
    : readOutput(step.text, plan, handle.id);
  return withWritten(output, node, written.fields);
}

function countErrors(answers: readonly ToolAnswer[], before: number): number {
  let inARow = before;
  for (const { error } of answers) {
    inARow = error === undefined ? 0 : inARow + 1;
    if (error !== undefined && inARow >= TOOL_ERRORS_MAX) throw tooManyErrors(error);
  }
  return inARow;
}

const noScope = (): Scope => ({});

// ── one model call ──────────────────────────────────────────────────────────────────────────────

function ask(loop: Loop, sent: number): Promise<ModelStep> {
  const whole = wholeConversation(loop);
  if (contextFunction(loop.attempt.node) === undefined)
    return askWith(loop, sent, shaped(whole, loop.policy));
  const { attempt, context, scope } = loop;
  const asking = shownBy(attempt, context, { messages: whole, scope });
  return asking.then((messages) => askWith(loop, sent, { messages }));
}

function askWith(
  loop: Loop,
  sent: number,
  { messages: shown, changes }: Shaped,
): Promise<ModelStep> {
  const { context, handle, clock, limiter, messages } = loop;
  const before = messages.length;
  return context.effect<ModelStep>({
    effect: "model",
    name: handle.id,
    modelSource: handle.source,
    request: {
      ...requestOf(loop, sent),
      ...(changes === undefined ? {} : { shaped: changes }),
    },
    hear: (texts) => void messages.push(...texts.map(userMessage)),
    perform: async (cancellation) => {
      // What it is to hear has come since.
      const prompt = shown === messages ? [...messages] : [...shown, ...messages.slice(before)];
      const call = { ...loop.options, prompt };
      const pieces = loop.redactPieces((text) => context.delta(text));
      const delta = (text: string) => pieces.write(text);
      const options = { handle, clock, limiter, cancellation, delta };
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

/** A tool as its model is told of it. */
type OfferedTool = Pick<ResolvedTool, "modelName" | "description" | "inputSchema"> &
  Partial<Pick<ResolvedTool, "isDerived">>;

function offeredTools({ tools, handoff }: Pick<Loop, "tools" | "handoff">): readonly OfferedTool[] {
  return handoff === undefined ? tools : [...tools, handoff];
}

function toolRecord({ modelName, description, inputSchema }: OfferedTool) {
  return {
    name: modelName,
    ...(description === undefined ? {} : { description }),
    input: inputSchema,
  };
}

function callOptions(loop: Omit<Loop, "options">) {
  const { attempt, handle, plan } = loop;
  const tools = offeredTools(loop);
  const { stopSequences, ...settings } = handle.settings ?? {};
  return {
    ...settings,
    ...(stopSequences === undefined ? {} : { stopSequences: [...stopSequences] }),
    ...responseFormat(plan, attempt.node),
    ...(tools.length === 0 ? {} : { tools: tools.map(functionTool) }),
    providerOptions: providerOptions(loop),
  };
}

function functionTool(tool: OfferedTool) {
  const { modelName, description, inputSchema, isDerived = false } = tool;
  return {
    type: "function" as const,
    name: modelName,
    ...(description === undefined ? {} : { description }),
    inputSchema,
    // A schema that a person wrote may have keywords that strict modes refuse.
    ...(isDerived && isStrict(inputSchema) ? { strict: true } : {}),
  };
}

// Only a script is told who asks: `rules` gets exactly what a live model gets.
function providerOptions({ attempt, handle, plan, tools, handoff }: Omit<Loop, "options">) {
  if (handle.source === "scripted") {
    const names = tools.map(({ name, modelName }) => [name, modelName] as const);
    const over = handoff === undefined ? [] : [["handoff", handoff.modelName] as const];
    return {
      [ASKED_BY]: {
        node: attempt.node.name,
        tools: Object.fromEntries([...over, ...names]),
      } satisfies AskedBy,
    };
  }
  const strictJsonSchema = plan.kind === "text" || isStrict(plan.asked);
  return { openaiCompatible: { strictJsonSchema } };
}

// ── one turn's tool calls ───────────────────────────────────────────────────────────────────────

async function callTools(calls: readonly Consented[], loop: Loop): Promise<ToolAnswer[]> {
  const { tools } = loop;
  const atOnce = calls.every(
    ({ call }) => tools.find((tool) => tool.modelName === call.name)?.parallel,
  );
  if (atOnce && calls.length > 1) return callAtOnce(calls, loop);
  const answers: ToolAnswer[] = [];
  for (const { call, denied } of calls) {
    answers.push(await callTool(call, tools, { ...loop, denied }));
  }
  return answers;
}

// All are awaited, also when one ends the attempt: nothing that was started is left behind.
async function callAtOnce(calls: readonly Consented[], loop: Loop): Promise<ToolAnswer[]> {
  const settled = await Promise.allSettled(
    calls.map(({ call, denied }) => callTool(call, loop.tools, { ...loop, denied })),
  );
  return settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}

// ── how it ends badly ───────────────────────────────────────────────────────────────────────────

const EARLY_ENDS: Readonly<Record<string, string>> = {
  length: "at its length limit",
  "content-filter": "by a content filter",
  error: "by an error of the provider",
};

function stoppedEarly({ finish, text }: ModelStep, { id }: ModelHandle): FailureError {
  const how = EARLY_ENDS[finish] ?? `with \`${finish}\``;
  const hint =
    finish === "length"
      ? "ask for less in one answer, or raise `maxOutputTokens` of the model"
      : "change the prompt, or ask another model";
  const message = `the answer of \`${id}\` was stopped ${how} after ${text.length} characters`;
  return new FailureError({ class: "model", code: "M8107", message, hint });
}

function tooManyErrors(last: string): FailureError {
  const message = `${TOOL_ERRORS_MAX} tool calls in a row failed; the last: ${last}`;
  const hint = "see the tool calls before it in the trace";
  return new FailureError({ class: "tool", code: "M8203", message, hint });
}

function noAnswer({ handle }: Loop): FailureError {
  const message = `\`${handle.id}\` still asks for tools after ${TURNS_MAX} model calls`;
  const hint = "say in the prompt when to stop, or set `limit N turns`";
  return new FailureError({ class: "model", code: "M8108", message, hint });
}
