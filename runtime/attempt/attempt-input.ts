/** Builds the input of an attempt: its rendered clauses, and what came before it. */

import type { Sent } from "../envelope.ts";
import { envelopeOf } from "../envelope.ts";
import { FailureError, RunError } from "../failure.ts";
import type { Attempt } from "../performer.ts";
import type { LoggedCall } from "../records/records.ts";
import { decideToolCall } from "../scheduler/attempts/approvals.ts";
import { attemptView } from "../scheduler/attempts/attempt-view.ts";
import { roundNumber } from "../scheduler/attempts/sentinel-rounds.ts";
import { type Located, nodeRunPlace } from "../scheduler/called-snapshots.ts";
import { remembers } from "../scheduler/conversations.ts";
import { evaluationFailure } from "../scheduler/expressions/evaluate.ts";
import { EvaluationError } from "../scheduler/expressions/evaluation-errors.ts";
import { type GuardedGraph, hasGuard, reachOf } from "../scheduler/guard/guard-of.ts";
import { nodeInUse } from "../scheduler/interventions.ts";
import { countOf } from "../scheduler/limits.ts";
import { recalledBy } from "../scheduler/lookup.ts";
import { keptFor } from "../scheduler/mail.ts";
import { offered } from "../scheduler/program/program.ts";
import { talksBefore } from "../threads/thread-talks.ts";
import type { AttemptHost, Scene } from "./attempt-host.ts";
import { callIn } from "./effects.ts";
import { knowing, withCalls } from "./with-calls.ts";

type AttemptDraft = { -readonly [K in keyof Attempt]: Attempt[K] };

/** At once, unless its expressions call functions; one that can't be evaluated is told with its place. */
export function attemptInput(
  host: AttemptHost,
  located: Located,
  scene: Scene,
): Attempt | Promise<Attempt> {
  const bare = bareAttempt(host, located);
  try {
    const { program, snapshot, run } = located;
    const view = withCalls(
      (known) => attemptView(knowing(program, known), snapshot, run),
      (call) => callIn(host, bare, scene, call),
    );
    const seen = (one: Awaited<typeof view>) => withView(host, { bare, located, scene }, one);
    if (!(view instanceof Promise)) return seen(view);
    return view.then(seen).catch((error: unknown) => {
      throw toFailure(located, error);
    });
  } catch (error) {
    throw toFailure(located, error);
  }
}

/** Restores the input of a recorded attempt from the calls that its expressions made. Throws where some are missing. */
export function inputFromRecord(
  host: AttemptHost,
  located: Located,
  known: readonly LoggedCall[],
): Attempt {
  const bare = bareAttempt(host, located);
  const { program, snapshot, run } = located;
  Object.assign(bare, attemptView(knowing(program, known), snapshot, run));
  const { prompt } = run.using?.use ?? {};
  return prompt === undefined ? bare : { ...bare, prompt };
}

/** Of a called graph that is over, and has only to be judged: what its attempt was there for. */
export function judgeInput(host: AttemptHost, located: Located): Attempt {
  const bare = bareAttempt(host, located);
  const { called } = located.program.nodes[located.run.node] ?? {};
  const child = located.snapshot.children.get(located.run.id);
  const work = called === undefined ? undefined : child?.program.ir.description;
  if (bare.node.description === undefined && work !== undefined) bare.prompt = work;
  return bare;
}

function toFailure({ program }: Located, error: unknown): unknown {
  if (!(error instanceof EvaluationError)) return error;
  return new FailureError(evaluationFailure(program, error), { cause: error });
}

interface InputParts {
  readonly bare: AttemptDraft;
  readonly located: Located;
  readonly scene: Scene;
}

function withView(
  host: AttemptHost,
  { bare, located, scene }: InputParts,
  view: ReturnType<typeof attemptView>,
): Attempt {
  Object.assign(bare, view);
  const { prompt } = located.run.using?.use ?? {};
  if (prompt !== undefined) bare.prompt = prompt;
  const reach = bare.node.tools.length === 0 ? undefined : reachOf(graphsIn(host, located));
  if (reach !== undefined) bare.reach = reach;
  const decideOn = decisions(host, { bare, located, scene });
  if (decideOn !== undefined) bare.decideOn = decideOn;
  if (bare.node.kind === "operator" && bare.node.recalls.length > 0)
    bare.recall = recallIn(host, { bare, located, scene });
  return bare;
}

/** A strong agent may ask the memories of its node while it works. */
function recallIn(
  host: AttemptHost,
  { bare, located, scene }: InputParts,
): NonNullable<Attempt["recall"]> {
  const { program, run, snapshot } = located;
  const { frame, scope, args, inbox } = run;
  const at = { frame, scope, args, inbox, node: run.node };
  return async (memory, words) =>
    await withCalls(
      (known) => recalledBy(knowing(program, known), snapshot, at, { memory, words }),
      (needed) => callIn(host, bare, scene, needed),
    );
}

/** All but what its expressions come to. Member by member: most attempts have few of the later ones. */
function bareAttempt(host: AttemptHost, located: Located): AttemptDraft {
  const { program, run, callers } = located;
  const of = program.nodes[run.node];
  if (of === undefined) throw new RunError("M9000", `no node ${run.node}`);
  const node = nodeInUse(of.ir, run.using?.use);
  const { runId, journal } = host;
  const toEnvelope = (message: Sent) =>
    envelopeOf(message, { runId, threadId: host.threadId ?? runId });
  const bare: AttemptDraft = {
    ir: program.ir,
    node,
    runId,
    nodeRunId: `${runId}/${nodeRunPlace({ callers, run })}`,
    label: `${node.name}#${run.ordinal}`,
    attempt: run.attempt,
    reason: run.reason,
    inbox: run.inbox === undefined ? NONE : run.inbox.map(toEnvelope),
  };
  if (run.anewFrom !== undefined) bare.anewFrom = run.anewFrom;
  if (of.choices.length > 0) bare.choices = offered(program, of);
  if (of.ir.history?.source === "inbox") {
    const earlier = keptFor(located.snapshot, run).map(toEnvelope);
    if (earlier.length > 0) bare.earlier = earlier;
  }
  const history = remembers(of.ir) ? talksBefore(host, located) : NONE;
  if (history.length > 0) bare.history = history;
  if (run.reason === "repair" && run.feedback !== undefined) {
    bare.feedback = run.feedback;
    bare.session = journal.session(run.id, run.sessionFrom, run.attempt);
  }
  if (of.ir.every !== undefined) bare.round = roundOf(located, of.ir.every);
  return bare;
}

const NONE: readonly never[] = [];

/** Tool calls may need consent; whether they do is decided on what the attempt has seen. */
function decisions(
  host: AttemptHost,
  { bare, located, scene }: InputParts,
): Attempt["decideOn"] | undefined {
  const { program, run, snapshot } = located;
  const around = graphsIn(host, located);
  const node = program.nodes[run.node]?.ir;
  const isSaid = node?.approvals.some(({ when }) => when === "tool") === true;
  if (!isSaid && !around.some(hasGuard)) return undefined;
  return async (call) =>
    await withCalls(
      (known) => {
        const of = { program: knowing(program, known), snapshot, around };
        return decideToolCall(of, { run, call });
      },
      (needed) => callIn(host, bare, scene, needed),
    );
}

function graphsIn(host: AttemptHost, located: Located): readonly GuardedGraph[] {
  return graphsAround({ program: host.program, snapshot: host.snapshot() }, located);
}

/** The graphs around a node run, outermost first, down to its own. */
function graphsAround(
  outermost: GuardedGraph,
  { callers, program, snapshot }: Located,
): readonly GuardedGraph[] {
  if (callers.length === 0) return [{ program, snapshot }];
  const around = [outermost];
  for (const caller of callers) {
    const child = around.at(-1)?.snapshot.children.get(caller.run.id);
    if (child === undefined) break;
    around.push({ program: child.program, snapshot: child.snapshot });
  }
  return around;
}

/** Returns the round of a node with `every`. */
function roundOf(
  { program, snapshot, run }: Located,
  { max: most }: NonNullable<Attempt["node"]["every"]>,
): NonNullable<Attempt["round"]> {
  const max = most && countOf(program, snapshot, most);
  return { number: roundNumber(run), ...(max === undefined ? {} : { max }) };
}
