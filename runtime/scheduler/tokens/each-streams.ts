/** Streams of an `each` as they are folded: a node run reads them, one item an attempt. */
import type { SnapshotDraft } from "../snapshot/draft.ts";
import type { Expansion } from "../snapshot/parts.ts";
import { must, type NodeRun, newNodeRun, type Snapshot } from "../snapshot/snapshot.ts";
import type { FlowOp, StreamSource } from "./flow-op.ts";

type Expand = FlowOp & { readonly op: "expand" };

interface StreamReader {
  readonly reader: number;
  readonly source: Omit<StreamSource, "expansion">;
}

/** Opens the node run that reads; it is no node's, and waits until there is room for an item. */
export function openReader(
  draft: SnapshotDraft,
  { expansion, scope, frame, seq }: Expand,
  { reader: id, source }: StreamReader,
): void {
  const key = [...must(draft.frames, frame, "frame").path, seq];
  const of = { id, line: draft.line, node: -1, ordinal: 1, frame, seq, key, scope };
  const reader = newNodeRun({ ...of, status: "queued", source: { ...source, expansion } });
  draft.next = { ...draft.next, run: id + 1 };
  draft.open = draft.open.set(id, reader);
}

/** The item that was asked for is there; another one is asked for when there is room. */
export function takeStreamItem(
  draft: SnapshotDraft,
  { expansion: id, value }: FlowOp & { readonly op: "taken" },
): void {
  const { expansion, stream, reader } = readerOf(draft, id);
  const read = { ...expansion, stream: { ...stream, last: { value } } };
  const waiting: NodeRun = { ...reader, status: "queued", attempt: reader.attempt + 1 };
  draft.expansions = draft.expansions.set(id, read);
  draft.open = draft.open.set(reader.id, waiting);
}

export function pull(draft: SnapshotDraft, id: number): void {
  const { reader } = readerOf(draft, id);
  draft.open = draft.open.set(reader.id, { ...reader, status: "ready" });
}

/** No more items come. */
export function endStream(draft: SnapshotDraft, id: number): void {
  const { expansion, stream, reader } = readerOf(draft, id);
  const over = { ...expansion, stream: { ...stream, isOver: true } };
  draft.expansions = draft.expansions.set(id, over);
  draft.open = draft.open.delete(reader.id);
}

/** The `each` is over, whatever its stream would still give. */
export function closeReader(draft: SnapshotDraft, { stream }: Expansion): void {
  if (stream !== undefined) draft.open = draft.open.delete(stream.reader);
}

function readerOf(snapshot: Snapshot, id: number) {
  const expansion = must(snapshot.expansions, id, "expansion");
  const { stream } = expansion;
  if (stream === undefined) throw new Error(`M9000: expansion ${id} reads no stream`);
  return { expansion, stream, reader: must(snapshot.open, stream.reader, "node run") };
}
