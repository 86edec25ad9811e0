/** Builds the messages that a commit sends, lays them in inboxes, and finds what a node run reads of them. */
import { findByName, type Ir, type NodeIr, type ParamIr } from "../../dsl/index.ts";
import type { Tell } from "../command.ts";
import type { Delivery, MessageKind, MessageMarks, OutgoingMessage, Sent } from "../envelope.ts";
import type { Directions } from "../records/directions.ts";
import { freezeJson } from "../state/json.ts";
import { compareKeys, type OrderKey } from "../state/order-key.ts";
import { IntMap, plain } from "../state/persistent.ts";
import { assertArgumentFits } from "./expressions/assert-fits.ts";
import { evaluate, type Lookup } from "./expressions/evaluate.ts";
import type { FlowOp } from "./flow/flow-op.ts";
import { eachesAround, eachesOf, type Outlet, type Program, targetsOf } from "./program/program.ts";
import type { SnapshotDraft } from "./snapshot/draft.ts";
import type { InboxEntry, Mail, Scope } from "./snapshot/parts.ts";
import type { NodeRun, Snapshot } from "./snapshot/snapshot.ts";

// The inboxes of a run: messages wait in them until a node run that has read them commits.

const NONE: readonly never[] = [];

/** Returns the inbox of a node run at its start: highest priority first, then in the order of the senders. */
export function inboxOf({ mail, scopes }: Snapshot, run: NodeRun): readonly Sent[] {
  const waiting = mail.inboxes.get(run.node);
  if (waiting === undefined) return NONE;
  return waiting
    .filter((entry) => isFor(entry, run, scopes))
    .sort((a, b) => priorityOf(b) - priorityOf(a) || compareKeys(a.key, b.key))
    .map(({ message }) => message);
}

function priorityOf({ message: { priority = 0 } }: InboxEntry): number {
  return priority;
}

function isFor({ at, readIn }: InboxEntry, run: NodeRun, scopes: Snapshot["scopes"]): boolean {
  if (at.run !== undefined) return at.run === run.id;
  if (at.scope === run.scope) return true;
  return isWithin(scopes, run.scope, at.scope) && !readIn.includes(run.scope);
}

function isWithin(scopes: IntMap<Scope>, inner: number, outer: number): boolean {
  for (let at = scopes.get(inner); at !== undefined; at = scopes.get(at.parent)) {
    if (at.parent === outer) return true;
  }
  return false;
}

/** The messages that a started node run was told to have found. */
export function foundIn({ mail }: Snapshot, node: number, ids: readonly string[]): readonly Sent[] {
  const waiting = mail.inboxes.get(node) ?? [];
  if (ids.length === 0) return NONE;
  return ids.flatMap((id) => waiting.find(({ message }) => message.id === id)?.message ?? []);
}

/** The ids of what a node run found when it started. */
export function readBy({ inbox = NONE }: Pick<NodeRun, "inbox">): readonly string[] {
  if (inbox.length === 0) return NONE;
  return inbox.map(({ id }) => id);
}

/** The inbox of a node run at its commit: with what people have said to it meanwhile. */
export function withHeard({ mail }: Snapshot, { id, inbox }: NodeRun): readonly Sent[] | undefined {
  const steers = mail.readSteers.get(id);
  return steers === undefined ? inbox : [...(inbox ?? NONE), ...steers];
}

/** Removes the messages that a node run has read, at its commit. */
export function takeRead(
  { nodes }: Program,
  draft: SnapshotDraft,
  run: NodeRun,
  read: readonly string[] = [],
): void {
  if (read.length === 0) return;
  const mail = markRead(draft.mail, run, new Set(read));
  const isKept = nodes[run.node]?.ir.history?.source === "inbox";
  draft.mail = isKept ? keep(mail, run) : mail;
}

function keep(mail: Mail, { node, scope, inbox = [] }: NodeRun): Mail {
  const more = inbox.map((message) => ({ message, scope }));
  return { ...mail, kept: mail.kept.set(node, [...(mail.kept.get(node) ?? []), ...more]) };
}

/** Returns the messages that earlier runs of a node with `history inbox` have read in its scope. */
export function keptFor({ mail }: Snapshot, { node, scope }: NodeRun): readonly Sent[] {
  const kept = mail.kept.get(node) ?? [];
  return kept.filter((one) => one.scope === scope).map(({ message }) => message);
}

/** Puts the messages of a commit into their inboxes; they may be for node runs that its flow has started. */
export function send(
  draft: SnapshotDraft,
  { key }: Pick<NodeRun, "key">,
  messages: readonly Sent[] = [],
): void {
  for (const message of messages) draft.mail = deliver(draft.mail, message, key);
}

function deliver(mail: Mail, message: Sent, key: OrderKey): Mail {
  let next = mail.inboxes;
  // One that nobody follows for waits for nobody: its inbox is no node's.
  const to = message.to.length === 0 ? [NOBODY] : message.to;
  for (const at of to) {
    next = next.set(at.node, [...(next.get(at.node) ?? []), { message, at, key, readIn: [] }]);
  }
  return { ...mail, inboxes: next };
}

/** The number of no node: above any graph's. */
const NOBODY: Delivery = { node: 1_000_000, scope: 0 };

function markRead(
  mail: Mail,
  { node, scope }: Pick<NodeRun, "node" | "scope">,
  ids: ReadonlySet<string>,
): Mail {
  const { inboxes, read } = mail;
  const waiting = inboxes.get(node);
  if (ids.size === 0 || waiting === undefined) return mail;
  const left = waiting.flatMap((entry) => {
    if (!ids.has(entry.message.id)) return [entry];
    const isForItems = entry.at.run === undefined && entry.at.scope !== scope;
    return isForItems ? [{ ...entry, readIn: [...entry.readIn, scope] }] : [];
  });
  const shared = waiting.filter(
    ({ message: { id, to }, at }) =>
      ids.has(id) && (to.length > 1 || (at.run === undefined && at.scope !== scope)),
  );
  return {
    ...mail,
    inboxes: left.length === 0 ? inboxes.delete(node) : inboxes.set(node, left),
    read:
      shared.length === 0 ? read : new Set([...read, ...shared.map(({ message }) => message.id)]),
  };
}

/** Messages that nobody has read, in the order of their senders. */
export function unreadMessages({ inboxes, read, steers }: Mail): readonly string[] {
  const unheard = steers.map(({ id }) => id);
  if (inboxes.size === 0) return unheard;
  const waiting = [...inboxes.entries()].flatMap(([, of]) => of);
  const dead = waiting.filter(({ message }) => !read.has(message.id));
  const sorted = dead.sort((a, b) => compareKeys(a.key, b.key));
  return [...new Set(sorted.map(({ message }) => message.id)), ...unheard];
}

/** Returns the mail with the new numbers that a rewind has given to node runs. */
export function readdressed(mail: Mail, ids: ReadonlyMap<number, number>): Mail {
  let { inboxes } = mail;
  for (const [node, waiting] of mail.inboxes.entries()) {
    const to = waiting.map((entry) => {
      const run = entry.at.run === undefined ? undefined : ids.get(entry.at.run);
      return run === undefined ? entry : { ...entry, at: { ...entry.at, run } };
    });
    inboxes = inboxes.set(node, to);
  }
  let readSteers = IntMap.empty<readonly Sent[]>();
  for (const [id, of] of mail.readSteers.entries())
    readSteers = readSteers.set(ids.get(id) ?? id, of);
  return { ...mail, inboxes, readSteers };
}

/** A message as expressions and prompts see it. */
export function shownMessage(message: Sent): unknown {
  const { id, sender, kind, payload, topic, priority, replyTo, artifacts } = message;
  return {
    id,
    sender,
    kind,
    payload,
    ...(topic === undefined ? {} : { topic }),
    ...(priority === undefined ? {} : { priority }),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(artifacts.length === 0 ? {} : { artifacts }),
  };
}

// Messages that were sent to the items of an `each`.

/** All items of an `each` are through: what some of them have read is for no later round of it. */
export function forgetItems(program: Program, draft: SnapshotDraft, id: number): void {
  const { mail } = draft;
  const expansion = draft.expansions.get(id);
  if (mail.inboxes.size === 0 || expansion === undefined) return;
  let { inboxes } = mail;
  for (const [node, waiting] of mail.inboxes.entries()) {
    const around = eachesAround(program.eaches, program.nodes[node]?.each ?? -1);
    if (!around.includes(expansion.each)) continue;
    const left = waiting.filter(
      ({ at, readIn }) => at.scope !== expansion.scope || readIn.length === 0,
    );
    inboxes = left.length === 0 ? inboxes.delete(node) : inboxes.set(node, left);
  }
  draft.mail = { ...mail, inboxes };
}

// Builds the messages that a commit sends: what its node tells, and what goes with work it hands over.

/** A commit whose tokens have moved: what is told goes where they went. */
interface SettledCommit {
  readonly program: Program;
  readonly snapshot: Snapshot;
  readonly flow: readonly FlowOp[];
  readonly at: number;
}

/** Work that moves to a node run, and what is said with it. */
export interface WorkHandedOver {
  readonly node: string;
  readonly run: number;
  readonly kind: MessageKind;
  readonly payload: unknown;
  readonly marks?: MessageMarks;
}

interface CommitWords {
  readonly output: unknown;
  /** The object that the node's `tell` has of its own. */
  readonly payload: unknown;
  readonly given: readonly WorkHandedOver[];
  /** The position before the commit, in which its node run stands. */
  readonly before: Snapshot;
  /** The clause `tell` of a command. */
  readonly as?: Tell | undefined;
  /** The messages that its agent has sent by itself. */
  readonly sends?: readonly OutgoingMessage[] | undefined;
}

const NO_TELL: Tell = {};

/** The object that a node's `tell` has of its own, if it has one. Throws M5014 where that is not of the type that is its kind. */
export function toldBy(
  { ir }: Pick<Program, "ir">,
  { name, tell }: NodeIr,
  lookup: Lookup,
): unknown {
  if (tell?.payload === undefined) return undefined;
  const value = freezeJson(plain(evaluate(tell.payload, lookup)));
  const param = toldParam(ir, tell);
  const what = () => `what \`${name}\` tells`;
  if (param !== undefined) assertArgumentFits(ir, param, { what, value, span: tell.payload.span });
  return value;
}

type TellIr = NonNullable<NodeIr["tell"]>;

/** A kind that is a type, as what takes a value of it; the check of a type is kept by that object. */
function toldParam({ types }: Ir, tell: TellIr): ParamIr | undefined {
  const { as } = tell;
  if (as === undefined || findByName(types, as) === undefined) return undefined;
  const known = toldParams.get(tell);
  if (known !== undefined) return known;
  const made = { name: as, optional: false, type: { kind: "named", name: as, args: [] } } as const;
  toldParams.set(tell, made);
  return made;
}

const toldParams = new WeakMap<TellIr, ParamIr>();

/** The messages of a settled commit, in the order in which they are sent. */
export function messagesOf(
  draft: SettledCommit,
  run: NodeRun,
  { output, payload: made, given, before, as = NO_TELL, sends = NONE }: CommitWords,
): readonly Sent[] {
  const tell = draft.program.nodes[run.node]?.ir.tell;
  if (tell === undefined && given.length === 0) return NONE;
  const group = fanOutOf(before, run.scope);
  const to = (entry: Omit<MessageDraft, "index" | "group">, index: number) =>
    toMessage(draft, run, { ...entry, index, ...(group === undefined ? {} : { group }) });
  const handed = given.map(({ node, run: id, kind, payload, marks = {} }) => ({
    receiver: node,
    kind,
    payload,
    ...marksOf(marks),
    to: [{ node: draft.program.nodeNumbers.get(node) ?? -1, scope: run.scope, run: id }],
  }));
  const kind = (tell?.as ?? "observation") as MessageKind;
  const shown = tell?.payload === undefined ? output : made;
  const payload = as.payload === undefined ? shown : as.payload;
  const content = { kind, payload, ...marksOf(as) };
  const inboxesOf = (name: string | null) =>
    name === null ? followers(draft) : [inboxAt(draft, run, name)];
  const own = sends.map((one) => ({ ...one, receiver: one.to, kind, to: inboxesOf(one.to) }));
  // A node that hands over has no result from which the object could be made.
  const addressed =
    tell === undefined || (tell.payload !== undefined && payload === undefined)
      ? []
      : tell.targets === "*"
        ? [{ receiver: null, ...content, to: inboxesOf(null) }]
        : tell.targets.map((name) => ({ receiver: name, ...content, to: inboxesOf(name) }));
  return [...handed, ...own, ...addressed].map(to);
}

function marksOf({ topic, priority }: MessageMarks): MessageMarks {
  return {
    ...(topic === undefined ? {} : { topic }),
    ...(priority === undefined ? {} : { priority }),
  };
}

interface MessageDraft extends MessageMarks {
  readonly group?: number;
  readonly index: number;
  readonly receiver: string | null;
  readonly kind: MessageKind;
  readonly payload: unknown;
  readonly to: readonly Delivery[];
}

function toMessage(
  { program, at }: SettledCommit,
  run: NodeRun,
  { index, payload, ...rest }: MessageDraft,
): Sent {
  const inbox = run.inbox ?? [];
  const replyTo = latestOf(inbox.filter(({ sender }) => sender === rest.receiver))?.id;
  return {
    id: `m${run.id}.${index + 1}`,
    sender: program.nodes[run.node]?.ir.name ?? "",
    ...rest,
    payload: payload ?? null,
    artifacts: (run.made ?? []).map(({ id }) => id),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(inbox.length === 0 ? {} : { causedBy: inbox.map(({ id }) => id) }),
    createdAt: at,
  };
}

/** The one that was sent last: an inbox has the urgent ones first. */
function latestOf(messages: readonly Sent[]): Sent | undefined {
  return messages.reduce<Sent | undefined>(
    (latest, one) => (latest === undefined || one.createdAt >= latest.createdAt ? one : latest),
    undefined,
  );
}

/** The innermost fan-out around a scope. */
function fanOutOf({ scopes, expansions }: Snapshot, scope: number): number | undefined {
  for (let at = scopes.get(scope); at !== undefined; at = scopes.get(at.parent)) {
    if (at.detached === undefined && expansions.get(at.expansion) !== undefined)
      return at.expansion;
  }
  return undefined;
}

/** The inbox of a node for what is sent from a scope: in the innermost scope that is around both. */
function inboxAt({ program, snapshot }: SettledCommit, run: NodeRun, name: string): Delivery {
  const node = program.nodeNumbers.get(name) ?? -1;
  return { node, scope: meeting(program, snapshot, run.scope, program.nodes[node]?.each ?? -1) };
}

function meeting(
  program: Program,
  { scopes, expansions }: Snapshot,
  from: number,
  each: number,
): number {
  const around = eachesAround(program.eaches, each);
  for (let at = scopes.get(from); at !== undefined; at = scopes.get(at.parent)) {
    // Who goes on by itself talks to those that it left behind.
    if (at.detached !== undefined) continue;
    const expansion = expansions.get(at.expansion);
    if (expansion === undefined || around.includes(expansion.each)) return at.id;
  }
  return 0;
}

/** The nodes that follow a commit: the runs it made due, and those behind the joins and `each`es it led to. */
function followers({ program, flow }: SettledCommit): readonly Delivery[] {
  const runs = flow.flatMap((op): readonly Delivery[] =>
    // The next round of a sentinel follows nobody but itself.
    op.op === "activate" && op.iteration === undefined && program.nodes[op.node]?.isWait !== true
      ? [{ node: op.node, scope: op.scope, run: op.id }]
      : [],
  );
  const later = flow.flatMap((op): readonly Delivery[] => {
    const outlet =
      op.op === "arrive"
        ? program.joins[op.join]?.outlet
        : op.op === "expand"
          ? program.eaches[op.each]?.entry
          : op.op === "activate" && program.nodes[op.node]?.isWait === true
            ? program.nodes[op.node]?.outlet
            : undefined;
    if (outlet === undefined || !("scope" in op)) return [];
    return nodesBehind(program, outlet).map((node) => ({ node, scope: op.scope }));
  });
  const due = new Set(runs.map(({ node }) => node));
  const seen = new Set<number>();
  const unseen = later.filter(({ node }) => !due.has(node) && !seen.has(node) && seen.add(node));
  return [...runs, ...unseen];
}

/** The nodes that an outlet leads to, past joins and into `each`es. */
function nodesBehind(
  program: Program,
  { edges, joins }: Outlet,
  passed = new Set<number>(),
): readonly number[] {
  const direct = edges.flatMap(({ route }) => [
    ...targetsOf(route).flatMap(({ node }) => program.nodeNumbers.get(node) ?? []),
    ...eachesOf(route).flatMap(({ id }) => {
      const entry = program.eaches.find(({ ir }) => ir.id === id)?.entry;
      return entry === undefined ? [] : nodesBehind(program, entry, passed);
    }),
  ]);
  const joined = joins.flatMap(({ join }) => {
    const outlet = program.joins[join]?.outlet;
    if (outlet === undefined || passed.has(join)) return [];
    return nodesBehind(program, outlet, passed.add(join));
  });
  return [...direct, ...joined];
}

/** Builds the messages that go with work a node hands over or sends; `sent` are the node runs that it has started. */
export function givenWith(
  { flow, program }: SettledCommit,
  { goto, handoff, orders }: Directions,
  sent: readonly number[],
): readonly WorkHandedOver[] {
  if (handoff !== undefined && goto !== undefined) {
    const target = program.nodeNumbers.get(goto);
    const started = flow.findLast((op) => op.op === "activate" && op.node === target);
    if (started?.op !== "activate") return [];
    return [{ node: goto, run: started.id, kind: "handoff", payload: handoff }];
  }
  if (orders?.send === undefined) return NONE;
  return orders.send.flatMap(
    ({ to, task, payload, ...marks }, index): readonly WorkHandedOver[] => {
      const run = sent[index];
      if (run === undefined || (task === undefined && payload === undefined)) return [];
      const content =
        task === undefined ? payload : payload === undefined ? task : { task, payload };
      return [{ node: to, run, kind: "task", payload: content, marks }];
    },
  );
}
