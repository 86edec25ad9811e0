/** Keeps what people say to a running run until the next model call of its addressee takes it. */
import type { Sent } from "../../envelope.ts";
import type { IntentRecord } from "../../records/call-records.ts";
import type { SteerRecord } from "../../records/control-records.ts";
import type { RecordBody } from "../../records/records.ts";
import { innermost } from "../../records/sub-record.ts";
import type { Completion } from "../completion.ts";
import type { SnapshotDraft } from "../snapshot/draft.ts";
import type { Mail } from "../snapshot/parts.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** The record of a steer; none where the run has nothing more to do. */
export function steerRecord(
  { status, mail }: Snapshot,
  { text, to, note, at }: Completion & { readonly kind: "steer" },
): readonly RecordBody[] {
  if (status === "succeeded" || status === "created") return [];
  const message: Sent = {
    id: `s${mail.steered + 1}`,
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

/** The position once it is said. */
export function foldSteer(snapshot: Snapshot, { message }: SteerRecord): Snapshot {
  const { mail } = snapshot;
  const [steers, said] = [
    [...mail.steers, message],
    [...mail.said, message],
  ];
  return { ...snapshot, mail: { ...mail, steers, said, steered: mail.steered + 1 } };
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
  const { heard } = draft.mail;
  if (record.kind === "intent" && record.steers !== undefined) draft.mail = heardBy(draft, record);
  else if (heard.size === 0) return;
  else if (record.kind === "commit") draft.mail = settled(draft, record.id);
  else if (record.kind === "attempt" && record.next !== "repair") {
    draft.mail = over(draft, record.id, heard.get(record.id) ?? []);
  }
}

function heardBy({ mail }: Snapshot, { id, steers = [] }: IntentRecord): Mail {
  const taken = new Set(steers.map((message) => message.id));
  const left = mail.steers.filter((message) => !taken.has(message.id));
  const before = mail.heard.get(id) ?? [];
  return { ...mail, steers: left, heard: mail.heard.set(id, [...before, ...steers]) };
}

/** Whoever has heard it has done its work with it. */
function settled({ mail }: Snapshot, id: number): Mail {
  const ids = (mail.heard.get(id) ?? []).map((message) => message.id);
  if (ids.length === 0) return mail;
  return { ...mail, heard: mail.heard.delete(id), settled: [...mail.settled, ...ids] };
}

function over({ mail }: Snapshot, id: number, again: readonly Sent[]): Mail {
  const steers = [...again, ...mail.steers];
  return { ...mail, steers, heard: mail.heard.delete(id) };
}

/** A rewind undoes no word of a person: what was heard only on the way that it leaves waits again. */
export function saidSince(snapshot: Snapshot, then: Snapshot["mail"]): Snapshot["mail"] {
  const { said, steered } = snapshot.mail;
  const underWay = then.heard.values().flatMap((of) => of.map(({ id }) => id));
  const kept = new Set([...underWay, ...then.settled]);
  return { ...then, said, steered, steers: said.filter(({ id }) => !kept.has(id)) };
}
