/** Shows a run as a task of A2A: its state, its question, its artifacts, its result. Nothing private is in it. */
import { type Artifact, type Interrupt, type Run, redaction, remote } from "../../runtime/index.ts";
import { eventsOf, faultOf, outputOf } from "../cli/run/run-facts.ts";
import { counted } from "../display/visible.ts";
import { answerForms } from "../read-answer.ts";
import { messageFor, shownQuestion } from "../shown-question.ts";

/** A run as a server has it. */
export type TaskRun = Run;

/** The state of a task by that of its run; a run that is paused goes on some time. */
const STATES: Readonly<Record<Run["status"], string>> = {
  created: "TASK_STATE_SUBMITTED",
  running: "TASK_STATE_WORKING",
  paused: "TASK_STATE_WORKING",
  waiting: "TASK_STATE_INPUT_REQUIRED",
  succeeded: "TASK_STATE_COMPLETED",
  failed: "TASK_STATE_FAILED",
  aborted: "TASK_STATE_CANCELED",
};

/** The name of the artifact with what the graph returned. */
const RESULT = "result";

/** Artifacts that are larger are named only. */
const CONTENT_MAX = 1024 * 1024;

export function taskOf(run: Run): remote.WireTask {
  return {
    id: run.id,
    contextId: run.thread,
    status: statusOf(run),
    artifacts: artifactsOf(run),
    history: [],
  };
}

export function isEnded({ status }: Run): boolean {
  return status === "succeeded" || status === "failed" || status === "aborted";
}

export function statusOf(run: Run): NonNullable<remote.WireTask["status"]> {
  const message = messageOfState(run);
  const last = eventsOf(run).at(-1);
  return {
    state: STATES[run.status],
    ...(message === undefined ? {} : { message }),
    ...(last === undefined ? {} : { timestamp: new Date(last.at).toISOString() }),
  };
}

function messageOfState(run: Run): remote.A2aMessage | undefined {
  const [question] = run.interrupts;
  if (run.status === "waiting" && question !== undefined) return questionMessage(run, question);
  const fault = faultOf(run, run.ir);
  if (fault === undefined) return undefined;
  const hint = fault.hint === undefined ? "" : `\nhint: ${fault.hint}`;
  return messageOfRun(run, "end", `${fault.code}: ${fault.message}${hint}`);
}

/** The question in words, and the schema of its answer where that is a value. */
function questionMessage(run: Run, question: Interrupt): remote.A2aMessage {
  const shown = shownQuestion(question, run);
  const { schema, kind, among } = shown;
  const asksValue =
    schema !== undefined && among === undefined && (kind === "input" || kind === "select");
  const forms = asksValue ? "" : `\n(${answerForms(shown)})`;
  return {
    ...messageOfRun(run, question.id, `${messageFor(shown)}${forms}`),
    ...(asksValue ? { metadata: { [remote.QUESTION_KEY]: schema } } : {}),
  };
}

/** A message of the agent; the same part of a run has the same id. */
export function messageOfRun(run: Run, part: string, text: string): remote.A2aMessage {
  return {
    messageId: `${run.id}/${part}`,
    contextId: run.thread,
    taskId: run.id,
    role: "ROLE_AGENT",
    parts: [{ text, mediaType: "text/plain" }],
  };
}

function artifactsOf(run: Run): NonNullable<remote.WireTask["artifacts"]> {
  const made = run.artifacts.map((artifact) => artifactOf(run, artifact));
  const result = resultOf(run);
  return result === undefined ? made : [...made, result];
}

/** The returned fields: the value of the only one, or an object by name. */
export function resultOf(run: Run) {
  const output = outputOf(run);
  if (output === undefined) return undefined;
  const { returns } = run.ir;
  const [only = ""] = returns;
  const value = returns.length === 1 ? output[only] : output;
  return { artifactId: RESULT, name: RESULT, parts: [remote.partFor(value)] };
}

export function artifactOf(run: Run, { id, name, mime, bytes }: Artifact) {
  const about = { artifactId: id, name };
  if (bytes > CONTENT_MAX)
    return { ...about, description: `${counted(bytes, "byte")}, too large to send`, parts: [] };
  const content = Buffer.from(run.artifact(id));
  const isText = /^text\/|json$|xml$/.test(mime);
  const text = redaction.shownValue(content.toString("utf8"), run);
  return {
    ...about,
    parts: [
      {
        ...(isText ? { text } : { raw: content.toString("base64") }),
        mediaType: mime,
        filename: name,
      },
    ],
  };
}
