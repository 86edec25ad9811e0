/** Warns of fields that may have no value where they are read. */
import type { Ir } from "../../ir/ir.ts";
import type { FlowCheck } from "../context.ts";
import type { FieldWriter } from "../facts.ts";
import {
  type Arc,
  type FlowPlace,
  type FlowPlaces,
  isJoin,
  joinPlace,
  type Outgoing,
} from "../flow/places.ts";
import { allEdges } from "../flow/routes.ts";
import {
  areEqual,
  bothOf,
  eitherOf,
  type FieldSet,
  fieldsCalled,
  type SetsOfFields,
} from "./field-sets.ts";
import { stopReads } from "./stop-reads.ts";
import { sureSources } from "./sure-sources.ts";

/** Warns of each field that may have no value where it is read, once a place. */
export function checkUnwritten(check: FlowCheck): void {
  const { ir, places, reads, writers } = check;
  const isWritten = new Set(writers.map(({ field }) => field));
  const fields = fieldsCalled(
    ir.fields
      .filter(({ name, ...field }) => field.default === undefined && !field.optional)
      .map(({ name }) => name)
      .filter((name) => isWritten.has(name)),
  );
  const written = writtenBefore({ ir, places, writers }, fields);
  const reported = new Set<string>();
  for (const { field, span, place, sees } of [...reads, ...stopReads(ir)]) {
    const known = written(place, sees);
    const keys = [`${place} ${field}`, `${span.start}`];
    if (known === undefined || fields.has(known, field)) continue;
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

/** The fields that surely have a value before each place and after it; undefined for a place never reached. */
type Written = (place: FlowPlace, sees: "before" | "after") => FieldSet | undefined;

/** SetsOfFields that have a value from the beginning are not asked for. */
function writtenBefore(
  { ir, places, writers }: Pick<FlowCheck, "ir" | "places" | "writers">,
  fields: SetsOfFields,
): Written {
  const own = ownWrites(ir, writers, fields);
  const before = new Map<FlowPlace, FieldSet>([["start", fields.none]]);
  const after = (place: FlowPlace): FieldSet | undefined => {
    const [known, written] = [before.get(place), own.get(place)];
    return known === undefined || written === undefined ? known : eitherOf([known, written]);
  };
  const incoming = Map.groupBy(places.arcs, (arc) => arc.to);
  const joined = joining(ir, places, fields);
  const ahead = inFlowOrder(places.next).filter((place) => incoming.has(place));
  // Each round can only take fields away, so it ends; in the order of the flow two rounds are mostly enough.
  for (let changed = true; changed; ) {
    changed = false;
    for (const place of ahead) {
      const next = isJoin(place)
        ? joined(place, after)
        : arriving(incoming.get(place) ?? [], { before, after, fields });
      const known = before.get(place);
      if (next === undefined || (known !== undefined && areEqual(next, known))) continue;
      before.set(place, next);
      changed = true;
    }
  }
  return (place, sees) => (sees === "before" ? before.get(place) : after(place));
}

/** Returns the places that a run can come to, each behind those that lead to it where no cycle forbids that. */
function inFlowOrder(next: Outgoing): readonly FlowPlace[] {
  const left: FlowPlace[] = [];
  const seen = new Set<FlowPlace>(["start"]);
  const open = [{ place: "start", at: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const to = next.get(top.place)?.[top.at]?.to;
    top.at += 1;
    if (to === undefined) {
      left.push(top.place);
      open.pop();
    } else if (!seen.has(to)) {
      seen.add(to);
      open.push({ place: to, at: 0 });
    }
  }
  return left.reverse();
}

/** The fields that a node has surely written once it is done. */
export function ownWrites(
  ir: Ir,
  writers: readonly FieldWriter[],
  { setOf }: SetsOfFields,
): ReadonlyMap<FlowPlace, FieldSet> {
  const optional = new Set(
    ir.nodes.flatMap((node) =>
      node.writes.filter((write) => write.optional).map((write) => `${node.name} ${write.field}`),
    ),
  );
  const nodes = new Set(ir.nodes.map((node) => node.name));
  const own = writers.filter(
    ({ node, field, onArrow }) => !onArrow && nodes.has(node) && !optional.has(`${node} ${field}`),
  );
  const byNode = Map.groupBy(own, ({ node }) => node);
  return new Map(
    [...byNode].map(([node, writes]) => [node, setOf(writes.map(({ field }) => field))]),
  );
}

/**
 * A join brings what any of its nodes wrote that have surely come, whichever came first; a quorum what is in every
 * choice of so many of them.
 */
function joining(ir: Ir, places: FlowPlaces, fields: SetsOfFields) {
  const sources = allEdges(ir.edges).flatMap(({ from }) => (from.kind === "join" ? [from] : []));
  const byPlace = Map.groupBy(sources, ({ nodes }) => joinPlace(nodes));
  const sureWith = sureSources(ir, places);
  return (
    place: FlowPlace,
    after: (place: FlowPlace) => FieldSet | undefined,
  ): FieldSet | undefined => {
    const [source] = byPlace.get(place) ?? [];
    const { nodes = [], need } = source ?? {};
    const reached = nodes.filter((node) => after(node) !== undefined);
    if (reached.length === 0) return undefined;
    // A node that is not reached yet lacks no field: each round only removes fields.
    const brought = nodes.map((node) => after(node) ?? fields.all);
    if (typeof need === "number") return inAllBut(need - 1, brought, fields);
    // In most joins all nodes come together: then one list stands for all of them.
    const lists = new Set(reached.map((node) => sureWith(nodes, node)));
    const bySure = [...lists].map((sure) =>
      eitherOf(sure.map((node) => after(node) ?? fields.all)),
    );
    return bothOf(bySure);
  };
}

/** Returns the fields that at most so many of the sets lack. */
function inAllBut(count: number, sets: readonly FieldSet[], { names, setOf, has }: SetsOfFields) {
  return setOf(names.filter((name) => sets.filter((set) => !has(set, name)).length <= count));
}

interface KnownFields {
  readonly before: ReadonlyMap<FlowPlace, FieldSet>;
  readonly after: (place: FlowPlace) => FieldSet | undefined;
  readonly fields: SetsOfFields;
}

/** Returns the fields that are written before a place on each of its ways. */
function arriving(
  incoming: readonly Arc[],
  { before, after, fields }: KnownFields,
): FieldSet | undefined {
  const brought = incoming.flatMap(({ from, on, sets }) => {
    const state = on === "done" ? after(from) : before.get(from);
    if (state === undefined || sets.length === 0) return state ?? [];
    return [eitherOf([state, fields.setOf(sets.map(({ field }) => field))])];
  });
  return brought.length === 0 ? undefined : bothOf(brought);
}
