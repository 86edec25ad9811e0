/** Lists the fields that `end when` and `break … when` need to have a value. */
import type { ExprIr, Ir } from "../../ir/ir.ts";
import { isPart } from "../../ir/visit-tree.ts";
import { type FieldRead, readsIn } from "./reads.ts";

/**
 * The fields that `end when` and `break … when` can't do without: those of which they take a part. What is compared and
 * not written yet only makes them not hold. `end when` is looked at after every commit.
 */
export function stopReads({ endWhen, breaks, nodes }: Ir): readonly FieldRead[] {
  const ends = endWhen.flatMap((condition) =>
    nodes.flatMap(({ name }) => partsIn(condition, { place: name, sees: "after" })),
  );
  const holds = breaks.flatMap(({ when, condition, nodes: at }) =>
    at.flatMap((place) =>
      condition === undefined ? [] : partsIn(condition, { place, sees: when }),
    ),
  );
  return [...ends, ...holds];
}

function partsIn(condition: ExprIr, at: Pick<FieldRead, "place" | "sees">): readonly FieldRead[] {
  const guarded = new Set(guardedIn(condition));
  return objectsIn(condition)
    .flatMap((object) => readsIn(object, at.place, at.sees))
    .filter(({ field }) => !guarded.has(field));
}

/** Returns the names before `.part` or `[index]` in a part of the IR. */
function objectsIn(part: unknown): readonly ExprIr[] {
  if (Array.isArray(part)) return part.flatMap(objectsIn);
  if (!isPart(part)) return [];
  const expr = part as unknown as ExprIr;
  const isTaken = (expr.kind === "member" && !expr.optional) || expr.kind === "index";
  const own = isTaken && expr.object.kind === "name" ? [expr.object] : [];
  return [...own, ...Object.values(part).flatMap(objectsIn)];
}

/** The fields that a condition asks for whether they are there. */
function guardedIn(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(guardedIn);
  if (!isPart(part)) return [];
  const inner = Object.values(part).flatMap(guardedIn);
  const expr = part as unknown as ExprIr;
  if (expr.kind !== "binary" || (expr.op !== "==" && expr.op !== "!=")) return inner;
  const sides = [expr.left, expr.right];
  const isNull = sides.some((side) => side.kind === "literal" && side.value === null);
  return isNull
    ? [...inner, ...sides.flatMap((side) => (side.kind === "name" ? side.name : []))]
    : inner;
}
