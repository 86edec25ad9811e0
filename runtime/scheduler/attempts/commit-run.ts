/** Decides a commit: the writes of an attempt, its post-conditions and its route, all or nothing. */

import { type EnsureIr, holdsPlan, type NodeIr, planProblems, RETURN } from "../../../dsl/index.ts";
import type { Orders } from "../../command.ts";
import type { Failure } from "../../failure.ts";
import type { Question } from "../../interrupt.ts";
import { type Directions, directionsOf, type Judged } from "../../records/directions.ts";
import type { LoggedStore } from "../../records/memory-records.ts";
import type { CommitRecord, RecordBody } from "../../records/records.ts";
import { freezeJson } from "../../state/json.ts";
import type { Completion } from "../completion.ts";
import { keepSession, keepTalk } from "../conversations.ts";
import { evaluate, evaluationFailure, holds, type Lookup } from "../expressions/evaluate.ts";
import { isOfTheState } from "../expressions/evaluation-errors.ts";
import type { Departure } from "../flow/departure.ts";
import {
  createDraft,
  type Decision,
  decision,
  emit,
  type FlowDraft,
  setOf,
  write,
} from "../flow/flow-draft.ts";
import { depart } from "../flow/follow-routes.ts";
import { jump, ordersFault } from "../flow/jump.ts";
import { conclude, settle } from "../flow/settle.ts";
import { agentId } from "../frames.ts";
import { question } from "../interrupts.ts";
import { noteCommit, repeatsReached } from "../limits.ts";
import { addArtifacts, artifactsOf, lookupAt, type Standpoint, writesOfCalled } from "../lookup.ts";
import { givenWith, messagesOf, readBy, send, takeRead, toldBy, withHeard } from "../mail.ts";
import { planFailure } from "../program/link.ts";
import type { Program, ProgramNode } from "../program/program.ts";
import { waitedFailure } from "../program/wait-nodes.ts";
import { storedValues } from "../recalls.ts";
import { closeRun } from "../snapshot/draft.ts";
import type { NodeRun, Snapshot } from "../snapshot/snapshot.ts";
import { noteVisit } from "../visits.ts";
import { reviewOf } from "./approvals.ts";
import { failAttempt, failNow, giveUp, reachLimit } from "./fail-attempt.ts";
import { handedTo, handoffMisfit } from "./handed-arguments.ts";
import { departLimited, roundOf, runAgain } from "./sentinel-rounds.ts";

export function commitRun(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  completion: Completion & { readonly kind: "succeeded" },
  decided?: "decided",
): Decision {
  const { output, at, handoff, judged, edits, orders, conversation } = completion;
  const directed: Directions = directionsOf(completion);
  const failed = (failure: Failure, ask?: () => readonly RecordBody[]) =>
    decision(failAttempt(program, snapshot, run, failure, at, ask));
  const node = program.nodes[run.node];
  if (node === undefined) throw new Error(`M9000: no node ${run.node}`);
  freezeJson(output);
  const choice = directed.orders === undefined ? chosen(node, output, directed.goto) : {};
  if ("class" in choice) return failed(choice);
  const fault = orders && ordersFault(program, node, freezeJson(orders));
  if (fault !== undefined) return failed(fault);
  const misfit = handoff && handoffMisfit(program, node, choice.goto, handoff);
  if (misfit !== undefined) return failed(misfit);
  const directions = directed.goto === choice.goto ? directed : withGoto(directed, choice.goto);
  const draft = createDraft(program, snapshot, at);
  let stores: readonly LoggedStore[] = [];
  let payload: unknown;
  try {
    // Who hands over writes nothing but what was said until then.
    if (handoff !== undefined)
      writeConversation(draft, node.ir.conversation ?? [], run, conversation ?? []);
    const manner = { edits, decided, orders, conversation };
    const refused =
      handoff === undefined
        ? (tryWrites(draft, node.ir, run, output, manner) ??
          (decided === undefined ? judgedFailure(node.ir, judged) : undefined))
        : undefined;
    if (refused !== undefined) {
      const { withinMs } = refused;
      const within = withinMs === undefined ? {} : { withinMs };
      const asked = { shown: output ?? null, came: directed, at, ...within };
      const ask = () =>
        question(program, snapshot, run, { ...ensureQuestion(node.ir, refused.failure), ...asked });
      return failed(refused.failure, refused.elseAsk ? ask : undefined);
    }
    const repeats = repeatsReached(program, draft.snapshot, run);
    if (repeats !== undefined)
      return decision(reachLimit(program, snapshot, { run, limit: repeats, at }));
    const review =
      decided === undefined ? reviewOf(program, draft.snapshot, { run, output }) : undefined;
    if (review !== undefined)
      return decision(question(program, snapshot, run, { ...review, came: directed, at }));
    if (handoff === undefined && (node.ir.stores.length > 0 || node.ir.tell !== undefined)) {
      const lookup = lookupOf(draft, run, output);
      stores = storedValues(program, node.ir, lookup);
      payload = toldBy(program, node.ir, lookup);
    }
  } catch (error) {
    if (!isOfTheState(error)) throw error;
    return failed(evaluationFailure(program, error));
  }
  try {
    return commit(draft, run, { before: snapshot, output, directions, stores, payload });
  } catch (error) {
    if (!isOfTheState(error)) throw error;
    // Not the node's fault: it is neither repaired nor tried again for it.
    const where = `behind \`${node.ir.name}\`: `;
    return decision(failNow(program, run, evaluationFailure(program, error, where)));
  }
}

/** The result of a node run that is to be committed. */
interface CommitInput {
  /** The position before its writes. */
  readonly before: Snapshot;
  readonly output: unknown;
  readonly directions: Directions;
  readonly stores: readonly LoggedStore[];
  readonly payload: unknown;
}

function commit(
  draft: FlowDraft,
  run: NodeRun,
  { before, output, directions, stores, payload }: CommitInput,
): Decision {
  const { handoff, judged, orders, sends } = directions;
  const { program } = draft;
  const node = program.nodes[run.node];
  const name = node?.ir.name ?? "";
  const ownWrites = draft.writes.length;
  const { frame, seq, scope, args, inbox } = run;
  const error = waitedFailure(program, run);
  const at = { frame, seq, scope, inbox, result: output, error, args, by: run.node };
  const isLed = (handoff ?? orders?.goto ?? orders?.send ?? orders?.finish) !== undefined;
  const round = isLed ? undefined : roundOf(draft, run, at, judged);
  if (round?.kind === "gave-up")
    return decision(giveUp(program, before, { run, failure: round.failure, at: draft.at }));
  const id = agentId(draft.snapshot, name, run.scope);
  const step = draft.snapshot.steps + 1;
  const read = readBy(run);
  draft.snapshot.steps = step;
  draft.snapshot.errors = 0;
  keepSession(program, draft.snapshot, run);
  closeRun(draft.snapshot, run);
  keepTalk(program, draft.snapshot, run);
  takeRead(program, draft.snapshot, run, read);
  noteCommit(program, draft.snapshot, run);
  noteVisit(program, draft.snapshot, run);
  const sent = lead(draft, run, { at, directions, round });
  settle(draft, { scope });
  const given = givenWith(draft, directions, sent);
  const messages = messagesOf(draft, run, {
    ...{ output, payload, given, before, sends },
    as: orders?.tell,
  });
  const artifacts = artifactsOf(before, run, name);
  send(draft.snapshot, run, messages);
  addArtifacts(draft.snapshot, artifacts);
  const { writes, patches, flow, own } = draft;
  const record: WritableCommit<CommitRecord> = {
    kind: "commit",
    step,
    id: run.id,
    node: name,
    attempt: run.attempt,
    output,
    usage: run.attemptUsage,
    writes,
    ownWrites,
    patches,
    flow,
  };
  Object.assign(record, directions);
  if (own.length > 0) record.own = { agent: id, patches: own };
  if (read.length > 0) record.read = read;
  if (messages.length > 0) record.messages = messages;
  if (artifacts.length > 0) record.artifacts = artifacts;
  if (stores.length > 0) record.stores = stores;
  if (round !== undefined) record.check = round.check;
  const records = [record, ...conclude(draft, { id: run.id, node: name })];
  return { records, behindFirst: draft.snapshot };
}

type WritableCommit<T> = { -readonly [K in keyof T]: T[K] };

/** The same directions with another choice, or none. */
function withGoto({ goto: _, ...others }: Directions, goto: string | undefined): Directions {
  return goto === undefined ? others : { ...others, goto };
}

interface Led {
  readonly at: Omit<Departure, "outlet">;
  readonly directions: Directions;
  readonly round: ReturnType<typeof roundOf>;
}

/** Sends the token on: where the node ordered, into another round, or along its arrows. The result is whom it was told to start. */
function lead(draft: FlowDraft, run: NodeRun, { at, directions, round }: Led): readonly number[] {
  const node = draft.program.nodes[run.node];
  const outlet = node?.outlet ?? draft.program.start;
  const otherwise = node?.failing.limit;
  const { goto, orders, handoff } = directions;
  if (orders?.finish === true) {
    draft.finished = true;
    emit(draft, { op: "end", frame: at.frame, scope: at.scope });
  } else if (orders?.goto !== undefined || orders?.send !== undefined) {
    return jump(draft, { ...at, outlet }, orders);
  } else if (round?.kind === "again") runAgain(draft, run, at, round);
  else if (round?.kind === "limited") departLimited(draft, at, otherwise);
  else
    depart(draft, {
      ...at,
      outlet,
      goto,
      otherwise,
      handed: handedTo(draft.program, goto, handoff),
    });
  return NOBODY;
}

const NOBODY: readonly number[] = [];

/** The way in which a node writes. */
interface Manner {
  readonly edits?: Readonly<Record<string, unknown>> | undefined;
  /** Somebody has seen it, and wants it as it is: post-conditions are not asked any more. */
  readonly decided?: "decided" | undefined;
  /** The writes in place of the output. */
  readonly orders?: Orders | undefined;
  /** The messages that were said; without them, the output as a text is. */
  readonly conversation?: Directions["conversation"];
}

interface Refused {
  readonly failure: Failure;
  /** Somebody is asked when it can't be put right. */
  readonly elseAsk: boolean;
  /** The time, in milliseconds, that an answer is waited for. */
  readonly withinMs?: number;
}

/** Writes the output and what the node sets; says what is wrong if a post-condition does not hold. */
export function tryWrites(
  draft: FlowDraft,
  node: NodeIr,
  run: NodeRun,
  output: unknown,
  { edits, decided, orders, conversation }: Manner = {},
): Refused | undefined {
  const { frame, seq, scope, args } = run;
  const by = { frame, seq, scope, node: run.node };
  const inbox = withHeard(draft.snapshot, run);
  const at: Standpoint = { frame, scope, inbox, result: output, args };
  const update = orders && (orders.update ?? {});
  const called = draft.snapshot.children.get(run.id);
  for (const kept of called === undefined ? [] : writesOfCalled(draft.program, called))
    write(draft, by, kept);
  // The text of an output can be long, and most nodes name no conversation.
  if (node.conversation !== undefined)
    writeConversation(draft, node.conversation, run, conversation ?? outputText(output));
  for (const { field, value, optional, via } of node.writes) {
    if (update !== undefined && !Object.hasOwn(update, field)) continue;
    const written =
      update !== undefined
        ? update[field]
        : value === undefined
          ? partOf(node, output, { field, isTyped: draft.snapshot.isTyped })
          : evaluateIn(draft, at, value);
    if (written === undefined || (written === null && optional)) {
      if (optional) continue;
      return { failure: invalid("M5012", `the output has no \`${field}\``), elseAsk: false };
    }
    const unfit = unfitPlan(draft.program, node, field, written);
    if (unfit !== undefined) return { failure: unfit, elseAsk: false };
    const wanted = { field, value: written };
    const from = value === undefined ? by : { ...by, span: value.span };
    write(draft, from, via === undefined ? wanted : { ...wanted, via: via.name });
  }
  for (const [field, value] of Object.entries(edits ?? NO_EDITS)) {
    const unfit = unfitPlan(draft.program, node, field, value);
    if (unfit !== undefined) return { failure: unfit, elseAsk: false };
    write(draft, by, { field, value, via: "replace" });
  }
  for (const { field, value, via } of node.sets) {
    const set = { ...setOf({ field, via }), value: evaluateIn(draft, at, value) };
    const unfit = unfitPlan(draft.program, node, field, set.value);
    if (unfit !== undefined) return { failure: unfit, elseAsk: false };
    write(draft, { ...by, span: value.span }, set);
  }
  if (decided !== undefined || node.ensures.length === 0) return undefined;
  const lookup = lookupAt(draft.program, draft.snapshot, at);
  // What a model judges comes after all that can be worked out.
  const broken = node.ensures.find(
    ({ condition, by }) => by === undefined && !holds(condition, lookup),
  );
  if (broken === undefined) return undefined;
  return { failure: ensureFailure(node, broken), ...askingOf(broken) };
}

/** Writes what was said to these fields, which hold conversations. */
function writeConversation(
  draft: FlowDraft,
  fields: readonly string[],
  run: NodeRun,
  value: unknown,
): void {
  const { frame, seq, scope } = run;
  for (const field of fields) write(draft, { frame, seq, scope, node: run.node }, { field, value });
}

function outputText(output: unknown): unknown {
  if (typeof output === "string") return output;
  return output === undefined || output === null ? [] : JSON.stringify(output);
}

const NO_EDITS: Readonly<Record<string, never>> = {};

/** Returns the question of `else ask`, for an output that could not be repaired. */
function ensureQuestion({ name, output }: NodeIr, { feedback = "" }: Failure): Question {
  return {
    ask: "ensure",
    question: `\`${name}\` does not come to what it must: ${feedback}. Take it as it is?`,
    ...(output === undefined ? {} : { schema: output }),
  };
}

/** A plan is checked when it is written: whoever wrote it can still put it right. */
function unfitPlan(
  { ir }: Program,
  { name }: NodeIr,
  field: string,
  value: unknown,
): Failure | undefined {
  if (!holdsPlan(ir, field)) return undefined;
  const problems = planProblems(ir, value);
  return problems.length === 0 ? undefined : planFailure(`\`${name}\``, problems);
}

/**
 * The output itself where one field is written, or where a called graph gives one; else its member of that name, as the
 * node's output type has it. Logs of before values were checked took it whole wherever one field was not computed.
 */
function partOf(
  node: NodeIr,
  output: unknown,
  { field, isTyped }: { readonly field: string; readonly isTyped: boolean },
): unknown {
  if (isTyped && node.kind !== "graph") {
    if (node.writes.length === 1) return output;
  } else {
    let plain = 0;
    for (const { value } of node.writes) if (value === undefined) plain += 1;
    if (plain === 1) return output;
  }
  return typeof output === "object" && output !== null && Object.hasOwn(output, field)
    ? (output as Record<string, unknown>)[field]
    : undefined;
}

/** Returns the faults that a judge found; undefined where nobody judges. */
function judgedFailure(node: NodeIr, judged: Judged | undefined): Refused | undefined {
  const unmet = judged?.ensures?.find(({ met }) => !met);
  if (unmet === undefined) return undefined;
  const ensure = node.ensures[unmet.condition];
  const condition = ensure?.condition.kind === "literal" ? String(ensure.condition.value) : "";
  const failure: Failure = {
    ...invalid("M5013", `\`${node.name}\` does not ensure “${condition}”: ${unmet.reason}`),
    feedback: `This must hold, and does not: ${condition}\n${unmet.reason}`,
  };
  return ensure === undefined ? { failure, elseAsk: false } : { failure, ...askingOf(ensure) };
}

function askingOf({ elseAsk, withinMs }: EnsureIr): Omit<Refused, "failure"> {
  return { elseAsk, ...(withinMs === undefined ? {} : { withinMs }) };
}

function ensureFailure(node: NodeIr, { hint, condition }: EnsureIr): Failure {
  const hintText = hint ?? "a condition that the graph ensures does not hold";
  const written = [...node.writes, ...node.sets].map(({ field }) => field);
  return {
    ...invalid("M5013", `\`${node.name}\` does not ensure what it must: ${hintText}`),
    feedback: hintText,
    ...(mentions(condition, [...written, "result", "state"]) ? {} : { hopeless: true }),
  };
}

/** Tells whether one of these names stands anywhere in an expression. */
function mentions(part: unknown, names: readonly string[]): boolean {
  if (typeof part !== "object" || part === null) return false;
  const { kind, name } = part as { kind?: unknown; name?: unknown };
  if (kind === "name" && typeof name === "string" && names.includes(name)) return true;
  return Object.values(part).some((child) => mentions(child, names));
}

function invalid(code: Failure["code"], message: string): Failure {
  return { class: "invalid", code, message };
}

const ANSWERING: readonly NodeIr["kind"][] = ["agent", "operator"];

/** The names that an expression of the node has behind its writes. */
function lookupOf(draft: FlowDraft, run: NodeRun, result: unknown): Lookup {
  const { frame, scope, args, inbox } = run;
  return lookupAt(draft.program, draft.snapshot, { frame, scope, inbox, result, args });
}

function evaluateIn(draft: FlowDraft, at: Standpoint, expression: EnsureIr["condition"]): unknown {
  return evaluate(expression, lookupAt(draft.program, draft.snapshot, at));
}

/**
 * The choice of a node run: what it was told beside the output, else the output itself of a node that writes nothing.
 * A router must choose; an agent that hands nothing off ends its branch there.
 */
function chosen(
  { ir, choices }: ProgramNode,
  output: unknown,
  goto: string | undefined,
): { readonly goto?: string } | Failure {
  if (choices.length === 0) return {};
  const isOutput = goto === undefined && ir.writes.length === 0 && ir.conversation === undefined;
  const choice = isOutput ? output : goto;
  if (typeof choice === "string" && choices.includes(choice)) return { goto: choice };
  // The answer of one who does not hand over goes back to who handed over to it.
  if (goto === undefined && ANSWERING.includes(ir.kind) && choices.includes(RETURN))
    return { goto: RETURN };
  if (ir.kind !== "router" && (choice === undefined || choice === null)) return {};
  const names = choices.map((name) => `\`${name}\``).join(", ");
  const choiceText =
    typeof choice === "string" ? `\`${choice}\`` : (JSON.stringify(choice) ?? "nothing");
  return {
    class: "invalid",
    code: "M5204",
    message: `\`${ir.name}\` can't go to ${choiceText}: there are ${names}`,
    feedback: `Choose one of these names: ${choices.join(", ")}.`,
  };
}
