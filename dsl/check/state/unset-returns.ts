/** Warns of fields that a graph returns and that may have no value at its end. */
import type { TypeIr } from "../../ir/ir-expression.ts";
import type { SoundGraph } from "../context.ts";
import { type LeavingWay, type LeavingWays, leavingPlaces } from "../flow/leaving.ts";
import type { FlowPlace } from "../flow/places.ts";
import { areEqual, bothOf, eitherOf, type FieldSet, fieldsCalled } from "./field-sets.ts";
import { ownWrites } from "./unwritten.ts";

/** Warns of each returned field that nothing writes on some way from `start` to an end, and names that way. */
export function checkUnsetReturns({ ir, symbols, writers, report }: SoundGraph): void {
  const written = new Set(writers.map(({ field }) => field));
  const needed = new Set(
    ir.fields
      .filter(({ type, optional, ...field }) => {
        return field.default === undefined && !optional && !takesNull(type);
      })
      .map(({ name }) => name)
      .filter((name) => written.has(name)),
  );
  const returned = symbols.graph.returns.filter(({ text }) => needed.has(text));
  if (returned.length === 0) return;
  const fields = fieldsCalled(returned.map(({ text }) => text));
  const own = ownWrites(ir, writers, fields);
  const leaving = leavingPlaces(ir.edges);
  const surely = surelySet(leaving, own, fields);
  for (const { text, span } of returned) {
    if (fields.has(surely.from("start"), text)) continue;
    const path = pathToEnd(leaving, {
      isIn: (place) => fields.has(own.get(place) ?? fields.none, text),
      isOn: (way) => fields.has(surely.on(way), text),
    });
    report({
      code: "M3243",
      severity: "warning",
      message: `\`${text}\` may have no value at the end: nothing writes it on \`${path.join(" -> ")}\``,
      span,
      hint: "write it on that way, too, or give it a default",
    });
  }
}

function takesNull(type: TypeIr): boolean {
  return type.kind === "union" && type.types.some(isNull);
}

function isNull(type: TypeIr): boolean {
  return type.kind === "literal" && type.value === null;
}

/** The fields that are surely written from a place on, or once a way is taken. */
interface SurelySet {
  readonly from: (place: FlowPlace) => FieldSet;
  readonly on: (way: LeavingWay) => FieldSet;
}

type LeavingPlaces = ReadonlyMap<FlowPlace, LeavingWays>;

function surelySet(
  leaving: LeavingPlaces,
  own: ReadonlyMap<FlowPlace, FieldSet>,
  fields: ReturnType<typeof fieldsCalled>,
): SurelySet {
  const ownOf = (place: FlowPlace) => own.get(place) ?? fields.none;
  const known = new Map([...leaving.keys()].map((place) => [place, fields.all]));
  const from = (place: FlowPlace) => known.get(place) ?? ownOf(place);
  const on = ({ sets, to }: LeavingWay) => eitherOf([fields.setOf(sets), ...to.map(from)]);
  const onAll = (ways: readonly LeavingWay[]) => bothOf(ways.map(on));
  // Arrows stand mostly in the order of the flow, and what is known comes from its end.
  const places = [...leaving].reverse();
  // Each round can only take fields away, so it ends.
  for (let changed = true; changed; ) {
    changed = false;
    for (const [place, { done, failing }] of places) {
      const next = bothOf([eitherOf([ownOf(place), ...done.map(onAll)]), ...failing.map(onAll)]);
      if (areEqual(next, from(place))) continue;
      known.set(place, next);
      changed = true;
    }
  }
  return { from, on };
}

/** Returns the shortest way to an end on which a field is not written. */
function pathToEnd(
  leaving: LeavingPlaces,
  { isIn, isOn }: { isIn: (place: FlowPlace) => boolean; isOn: (way: LeavingWay) => boolean },
): readonly FlowPlace[] {
  const paths: (readonly FlowPlace[])[] = [["start"]];
  const seen = new Set<FlowPlace>();
  for (const path of paths) {
    const place = path.at(-1) ?? "start";
    if (seen.has(place)) continue;
    seen.add(place);
    const { done = [], failing = [] } = leaving.get(place) ?? {};
    const ways = [...(isIn(place) ? [] : done), ...failing].flat().filter((way) => !isOn(way));
    if (ways.length === 0 || ways.some(({ to }) => to.length === 0)) return [...path, "end"];
    const next = new Set(ways.flatMap(({ to }) => to).filter((to) => !seen.has(to)));
    for (const to of next) paths.push([...path, to]);
  }
  return ["start", "end"];
}
