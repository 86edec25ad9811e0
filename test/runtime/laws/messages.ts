/** L4, from the log alone: what is sent is read or told to be unread, and by nobody else. */

import { pathOf } from "../../../runtime/history/log-path.ts";
import { callersOf, innermost, type LogRecord } from "../../../runtime/records/records.ts";
import type { Ran } from "../../support/run-graph.ts";

/** What is wrong with the messages of a run. */
export function messagesHold({ records }: Ran): string | undefined {
  const path = pathOf(records);
  const sent = idsOf(path, (record) =>
    record.kind === "commit" ? (record.messages ?? []).map(({ id }) => id) : [],
  );
  const read = new Set(
    idsOf(path, (record) => (record.kind === "commit" ? (record.read ?? []) : [])),
  );
  const dead = new Set(idsOf(path, (record) => (record.kind === "end" ? (record.dead ?? []) : [])));
  if (new Set(sent).size < sent.length) return `one id for two messages: ${sent.join(" ")}`;
  const lost = sent.filter((id) => !read.has(id) && !dead.has(id));
  if (lost.length > 0) return `lost: ${lost.join(" ")}`;
  const both = sent.filter((id) => read.has(id) && dead.has(id));
  if (both.length > 0) return `read and told to be unread: ${both.join(" ")}`;
  const known = new Set([...sent, ...saidIn(records)]);
  const unknown = [...read, ...dead].filter((id) => !known.has(id));
  return unknown.length === 0 ? undefined : `sent by nobody: ${unknown.join(" ")}`;
}

/** What people said; a rewind undoes none of it. */
function saidIn(records: readonly LogRecord[]): readonly string[] {
  return idsOf(records, (record) => (record.kind === "steer" ? [record.message.id] : []));
}

/** Whether anybody sends anything. */
export function hasMessages({ records }: Ran): boolean {
  return records.some((logged) => {
    const record = innermost(logged);
    return record.kind === "commit" && (record.messages ?? []).length > 0;
  });
}

type Inner = ReturnType<typeof innermost>;

/** With the graph that they are of: each called graph has its own mail. */
function idsOf(records: readonly LogRecord[], of: (record: Inner) => readonly string[]) {
  return records.flatMap((record) => {
    const graph = callersOf(record).join("/");
    return of(innermost(record)).map((id) => `${graph}:${id}`);
  });
}
