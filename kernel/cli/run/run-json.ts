/** Makes the JSON document that `run`, `resume` and `show` print with `--json`. */
import type { Ir } from "../../../dsl/index.ts";
import { type Interrupt, redaction } from "../../../runtime/index.ts";
import { type CommandFault, faultJson } from "../fault.ts";
import {
  eventsOf,
  faultOf,
  type KnownRun,
  modelSourcesOf,
  outputOf,
  type ShownRunFault,
} from "./run-facts.ts";

/** `paused` is what stopped a run that did not fail, as a member `error`. */
export function runJson(
  run: KnownRun,
  ir: Ir,
  paused?: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { usage } = run;
  const fault = faultOf(run, ir);
  const error = fault === undefined ? paused : runFaultJson(fault);
  return {
    run_id: run.id,
    thread_id: run.thread,
    graph: run.graph,
    graph_hash: run.graphHash,
    status: run.status,
    reason: run.reason ?? null,
    output: outputOf(run) ?? null,
    state: redaction.shownValue(run.state, run),
    steps: run.steps.length,
    interrupts: redaction.shownValue(run.interrupts.map(interruptJson), run),
    tokens: { input: usage.inputTokens, output: usage.outputTokens },
    cost_usd: usage.costUsd,
    model_sources: modelSourcesOf(eventsOf(run)),
    duration_ms: run.activeMs,
    ...(error === undefined ? {} : { error }),
  };
}

function interruptJson(interrupt: Interrupt) {
  const { id, kind, node, question, schema, options, shown, expiresAt } = interrupt;
  const { default: otherwise, to, passed = [], among, need, agreed = [] } = interrupt;
  const { declined = [] } = interrupt;
  return {
    id,
    kind,
    node,
    question,
    schema: schema ?? null,
    ...(options === undefined ? {} : { options }),
    ...(shown === undefined ? {} : { shown }),
    ...(to === undefined ? {} : { to }),
    ...(among === undefined
      ? {}
      : {
          among,
          ...(need === undefined ? {} : { need }),
          agreed: agreed.map(saidJson),
          declined: declined.map(saidJson),
        }),
    ...(passed.length === 0
      ? {}
      : {
          passed: passed.map((one) => ({
            to: one.to ?? null,
            until: new Date(one.until).toISOString(),
          })),
        }),
    ...(otherwise === undefined ? {} : { default: otherwise }),
    ...(expiresAt === undefined ? {} : { expires_at: new Date(expiresAt).toISOString() }),
  };
}

function saidJson({ as, at }: NonNullable<Interrupt["agreed"]>[number]) {
  return { as, at: new Date(at).toISOString() };
}

function runFaultJson({ code, message, hint, node, attempt, place, stack }: ShownRunFault) {
  return {
    code,
    message,
    node: node ?? null,
    attempt: attempt ?? null,
    ...(place?.line === undefined ? {} : { line: place.line }),
    ...(hint === undefined ? {} : { hint }),
    ...(stack === undefined ? {} : { stack }),
  };
}

/** The same shape for a run that never began. */
export function noRunJson(fault: CommandFault): Record<string, unknown> {
  return {
    run_id: null,
    thread_id: null,
    graph: null,
    graph_hash: null,
    status: null,
    reason: null,
    output: null,
    state: null,
    steps: 0,
    interrupts: [],
    tokens: { input: 0, output: 0 },
    cost_usd: 0,
    model_sources: [],
    duration_ms: 0,
    error: faultJson(fault),
  };
}
