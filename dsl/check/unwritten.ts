import type { Ir } from "../ir.ts";
import type { FlowCheck } from "./context.ts";
import { type Arc, isJoin, type Place, type Places } from "./places.ts";
import { readsOf } from "./reads.ts";
import { type Writer, writersOf } from "./writers.ts";

/** Warns of each field that may have no value where it is read, once a place. */
export function checkUnwritten(check: FlowCheck): void {
  const { ir, places } = check;
  const writers = writersOf(check);
  const hasValue = new Set(
    ir.fields
      .filter((field) => field.default !== undefined || field.optional)
      .map((field) => field.name),
  );
  const written = writtenBefore(ir, places, hasValue, writers);
  const reported = new Set<string>();
  for (const { field, span, place, sees } of readsOf(ir)) {
    const known = written(place, sees);
    const isWrittenAtAll = writers.some((writer) => writer.field === field);
    const key = `${place} ${field}`;
    if (known === undefined || known.has(field) || !isWrittenAtAll || reported.has(key)) continue;
    reported.add(key);
    check.report({
      code: "M3207",
      severity: "warning",
      message: `\`${field}\` may not be written yet when it is read here`,
      span,
      hint: `give it a default, or write it before; a prompt shows \`(none yet)\``,
    });
  }
}

type Fields = ReadonlySet<string>;

/** For each place, the fields that surely have a value before and after it; undefined for a place never reached. */
function writtenBefore(
  ir: Ir,
  places: Places,
  hasValue: Fields,
  writers: readonly Writer[],
): (place: Place, sees: "before" | "after") => Fields | undefined {
  const own = ownWrites(ir, writers);
  const before = new Map<Place, Fields>([["start", hasValue]]);
  const after = (place: Place): Fields | undefined => {
    const known = before.get(place);
    return known && union([known, own.get(place) ?? []]);
  };
  const incoming = Map.groupBy(places.arcs, (arc) => arc.to);
  // Each round can only take fields away, so it ends.
  for (let changed = true; changed; ) {
    changed = false;
    for (const [place, arcs] of incoming) {
      const next = arriving(place, arcs, before, after);
      if (next === undefined || next.size === before.get(place)?.size) continue;
      before.set(place, next);
      changed = true;
    }
  }
  return (place, sees) => (sees === "before" ? before.get(place) : after(place));
}

function ownWrites(ir: Ir, writers: readonly Writer[]): ReadonlyMap<Place, readonly string[]> {
  const optional = new Set(
    ir.nodes.flatMap((node) =>
      node.writes.filter((write) => write.optional).map((write) => `${node.name} ${write.field}`),
    ),
  );
  const nodes = new Set(ir.nodes.map((node) => node.name));
  const own = new Map<Place, string[]>([...nodes].map((node) => [node, []]));
  for (const { node, field, onArrow } of writers)
    if (!onArrow && !optional.has(`${node} ${field}`)) own.get(node)?.push(field);
  return own;
}

/** Whoever arrives at a place brings what all others surely bring too; a join brings what any of its nodes wrote. */
function arriving(
  place: Place,
  incoming: readonly Arc[],
  before: ReadonlyMap<Place, Fields>,
  after: (place: Place) => Fields | undefined,
): Fields | undefined {
  const brought = incoming.flatMap((arc) => {
    const state = arc.on === "done" ? after(arc.from) : before.get(arc.from);
    return state === undefined ? [] : [union([state, arc.sets.map((assign) => assign.field)])];
  });
  if (brought.length === 0) return undefined;
  const everything = union(brought);
  if (isJoin(place)) return everything;
  return new Set([...everything].filter((field) => brought.every((fields) => fields.has(field))));
}

function union(sets: readonly Iterable<string>[]): Set<string> {
  return new Set(sets.flatMap((set) => [...set]));
}
