/** Warns of fields that may have no value where they are read. */
import type { Ir } from "../../ir/ir.ts";
import type { FlowCheck } from "../context.ts";
import type { FieldWriter } from "../facts.ts";
import { type Arc, type FlowPlace, type FlowPlaces, isJoin, joinPlace } from "../flow/places.ts";
import { allEdges } from "../flow/routes.ts";
import { stopReads } from "./stop-reads.ts";
import { sureSources } from "./sure-sources.ts";

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
  for (const { field, span, place, sees } of [...reads, ...stopReads(ir)]) {
    const known = written(place, sees);
    const isWrittenAtAll = writers.some((writer) => writer.field === field);
    const keys = [`${place} ${field}`, `${span.start}`];
    if (known === undefined || known.has(field) || !isWrittenAtAll) continue;
    if (keys.some((key) => reported.has(key))) continue;
    for (const key of keys) reported.add(key);
    check.report({
      code: "M3207",
      severity: "warning",
      message: `\`${field}\` may not be written yet when it is read here`,
      span,
      hint: `give it a default, or write it before; a prompt shows \`(none yet)\``,
    });
  }
}

type WrittenFields = ReadonlySet<string>;

/**
 * Returns, for each place, the fields that surely have a value before and after it; undefined for a
 * place never reached.
 */
function writtenBefore(
  ir: Ir,
  places: FlowPlaces,
  hasValue: WrittenFields,
  writers: readonly FieldWriter[],
): (place: FlowPlace, sees: "before" | "after") => WrittenFields | undefined {
  const own = ownWrites(ir, writers);
  const before = new Map<FlowPlace, WrittenFields>([["start", hasValue]]);
  const after = (place: FlowPlace): WrittenFields | undefined => {
    const known = before.get(place);
    const written = own.get(place) ?? [];
    return known === undefined || written.length === 0 ? known : withFields(known, written);
  };
  const incoming = Map.groupBy(places.arcs, (arc) => arc.to);
  const joined = joining(ir, places);
  // Each round can only take fields away, so it ends.
  for (let changed = true; changed; ) {
    changed = false;
    for (const [place, arcs] of incoming) {
      const next = isJoin(place) ? joined(place, after) : arriving(arcs, before, after);
      if (next === undefined || next.size === before.get(place)?.size) continue;
      before.set(place, next);
      changed = true;
    }
  }
  return (place, sees) => (sees === "before" ? before.get(place) : after(place));
}

function ownWrites(
  ir: Ir,
  writers: readonly FieldWriter[],
): ReadonlyMap<FlowPlace, readonly string[]> {
  const optional = new Set(
    ir.nodes.flatMap((node) =>
      node.writes.filter((write) => write.optional).map((write) => `${node.name} ${write.field}`),
    ),
  );
  const nodes = new Set(ir.nodes.map((node) => node.name));
  const own = new Map<FlowPlace, string[]>([...nodes].map((node) => [node, []]));
  for (const { node, field, onArrow } of writers)
    if (!onArrow && !optional.has(`${node} ${field}`)) own.get(node)?.push(field);
  return own;
}

/**
 * A join brings what any of its nodes wrote that have surely come, whichever came first; a quorum what is in every
 * choice of so many of them.
 */
function joining(ir: Ir, places: FlowPlaces) {
  const sources = allEdges(ir.edges).flatMap(({ from }) => (from.kind === "join" ? [from] : []));
  const byPlace = Map.groupBy(sources, ({ nodes }) => joinPlace(nodes));
  const sureWith = sureSources(ir, places);
  return (
    place: FlowPlace,
    after: (place: FlowPlace) => WrittenFields | undefined,
  ): WrittenFields | undefined => {
    const [source] = byPlace.get(place) ?? [];
    const { nodes = [], need } = source ?? {};
    const reached = nodes.filter((node) => after(node) !== undefined);
    if (reached.length === 0) return undefined;
    // A node that is not reached yet lacks no field: each round only removes fields.
    const lacks = (node: string, field: string) => after(node)?.has(field) === false;
    const isBrought = (field: string) =>
      typeof need === "number"
        ? nodes.filter((node) => lacks(node, field)).length < need
        : reached.every((node) => sureWith(nodes, node).some((sure) => !lacks(sure, field)));
    return new Set(ir.fields.map(({ name }) => name).filter(isBrought));
  };
}

/** Returns the fields that are written before a place on each of its ways. */
function arriving(
  incoming: readonly Arc[],
  before: ReadonlyMap<FlowPlace, WrittenFields>,
  after: (place: FlowPlace) => WrittenFields | undefined,
): WrittenFields | undefined {
  const brought = incoming.flatMap((arc) => {
    const state = arc.on === "done" ? after(arc.from) : before.get(arc.from);
    return state === undefined ? [] : [withSets(state, arc)];
  });
  const [first, ...others] = brought;
  if (first === undefined || others.length === 0) return first;
  return new Set([...first].filter((field) => others.every((fields) => fields.has(field))));
}

function withSets(state: WrittenFields, { sets }: Arc): WrittenFields {
  if (sets.length === 0) return state;
  const fields = sets.map((assign) => assign.field);
  return withFields(state, fields);
}

function withFields(state: WrittenFields, more: Iterable<string>): WrittenFields {
  return new Set([...state, ...more]);
}
