/** Lists what was said at one place of a run: inputs, answers of models, tools and people, outputs. */
import { type Failure, messageOf } from "../failure.ts";
import type { Answer } from "../interrupt.ts";
import type { OutlinedCall, WalkEntry } from "./run-outline.ts";

export interface TranscriptEntry {
  readonly kind:
    | ("given" | "model" | "tool" | "function" | "controller")
    | ("answer" | "failure" | "steer" | "message" | "output");
  /** The speaker: a model, a tool, a node; empty where the kind says it all. */
  readonly by: string;
  readonly text: string;
}

/** Hides private members of a value before it becomes a text without member names. */
export interface Shower {
  value(value: unknown): unknown;
  /** Of what a node, or a call in it, came to. */
  output(text: string): string;
}

export function saidAt(
  { kind, commit, did, values, failed }: WalkEntry,
  input: Readonly<Record<string, unknown>>,
  show: Shower,
): readonly TranscriptEntry[] {
  const given = (by: string, value: unknown): TranscriptEntry => ({
    kind: "given",
    by,
    text: valueText(show.value(value)),
  });
  if (kind === "start") return [given("", input)];
  if (values !== undefined) return [given("a person", values)];
  if (failed !== undefined && did !== undefined) {
    const calls = did.calls.filter(({ attempt }) => attempt === failed.attempt);
    return [
      ...(did.args === undefined ? [] : [given("", did.args)]),
      ...calls.flatMap((call) => saidIn(call, show)),
      { kind: "failure", by: "", text: failureText(failed.failure) },
    ];
  }
  if (commit === undefined || did === undefined) return [];
  const { output, messages = [] } = commit;
  const outputEntries: TranscriptEntry[] =
    output === undefined ? [] : [{ kind: "output", by: "", text: outputText(output, show) }];
  const calls = did.calls.flatMap((call) => saidIn(call, show));
  // What a model said last is mostly what the node came to.
  const last = calls.findLastIndex(
    ({ kind, by }) => !(kind === "function" && by.endsWith(".report")),
  );
  const isTold = outputEntries.some(({ text }) => text === calls[last]?.text);
  return [
    ...(did.args === undefined ? [] : [given("", did.args)]),
    ...(isTold ? calls.toSpliced(last, 1) : calls),
    ...did.failures.map(({ attempt, failure }): TranscriptEntry => {
      return { kind: "failure", by: `attempt ${attempt}`, text: failureText(failure) };
    }),
    ...did.answers.map((answer): TranscriptEntry => {
      return { kind: "answer", by: "", text: answerText(answer, show) };
    }),
    ...outputEntries,
    ...messages.map(({ receiver, payload }): TranscriptEntry => {
      return { kind: "message", by: receiver ?? "", text: valueText(show.value(payload)) };
    }),
  ];
}

function saidIn(
  { effect, name, request, value, failure, steers = [] }: OutlinedCall,
  show: Shower,
): TranscriptEntry[] {
  const steerEntries = steers.map(({ payload }): TranscriptEntry => {
    return { kind: "steer", by: "a person", text: valueText(show.value(payload)) };
  });
  if (effect === "clock" || effect === "random" || effect === "server" || effect === "skills")
    return steerEntries;
  const isTool = effect === "tool" || effect === "memory";
  const kind = isTool ? "tool" : effect;
  if (failure !== undefined) {
    return [...steerEntries, { kind: "failure", by: name, text: failureText(failure) }];
  }
  const asked = isTool && request !== undefined ? `${valueText(show.value(request))} → ` : "";
  const text = effect === "model" ? modelText(value, show) : callText(value, kind, show);
  return text === ""
    ? steerEntries
    : [...steerEntries, { kind, by: name, text: `${asked}${text}` }];
}

/** Returns a call's result as text; a tool's result is not the output of the node. */
function callText(value: unknown, kind: TranscriptEntry["kind"], show: Shower): string {
  return kind === "tool" ? valueText(show.value(value)) : outputText(value, show);
}

/** Returns a model's text; its tool calls are told separately. */
function modelText(value: unknown, show: Shower): string {
  if (typeof value !== "object" || value === null) return outputText(value, show);
  return "text" in value && typeof value.text === "string"
    ? outputText(value.text, show)
    : valueText(show.value(value));
}

function outputText(value: unknown, show: Shower): string {
  return value === undefined ? "" : show.output(valueText(show.value(value)));
}

function failureText({ code, message }: Failure): string {
  return `${code} ${message}`;
}

function answerText({ as, ...answer }: Answer, show: Shower): string {
  return as === undefined ? wordsOf(answer, show) : `as ${as}: ${wordsOf(answer, show)}`;
}

function wordsOf(answer: Answer, show: Shower): string {
  switch (answer.kind) {
    case "approve":
      return "approve";
    case "deny":
      return answer.reason === undefined ? "deny" : `deny: ${answer.reason}`;
    case "revise":
      return `revise: ${answer.text}`;
    case "edit":
    case "value":
      return outputText(answer.value, show);
  }
}

/** A text as it is, everything else as JSON. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch (error) {
    return `(${messageOf(error)})`;
  }
}
