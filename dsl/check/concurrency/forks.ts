/** Lists the forks of a flow: the parts that leave a place together. */
import type { FlowBranch, FlowPlace, FlowPlaces } from "../flow/places.ts";
import { areExclusive } from "./exclusive-conditions.ts";

/** One of several parts of a flow that start together: the places that it begins at. */
export type ForkSide = readonly FlowPlace[];

/** A place that several sides leave at once. */
export interface Fork {
  readonly place: FlowPlace;
  readonly sides: readonly ForkSide[];
}

/** Every fork of a flow, in the order of its places. */
export function allForks({ branches }: Pick<FlowPlaces, "branches">): readonly Fork[] {
  return [...branches].flatMap(([place, leaving]) =>
    forksOf(leaving).map((sides) => ({ place, sides })),
  );
}

/** The sides that leave a place together: targets of one `[ ]`, and arrows that can both be taken. */
function forksOf(branches: readonly FlowBranch[]): readonly (readonly ForkSide[])[] {
  const inside = branches.flatMap((branch) =>
    branch.alternatives.map((targets) => targets.map((target) => [target])),
  );
  const sideOf = new Map(branches.map((branch) => [branch, branch.alternatives.flat()]));
  const sidesOf = (taken: readonly FlowBranch[]) => taken.map((one) => sideOf.get(one) ?? []);
  // Arrows without a condition are all taken: one fork of all of them, not one for each two.
  const plain = branches.filter(({ when }) => when === undefined);
  const together = [...Map.groupBy(plain, ({ on }) => on).values()].map(sidesOf);
  const between =
    plain.length === branches.length
      ? []
      : branches.flatMap((branch, index) =>
          branches
            .slice(index + 1)
            .filter((other) => canBothBeTaken(branch, other))
            .map((other) => sidesOf([branch, other])),
        );
  return [...inside, ...together, ...between].filter((sides) => sides.length > 1);
}

/** Says so of two arrows of which one has a condition. */
function canBothBeTaken(a: FlowBranch, b: FlowBranch): boolean {
  if (a.on !== b.on || (a.when === undefined && b.when === undefined)) return false;
  return a.when === undefined || b.when === undefined || !areExclusive(a.when, b.when);
}
