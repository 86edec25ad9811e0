/** Counts along which arrows of a graph the runs of its tests went. */
import {
  type EachIr,
  type EdgeIr,
  type ExprIr,
  type Ir,
  isForOthers,
  positionAt,
  printExpression,
  type RouteIr,
  type TargetIr,
  targetsIn,
} from "../../dsl/index.ts";
import { link } from "../scheduler/program/link.ts";
import { eachName, outletPlaces } from "../scheduler/program/outlet-places.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { CoveredArrow, GraphCoverage } from "./covered-arrow.ts";
import type { TestResult } from "./test-result.ts";

/** Counts arrows taken, by the outlet left and the target reached. */
export class ArrowCounts {
  readonly #times = new Map<TargetIr | EachIr, Map<number, number>>();

  /** Notes a token that left an outlet. */
  note(outlet: number, to: TargetIr | EachIr): void {
    const times = this.#times.get(to) ?? new Map<number, number>();
    this.#times.set(to, times.set(outlet, (times.get(outlet) ?? 0) + 1));
  }

  /** Behind a wait, the outlet left is that of the wait, which belongs to whatever waited: `outlets` are those of the text. */
  of(outlet: number, to: TargetIr | EachIr, outlets: ReadonlySet<number>): number {
    const times = this.#times.get(to);
    const waited = [...(times ?? [])].filter(([id]) => !outlets.has(id));
    return waited.reduce((sum, [, count]) => sum + count, times?.get(outlet) ?? 0);
  }
}

/** Counts what the runs of one test took. */
export function coveredArrows(program: Program, counts: ArrowCounts): readonly CoveredArrow[] {
  const { ir } = program;
  const places = outletPlaces(program);
  const outlets = new Set(places.map(({ outlet }) => outlet.id));
  const targets = new Map(targetsIn(ir).map((target, index) => [target, index]));
  const found = places.flatMap(({ outlet, from, on }) =>
    outlet.edges
      .flatMap(({ edge, route }) =>
        headsOf(route, on === undefined ? [] : [`on ${on}`]).filter(
          ({ to, kind }) => kind !== "choice" || !isToItself(edge, from, to),
        ),
      )
      .map(({ to, kind, labels }): CoveredArrow & { readonly order: number } => {
        const target = "node" in to ? targets.get(to) : undefined;
        const span = "node" in to ? to.span : to.items.span;
        const { source } = ir;
        return {
          from,
          to: "node" in to ? to.node : eachName(to),
          kind: on === undefined ? kind : "failure",
          label: labels.join(", "),
          ...(source === undefined || span === undefined
            ? {}
            : { line: positionAt(source, span[0]).line }),
          times: counts.of(outlet.id, to, outlets),
          ...(target === undefined ? {} : { target }),
          order: span?.[0] ?? 0,
        };
      }),
  );
  return found.sort((a, b) => a.order - b.order).map(({ order: _, ...arrow }) => arrow);
}

/** The coverage of each graph by the results of its tests; a graph without a test is not covered. */
export function coverageOf(
  graphs: readonly Ir[],
  results: readonly Pick<TestResult, "test" | "arrows" | "called">[],
): readonly GraphCoverage[] {
  const runs = results.flatMap(({ test: { ir }, arrows, called }) => [{ ir, arrows }, ...called]);
  const tested = Map.groupBy(runs, ({ ir }) => graphKeyOf(ir));
  const all = new Map(
    [...graphs, ...runs.map(({ ir }) => ir)].map((ir) => [graphKeyOf(ir), ir] as const),
  );
  return [...all].map(([key, ir]) => {
    const of = tested.get(key) ?? [];
    const none = coveredArrows(link(ir), new ArrowCounts());
    const arrows = none.map((arrow, index) => ({
      ...arrow,
      times: of.reduce((sum, { arrows: taken }) => sum + (taken[index]?.times ?? 0), 0),
    }));
    return { ir, tests: of.length, arrows };
  });
}

function graphKeyOf({ name, source }: Ir): string {
  return `${source?.file ?? ""} ${name}`;
}

/** Returns whether a target is for the others of a group that hand over to each other. */
function isToItself(edge: EdgeIr | undefined, from: string, to: TargetIr | EachIr): boolean {
  return edge !== undefined && "node" in to && isForOthers(edge.from, from, to.node);
}

/** An end of a route. */
interface RouteHead {
  readonly to: TargetIr | EachIr;
  readonly kind: "arrow" | "choice";
  readonly labels: readonly string[];
}

function headsOf(route: RouteIr, before: readonly string[]): readonly RouteHead[] {
  const { when } = route;
  const labels = [...before, ...(when === undefined ? [] : [`when ${printExpression(when)}`])];
  switch (route.kind) {
    case "to":
      return route.targets.map((to) => ({ to, kind: "arrow", labels }));
    case "pick":
      return route.targets.map((to) => ({ to, kind: "choice", labels }));
    case "choice":
      return route.branches.flatMap(({ when: condition, route: inner }) =>
        headsOf(inner, [...labels, branchLabel(condition)]),
      );
    case "match":
      return route.cases.flatMap(({ values, route: inner }) =>
        headsOf(inner, [
          ...labels,
          values === undefined ? "else" : values.map((one) => JSON.stringify(one)).join(" or "),
        ]),
      );
    case "each":
      return [{ to: route.each, kind: "arrow", labels }];
  }
}

function branchLabel(condition: ExprIr | undefined): string {
  return condition === undefined ? "else" : printExpression(condition);
}
