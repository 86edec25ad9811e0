/** Makes the failures of remote agents. */
import type { Code } from "../../../dsl/index.ts";
import { type FailureClass, FailureError, messageOf } from "../../failure.ts";

interface RemoteFault {
  readonly of?: FailureClass;
  /** The agent, as people are told of it. */
  readonly agent: string;
  /** The verb and the rest of the sentence, behind its name. */
  readonly message: string;
  readonly hint?: string;
  readonly cause?: unknown;
}

/** A failure of a remote agent. */
export function remoteFailure(
  code: Code & `M52${number}`,
  { of = "tool", agent, message, hint, cause }: RemoteFault,
): FailureError {
  const failure = {
    class: of,
    code,
    message: `the agent at ${agent} ${message}`,
    ...(hint === undefined ? {} : { hint }),
  };
  return new FailureError(failure, { cause });
}

/** The failure of an agent that was not reached, or whose connection was lost. */
export function notReached(agent: string, why: string, cause?: unknown): FailureError {
  return remoteFailure("M5214", {
    of: "transport",
    agent,
    message: `can't be reached: ${why}`,
    hint: "`retry 2 on transport` of the node begins again, with a new task",
    cause,
  });
}

/** Converts what the protocol's package or the web's guard has thrown. */
export function callFailure(agent: string, thrown: unknown): FailureError {
  if (thrown instanceof FailureError) return thrown;
  const code = webCode(thrown);
  if (code !== undefined) {
    const failure = { class: "tool", code, message: messageOf(thrown) } as const;
    return new FailureError(failure, { cause: thrown });
  }
  const refusal = protocolError(thrown);
  if (refusal !== undefined || /^HTTP error/.test(messageOf(thrown)))
    return remoteFailure("M5212", {
      agent,
      message: `refuses: ${shortened(messageOf(refusal ?? thrown))}`,
      hint: "the words are the agent's own; nothing is sent again",
      cause: thrown,
    });
  return malformed(agent, messageOf(thrown), thrown);
}

/** The failure of an agent whose answer is none of the protocol, or of another task. */
export function malformed(agent: string, what: string, cause?: unknown): FailureError {
  return remoteFailure("M5213", {
    agent,
    message: `answers otherwise than A2A says: ${shortened(what)}`,
    hint: "the task may still be under way there; whoever runs the agent can tell",
    cause,
  });
}

/** The error of a guarded request has a code of its own. */
function webCode(thrown: unknown): Code | undefined {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" && /^M86\d\d$/.test(code) ? (code as Code) : undefined;
}

/** The error that the agent itself has answered with: those of the protocol have a `reason`. */
function protocolError(thrown: unknown): Error | undefined {
  if (!(thrown instanceof Error)) return undefined;
  return "reason" in thrown ? thrown : protocolError(thrown.cause);
}

/** Returns whether the agent does not know the task that it was asked for. */
export function isUnknownTask(thrown: unknown): boolean {
  return protocolError(thrown)?.name.endsWith("TaskNotFoundError") ?? false;
}

const SHOWN_MAX = 500;

function shortened(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
