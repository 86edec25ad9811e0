/** Decides what an item, the end or the failure of a stream does to its `each`. */
import type { Failure } from "../../failure.ts";
import type { RecordBody } from "../../records/records.ts";
import type { Completion } from "../completion.ts";
import { evaluationFailure, holds, isOfTheState } from "../expressions/evaluate.ts";
import { lookupAt } from "../lookup.ts";
import type { Program } from "../program/program.ts";
import type { Expansion } from "../snapshot/parts.ts";
import { must, type NodeRun, type Snapshot } from "../snapshot/snapshot.ts";
import { skipFailedItem } from "./each-failure.ts";
import { conclude, failRun } from "./end-run.ts";
import { createDraft, emit, type FlowDraft } from "./flow-draft.ts";
import { settle, startItem } from "./settle.ts";

type News = Completion & { readonly kind: "item" };

/** The records of the news that a stream brings; none where nobody reads it any more. */
export function itemNews(program: Program, snapshot: Snapshot, news: News): readonly RecordBody[] {
  const reader = snapshot.open.get(news.id);
  const isDue = reader?.status === "ready" && reader.attempt === news.attempt;
  if (snapshot.status !== "running" || !isDue || reader.source === undefined) return [];
  const expansion = must(snapshot.expansions, reader.source.expansion, "expansion");
  const at = { program, snapshot, reader, expansion, news };
  try {
    return decide(at);
  } catch (error) {
    if (!isOfTheState(error)) throw error;
    return failNow(at, evaluationFailure(program, error, `${nameOf(at)}: `));
  }
}

interface ItemReading {
  readonly program: Program;
  readonly snapshot: Snapshot;
  readonly reader: NodeRun;
  readonly expansion: Expansion;
  readonly news: News;
}

function decide(at: ItemReading): readonly RecordBody[] {
  const { program, snapshot, expansion, news } = at;
  const draft = createDraft(program, snapshot, news.at);
  const { id } = expansion;
  if ("failure" in news) {
    const skips = program.eaches[expansion.each]?.ir.onErrorSkip === true;
    if (skips) emit(draft, { op: "stream-end", expansion: id });
    else if (!skipFailedItem(draft, { scope: expansion.scope, expansion: id }, "error"))
      return failNow(at, news.failure);
  } else if ("isDone" in news) emit(draft, { op: "stream-end", expansion: id });
  else takeItem(draft, at, news.value);
  settle(draft, { expansion: id });
  return [recordOf(at, draft), ...conclude(draft, {})];
}

function takeItem(
  draft: FlowDraft,
  { program, snapshot, expansion }: ItemReading,
  value: unknown,
): void {
  const { id, each, frame, scope } = expansion;
  const { variable, when } = program.eaches[each]?.ir ?? {};
  emit(draft, { op: "taken", expansion: id, value });
  const item = { variable: variable ?? "", value };
  const isWanted =
    when === undefined || holds(when, lookupAt(program, snapshot, { frame, scope, item }));
  if (isWanted) startItem(draft, must(draft.snapshot.expansions, id, "expansion"));
}

function recordOf(at: ItemReading, { flow, writes, patches }: FlowDraft): RecordBody {
  return { ...bare(at), flow, writes, patches };
}

/** Ends the run: resumed, it asks its stream anew. */
function failNow(at: ItemReading, failure: Failure): readonly RecordBody[] {
  const { id, attempt } = at.reader;
  const record = { ...bare(at), writes: [], patches: [] };
  return [record, failRun(failure, { id, node: nameOf(at), attempt })];
}

function bare(at: ItemReading) {
  const { id, attempt } = at.reader;
  const { news } = at;
  const told =
    "failure" in news
      ? { failure: news.failure }
      : "isDone" in news
        ? { isDone: news.isDone }
        : { value: news.value };
  return { kind: "item", id, node: nameOf(at), attempt, news: told } as const;
}

function nameOf({ program, expansion }: ItemReading): string {
  return `each ${program.eaches[expansion.each]?.ir.id ?? ""}`;
}
