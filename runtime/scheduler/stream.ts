/** Streams of an `each` as they are folded: a node run reads them, one item an attempt. */
import type { FlowOp } from "./flow-op.ts";
import {
  type Expansion,
  must,
  type NodeRun,
  newNodeRun,
  type Snapshot,
  type StreamSource,
} from "./snapshot.ts";

type Expand = FlowOp & { readonly op: "expand" };

interface Reader {
  readonly reader: number;
  readonly source: Omit<StreamSource, "expansion">;
}

/** Opens the node run that reads; it is no node's, and waits until there is room for an item. */
export function withReader(
  snapshot: Snapshot,
  { expansion, scope, frame, seq }: Expand,
  { reader: id, source }: Reader,
): Snapshot {
  const key = [...must(snapshot.frames, frame, "frame").path, seq];
  const of = { id, line: snapshot.line, node: -1, ordinal: 1, frame, seq, key, scope };
  const reader: NodeRun = {
    ...newNodeRun({ ...of, status: "queued" }),
    source: { ...source, expansion },
  };
  const next = { ...snapshot.next, run: id + 1 };
  return { ...snapshot, next, open: snapshot.open.set(id, reader) };
}

/** The item that was asked for is there; another one is asked for when there is room. */
export function taken(
  snapshot: Snapshot,
  { expansion: id, value }: FlowOp & { readonly op: "taken" },
): Snapshot {
  const { expansion, stream, reader } = readerOf(snapshot, id);
  const read = { ...expansion, stream: { ...stream, last: { value } } };
  const waiting: NodeRun = { ...reader, status: "queued", attempt: reader.attempt + 1 };
  return {
    ...snapshot,
    expansions: snapshot.expansions.set(id, read),
    open: snapshot.open.set(reader.id, waiting),
  };
}

export function pull(snapshot: Snapshot, id: number): Snapshot {
  const { reader } = readerOf(snapshot, id);
  return { ...snapshot, open: snapshot.open.set(reader.id, { ...reader, status: "ready" }) };
}

/** No more items come. */
export function endStream(snapshot: Snapshot, id: number): Snapshot {
  const { expansion, stream, reader } = readerOf(snapshot, id);
  return {
    ...snapshot,
    expansions: snapshot.expansions.set(id, { ...expansion, stream: { ...stream, isOver: true } }),
    open: snapshot.open.delete(reader.id),
  };
}

/** The `each` is over, whatever its stream would still give. */
export function withoutReader(snapshot: Snapshot, { stream }: Expansion): Snapshot {
  if (stream === undefined) return snapshot;
  return { ...snapshot, open: snapshot.open.delete(stream.reader) };
}

function readerOf(snapshot: Snapshot, id: number) {
  const expansion = must(snapshot.expansions, id, "expansion");
  const { stream } = expansion;
  if (stream === undefined) throw new Error(`M9000: expansion ${id} reads no stream`);
  return { expansion, stream, reader: must(snapshot.open, stream.reader, "node run") };
}
