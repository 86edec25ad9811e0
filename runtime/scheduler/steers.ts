/** Keeps what people say to a running run until the next model call of its addressee takes it; steering, in short. */
import type { Sent } from "../envelope.ts";
import type { IntentRecord } from "../records/call-records.ts";
import type { SteerRecord } from "../records/control-records.ts";
import { innermost, type RecordBody } from "../records/records.ts";
import type { Completion } from "./completion.ts";
import type { SnapshotDraft } from "./snapshot/draft.ts";
import type { Mail } from "./snapshot/parts.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

/** The record of a steer; none where the run has nothing more to do, or was told this before. */
export function steerRecord(
  { status, mail }: Snapshot,
  { text, to, givenId, note, at }: Completion & { readonly kind: "steer" },
): readonly RecordBody[] {
  if (status === "succeeded" || status === "created") return [];
  if (givenId !== undefined && isSaid({ mail }, givenId)) return [];
  const message: Sent = {
    id: givenId === undefined ? `s${mail.steered + 1}` : `${GIVEN}${givenId}`,
    sender: "user",
    receiver: to ?? null,
    kind: "steer",
    payload: text,
    artifacts: [],
    createdAt: at,
    to: [],
  };
  return [{ kind: "steer", message, ...(note === undefined ? {} : { note }) }];
}

/** Stands before the id that a sender has given: no message that the run numbers itself is called like that. */
const GIVEN = "s:";

/** Returns whether the run was told something under this id of its sender. */
export function isSaid({ mail }: Pick<Snapshot, "mail">, givenId: string): boolean {
  return mail.allSteers.some((steer) => givenSteerId(steer) === givenId);
}

/** The id that the sender of a steering message has given; undefined for one that the run has numbered. */
export function givenSteerId({ id }: Pick<Sent, "id">): string | undefined {
  return id.startsWith(GIVEN) ? id.slice(GIVEN.length) : undefined;
}

/** The position once it is said. */
export function foldSteer(snapshot: Snapshot, { message }: SteerRecord): Snapshot {
  const { mail } = snapshot;
  const [steers, allSteers] = [
    [...mail.steers, message],
    [...mail.allSteers, message],
  ];
  return {
    ...snapshot,
    mail: { ...mail, steers, allSteers, steered: mail.steered + 1 },
  };
}

/** A model call that hears takes what waits for its node, also where that is one of a called graph. */
export function withSteers({ mail }: Snapshot, record: RecordBody): RecordBody {
  if (mail.steers.length === 0) return record;
  if (record.kind === "sub")
    return { ...record, record: withSteers({ mail } as Snapshot, record.record) };
  if (record.kind !== "intent" || record.hears !== true) return record;
  const steers = mail.steers.filter(
    ({ receiver }) => receiver === null || receiver === record.node,
  );
  return steers.length === 0 ? record : { ...record, steers };
}

/** Removes steers that a call has taken, and returns those of a failed attempt to the waiting ones. */
export function foldHeardSteers(draft: SnapshotDraft, of: RecordBody): void {
  const record = innermost(of);
  const { readSteers } = draft.mail;
  if (record.kind === "intent" && record.steers !== undefined) draft.mail = heardBy(draft, record);
  else if (readSteers.size === 0) return;
  else if (record.kind === "commit") draft.mail = settled(draft, record.id);
  else if (record.kind === "attempt" && record.next !== "repair") {
    draft.mail = over(draft, record.id, readSteers.get(record.id) ?? []);
  }
}

function heardBy({ mail }: Snapshot, { id, steers = [] }: IntentRecord): Mail {
  const taken = new Set(steers.map((message) => message.id));
  const left = mail.steers.filter((message) => !taken.has(message.id));
  const before = mail.readSteers.get(id) ?? [];
  return { ...mail, steers: left, readSteers: mail.readSteers.set(id, [...before, ...steers]) };
}

/**
 * Marks the steering messages that a node run has read as settled: its work is committed with them.
 */
function settled({ mail }: Snapshot, id: number): Mail {
  const ids = (mail.readSteers.get(id) ?? []).map((message) => message.id);
  if (ids.length === 0) return mail;
  return { ...mail, readSteers: mail.readSteers.delete(id), settled: [...mail.settled, ...ids] };
}

function over({ mail }: Snapshot, id: number, again: readonly Sent[]): Mail {
  const steers = [...again, ...mail.steers];
  return { ...mail, steers, readSteers: mail.readSteers.delete(id) };
}

/** A rewind undoes no word of a person: what was heard only on the way that it leaves waits again. */
export function saidSince(snapshot: Snapshot, then: Snapshot["mail"]): Snapshot["mail"] {
  const { allSteers, steered } = snapshot.mail;
  const underWay = then.readSteers.values().flatMap((of) => of.map(({ id }) => id));
  const kept = new Set([...underWay, ...then.settled]);
  return {
    ...then,
    allSteers,
    steered,
    steers: allSteers.filter(({ id }) => !kept.has(id)),
  };
}
