/** Reports the end of a run: its output, its table, where it is stored, what went wrong and how to continue. */
import { setImmediate } from "node:timers/promises";
import type { Ir } from "../../../dsl/index.ts";
import {
  conversations,
  type Interrupt,
  redaction,
  type Session,
  shortRunId,
} from "../../../runtime/index.ts";
import { expiryText } from "../../display/expiry-text.ts";
import { conversationText } from "../../display/values/conversation.ts";
import { planIn, planText } from "../../display/values/plan.ts";
import { EXIT, exitCodeOf } from "../../exit-codes.ts";
import { answerWords } from "../../read-answer.ts";
import { type CommandFault, faultJson, faultText, placeText, toFault } from "../fault.ts";
import { paintFor, print, printJson, tell } from "../output.ts";
import type { FollowStopSignal } from "./follow-run.ts";
import { nodeTableText, type TracedUse, traced } from "./node-table.ts";
import { faultOf, type KnownRun, outputOf, type ShownRunFault } from "./run-facts.ts";
import { runJson } from "./run-json.ts";
import { userFrames } from "./user-frames.ts";

/** The form of a run's output: text for people, one JSON document, or one line an event. */
export type Mode = "text" | "json" | "events";

export interface EndedRun {
  readonly session: Session;
  readonly run: KnownRun;
  readonly ir: Ir;
  readonly mode: Mode;
  readonly signal: FollowStopSignal | undefined;
  /** The error that stopped the run, printed already at that time. */
  readonly broken: CommandFault | undefined;
  /** Returns the text to print instead of the output in text mode. */
  readonly outputText?: (output: Readonly<Record<string, unknown>>) => string;
}

/** Tells how the run stands; the exit code. */
export async function reportRun(ended: EndedRun): Promise<number> {
  const { session, run, ir, mode, signal, broken } = ended;
  const trace = await traced(session, run.id);
  for (const warning of trace.warnings) tell(warning);
  if (mode === "json") printJson(runJson(run, ir, broken && faultJson(broken)));
  if (mode === "text") print(endText(ended, trace));
  const fault = faultOf(run, ir);
  if (fault !== undefined) tell(runFaultText(fault, run));
  if (run.status === "waiting") for (const text of await refusedAnswers(run)) tell(text);
  // The last line, so that it can be copied from where the eye is.
  if (run.status === "paused") (mode === "text" ? print : tell)(`paused: ${resumeCommand(run.id)}`);
  if (run.status === "waiting") (mode === "text" ? print : tell)(questionsText(run));
  return exitCode(run, signal);
}

/** Returns why answers that were given ahead were not taken. */
async function refusedAnswers({ output }: KnownRun): Promise<readonly string[]> {
  const causes: unknown[] = [];
  // A run that another process drives has none yet.
  output.catch(({ cause }: { readonly cause?: unknown }) => causes.push(cause));
  await setImmediate();
  return causes.filter((cause) => cause instanceof Error).map((cause) => faultText(toFault(cause)));
}

/** Returns the open questions of a run as text, each with the command that answers it. */
export function questionsText(run: Pick<KnownRun, "id" | "interrupts" | "ir" | "state">): string {
  const { id, interrupts } = run;
  const questions = interrupts.flatMap((interrupt) => {
    const { node, question, shown } = redaction.shownValue(interrupt, run);
    const expiry = expiryText(interrupt, run);
    return [
      `${paintFor(process.stdout)("title", `${node || "the run"} asks:`)} ${question}`,
      ...(shown === undefined ? [] : [shownText(shown)]),
      ...(expiry === undefined ? [] : [`  ${expiry}`]),
      `  ${answerCommand(id, interrupt)}`,
      ...(planIn(shown) === undefined
        ? []
        : [`  ${answerStart(id, interrupt)} edit  # in $EDITOR`]),
    ];
  });
  return [...questions, `waiting (M5301): ${interrupts.map((one) => one.id).join(", ")}`].join(
    "\n",
  );
}

function endText({ session, run, outputText = fieldsText }: EndedRun, trace: TracedUse): string {
  const output = outputOf(run);
  return [
    ...(output === undefined ? [] : ["", outputText(output)]),
    ...(trace.nodes.length === 0 ? [] : ["", nodeTableText(trace.nodes)]),
    "",
    `run: ${shortRunId(run.id)}`,
    `log: ${session.workspace.runsFile}`,
    `trace: ${trace.file ?? "none"}`,
  ].join("\n");
}

/** Each field below its name; text as it is, a conversation as one, anything else as JSON. */
export function fieldsText(output: Readonly<Record<string, unknown>>): string {
  return Object.entries(output)
    .map(([name, value]) => {
      const text = typeof value === "string" ? value : valueText(value);
      return `${paintFor(process.stdout)("title", `${name}:`)}\n${text}`;
    })
    .join("\n\n");
}

function valueText(value: unknown): string {
  if (conversations.isConversation(value)) return conversationText(value);
  const plan = planIn(value);
  return plan === undefined ? JSON.stringify(value, null, 2) : planText(plan);
}

/** The subject of a question: a plan as lines, anything else as one line of JSON. */
function shownText(shown: unknown): string {
  const plan = planIn(shown);
  return plan === undefined ? `  ${JSON.stringify(shown)}` : planText(plan);
}

/**
 * Returns the failure of a run as text: the error, its place, and the command that continues the
 * run.
 */
export function runFaultText(fault: ShownRunFault, run: Pick<KnownRun, "id" | "reason">): string {
  const { code, message, hint, node, attempt, place, stack = "" } = fault;
  const where = [
    ...(node === undefined ? [] : [`node \`${node}\`, attempt ${attempt ?? 1}`]),
    ...(place === undefined ? [] : [placeText(place)]),
  ].join(", ");
  return [
    `${paintFor(process.stderr)("error", `error[${code}]`)}: ${message}`,
    ...(where === "" ? [] : [`  at ${where}`]),
    ...userFrames(stack).map((frame) => `    at ${frame}`),
    ...(hint === undefined ? [] : [`  hint: ${hint}`]),
    `  hint: finished work is kept; to continue: ${nextCommand(run)}`,
  ].join("\n");
}

/** A resume decides nothing anew, so behind a used-up `max` only a run of the edited program leads on. */
function nextCommand({ id, reason }: Pick<KnownRun, "id" | "reason">): string {
  return reason === "limit:max" ? `madrigal rerun ${shortRunId(id)}` : resumeCommand(id);
}

/** Returns the command that answers a question. */
export function answerCommand(runId: string, interrupt: Interrupt): string {
  return `${answerStart(runId, interrupt)} ${answerWords(interrupt)}`;
}

function answerStart(runId: string, { id }: Interrupt): string {
  return `madrigal answer ${shortRunId(runId)} ${id}`;
}

/** Returns the line with the short and the whole id of a run; SQL needs the whole one. */
export function runLine(runId: string): string {
  const short = shortRunId(runId);
  return short === runId ? `run: ${runId}` : `run: ${short} (${runId})`;
}

export function resumeCommand(runId: string): string {
  return `madrigal resume ${shortRunId(runId)}`;
}

function exitCode({ status }: KnownRun, signal: FollowStopSignal | undefined): number {
  if (signal !== undefined) return exitCodeOf(signal);
  switch (status) {
    case "failed":
    case "aborted":
      return EXIT.wrong;
    case "waiting":
      return EXIT.waits;
    default:
      return EXIT.done;
  }
}
