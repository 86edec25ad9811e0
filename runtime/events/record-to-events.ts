/** The events of each kind of record. */
import type { ModelRequest } from "../agents/conversation/messages.ts";
import type { Failure } from "../failure.ts";
import type { IntentRecord, OutcomeRecord } from "../records/call-records.ts";
import type { ModifyRecord } from "../records/control-records.ts";
import type {
  AttemptRecord,
  CommitRecord,
  EndRecord,
  ItemRecord,
  LogRecord,
  RunRecord,
  SubRecord,
} from "../records/records.ts";
import { calledContext, withGraphPath } from "./called-graphs-to-events.ts";
import { flowWithCarried } from "./carried-node-runs.ts";
import type { EventContext } from "./context.ts";
import { ofControllerIntent, ofControllerOutcome } from "./controllers-to-events.ts";
import { callKey, isOnlyJudged } from "./event-fold.ts";
import { flowEvents } from "./flow-to-events.ts";
import {
  callIntercepted,
  inputIntercepted,
  nodeIntercepted,
  outputIntercepted,
} from "./interceptions-to-events.ts";
import { ofAnswer, ofInterrupt, ofOpinion } from "./interrupts-to-events.ts";
import type { EventBody } from "./kinds/run-event.ts";
import { deadEvents, heardEvents, mailEvents, steerEvent } from "./messages-to-events.ts";
import { isControllers } from "./operator-turns.ts";
import { sentinelChecked, sentinelFailed, sentinelStarted } from "./sentinels-to-events.ts";
import { sessionStopped } from "./session-stopped.ts";
import { attemptSpanOf, nodeFactsOf, statusOf, stopped, stoppedInside } from "./shared-facts.ts";
import { attemptCommitted, attemptStarted } from "./steps-to-events.ts";

/** Returns the events of one record, in their order. */
export function eventsOfRecord(record: LogRecord, context: EventContext): EventBody[] {
  const own = ownBodiesOf(record, context);
  const bodies = record.calls === undefined ? own : [...outputIntercepted(record, context), ...own];
  return record.waits === true ? [...bodies, { kind: "run.waiting" }] : bodies;
}

function ownBodiesOf(record: LogRecord, context: EventContext): EventBody[] {
  switch (record.kind) {
    case "run":
      return ofRun(record, context);
    case "start":
      if (isOnlyJudged(context.memory, record)) return [];
      return record.round === undefined
        ? [attemptStarted(record, context)]
        : [attemptStarted(record, context), ...sentinelStarted(record, context)];
    case "intent":
      if (isControllers(record))
        return [...guardDecided(record, context), ...ofControllerIntent(record, context)];
      return [
        ...callIntercepted(record, context),
        ...heardEvents(record, context),
        ...contextReduced(record, context),
        ...modelFallback(record, context),
        ...guardDecided(record, context),
        ...ofIntent(record, context),
      ];
    case "outcome":
      if (isControllers(record)) return ofControllerOutcome(record, context);
      return ofOutcome(record, context);
    case "item":
      return ofItem(record, context);
    case "attempt":
      return ofAttempt(record, context);
    case "commit":
      return ofCommit(record, context);
    case "use":
      return [{ kind: "node.used", step: context.memory.step, node: record.node, ...record.use }];
    case "steer":
      return [steerEvent(record, context)];
    case "edit": {
      const { patches, reason } = record;
      const why = reason === undefined ? {} : { reason };
      return [{ kind: "run.edited", step: context.memory.step, patches, ...why }];
    }
    case "interrupt":
      return [ofInterrupt(record, context)];
    case "answer":
      return ofAnswer(record, context);
    case "opinion":
      return ofOpinion(record, context);
    case "control":
      return ofControl(record, context);
    case "branch": {
      const { verb, reason = "user" } = record;
      const facts = nodeFactsOf(context, record);
      return [
        verb === "hold"
          ? { kind: "branch.held", ...facts, reason }
          : { kind: "branch.released", ...facts },
      ];
    }
    case "modify":
      return ofModify(record, context);
    case "sub":
      return ofSub(record, context);
    case "end":
      return ofEnd(record, context);
  }
}

function ofRun(record: LogRecord & RunRecord, context: EventContext): EventBody[] {
  const { graph, graphHash } = context;
  const { seq: span, input, state } = record;
  const initial = Object.entries(state).map(
    ([field, value]) => ({ op: "add", path: [field], value }) as const,
  );
  const patches = [...initial, ...record.patches];
  const began = { graph, graphHash, input, patches };
  return [
    context.caller === undefined
      ? { kind: "run.started", span, ...began }
      : { kind: "graph.started", ...began },
    ...inputIntercepted(record, context),
    ...flowEvents(flowWithCarried(record, context.memory), record, context),
  ];
}

function ofModify(record: LogRecord & ModifyRecord, context: EventContext): EventBody[] {
  const { id, plan, at, goOn = [] } = record;
  const facts = nodeFactsOf(context, { id, node: "", attempt: 0 });
  const done = Object.keys(record.done);
  const inside = calledContext(context, id);
  const labels = goOn.map((one) => nodeFactsOf(inside, { id: one, node: "", attempt: 0 }).label);
  return [
    ...stoppedInside(context, [id], { at, except: goOn }),
    { kind: "plan.modified", ...facts, plan, done, carriedOver: labels },
  ];
}

/** Returns the events of a called graph; its continuation follows from the start of its caller. */
function ofSub({ id, record, seq, at }: LogRecord & SubRecord, context: EventContext): EventBody[] {
  if (record.kind === "control") return [];
  const called = calledContext(context, id);
  return withGraphPath(called, eventsOfRecord({ ...record, seq, at }, called));
}

function ofIntent(record: LogRecord & IntentRecord, context: EventContext): EventBody[] {
  const { seq: span, call, request, toolCallId, explanation, external, name, effect } = record;
  const asked = { ...(request === undefined ? {} : { request }), ...servedFacts(record) };
  const facts = { ...nodeFactsOf(context, record), span, call, ...asked };
  const outside = external === undefined ? {} : { external };
  const why = explanation === undefined ? {} : { explanation };
  switch (effect) {
    case "intercept":
      return [];
    case "model": {
      const model = { ...modelFacts(name, record.modelSource), ...purposeOf(record) };
      return [{ kind: "model.request", ...facts, ...model }];
    }
    case "tool":
      return [{ kind: "tool.call", ...facts, ...toolFacts(name, toolCallId), ...outside, ...why }];
    default:
      return [{ kind: "function.call", ...facts, function: name, effect, ...outside }];
  }
}

function contextReduced(record: LogRecord & IntentRecord, context: EventContext): EventBody[] {
  if (record.effect !== "model") return [];
  const { history, shaped, compacted = [] } = (record.request ?? {}) as Partial<ModelRequest>;
  const facts = nodeFactsOf(context, record);
  const events: EventBody[] = [];
  if (history?.dropped !== undefined) {
    const { turns, dropped, summarized = false } = history;
    events.push({ kind: "context.reduced", ...facts, turns, dropped, summarized });
  }
  if (shaped !== undefined) events.push({ kind: "context.shaped", ...facts, ...shaped });
  events.push(
    ...compacted.map((one) => ({ kind: "context.compacted", ...facts, ...one }) as const),
  );
  return events;
}

function modelFallback(record: LogRecord & IntentRecord, context: EventContext): EventBody[] {
  const { instead, name } = record;
  if (instead === undefined) return [];
  const { model: from, code, message: why } = instead;
  return [{ kind: "model.fallback", ...nodeFactsOf(context, record), from, to: name, code, why }];
}

function guardDecided(record: LogRecord & IntentRecord, context: EventContext): EventBody[] {
  const { guard, toolCallId } = record;
  if (guard === undefined) return [];
  const of = toolCallId === undefined ? {} : { toolCallId };
  return [{ kind: "guard.decided", ...nodeFactsOf(context, record), ...of, ...guard }];
}

function ofOutcome(record: LogRecord & OutcomeRecord, context: EventContext): EventBody[] {
  const { name, modelSource, firstTokenMs, effect, price, intercepted } = record;
  if (effect === "intercept") return nodeIntercepted(record, context);
  const intent = context.memory.calls.get(callKey(record));
  const facts = {
    ...nodeFactsOf(context, record),
    span: intent?.seq ?? record.seq,
    ...outcomeFacts(record),
    ...servedFacts(record),
  };
  const before = intercepted === undefined ? [] : callIntercepted(record, context);
  switch (effect) {
    case "model": {
      const model = modelFacts(name, modelSource ?? intent?.modelSource);
      const cost = price === undefined ? {} : { price };
      const first = firstTokenMs === undefined ? {} : { firstTokenMs };
      return [
        ...before,
        { kind: "model.response", ...facts, ...model, ...purposeOf(intent), ...cost, ...first },
      ];
    }
    case "tool":
      return [...before, { kind: "tool.result", ...facts, ...toolFacts(name, intent?.toolCallId) }];
    default:
      return [{ kind: "function.result", ...facts, function: name, effect }];
  }
}

function servedFacts({ served }: IntentRecord | OutcomeRecord) {
  return served === undefined ? {} : { served };
}

function purposeOf(intent: IntentRecord | undefined) {
  const { purpose } = (intent?.request ?? {}) as Partial<ModelRequest>;
  return purpose === undefined ? {} : { purpose };
}

function outcomeFacts(record: OutcomeRecord) {
  const { call, value, failure, usage, durationMs, transportRetries } = record;
  return {
    call,
    durationMs,
    ...(value === undefined ? {} : { value }),
    ...(failure === undefined ? {} : { failure }),
    ...(usage === undefined ? {} : { usage }),
    ...(transportRetries === undefined ? {} : { transportRetries }),
  };
}

function modelFacts(model: string, modelSource: OutcomeRecord["modelSource"]) {
  return { model, ...(modelSource === undefined ? {} : { modelSource }) };
}

function toolFacts(tool: string, toolCallId: string | undefined) {
  return { tool, ...(toolCallId === undefined ? {} : { toolCallId }) };
}

function ofItem(record: LogRecord & ItemRecord, context: EventContext): EventBody[] {
  const { news, attempt: number, node, flow = [] } = record;
  const { step } = context.memory;
  const started = flow.some(({ op }) => op === "item");
  const outcome =
    "failure" in news
      ? ({ status: "failed", failure: news.failure } as const)
      : "isDone" in news
        ? ({ status: "ended" } as const)
        : ({ status: started ? "taken" : "skipped", value: news.value } as const);
  const each = node.replace(/^each /, "");
  return [
    { kind: "each.item", step, each, number, ...outcome },
    ...flowEvents(flow, record, context),
  ];
}

function ofAttempt(record: LogRecord & AttemptRecord, context: EventContext): EventBody[] {
  const { failure, usage, next, notBefore, node, id: nodeRun, attempt } = record;
  const ended: EventBody = {
    kind: "attempt.finished",
    ...attemptSpanOf(context, record),
    status: statusOf(failure),
    failure,
    next,
    usage,
    ...(notBefore === undefined ? {} : { notBefore }),
    ...changesOf(record, context.memory.step),
  };
  const at = { node, nodeRun, attempt };
  return [
    ...stoppedInside(context, [nodeRun], { at: record.at }),
    ...sessionStopped(context, record, nodeFactsOf(context, record)),
    ended,
    ...limitReached(failure, at),
    ...(next === "fail" ? [{ kind: "error", failure, ...at } as const] : []),
    ...sentinelFailed(record, context),
    ...flowEvents(record.flow ?? [], record, context),
  ];
}

function changesOf({ writes = [], patches = [] }: AttemptRecord, step: number) {
  return writes.length + patches.length === 0 ? {} : { step, writes, patches };
}

function ofCommit(record: LogRecord & CommitRecord, context: EventContext): EventBody[] {
  const { step, check, own } = record;
  const [ended, committed, spanned] = attemptCommitted(record, context);
  const route = flowEvents(record.flow, record, context);
  const mail = mailEvents(record, context);
  const checked = sentinelChecked(record, context);
  // As mostly: a list that is pushed to takes room for 17.
  if (own === undefined && check === undefined && mail.length === 0)
    return route[0] !== undefined && route.length === 1
      ? [ended, committed, route[0]]
      : [ended, committed, ...route];
  const events: EventBody[] = [ended, committed];
  if (own !== undefined) {
    const { span: _, ...facts } = spanned;
    events.push({ kind: "agent.changed", ...facts, step, ...own });
  }
  events.push(...mail, ...checked);
  if (check?.limited === true) events.push(limitOfRounds(record));
  events.push(...route);
  return events;
}

function limitOfRounds({ node, id: nodeRun, attempt, check }: CommitRecord): EventBody {
  const message = `\`${node}\` has been run ${check?.number} times, and what it waits for does not hold`;
  return { kind: "limit.reached", limit: "max", message, node, nodeRun, attempt };
}

function ofControl(
  record: LogRecord & { readonly kind: "control" },
  context: EventContext,
): EventBody[] {
  const { reason, at } = record;
  const { running } = context.memory;
  const why = reason === undefined ? {} : { reason };
  switch (record.verb) {
    case "pause":
      return [...stopped(context, running, { at, next: "resume" }), { kind: "run.paused", ...why }];
    case "resume": {
      const { owner, ir, code } = record;
      const by = owner === undefined ? {} : { owner };
      const other = ir === undefined ? {} : { graphHash: ir.hash };
      const hashes = code === undefined ? {} : { code };
      return [{ kind: "run.resumed", ...why, ...by, ...other, ...hashes }];
    }
    case "hold":
      return [{ kind: "run.held", reason: reason ?? "user" }];
    case "release":
      return [{ kind: "run.released" }];
    case "rewind": {
      const { step, to, renumbered } = record;
      const dropped = renumbered.map(({ from }) => from);
      return [
        ...stopped(context, running, { at }),
        { kind: "run.rewound", step, to, dropped },
        { kind: "run.held", reason: reason ?? "rewind" },
      ];
    }
    case "abort":
      return [
        ...stopped(context, running, { at }),
        ...deadEvents(record, context),
        runFinished({ at, status: "aborted", reason: reason ?? "user", patches: [] }, context),
      ];
  }
}

function ofEnd(record: LogRecord & EndRecord, context: EventContext): EventBody[] {
  const { at, failure, id } = record;
  const events = stopped(context, context.memory.running, { at });
  // A node's failure was told when its attempt ended.
  if (failure !== undefined && id === undefined) {
    events.push(...limitReached(failure, {}), { kind: "error", failure });
  }
  const finished = context.caller === undefined ? runFinished : graphFinished;
  return [...events, ...deadEvents(record, context), finished(record, context)];
}

function graphFinished(
  { status, reason, output, failure, patches, at }: LogRecord & EndRecord,
  { graph, memory }: EventContext,
): EventBody {
  const { begin, step: steps, usage } = memory;
  return {
    kind: "graph.finished",
    graph,
    status,
    reason,
    steps,
    usage,
    durationMs: at - begin.at,
    patches,
    ...(output === undefined ? {} : { output }),
    ...(failure === undefined ? {} : { failure }),
  };
}

function runFinished(
  record: Omit<EndRecord, "kind"> & { readonly at: number },
  context: EventContext,
): EventBody {
  const { status, reason, output, failure, node, attempt, patches } = record;
  const { begin, step, usage } = context.memory;
  return {
    kind: "run.finished",
    span: begin.seq,
    status,
    reason,
    steps: step,
    step,
    usage,
    durationMs: record.at - begin.at,
    patches,
    ...(output === undefined ? {} : { output }),
    ...(failure === undefined ? {} : { failure }),
    ...(node === undefined ? {} : { node }),
    ...(attempt === undefined ? {} : { attempt }),
  };
}

function limitReached(
  failure: Failure,
  at: { readonly node?: string; readonly nodeRun?: number; readonly attempt?: number },
): EventBody[] {
  if (failure.class !== "limit") return [];
  const { limit = "unnamed", message } = failure;
  return [{ kind: "limit.reached", limit, message, ...at }];
}
