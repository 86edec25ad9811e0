/** Reads handoffs, messages and artifacts from what a strong agent says. */
import { ARTIFACT_KINDS, type ArtifactKind, type Made } from "../../artifact.ts";
import { FailureError } from "../../failure.ts";
import { type Attempt, decided, sending } from "../../performer.ts";
import type { HeardEvent, OperatorResult } from "../../records/controller-values.ts";
import { type KeepArtifact, makeArtifact } from "../values/make-artifact.ts";
import { assertSends } from "./rights.ts";

/** Returns the node's result: its output or, where the agent hands work over, the handoff; and the messages that it sends. */
export function routed(output: unknown, result: OperatorResult, attempt: Attempt): unknown {
  const { sends = [] } = result;
  const directed = handedOver(output, result, attempt);
  if (sends.length === 0) return directed;
  assertSends(sends, attempt, result.sessionRef.controller);
  return sending(directed, sends);
}

/** The scheduler checks the target. */
function handedOver(output: unknown, { handoffs }: OperatorResult, attempt: Attempt): unknown {
  const [first, ...more] = handoffs;
  if (first === undefined) return output;
  const { node, choices = [] } = attempt;
  const names = choices.map(({ name }) => name);
  if (names.length === 0) throw refused(node.name, "no arrow lets it choose who goes on");
  if (more.length > 0) throw refused(node.name, "work is handed over to one only, and once");
  const { to, ...handoff } = first;
  return decided(output, to, handoff);
}

function refused(node: string, why: string): FailureError {
  return new FailureError({
    class: "invalid",
    code: "M5382",
    message: `the handoff of \`${node}\` can't be used: ${why}`,
    hint: `write \`${node} -> a | b\` for those that it may hand over to, or tell the agent to answer itself`,
    feedback: `Your handoff could not be used: ${why}. Answer yourself.`,
  });
}

/** The artifacts whose content the agent told; of others only the result and the trace know. */
export function madeIn(
  events: readonly HeardEvent[],
  by: string,
  keep: KeepArtifact | undefined,
): readonly Made[] {
  return events.flatMap((event) => {
    if (event.kind !== "artifact_created") return [];
    const { name, artifactKind, mime, path, base64 } = event;
    const data = base64 === undefined ? event.text : Buffer.from(base64, "base64");
    if (data === undefined) return [];
    const kind = kindOf(artifactKind);
    const more = {
      ...(mime === undefined ? {} : { mime }),
      ...(path === undefined ? {} : { path }),
    };
    return [makeArtifact({ name, kind, data, ...more }, by, keep)];
  });
}

function kindOf(kindName: string): ArtifactKind {
  return ARTIFACT_KINDS.find((kind) => kind === kindName) ?? "other";
}
