/** Converts between the metadata and summaries of runs and their rows in the database. */
import { createHash } from "node:crypto";
import type { Ir } from "../../../dsl/index.ts";
import type { RunStatus } from "../../run-status.ts";
import { noUsage } from "../../usage.ts";
import { isLive, type Liveness, ownerText } from "../lease.ts";
import { changeOf } from "../log/segments.ts";
import type { RunMeta, RunSummary, StoredRun, SummaryUpdate } from "../run-store.ts";
import type { LeaseRow, StoredRunRow } from "./tables.ts";

/** A run that has not begun, as the rows that keep it. */
export function newRunRow(meta: RunMeta): { readonly run: StoredRunRow; readonly ir: string } {
  const { runId, threadId, graph, graphHash, createdAt, ir, ...rest } = meta;
  const { key, text } = irText(ir);
  const run: StoredRunRow = {
    runId,
    threadId,
    graph,
    graphHash,
    irKey: key,
    meta: JSON.stringify(rest),
    createdAt,
    updatedAt: createdAt,
    status: "created" satisfies RunStatus,
    reason: null,
    steps: 0,
    usage: JSON.stringify(noUsage),
    error: null,
    lastSeq: -1,
    logId: 1,
    dueAt: null,
  };
  return { run, ir: text };
}

interface IrText {
  readonly key: string;
  readonly text: string;
}

/** A graph is run many times, and never changes. */
const texts = new WeakMap<Ir, IrText>();

function irText(ir: Ir): IrText {
  const known = texts.get(ir);
  if (known !== undefined) return known;
  const text = JSON.stringify(ir);
  const made = { text, key: createHash("sha256").update(text).digest("hex") };
  texts.set(ir, made);
  return made;
}

/** A run that has a log already. */
export function storedRunRow({ meta, summary, records }: StoredRun): ReturnType<typeof newRunRow> {
  const fresh = newRunRow(meta);
  const record = records.at(-1);
  if (record === undefined) return fresh;
  return { ...fresh, run: { ...fresh.run, ...changeOf({ record, summary }) } };
}

/** Restores the meta data that `newRunRow` was given. */
export function metaOf(row: StoredRunRow, ir: Ir): RunMeta {
  const { runId, threadId, graph, graphHash, createdAt } = row;
  const rest: Omit<RunMeta, "runId" | "threadId" | "graph" | "graphHash" | "createdAt" | "ir"> =
    JSON.parse(row.meta);
  return { ...rest, runId, threadId, graph, graphHash, createdAt, ir };
}

/** The members of the meta data that lists show. */
type OfMeta = Pick<RunMeta, "forkedFrom" | "follows" | "user" | "request">;

/** A run's row as lists show it, with the holder of its lease if that one lives at `now`. */
export function summaryOf(
  row: StoredRunRow,
  held: { lease: LeaseRow | undefined; now: number; liveness: Liveness },
): RunSummary {
  const { runId, threadId, graph, graphHash, createdAt, updatedAt, steps } = row;
  const { forkedFrom, follows, user, request }: OfMeta = JSON.parse(row.meta);
  const isHeld = held.lease !== undefined && isLive(held.lease, held.now, held.liveness);
  return {
    runId,
    threadId,
    graph,
    graphHash,
    status: row.status as RunStatus,
    ...(row.reason !== null && { reason: row.reason }),
    createdAt,
    updatedAt,
    steps,
    usage: JSON.parse(row.usage),
    ...(held.lease !== undefined && isHeld && { owner: ownerText(held.lease) }),
    ...(row.error !== null && { error: JSON.parse(row.error) }),
    ...(user !== undefined && { user }),
    ...(request !== undefined && { request }),
    ...(follows !== undefined && { follows }),
    ...(forkedFrom !== undefined && { forkedFrom }),
  };
}

/** Returns the summary of a run from its row. */
export function standingOf(row: StoredRunRow): SummaryUpdate {
  const { status, reason, steps, usage, error } = row;
  return {
    status: status as RunStatus,
    ...(reason !== null && { reason }),
    steps,
    usage: JSON.parse(usage),
    ...(error !== null && { error: JSON.parse(error) }),
  };
}
