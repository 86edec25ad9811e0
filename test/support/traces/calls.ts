/** The calls of one generated attempt: models that answer, tools that mostly do. */
import type { Failure } from "../../../runtime/failure.ts";
import type { EventRow } from "../../../runtime/trace/schema/tables.ts";
import { addUsage, noUsage, type Usage } from "../../../runtime/usage.ts";
import { cellsOf, type NodeRun, type RunRows } from "./run-rows.ts";
import type { Simulation } from "./simulation.ts";
import type { Words } from "./words.ts";

interface ModelFacts {
  readonly name: string;
  readonly slowMs: number;
  /** In USD for a token; null where nobody knows. */
  readonly inputUsd: number | null;
  readonly outputUsd: number;
}

/** No provider has such models. */
export const MODELS = {
  large: { name: "generated/large", slowMs: 1_900, inputUsd: 3e-6, outputUsd: 15e-6 },
  small: { name: "generated/small", slowMs: 600, inputUsd: 0.25e-6, outputUsd: 2e-6 },
  unpriced: { name: "generated/unpriced", slowMs: 800, inputUsd: null, outputUsd: 0 },
} as const satisfies Record<string, ModelFacts>;

export type Alias = keyof typeof MODELS;

const TOOLS = [
  { name: "docs.search", slowMs: 40, fails: 0.01 },
  { name: "docs.read", slowMs: 15, fails: 0.02 },
  { name: "web.fetch", slowMs: 700, fails: 0.09 },
  { name: "code.run", slowMs: 1_500, fails: 0.05 },
] as const;

/** One attempt under way, and what it has used. */
export interface Attempt {
  readonly rows: RunRows;
  readonly clock: Simulation;
  readonly random: () => number;
  readonly words: Words;
  readonly nodeRun: NodeRun;
  readonly number: number;
  readonly span: number;
  readonly startedAt: number;
  /** How likely a call of a model fails. */
  readonly trouble: number;
  used: Usage;
}

/** A few turns with a model, each but the last followed by tools; comes to a failure or to nothing. */
export function* turns(
  attempt: Attempt,
  { alias, count }: { readonly alias: Alias; readonly count: number },
): Generator<number, Failure | undefined> {
  let context = 300 + Math.floor(attempt.random() * 900);
  for (let turn = 0; turn < count; turn += 1) {
    const isLast = turn === count - 1;
    const failure = yield* modelCall(attempt, { alias, context, isFirst: turn === 0, isLast });
    if (failure !== undefined) return failure;
    if (isLast) break;
    const calls = attempt.random() < 0.3 ? 2 : 1;
    for (let call = 0; call < calls; call += 1) yield* toolCall(attempt);
    context += 400 + Math.floor(attempt.random() * 1_600);
  }
  return undefined;
}

function* modelCall(
  attempt: Attempt,
  call: {
    readonly alias: Alias;
    readonly context: number;
    readonly isFirst: boolean;
    readonly isLast: boolean;
  },
): Generator<number, Failure | undefined> {
  const { rows, clock, random, words } = attempt;
  const model: ModelFacts = MODELS[call.alias];
  const shared = {
    ...inAttempt(attempt),
    name: model.name,
    model: model.name,
    model_source: "scripted",
  };
  const span_id = rows.record(clock.now);
  rows.add("model.request", {
    ...shared,
    span_id,
    status: "running",
    payload: requestJson(words, call),
  });
  const output = 40 + Math.floor(random() ** 2 * 700);
  const ttftMs = model.slowMs * 0.3 * (0.5 + random());
  const durationMs = ttftMs + spread(random) * (model.slowMs * 0.4 + output * 3);
  yield durationMs;
  rows.record(clock.now);
  const failure = random() < attempt.trouble ? troubleOf(random) : undefined;
  const timed = { ...shared, span_id, dur_us: Math.round(durationMs * 1_000) };
  if (failure !== undefined) {
    rows.add("model.response", { ...timed, ...failed(failure), transport_retries: 2 });
    return failure;
  }
  const cached = call.isFirst ? 0 : Math.floor(call.context * 0.7);
  const usage = usageOf(model, { input: call.context, output, cached });
  attempt.used = addUsage(attempt.used, usage);
  rows.add("model.response", {
    ...timed,
    status: "ok",
    ttft_us: Math.round(ttftMs * 1_000),
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_tokens: usage.cachedTokens,
    reasoning_tokens: 0,
    cost_usd: usage.costUsd,
    payload: `{"text":"${words.text(80 + output)}"}`,
  });
  return undefined;
}

function* toolCall(attempt: Attempt): Generator<number, void> {
  const { rows, clock, random, words } = attempt;
  const tool = TOOLS[Math.floor(random() ** 2 * TOOLS.length)] ?? TOOLS[0];
  const shared = { ...inAttempt(attempt), name: tool.name, reason: "none" };
  const span_id = rows.record(clock.now);
  const query = words.text(30);
  rows.add("tool.call", {
    ...shared,
    span_id,
    status: "running",
    payload: `{"query":"${query}","limit":5}`,
  });
  const durationMs = spread(random) * tool.slowMs;
  yield durationMs;
  rows.record(clock.now);
  attempt.used = addUsage(attempt.used, { ...noUsage, toolCalls: 1 });
  const timed = { ...shared, span_id, dur_us: Math.round(durationMs * 1_000) };
  if (random() < tool.fails) {
    const failure = random() < 0.4 ? timeoutOf(tool.name) : toolFailure(tool.name);
    rows.add("tool.result", { ...timed, ...failed(failure) });
    return;
  }
  const hits = Array.from({ length: 1 + Math.floor(random() * 3) }, () => hitJson(words));
  rows.add("tool.result", {
    ...timed,
    status: "ok",
    payload: `{"hits":[${hits.join(",")}],"query":"${query}"}`,
  });
}

function inAttempt({ nodeRun, number, span }: Attempt): EventRow {
  return { ...cellsOf(nodeRun), attempt: number, parent_id: span };
}

/** Class, code and the whole of a failure. */
export function failed(failure: Failure): EventRow {
  return {
    status: "error",
    error_class: failure.class,
    error_code: failure.code,
    payload: JSON.stringify(failure),
  };
}

function requestJson(
  words: Words,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): string {
  const user = `{"role":"user","content":"${words.text(isLast ? 300 : 500)}"}`;
  if (!isFirst) return `{"messages":[${user}]}`;
  return `{"messages":[{"role":"system","content":"${words.text(420)}"},${user}],"temperature":0}`;
}

function hitJson(words: Words): string {
  return `{"file":"${words.word()}/README.md","heading":"${words.word()}","text":"${words.text(120)}"}`;
}

function usageOf(
  { inputUsd, outputUsd }: ModelFacts,
  {
    input,
    output,
    cached,
  }: { readonly input: number; readonly output: number; readonly cached: number },
): Usage {
  const price = inputUsd === null ? null : (input - cached * 0.9) * inputUsd + output * outputUsd;
  return {
    ...noUsage,
    inputTokens: input,
    outputTokens: output,
    cachedTokens: cached,
    costUsd: price,
    modelCalls: 1,
  };
}

function troubleOf(random: () => number): Failure {
  if (random() < 0.5)
    return { class: "timeout", code: "M8106", message: "the model took more than 60 s" };
  return { class: "transport", code: "M8106", message: "the line went dead" };
}

function timeoutOf(tool: string): Failure {
  return { class: "timeout", code: "M8202", message: `${tool} took more than 10 s` };
}

function toolFailure(tool: string): Failure {
  return { class: "tool", code: "M8202", message: `${tool} answered with an error` };
}

/** Around 1, seldom much more: as latencies are. */
function spread(random: () => number): number {
  const normal = random() + random() + random() + random() - 2;
  return Math.exp(normal * 0.9);
}
