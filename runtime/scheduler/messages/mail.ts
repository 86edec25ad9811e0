/** The inboxes of a run: messages wait in them until a node run that has read them commits. */

import type { Delivery, Sent } from "../../envelope.ts";
import { IntMap } from "../../state/int-map.ts";
import { compareKeys, type OrderKey } from "../../state/order-key.ts";
import type { Program } from "../program/program.ts";
import type { SnapshotDraft } from "../snapshot/draft.ts";
import type { InboxEntry, Mail, Scope } from "../snapshot/parts.ts";
import type { NodeRun, Snapshot } from "../snapshot/snapshot.ts";

const NONE: readonly never[] = [];

/** Returns the inbox of a node run at its start: highest priority first, then in the order of the senders. */
export function inboxOf({ mail, scopes }: Snapshot, run: NodeRun): readonly Sent[] {
  const letters = mail.letters.get(run.node);
  if (letters === undefined) return NONE;
  return letters
    .filter((letter) => isFor(letter, run, scopes))
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
  const letters = mail.letters.get(node) ?? [];
  if (ids.length === 0) return NONE;
  return ids.flatMap((id) => letters.find(({ message }) => message.id === id)?.message ?? []);
}

/** The ids of what a node run found when it started. */
export function readBy({ inbox = NONE }: Pick<NodeRun, "inbox">): readonly string[] {
  if (inbox.length === 0) return NONE;
  return inbox.map(({ id }) => id);
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
  let next = mail.letters;
  // One that nobody follows for waits for nobody: its inbox is no node's.
  const to = message.to.length === 0 ? [NOBODY] : message.to;
  for (const at of to) {
    next = next.set(at.node, [...(next.get(at.node) ?? []), { message, at, key, readIn: [] }]);
  }
  return { ...mail, letters: next };
}

/** The number of no node: above any graph's. */
const NOBODY: Delivery = { node: 1_000_000, scope: 0 };

function markRead(
  mail: Mail,
  { node, scope }: Pick<NodeRun, "node" | "scope">,
  ids: ReadonlySet<string>,
): Mail {
  const { letters, read } = mail;
  const waiting = letters.get(node);
  if (ids.size === 0 || waiting === undefined) return mail;
  const left = waiting.flatMap((letter) => {
    if (!ids.has(letter.message.id)) return [letter];
    const isForItems = letter.at.run === undefined && letter.at.scope !== scope;
    return isForItems ? [{ ...letter, readIn: [...letter.readIn, scope] }] : [];
  });
  const shared = waiting.filter(
    ({ message: { id, to }, at }) =>
      ids.has(id) && (to.length > 1 || (at.run === undefined && at.scope !== scope)),
  );
  return {
    ...mail,
    letters: left.length === 0 ? letters.delete(node) : letters.set(node, left),
    read:
      shared.length === 0 ? read : new Set([...read, ...shared.map(({ message }) => message.id)]),
  };
}

/** Messages that nobody has read, in the order of their senders. */
export function deadLetters({ letters, read, steers }: Mail): readonly string[] {
  const unheard = steers.map(({ id }) => id);
  if (letters.size === 0) return unheard;
  const waiting = [...letters.entries()].flatMap(([, of]) => of);
  const dead = waiting.filter(({ message }) => !read.has(message.id));
  const sorted = dead.sort((a, b) => compareKeys(a.key, b.key));
  return [...new Set(sorted.map(({ message }) => message.id)), ...unheard];
}

/** The same mail for node runs that a rewind has given other numbers. */
export function readdressed(mail: Mail, ids: ReadonlyMap<number, number>): Mail {
  let { letters } = mail;
  for (const [node, waiting] of mail.letters.entries()) {
    const to = waiting.map((letter) => {
      const run = letter.at.run === undefined ? undefined : ids.get(letter.at.run);
      return run === undefined ? letter : { ...letter, at: { ...letter.at, run } };
    });
    letters = letters.set(node, to);
  }
  let heard = IntMap.empty<readonly Sent[]>();
  for (const [id, of] of mail.heard.entries()) heard = heard.set(ids.get(id) ?? id, of);
  return { ...mail, letters, heard };
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
