/**
 * Shows the context of a run and of each of its agents in the terms of agent systems. Contexts are views: computed from the
 * log and the state when they are read, and frozen.
 */
import { nearest } from "../../dsl/index.ts";
import { earlierMessages } from "../agents/conversation/messages.ts";
import { type Envelope, envelopeOf } from "../envelope.ts";
import { type Failure, RunError } from "../failure.ts";
import type { EffectResult } from "../performer.ts";
import type { IntentRecord, OutcomeRecord } from "../records/call-records.ts";
import { innermost, type LogRecord, type StartRecord } from "../records/records.ts";
import type { RunStatus } from "../run-status.ts";
import { ownState, scopeOfAgent } from "../scheduler/frames.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import { freezeJson } from "../state/json.ts";
import type { RunMeta } from "../store/run-store.ts";
import { addUsage, noUsage, type Usage } from "../usage.ts";
import type { CalledPlace } from "./called-place.ts";
import { pathOf } from "./log-path.ts";
import { stateOf } from "./state-of.ts";

export interface RunContext {
  readonly task: {
    readonly id: string;
    readonly graph: string;
    readonly description?: string;
    readonly input: Readonly<Record<string, unknown>>;
    readonly status: RunStatus;
    readonly reason?: string;
  };
  /** The messages between nodes so far, and the output of each step. */
  readonly session: {
    readonly thread: string;
    readonly messages: readonly Envelope[];
    readonly steps: readonly {
      readonly step: number;
      readonly node: string;
      readonly output: unknown;
    }[];
  };
  /** The returned fields, as far as they are written. */
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly artifacts: readonly string[];
  /** The fields of the run itself. */
  readonly working_state: Readonly<Record<string, unknown>>;
  readonly trace_state: {
    readonly trace_id: string;
    readonly graph_hash: string;
    readonly records: number;
    readonly steps: number;
  };
  readonly context_usage: Usage;
  /** The settings of the run, and the fields of its thread and its user. */
  readonly custom_information: Readonly<Record<string, unknown>>;
}

/** One instance of a node. */
export interface RunAgent {
  /** `search`, or `search@2.0` for the one of an item. */
  readonly id: string;
  readonly node: string;
  /** The fields of its own. */
  readonly state: Readonly<Record<string, unknown>>;
  readonly context: AgentContext;
}

export interface AgentContext {
  readonly agent_id: string;
  /** The fields of its own. */
  readonly working_memory: Readonly<Record<string, unknown>>;
  /** The last conversation of the agent, as its model had it. */
  readonly short_term_memory: readonly unknown[];
  /** The same of all its node runs. */
  readonly conversation: readonly unknown[];
  readonly outputs: readonly unknown[];
  readonly context_usage: Usage;
  /** Attempts that failed since the last one that did not. */
  readonly consecutive_errors: number;
  readonly last_error?: Failure;
}

export interface ContextParts {
  readonly program: Program;
  readonly meta: RunMeta;
  readonly snapshot: Snapshot;
  readonly records: readonly LogRecord[];
  /** Of a called graph: the labels that lead to it. */
  readonly path?: readonly string[];
}

export function runContext({ program, meta, snapshot, records }: ContextParts): RunContext {
  const { ir } = program;
  const state = stateOf(program, snapshot)();
  const path = pathOf(records);
  const fieldsOf = (...scopes: readonly string[]) =>
    pick(
      state,
      ir.fields.filter(({ scope }) => scopes.includes(scope)).map(({ name }) => name),
    );
  const messages = path.flatMap((record) =>
    record.kind === "commit" ? (record.messages ?? []) : [],
  );
  const { runId, threadId } = meta;
  return freezeJson({
    task: {
      id: runId,
      graph: ir.name,
      ...(ir.description === undefined ? {} : { description: ir.description }),
      input: snapshot.input,
      status: snapshot.status,
      ...(snapshot.reason === "" ? {} : { reason: snapshot.reason }),
    },
    session: {
      thread: threadId,
      messages: messages.map((sent) => envelopeOf(sent, { runId, threadId })),
      steps: path.flatMap((record) =>
        record.kind === "commit"
          ? [{ step: record.step, node: record.node, output: record.output ?? null }]
          : [],
      ),
    },
    outputs: pick(state, ir.returns),
    artifacts: [...new Set(messages.flatMap((sent) => sent.artifacts))],
    working_state: fieldsOf("run"),
    trace_state: {
      trace_id: runId,
      graph_hash: ir.hash,
      records: records.length,
      steps: snapshot.steps,
    },
    context_usage: snapshot.usage,
    custom_information: { ...snapshot.config, ...fieldsOf("thread", "user") },
  });
}

/** The same of a graph that the run has called. */
export function contextIn(parts: ContextParts, place: CalledPlace | undefined): ContextParts {
  if (place === undefined) return parts;
  const { program, snapshot, path, owns } = place;
  const own = pathOf(parts.records).filter(owns);
  const records = own.map((record) => ({ ...innermost(record), seq: record.seq, at: record.at }));
  return { ...parts, program, snapshot, path, records };
}

/** An instance by its own name, its node's where that has one alone, or the label of one of its node runs (`search#2`). */
export function runAgent(parts: ContextParts, id: string): RunAgent {
  const { program, snapshot } = parts;
  const starts = pathOf(parts.records).flatMap((record) =>
    record.kind === "start" ? [record] : [],
  );
  const known = instancesOf(program, starts);
  const found = known.get(id) ?? byLabel(known, starts, id);
  if (found === undefined) throw unknownAgent(program, known, id);
  // One that has neither written nor runs is as all of them begin.
  const scope = scopeOfAgent(snapshot, found) ?? -1;
  const state = freezeJson(ownState(program, snapshot, { node: found.node, scope }));
  return {
    id: shownId(parts, found),
    node: found.node,
    state,
    get context() {
      return agentContext(parts, found, state);
    },
  };
}

interface Instance {
  readonly id: string;
  readonly node: string;
}

/** Also those that have not run: a node outside of every `each` is one by itself. */
function instancesOf({ nodes }: Program, starts: readonly StartRecord[]): Map<string, Instance> {
  const all = nodes
    .filter(({ each }) => each === -1)
    .map(({ ir }) => ({ id: ir.name, node: ir.name }));
  const started = starts.map(({ agent, node }) => ({ id: agent ?? node, node }));
  return new Map([...all, ...started].map((one) => [one.id, one]));
}

function byLabel(known: Map<string, Instance>, starts: readonly StartRecord[], id: string) {
  const start = starts.find(({ node, ordinal }) => `${node}#${ordinal}` === id);
  if (start !== undefined) return known.get(start.agent ?? start.node);
  const own = [...known.values()].filter(({ node }) => node === id);
  return own.length === 1 ? own[0] : undefined;
}

/** As events and the trace say where it is. */
function shownId({ path = [] }: ContextParts, { id }: Instance): string {
  return [...path, id].join(" › ");
}

function agentContext(
  parts: ContextParts,
  { id, node }: Instance,
  state: Readonly<Record<string, unknown>>,
): AgentContext {
  const path = pathOf(parts.records);
  const runs = new Set(
    path.flatMap((record) =>
      record.kind === "start" && (record.agent ?? record.node) === id ? [record.id] : [],
    ),
  );
  const own = path.filter((record) => "id" in record && runs.has(record.id ?? -1));
  const outcomes = own.filter((record) => record.kind === "outcome");
  const failures = own.flatMap((record) => (record.kind === "attempt" ? [record.failure] : []));
  const lastGood = own.findLastIndex((record) => record.kind === "commit");
  const errors = own.slice(lastGood + 1).filter(({ kind }) => kind === "attempt").length;
  const last = failures.at(-1);
  const conversations = [...runs].map((run) => earlierMessages(effectsOf(own, run)));
  return freezeJson({
    agent_id: shownId(parts, { id, node }),
    working_memory: state,
    short_term_memory: conversations.findLast((messages) => messages.length > 0) ?? [],
    conversation: conversations.flat(),
    outputs: own.flatMap((record) =>
      record.kind === "commit" && record.node === node ? [record.output ?? null] : [],
    ),
    context_usage: outcomes.reduce((sum, { usage = noUsage }) => addUsage(sum, usage), noUsage),
    consecutive_errors: errors,
    ...(last === undefined ? {} : { last_error: last }),
  });
}

function effectsOf(records: readonly LogRecord[], run: number): readonly EffectResult[] {
  const asked = records.filter(
    (record): record is LogRecord & IntentRecord => record.kind === "intent" && record.id === run,
  );
  const answered = records.filter(
    (record): record is LogRecord & OutcomeRecord => record.kind === "outcome" && record.id === run,
  );
  return asked.map(({ attempt, call, effect, name, request }) => {
    const outcome = answered.find((one) => one.attempt === attempt && one.call === call);
    return {
      effect,
      name,
      ...(request === undefined ? {} : { request }),
      ...(outcome?.value === undefined ? {} : { value: outcome.value }),
      ...(outcome?.failure === undefined ? {} : { failure: outcome.failure }),
    };
  });
}

function pick(state: Readonly<Record<string, unknown>>, names: readonly string[]) {
  return Object.fromEntries(
    names.flatMap((name) => (state[name] === undefined ? [] : [[name, state[name]] as const])),
  );
}

function unknownAgent(program: Program, known: Map<string, Instance>, id: string): RunError {
  const own = [...known.values()].filter(({ node }) => node === id).map((one) => one.id);
  const names = own.length > 0 ? own : [...known.keys()];
  const meant = nearest(id, names);
  const isSeveral = own.length > 1;
  return new RunError(
    "M5355",
    isSeveral
      ? `\`${id}\` has run for several items, each an agent of its own`
      : `\`${program.ir.name}\` has had no agent \`${id}\``,
    {
      hint:
        meant === undefined || isSeveral
          ? `there are ${names.map((name) => `\`${name}\``).join(", ")}`
          : `did you mean \`${meant}\`?`,
    },
  );
}
