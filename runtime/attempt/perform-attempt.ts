/** Performs one attempt from its start to the completion that ends it. */

import type { Cancellation } from "../cancellation.ts";
import { RunError } from "../failure.ts";
import { type Attempt, isDecided, isEdited, type PerformerContext, partsOf } from "../performer.ts";
import type { Directions } from "../records/directions.ts";
import { recite } from "../rerun/recite.ts";
import type { Served } from "../rerun/serving.ts";
import type { Start } from "../scheduler/advance.ts";
import { isJudged } from "../scheduler/attempts/judge-questions.ts";
import { outputToJudge } from "../scheduler/call-graph.ts";
import { type Located, locate } from "../scheduler/called-snapshots.ts";
import type { Completion } from "../scheduler/completion.ts";
import { waitResult } from "../scheduler/program/wait-nodes.ts";
import type { AttemptHost, Ended, Scene } from "./attempt-host.ts";
import { attemptInput, judgeInput } from "./attempt-input.ts";
import { lookUpCached, saidBefore } from "./cached.ts";
import { AttemptContext, callIn, failureOf } from "./effects.ts";
import { interceptedAttempt, interceptedResult } from "./intercepted-node.ts";
import { judged } from "./judge-attempt.ts";
import type { Acknowledgement } from "./post-completion.ts";
import type { MakeCall } from "./with-calls.ts";

/** Performs one attempt and says once how it ended; never throws. No promise of its own: one costs as much as a small step. */
export function performAttempt(
  host: AttemptHost,
  { id, attempt }: Start,
  { cancellation, ended }: { readonly cancellation: Cancellation; readonly ended: Ended },
): void {
  const scene: Scene = { id, attempt, cancellation, calls: 0, questions: 0, outside: undefined };
  const begin = ({ taken }: Acknowledgement) => {
    if (taken) perform(host, scene, ended);
    else ended(undefined);
  };
  host.post({ kind: "started", id, attempt, at: host.clock.now() }, begin, cancellation);
}

function perform(host: AttemptHost, scene: Scene, ended: Ended): void {
  const failed = (thrown: unknown) => ended(failedWith(host, scene, thrown));
  try {
    const located = locate(host.program, host.snapshot(), scene.id);
    if (located === undefined) throw new RunError("M9000", `no node run ${scene.id}`);
    if (isCall(located)) {
      const completed = outputToJudge(located);
      // The graph that it calls has begun: its nodes have attempts of their own.
      if (completed === undefined) ended(undefined);
      else void judgedCall(host, scene, { located, ...completed }).then(ended, failed);
      return;
    }
    if (isWait(located)) {
      ended(waited(host, scene, located));
      return;
    }
    const given = attemptInput(host, located, scene);
    const ends = { ended, failed, located };
    if (!(given instanceof Promise)) performOrServe(host, given, scene, ends);
    else void given.then((one) => performOrServe(host, one, scene, ends)).catch(failed);
  } catch (thrown) {
    failed(thrown);
  }
}

function performOrServe(
  host: AttemptHost,
  given: Attempt,
  scene: Scene,
  ends: AttemptEnding & { readonly located: Located },
): void {
  if (host.serving === undefined) performed(host, given, scene, ends);
  else serve(host, given, scene, ends);
}

function isCall({ program, run }: Located): boolean {
  return program.nodes[run.node]?.called !== undefined;
}

/** The graph that it called is over: what that came to is judged like any other output. */
function judgedCall(
  host: AttemptHost,
  scene: Scene,
  { located, output }: { readonly located: Located; readonly output: unknown },
): Promise<Completion> {
  const given = judgeInput(host, located);
  const context = new AttemptContext(host, given, scene);
  return judgedOn(host, scene, { given, context, result: output });
}

function isWait({ program, run }: Located): boolean {
  return program.nodes[run.node]?.isWait === true;
}

/** A wait before a decision is over when it begins: nobody performs it. */
function waited({ clock }: AttemptHost, { id, attempt }: Scene, { run }: Located): Completion {
  return { kind: "succeeded", id, attempt, output: waitResult(run), at: clock.now() };
}

interface AttemptEnding {
  readonly ended: Ended;
  readonly failed: (thrown: unknown) => void;
}

/** Serves the attempt from a recorded run where possible; performs it otherwise. */
function serve(
  host: AttemptHost,
  given: Attempt,
  scene: Scene,
  ends: AttemptEnding & { readonly located: Located },
): void {
  const { ended, failed, located } = ends;
  const before = host.journal.intent(scene.id, scene.attempt, scene.calls)?.served;
  const found = host.serving?.find(given, located, before);
  if (found === undefined) performed(host, given, scene, ends);
  // A run that only plans: nobody performs it, and nothing follows from it.
  else if (found === "open") scene.cancellation.onCancel(() => ended(undefined));
  else void recited(host, given, scene, found).then(ended, failed);
}

async function recited(
  host: AttemptHost,
  given: Attempt,
  scene: Scene,
  served: Served,
): Promise<Completion> {
  const completed = await recite(host, scene, served);
  scene.calls = Math.max(scene.calls, served.attempt.calls.length);
  if (!isJudged(given.node) || completed.handoff !== undefined) return completed;
  const context = new AttemptContext(host, given, scene);
  const judgement = await judgedOn(host, scene, { given, context, result: completed.output });
  if (judgement.kind !== "succeeded") return judgement;
  // It is served; nobody else is given it for what it is.
  const { cache: _, ...judgedAs } = judgement;
  return { ...judgedAs, ...completed };
}

/** Performs the attempt by its performer, as interceptors let it begin. */
function performed(host: AttemptHost, given: Attempt, scene: Scene, ends: AttemptEnding): void {
  if (host.interceptors === undefined) performAs(host, given, scene, ends);
  else {
    const begun = interceptedAttempt(host, given, scene);
    void begun.then((one) => performAs(host, one, scene, ends)).catch(ends.failed);
  }
}

function performAs(host: AttemptHost, given: Attempt, scene: Scene, ends: AttemptEnding): void {
  const { ended, failed } = ends;
  const context = new AttemptContext(host, given, scene);
  if (given.node.cache !== undefined) {
    void throughCache(host, scene, { given, context }).then(ended, failed);
    return;
  }
  const completed = (result: unknown) => {
    if (!isJudged(given.node)) ended(succeeded(host, scene, result));
    else void judgedOn(host, scene, { given, context, result: result }).then(ended, failed);
  };
  void resultOf(host, given, scene, context).then(completed, failed);
}

function resultOf(
  host: AttemptHost,
  given: Attempt,
  scene: Scene,
  context: PerformerContext,
): Promise<unknown> {
  const result = host.performer.perform(given, context);
  if (host.interceptors === undefined) return result;
  return result.then((one) => interceptedResult(host, given, scene, one));
}

function succeeded({ clock }: AttemptHost, { id, attempt }: Scene, result: unknown): Completion {
  const at = clock.now();
  if (isPlain(result)) return { kind: "succeeded", id, attempt, output: result, at };
  return { kind: "succeeded", id, attempt, ...toOutput(result), at };
}

/** Served where it was come to before; else what it comes to is kept, unless it has done something outside. */
async function throughCache(
  host: AttemptHost,
  scene: Scene,
  { given, context }: { readonly given: Attempt; readonly context: PerformerContext },
): Promise<Completion> {
  const { id, attempt } = scene;
  const found = lookUpCached(host, given, host.clock.now());
  const isHit = found?.hit !== undefined;
  const result = isHit ? saidBefore(found.hit) : await resultOf(host, given, scene, context);
  const known = found?.hit?.met;
  const completed: Completion = isJudged(given.node)
    ? await judgedOn(host, scene, { given, context, result: result, known })
    : { kind: "succeeded", id, attempt, ...toOutput(result), at: host.clock.now() };
  if (found === undefined || completed.kind !== "succeeded") return completed;
  if (isHit) return { ...completed, cache: { ...completed.cache, key: found.key, hit: true } };
  return scene.outside !== undefined
    ? completed
    : { ...completed, cache: { ...completed.cache, key: found.key } };
}

function isPlain(result: unknown): boolean {
  return !isDecided(result) && !isEdited(result);
}

function toOutput(result: unknown): { readonly output: unknown } & Directions {
  if (isDecided(result)) return partsOf(result);
  return isEdited(result) ? { output: result.output, edits: result.edits } : { output: result };
}

async function judgedOn(
  host: AttemptHost,
  scene: Scene,
  of: {
    readonly given: Attempt;
    readonly context: PerformerContext;
    readonly result: unknown;
    /** Of what comes from the cache. */
    readonly known?: readonly string[] | undefined;
  },
): Promise<Completion> {
  const { id, attempt } = scene;
  const { given, context, known = [] } = of;
  const completed = toOutput(of.result);
  const call: MakeCall = (one) => callIn(host, given, scene, one);
  const at = () => host.clock.now();
  // What is handed over is not this node's work any more.
  if ("handoff" in completed) return { kind: "succeeded", id, attempt, ...completed, at: at() };
  const { output } = completed;
  const verdict = host.serving?.verdictOf(given, output);
  if (verdict !== undefined)
    return { kind: "succeeded", id, attempt, ...completed, judged: verdict, at: at() };
  const { met, ...judgement } = await judged(host, given, context, { id, output, call, known });
  const kept =
    given.node.cache === undefined || met === undefined ? {} : { cache: { key: "", met } };
  return { kind: "succeeded", id, attempt, ...completed, ...judgement, ...kept, at: at() };
}

function failedWith({ clock }: AttemptHost, scene: Scene, thrown: unknown): Completion {
  const { id, attempt, cancellation } = scene;
  return { kind: "failed", id, attempt, failure: failureOf(thrown, cancellation), at: clock.now() };
}
