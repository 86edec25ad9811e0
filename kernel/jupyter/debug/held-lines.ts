/** Finds the lines of a graph cell at which a run can stop. */
import { parse, positionAt, type Span } from "../../../dsl/index.ts";
import { graphText } from "../../cells/kinds/classify.ts";

/** The lines that breakpoints hold at, where people set them anywhere in the text of a node or of arrows. */
export function heldLines(code: string, lines: readonly number[]): readonly number[] {
  const parts = partsIn(code);
  const held = lines.flatMap((line) => {
    // The narrowest one, and of several on a line the first: nodes stand before arrows.
    const around = parts.filter(({ first, last }) => first <= line && line <= last);
    const [part] = around.toSorted((a, b) => a.last - a.first - (b.last - b.first));
    if (part === undefined) return [];
    // A line without an arrow counts for the next one that has some.
    return part.held.find((one) => one >= line) ?? part.held.at(-1) ?? [];
  });
  return [...new Set(held)].sort((a, b) => a - b);
}

interface LineRange {
  readonly first: number;
  readonly last: number;
  /** In order. */
  readonly held: readonly number[];
}

/** Returns the ranges of lines in a text; of one with mistakes, those that could be read. */
function partsIn(code: string): readonly LineRange[] {
  const source = { file: "cell", text: graphText(code) };
  const lineOf = (offset: number) => positionAt(source, offset).line;
  const linesOf = ({ start, end }: Span) => ({
    first: lineOf(start),
    last: lineOf(Math.max(start, end - 1)),
  });
  const { ast } = parse(source);
  const items = ast.items.flatMap((item) => (item.kind === "graph" ? item.items : []));
  const nodes = items.filter(({ kind }) => kind === "node" || kind === "call");
  const flows = items.filter((item) => item.kind === "flow");
  return [
    ...nodes.map(({ span }) => ({ ...linesOf(span), held: [lineOf(span.start)] })),
    ...flows.map(({ span, hops }) => {
      const held = new Set(hops.flatMap(startsOf).map(lineOf));
      return { ...linesOf(span), held: [...held].sort((a, b) => a - b) };
    }),
  ];
}

type HopAst = Extract<
  Extract<ReturnType<typeof parse>["ast"]["items"][number], { kind: "graph" }>["items"][number],
  { kind: "flow" }
>["hops"][number];

/** Returns the offsets at which a hop and its targets begin. */
function startsOf(hop: HopAst): readonly number[] {
  switch (hop.kind) {
    case "one-of":
    case "all-of":
      return [hop.span.start, ...hop.refs.map(({ span }) => span.start)];
    case "choice":
      return [hop.span.start, ...hop.branches.flatMap(({ hops }) => hops).flatMap(startsOf)];
    case "match":
      return [hop.span.start, ...hop.cases.flatMap(({ hops }) => hops).flatMap(startsOf)];
    case "each":
      return [
        hop.span.start,
        ...[...hop.body, ...hop.flows.flatMap(({ hops }) => hops)].flatMap(startsOf),
      ];
  }
}
