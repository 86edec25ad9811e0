/** Renders what an attempt is given: prompts and arguments, from what its branch sees. */

import {
  type DottedIr,
  type ExprIr,
  type FieldIr,
  isRecord,
  type NodeIr,
} from "../../../dsl/index.ts";
import type { Made } from "../../artifact.ts";
import type { Escalation } from "../../interrupt.ts";
import type { ConversationMessage } from "../../messages/message.ts";
import type { SessionRef } from "../../records/controller-values.ts";
import { freezeJson } from "../../state/json.ts";
import { plain, SharedList } from "../../state/persistent.ts";
import { sessionFor } from "../conversations.ts";
import { gathered } from "../expressions/calls.ts";
import { evaluate, type Lookup, shownInText } from "../expressions/evaluate.ts";
import { lookupAt } from "../lookup.ts";
import { eachesAround, type Program } from "../program/program.ts";
import type { NodeRun, Snapshot } from "../snapshot/snapshot.ts";
import { escalationsOf, whomOf } from "./escalations.ts";
import { roundNumber } from "./sentinel-rounds.ts";

export interface AttemptView {
  readonly system?: string;
  readonly prompt?: string;
  /** The pictures and documents that the prompt names: artifacts of the run. */
  readonly media?: readonly Made[];
  readonly callArgs?: readonly unknown[];
  readonly operator?: OperatorView;
  /** The conversation that its `history` names. */
  readonly conversation?: readonly ConversationMessage[];
  /** The value of its `context`. */
  readonly context?: unknown;
  /** The skills that it names. */
  readonly skills?: readonly string[];
  /** The values that its `cache … by` names. */
  readonly cacheBy?: readonly unknown[];
  /** The fields that its tools may read, where it has such tools: its `reads`, else all fields. */
  readonly readable?: Readonly<Record<string, unknown>>;
  /** Of a `human` node: what it asks, whom, and the fields that it edits as they are. */
  readonly question?: string;
  readonly to?: string;
  /** The persons who must all say yes, or as many of them as it needs. */
  readonly among?: readonly string[];
  readonly need?: number;
  /** The persons who are asked next where nobody answers in time. */
  readonly then?: readonly Escalation[];
  /** The answer that counts where nobody has given one in time. */
  readonly otherwise?: unknown;
  readonly current?: Readonly<Record<string, unknown>>;
}

/** The inputs of an operator beside its prompt. */
export interface OperatorView {
  /** The arguments of its controller. */
  readonly args: readonly { readonly label?: string; readonly value: unknown }[];
  /** The fields that it may read. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The session it goes on with. */
  readonly session?: SessionRef;
  /** The value that `session resume` names. */
  readonly resume?: unknown;
}

/**
 * Puts the fields that routers and operators `read` above their prompt; the prompts of all other
 * nodes name the fields that they read.
 */
function withReads(
  node: NodeIr | undefined,
  prompt: string | undefined,
  shownOf: (name: string) => unknown,
): string | undefined {
  if (node?.kind !== "router" && node?.kind !== "operator") return prompt;
  if (node.reads === undefined || node.reads.length === 0) return prompt;
  const read = node.reads.map((name) => `${name}: ${shownInText(shownOf(name))}`);
  return [read.join("\n"), ...(prompt === undefined ? [] : [prompt])].join("\n\n");
}

function fieldOrParam(lookup: Lookup, name: string): unknown {
  return plain(lookup(name, "field")) ?? lookup(name, "param");
}

/** Throws `EvaluationError` where an expression of the node can't be evaluated. */
export function attemptView(program: Program, snapshot: Snapshot, run: NodeRun): AttemptView {
  const node = program.nodes[run.node]?.ir;
  const { frame, scope, args, inbox } = run;
  const round = node?.every === undefined ? undefined : roundNumber(run);
  const lookup = lookupAt(program, snapshot, { frame, scope, inbox, node: run.node, args, round });
  const text = (expression: ExprIr | undefined) =>
    expression === undefined ? undefined : shownInText(evaluate(expression, lookup));
  const system = text(node?.system);
  const { edited } = run.asks ?? {};
  const prompt =
    edited?.prompt ?? withReads(node, text(node?.prompt), (name) => fieldOrParam(lookup, name));
  const view: WritableView<AttemptView> = {};
  if (system !== undefined) view.system = system;
  if (prompt !== undefined) {
    view.prompt = prompt;
    const media = mediaIn(node?.prompt, snapshot, lookup);
    if (media.length > 0) view.media = media;
  }
  if (node?.context !== undefined && contextFunction(node) === undefined)
    view.context = evaluate(node.context, lookup);
  if (node !== undefined && node.skills.length > 0)
    view.skills = node.skills.flatMap((skill) =>
      [plain(evaluate(skill, lookup))].flat().map(shownInText),
    );
  if (node?.history?.field !== undefined) {
    const talk = plain(lookup(node.history.field.name, "field")) ?? [];
    view.conversation = talk as readonly ConversationMessage[];
  }
  if (node?.cache !== undefined && node.cache.by.length > 0)
    view.cacheBy = gathered(node.cache.by, (value) => evaluate(value, lookup) ?? null);
  if (node?.call !== undefined)
    view.callArgs = edited?.callArgs ?? argumentsOf(node, node.call, lookup);
  if (node?.controller !== undefined)
    view.operator = operatorView(node, lookup, sessionFor(program, snapshot, run));
  if (node?.tools.some(([group]) => group === "state") === true)
    view.readable = readableOf(program, node, lookup);
  return node?.ask === undefined ? view : Object.assign(view, questionOf(node, text, lookup));
}

/** The pictures and documents among the values of a template that are artifacts of the run, each once. */
function mediaIn(
  prompt: ExprIr | undefined,
  { artifacts }: Snapshot,
  lookup: Lookup,
): readonly Made[] {
  if (prompt?.kind !== "template" || !artifacts.some(isShown)) return [];
  const named = prompt.parts.flatMap((part) =>
    typeof part === "string" ? [] : [plain(evaluate(part, lookup))].flat(),
  );
  const hashes = new Set(named.flatMap((value) => (isRecord(value) ? [value.hash] : [])));
  const shown = artifacts.filter((one) => isShown(one) && hashes.has(one.hash));
  return [...new Map(shown.map((one) => [one.hash, one])).values()];
}

/** Models see pictures and PDF files; what else an artifact holds stands in the text. */
function isShown({ mime }: Made): boolean {
  return mime.startsWith("image/") || mime === "application/pdf";
}

function readableOf(program: Program, { name, reads }: NodeIr, lookup: Lookup) {
  const own = program.fields.filter(
    ({ ir, implied }) =>
      implied === undefined && (ir.owner === undefined || isOwner(program, name, ir)),
  );
  const names = reads ?? own.map(({ ir }) => ir.name);
  return Object.fromEntries(names.map((field) => [field, fieldOrParam(lookup, field) ?? null]));
}

/** A node sees the fields of its own and those of the items that it stands in. */
function isOwner(program: Program, node: string, { scope, owner }: FieldIr): boolean {
  if (scope !== "item") return owner === node;
  const around = eachesAround(
    program.eaches,
    program.nodes[program.nodeNumbers.get(node) ?? -1]?.each ?? -1,
  );
  return around.some((each) => program.eaches[each]?.ir.id === owner);
}

type WritableView<T> = { -readonly [K in keyof T]: T[K] };

function argumentsOf(
  { kind }: NodeIr,
  { args }: NonNullable<NodeIr["call"]>,
  lookup: Lookup,
): readonly unknown[] {
  const isFunction = kind === "run" || kind === "reduce";
  return gathered(args, ({ value }) => {
    const list = isFunction ? fieldIn(value, lookup) : undefined;
    if (list instanceof SharedList) return list.toReadable();
    // Also what a reducer has put together: a function that changes it in place would change the state.
    return freezeJson(evaluate(value, lookup));
  });
}

/** The field that an expression is the name of, as it is kept. */
function fieldIn(expression: ExprIr, lookup: Lookup): unknown {
  const isField = expression.kind === "name" && expression.of === "field";
  return isField ? lookup(expression.name, "field") : undefined;
}

function operatorView(
  { controller, session, reads = [] }: NodeIr,
  lookup: Lookup,
  reused: SessionRef | undefined,
): OperatorView {
  return {
    args: (controller?.args ?? []).map(({ label, value }) => ({
      ...(label === undefined ? {} : { label }),
      value: evaluate(value, lookup),
    })),
    state: Object.fromEntries(reads.map((field) => [field, fieldOrParam(lookup, field) ?? null])),
    ...(reused === undefined ? {} : { session: reused }),
    ...(session?.value === undefined ? {} : { resume: evaluate(session.value, lookup) }),
  };
}

function questionOf(
  node: NodeIr | undefined,
  text: (expression: ExprIr | undefined) => string | undefined,
  lookup: Lookup,
): Pick<AttemptView, "question" | "to" | "among" | "need" | "then" | "current" | "otherwise"> {
  if (node?.ask === undefined) return {};
  const { from, need, then, otherwise } = node.ask;
  const current = node.edits.map((field) => [field, plain(lookup(field, "field")) ?? null]);
  return {
    question: text(node.ask.question) ?? "",
    ...(from === undefined ? {} : whomOf(from, need, lookup)),
    ...(then === undefined ? {} : { then: escalationsOf(then, lookup) }),
    ...(current.length === 0 ? {} : { current: Object.fromEntries(current) }),
    ...(otherwise === undefined
      ? {}
      : { otherwise: freezeJson(plain(evaluate(otherwise, lookup)) ?? null) }),
  };
}

/** The function of TypeScript that the `context` of a node names; nothing where it says numbers. */
export function contextFunction({ context }: Pick<NodeIr, "context">): DottedIr | undefined {
  return context === undefined ? undefined : dotted(context);
}

/** The alias or the id of the model that summarises for a node, where its `context` names one. */
export function summaryModel(context: ExprIr | undefined): string | undefined {
  const by = entryOf(entryOf(context, "summarize"), "by");
  if (by?.kind === "name" && by.of === "model") return by.name;
  return by?.kind === "literal" && typeof by.value === "string" ? by.value : undefined;
}

function entryOf(object: ExprIr | undefined, key: string): ExprIr | undefined {
  if (object?.kind !== "object") return undefined;
  return object.entries.find((entry) => entry.key === key)?.value;
}

function dotted(expression: ExprIr): DottedIr | undefined {
  if (expression.kind === "name") return expression.of === "scope" ? [expression.name] : undefined;
  if (expression.kind !== "member") return undefined;
  const before = dotted(expression.object);
  return before && [...before, expression.name];
}
