/** Begins a turn of a strong agent: in a new session, or as the next turn of a known one. */

import { FailureError } from "../../failure.ts";
import type { Attempt, EffectResult } from "../../performer.ts";
import { isOutcome, type SessionRef, type TurnBegun } from "../../records/controller-values.ts";
import type { Controller, ResumeRequest, SessionHandle, StartRequest } from "./controller.ts";

export interface StartedSession {
  readonly handle: SessionHandle;
  readonly begun: TurnBegun;
}

/** Begins it at the controller. A session that the agent does not know any more is followed by a fresh one. */
export async function beginTurn(
  controller: Controller,
  request: StartRequest,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<StartedSession> {
  const known = knownSession(attempt, controller.name);
  if (known === undefined) return begun(await controller.start(request, signal), "new");
  try {
    return await nextTurn(controller, request, { known, signal });
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown;
    // It has heard nothing of what went before: it is told the whole task again, and what became of it.
    const instruction = [request.instruction, ...summaryOf(attempt)].join("\n\n");
    const handle = await controller.start({ ...request, instruction }, signal);
    return begun(handle, "fresh", known.ref.sessionId);
  }
}

/** The most characters that a fresh session is told of what was said last. */
const SUMMARY_MAX = 4000;

/** The account for an agent of a session that is gone, as far as the run knows it. */
function summaryOf({ feedback, session = [], history = [] }: Attempt): readonly string[] {
  const texts = [...history.flat(), ...session].flatMap(({ effect, value }) =>
    effect === "controller" && isOutcome(value) && value.verb === "end"
      ? value.result.messages
      : [],
  );
  const last = texts.join("\n\n").slice(-SUMMARY_MAX);
  return [
    "You have worked on this before, in a session that is gone. Look at what is there before you begin.",
    ...(last === "" ? [] : [`The last that you said then:\n\n${last}`]),
    ...(feedback === undefined ? [] : [feedback]),
  ];
}

/** A session to go on with, and what it is told if that is not the whole instruction. */
interface KnownSession {
  readonly ref: Pick<SessionRef, "sessionId" | "snapshot"> & { readonly turn?: number };
  readonly instruction?: string;
}

/** The session of the attempt that is repaired, else the one that the node's policy means. */
export function knownSession(
  { feedback, session = [], operator, node }: Attempt,
  controller: string,
): KnownSession | undefined {
  const earlier = feedback === undefined ? undefined : lastSession(session);
  if (earlier !== undefined && feedback !== undefined)
    return { ref: earlier, instruction: feedback };
  if (operator?.session?.controller === controller) return { ref: operator.session };
  if (node.session?.policy !== "resume") return undefined;
  const named = operator?.resume ?? "";
  if (typeof named !== "string") throw notASession(node.name, named);
  return named === "" ? undefined : { ref: { sessionId: named } };
}

function lastSession(effects: readonly EffectResult[]): KnownSession["ref"] | undefined {
  for (const { effect, value } of effects.toReversed()) {
    if (effect !== "controller" || !isOutcome(value)) continue;
    if (value.verb === "end") return value.result.sessionRef;
    if (value.verb === "begin") return { sessionId: value.sessionId, turn: value.turn };
  }
  return undefined;
}

async function nextTurn(
  controller: Controller,
  request: StartRequest,
  { known, signal }: { readonly known: KnownSession; readonly signal: AbortSignal },
): Promise<StartedSession> {
  const { ref, instruction = request.instruction } = known;
  const { snapshot, turn } = ref;
  const isRepair = known.instruction !== undefined;
  const isRestored = snapshot !== undefined && controller.capabilities.snapshot && !isRepair;
  // After a rewind the agent's session has gone on; the run's has not.
  const { sessionId } = isRestored ? await controller.restore(snapshot) : ref;
  const next: ResumeRequest = {
    ...request,
    ...{ instruction, sessionId },
    ...(turn === undefined ? {} : { turn }),
    ...(snapshot === undefined ? {} : { snapshot }),
    ...(isRepair ? { repair: true } : {}),
  };
  const handle = await controller.resume(next, signal);
  return begun(handle, sessionId === ref.sessionId ? "next" : "restored");
}

function begun(handle: SessionHandle, how: TurnBegun["how"], gone?: string): StartedSession {
  const { sessionId, turn } = handle;
  return {
    handle,
    begun: { verb: "begin", sessionId, turn, how, ...(gone === undefined ? {} : { gone }) },
  };
}

function isGone(thrown: unknown): boolean {
  return thrown instanceof FailureError && thrown.failure.code === "M8503";
}

function notASession(node: string, named: unknown): FailureError {
  return new FailureError({
    class: "tool",
    code: "M8507",
    message: `\`session resume\` of \`${node}\` names no session: ${JSON.stringify(named)}`,
    hint: "it takes the id of a session as a text; null or an empty one begins a new session",
  });
}
