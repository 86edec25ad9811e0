/** Judges a condition in words by one model call, and up to two more that repair its form; where no model judges, asks a person. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { type SleepClock, systemClock } from "../../clock.ts";
import { FailureError } from "../../failure.ts";
import type { Answer, Question } from "../../interrupt.ts";
import type { Attempt, Judgement, PerformerContext } from "../../performer.ts";
import type { InsteadOf } from "../../records/call-records.ts";
import type { Verdict } from "../../records/directions.ts";
import { untilCancelled } from "../abort.ts";
import { assistantMessage, type ModelRequest, userMessage } from "../conversation/messages.ts";
import { isStrict, type OutputPlan, readOutput } from "../conversation/output.ts";
import { estimateOf } from "../models/estimate.ts";
import { ModelTurns } from "../models/fallback.ts";
import { createLimiter, type Limiter } from "../models/limiter.ts";
import type { ModelHandle } from "../models/model-handle.ts";
import { askModel, type ModelStep } from "../models/model-step.ts";
import { ASKED_BY } from "../models/scripted.ts";
import { seenModelCall, withChanges } from "../models/seen-call.ts";
import { judgeMessages, verdictSchema } from "./judge-prompt.ts";

export interface JudgeOptions {
  /** The model that judges for a node: the one behind `by`, else the node's own; nothing where there is none, and a person judges. */
  readonly model: (
    of: Pick<Attempt, "node" | "ir"> & { readonly by: string | undefined },
  ) => ModelHandle | undefined;
  readonly limiter?: Limiter;
  readonly clock?: SleepClock;
}

export type Judge = (of: Judgement, context: PerformerContext) => Promise<Verdict>;

/** Further calls for an answer that has not the form of a verdict. */
const REPAIRS_MAX = 2;

export function createJudge(options: JudgeOptions): Judge {
  const { clock = systemClock, model } = options;
  const limiter = options.limiter ?? createLimiter(clock);
  return async (of, context) => {
    const { question, attempt } = of;
    const handle = model({ node: attempt.node, ir: attempt.ir, by: question.by });
    if (handle === undefined) return judgedByPerson(of, context);
    const schema = verdictSchema(question);
    const plan: OutputPlan = {
      kind: "json",
      schema,
      asked: schema,
      withLists: (output) => output,
    };
    const judging: Judging = { of, context, turns: new ModelTurns(handle), plan, limiter, clock };
    try {
      return verdictOf(await answer(judging), of);
    } catch (thrown) {
      // The round's work is done and kept; that it can't be judged is an error of the round.
      if (question.kind === "until" && isPassing(thrown)) {
        const reason = `it could not be judged: ${thrown.failure.message}`;
        return { met: false, reason, error: true };
      }
      throw thrown;
    }
  };
}

interface Judging {
  readonly of: Judgement;
  readonly context: PerformerContext;
  readonly turns: ModelTurns;
  readonly plan: OutputPlan;
  readonly limiter: Limiter;
  readonly clock: SleepClock;
}

const PASSING: readonly string[] = [
  "transport",
  "model",
  "filter",
  "refusal",
  "invalid",
  "timeout",
];

function isPassing(thrown: unknown): thrown is FailureError {
  return thrown instanceof FailureError && PASSING.includes(thrown.failure.class);
}

async function answer(judging: Judging): Promise<JudgeReply> {
  const messages: LanguageModelV4Message[] = judgeMessages(judging.of);
  for (let repairs = 0, sent = 0; ; repairs += 1) {
    const step = await judging.turns.ask((handle, instead) =>
      ask({ ...judging, handle, instead }, messages, sent),
    );
    sent = messages.length;
    try {
      return readOutput(step.text, judging.plan, judging.turns.current.id) as JudgeReply;
    } catch (thrown) {
      const failure = thrown instanceof FailureError ? thrown.failure : undefined;
      if (failure?.feedback === undefined || repairs >= REPAIRS_MAX) throw thrown;
      messages.push(assistantMessage(step), userMessage(failure.feedback));
    }
  }
}

function ask(
  judging: Judging & { readonly handle: ModelHandle; readonly instead: InsteadOf | undefined },
  messages: readonly LanguageModelV4Message[],
  from: number,
): Promise<ModelStep> {
  const { handle, instead, context, clock, limiter, plan, of } = judging;
  const { node } = of.attempt;
  const prompt = [...messages];
  const asked = plan.kind === "json" ? plan.asked : {};
  const { settings: given } = handle;
  const request: ModelRequest = {
    purpose: "judge",
    from,
    messages: prompt.slice(from),
    ...(from === 0 ? { output: asked, ...(given === undefined ? {} : { settings: given }) } : {}),
  };
  const { stopSequences: _, ...settings } = given ?? {};
  const call = {
    ...settings,
    prompt,
    responseFormat: { type: "json" as const, schema: asked, name: "verdict" },
    providerOptions:
      handle.source === "scripted"
        ? { [ASKED_BY]: { node: `${node.name}.judge` } }
        : { openaiCompatible: { strictJsonSchema: isStrict(asked) } },
  };
  return context.effect<ModelStep>({
    effect: "model",
    name: handle.id,
    modelSource: handle.source,
    request,
    instead,
    estimate: (changed) => estimateOf(handle, () => withChanges(call, changed)),
    seen: seenModelCall(handle, { messages: prompt, purpose: "judge" }),
    perform: (cancellation, changed, identity) => {
      const delta = () => {};
      const options = { handle, clock, limiter, cancellation, identity, delta };
      return untilCancelled(() => askModel(withChanges(call, changed), options), cancellation);
    },
  });
}

/** The answer of a judge; waits are in seconds. */
interface JudgeReply {
  readonly reason: string;
  readonly condition_met: boolean;
  readonly sleep_duration?: number;
  readonly sleep_duration_reason?: string;
  readonly error_encountered?: boolean;
}

function verdictOf(reply: JudgeReply, { question }: Judgement): Verdict {
  const { reason } = reply;
  if (question.kind === "ensure") return { met: reply.condition_met, reason };
  const waits = question.waitMs.to > question.waitMs.from;
  const seconds = reply.sleep_duration;
  const failed = reply.error_encountered === true;
  return {
    // A failed round proves nothing, whatever a weak judge says of its condition. Where only the wait was asked for, nothing is met by it.
    met: question.condition !== undefined && reply.condition_met && !failed,
    reason,
    ...(waits && seconds !== undefined ? { sleepMs: Math.round(seconds * 1000) } : {}),
    ...(waits && reply.sleep_duration_reason !== undefined
      ? { sleepReason: reply.sleep_duration_reason }
      : {}),
    ...(failed ? { error: true } : {}),
  };
}

/** Asks whether a condition holds of what an attempt came to; whoever does not say yes says no. */
async function judgedByPerson(
  { question: { condition }, attempt, output }: Judgement,
  context: Pick<PerformerContext, "ask">,
): Promise<Verdict> {
  if (condition === undefined) return { met: false, reason: "nobody chose the wait" };
  return verdictOfPerson(await context.ask(questionOf(condition, attempt.node.name, output)));
}

function questionOf(condition: string, node: string, output: unknown): Question {
  return {
    ask: "select",
    question: `\`${node}\`: does this hold now? “${condition}”`,
    schema: { type: "boolean" },
    options: [true, false],
    shown: output ?? null,
  };
}

function verdictOfPerson(answer: Answer): Verdict {
  switch (answer.kind) {
    case "approve":
      return { met: true, reason: "a person says that it holds" };
    case "value":
    case "edit":
      return answer.value === true
        ? { met: true, reason: "a person says that it holds" }
        : { met: false, reason: "a person says that it does not hold" };
    case "deny":
      return { met: false, reason: answer.reason ?? "a person says that it does not hold" };
    case "revise":
      return { met: false, reason: answer.text };
  }
}
