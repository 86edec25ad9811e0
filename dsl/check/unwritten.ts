import type { Ir } from "../ir.ts";
import type { FlowCheck } from "./context.ts";
import { type Arc, isJoin, type Place, type Places } from "./places.ts";
import type { Writer } from "./writers.ts";

/** Warns of each field that may have no value where it is read, once a place. */
export function checkUnwritten(check: FlowCheck): void {
  const { ir, places, reads, writers } = check;
  const hasValue = new Set(
    ir.fields
      .filter((field) => field.default !== undefined || field.optional)
      .map((field) => field.name),
  );
  const written = writtenBefore(ir, places, hasValue, writers);
  const reported = new Set<string>();
  for (const { field, span, place, sees } of reads) {
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
    const written = own.get(place) ?? [];
    return known === undefined || written.length === 0 ? known : withFields(known, written);
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
    return state === undefined ? [] : [withSets(state, arc)];
  });
  const [first, ...others] = brought;
  if (first === undefined || others.length === 0) return first;
  if (isJoin(place)) return others.reduce(withFields, first);
  return new Set([...first].filter((field) => others.every((fields) => fields.has(field))));
}

function withSets(state: Fields, { sets }: Arc): Fields {
  if (sets.length === 0) return state;
  const fields = sets.map((assign) => assign.field);
  return withFields(state, fields);
}

function withFields(state: Fields, more: Iterable<string>): Fields {
  return new Set([...state, ...more]);
}
