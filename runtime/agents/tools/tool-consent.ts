/** Decides on the tool calls of one turn before any of them is made, and asks for consent where that is needed. */
import type { GivenAnswer, Question } from "../../interrupt.ts";
import type { Attempt, PerformerContext } from "../../performer.ts";
import type { GuardFacts } from "../../records/call-records.ts";
import type { CallDecision, CallWanted } from "../../scheduler/attempts/approvals.ts";
import { type Classified, decideCall } from "../../scheduler/guard/decide-call.ts";
import type { DirectoryEntry } from "../../scheduler/guard/directories.ts";
import { hashOf } from "../../scheduler/interrupts.ts";
import type { ModelStep, ToolCall } from "../models/model-step.ts";
import type { AgainstCall, ResolvedTool, ToolEffect } from "../scope/tools.ts";
import { toJson } from "../values/json.ts";
import { thrownText } from "../values/thrown.ts";
import { withoutUnseen } from "../values/unseen-characters.ts";
import type { AgentCaller, ToolCaller } from "./tool-caller.ts";

/** A call as it may be made: perhaps with other arguments, or not at all. */
export interface Consented {
  readonly call: ToolCall;
  /** The reason for the refusal, which the model is told. */
  readonly denied?: string;
  /** The decision, where something was decided. */
  readonly guard?: GuardFacts;
}

interface ConsentScene {
  readonly attempt: Attempt;
  readonly context: Pick<PerformerContext, "consult">;
  /** True if the model has read results of tools, or what other nodes said. */
  readonly isTainted: boolean;
  readonly caller: AgentCaller;
}

export async function consented(
  { toolCalls, text }: ModelStep,
  tools: readonly ResolvedTool[],
  { attempt, context, isTainted, caller }: ConsentScene,
): Promise<readonly Consented[]> {
  const decisions: (DecidedCall | undefined)[] = [];
  const entries = caller.entriesOf(tools);
  for (const call of toolCalls) {
    const tool = tools.find(({ modelName }) => modelName === call.name);
    // Nobody is asked about a call that can't be made anyway.
    const isCallable = tool !== undefined && call.broken !== true;
    const { guess, explanation = text } = call;
    const of = { guess, explanation, isTainted, entries };
    decisions.push(isCallable ? await decideOn(attempt, tool, call.input, of) : undefined);
  }
  // All of a turn are asked about at once; one question for what several of its calls are about.
  const asked = new Map<string, Promise<GivenAnswer>>();
  const ask = ({ question }: DecidedCall, call: ToolCall) => {
    if (question === undefined) return undefined;
    const { about } = question;
    const known = about === undefined ? undefined : asked.get(about);
    const of = { tool: tools.find(({ modelName }) => modelName === call.name), caller };
    const given = known ?? previewed(call, of, () => context.consult(asking(question, call, of)));
    if (about !== undefined && question.remember === "run") asked.set(about, given);
    return given;
  };
  return await Promise.all(
    toolCalls.map(async (call, at) => {
      const decided = decisions[at];
      return decided === undefined ? { call } : outcomeOf(call, decided, await ask(decided, call));
    }),
  );
}

const WORDS_MAX = 500;

/** A question with the words of whoever wants its answer, on one line of their own: they can't pose as a part of the question. */
export function withWordsOf(who: string, words: string, question: string): string {
  const line = withoutUnseen(words).replace(/\s+/g, " ").trim();
  const shown = line.length > WORDS_MAX ? `${line.slice(0, WORDS_MAX).toWellFormed()}…` : line;
  return `${question}\n${who} says: "${shown}"`;
}

interface PreviewOf {
  readonly tool: ResolvedTool | undefined;
  readonly caller: ToolCaller;
}

/** The question with what the call would act on, and the reason that the model gives for it. */
function asking(
  question: Question,
  { input, explanation }: ToolCall,
  { tool, caller }: PreviewOf,
): Question {
  const shown = tool?.shows?.(input, caller);
  if (shown === undefined && explanation === undefined) return question;
  const words = shown === undefined ? question.question : `${question.question}\n${shown}`;
  const text = explanation === undefined ? words : withWordsOf("The model", explanation, words);
  return { ...question, question: text };
}

/** Shows what the call would act on while somebody is asked, and never longer. */
async function previewed<T>(
  { input }: ToolCall,
  { tool, caller }: PreviewOf,
  ask: () => Promise<T>,
): Promise<T> {
  const hide = await tool?.preview?.(input, caller);
  try {
    return await ask();
  } finally {
    await hide?.();
  }
}

/** A decision and the tool and arguments that it is about. */
export interface DecidedCall extends CallDecision {
  readonly tool: string;
  readonly args: unknown;
}

interface CallOpinion {
  readonly guess?: CallWanted["guess"] | undefined;
  readonly explanation: string;
  readonly isTainted: boolean;
  readonly entries?: readonly DirectoryEntry[];
}

/** Decides on one call of a tool. Undefined where nothing has anything to say of it: then it is made. */
export async function decideOn(
  attempt: Pick<Attempt, "decideOn">,
  tool: ResolvedTool,
  args: unknown,
  opinion: CallOpinion,
): Promise<DecidedCall | undefined> {
  const { name } = tool;
  const wanted = wantedOf(tool, args, opinion);
  if (attempt.decideOn !== undefined)
    return { ...(await attempt.decideOn(wanted)), tool: name, args };
  if (wanted.classified?.decision !== "deny") return undefined;
  return { ruling: decideCall(wanted, {}, false), isSaid: false, tool: name, args };
}

/**
 * Returns what speaks against a call that goes on with other arguments than those that were decided on: where it leads, and
 * not that its tool is asked about anyway.
 */
export async function reasonAgainst(
  attempt: Pick<Attempt, "decideOn">,
  tool: ResolvedTool,
  args: unknown,
): Promise<AgainstCall | undefined> {
  const decided = await decideOn(attempt, tool, args, { explanation: "", isTainted: true });
  const { ruling } = decided ?? {};
  if (ruling === undefined || ruling.may === "call") return undefined;
  if (ruling.may === "ask" && ruling.about === undefined) return undefined;
  return { may: ruling.may, reason: ruling.reason };
}

function wantedOf(
  tool: ResolvedTool,
  args: unknown,
  { guess, explanation, isTainted, entries }: CallOpinion,
): CallWanted {
  const { name, effect, baseline, targets, address } = tool;
  const classified = classify(tool, args);
  return {
    tool: name,
    args,
    effect,
    baseline,
    risk: RISK_OF[effect],
    ...(guess === undefined ? {} : { guess }),
    ...(classified === undefined ? {} : { classified }),
    ...(targets === undefined ? {} : { targets }),
    ...(address === undefined ? {} : { address }),
    fixed: fixedArguments(tool),
    ...(entries === undefined ? {} : { entries }),
    explanation,
    isTainted,
  };
}

const RISK_OF: Readonly<Record<ToolEffect, CallWanted["risk"]>> = {
  none: "low",
  workspace: "medium",
  external: "high",
};

/** A classifier that fails knows nothing: the call is asked about. */
function classify({ classify: of }: ResolvedTool, args: unknown): Classified | undefined {
  try {
    return of?.(args);
  } catch (thrown) {
    return { decision: "ask", reason: `its classifier failed: ${thrownText(thrown)}` };
  }
}

/** Returns the arguments whose values the schema lists. */
function fixedArguments({ inputSchema }: ResolvedTool): readonly string[] {
  const properties = (inputSchema.properties ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(properties).flatMap(([name, schema]) =>
    typeof schema === "object" && schema !== null && ("enum" in schema || "const" in schema)
      ? [name]
      : [],
  );
}

// ── what comes of a decision ────────────────────────────────────────────────────────────────────

/** The call as it may be made after the answer, if somebody was asked. */
export function outcomeOf(
  call: ToolCall,
  { ruling, tool, args }: Pick<DecidedCall, "ruling" | "tool" | "args">,
  given: GivenAnswer | undefined,
): Consented {
  const facts = { tool, hash: hashOf(args) };
  if (given === undefined) {
    const { by, reason: why } = ruling;
    if (ruling.may === "call") return { call, guard: { decision: "allow", by, why, ...facts } };
    return {
      call,
      denied: `this call is not allowed: ${why}`,
      guard: { decision: "deny", by, why, ...facts },
    };
  }
  const { answer } = given;
  const who = whoOf(given);
  const answered = (text: string | undefined) => ({
    ...who,
    why: text === undefined ? ruling.reason : `${ruling.reason}; ${text}`,
    ...facts,
  });
  switch (answer.kind) {
    case "approve":
      return { call, guard: { decision: "allow", ...answered(undefined) } };
    case "edit":
    case "value": {
      const input = toJson(answer.value).value;
      return { call: { ...call, input }, guard: { decision: "edit", ...answered(undefined) } };
    }
    case "revise":
      return {
        call,
        denied: `not like this: ${answer.text}`,
        guard: { decision: "deny", ...answered(answer.text) },
      };
    case "deny": {
      const why = answer.reason === undefined ? "" : `: ${answer.reason}`;
      return {
        call,
        denied: `this call was not approved${why}`,
        guard: { decision: "deny", ...answered(answer.reason) },
      };
    }
  }
}

/** A judge answers by its name; a policy without one is an answer that somebody gave before. */
export function whoOf({ from, by }: GivenAnswer): Pick<GuardFacts, "by" | "judge"> {
  if (from !== "policy") return { by: from };
  return by === undefined || by === "thread" ? { by: "remembered" } : { by: "judge", judge: by };
}
