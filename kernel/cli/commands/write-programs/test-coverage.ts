/** Tells which arrows of graphs no test took: as a table, as JSON, as drawings. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CoveredArrow, GraphCoverage } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { drawCoverage } from "../../../display/index.ts";
import { textTable } from "../../../display/text-table.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { Painter } from "../../../paint.ts";
import { countTaken, coverageSummary } from "../../../program-tests/coverage-summary.ts";

/** One line with what was taken of each kind of arrow, and a table of those that no test took. */
export function coverageText(covered: GraphCoverage, paint: Painter): string {
  const { ir, arrows } = covered;
  const missed = arrows.filter(({ times }) => times === 0);
  const title = paint(missed.length === 0 ? "good" : "title", coverageSummary(covered));
  if (missed.length === 0) return title;
  const columns = [
    { title: "not taken", cell: ({ from, to }: CoveredArrow) => `${from} -> ${to}` },
    { title: "where", cell: ({ label }: CoveredArrow) => label },
    {
      title: "line",
      cell: ({ line }: CoveredArrow) => (line === undefined ? "" : `${ir.source?.file}:${line}`),
    },
  ];
  return `${title}\n${textTable(columns, missed).replaceAll(/^/gm, "  ")}`;
}

/** The coverage of a graph as a record of `test --json`. */
export function coverageJson({ ir, tests, arrows }: GraphCoverage) {
  const file = ir.source === undefined ? {} : { file: ir.source.file };
  return {
    graph: ir.name,
    ...file,
    tests,
    arrows: arrows.map(({ target: _, ...arrow }) => arrow),
  };
}

/** The share of arrows of all graphs that were taken, in percent. */
export function coveredPercent(graphs: readonly GraphCoverage[]): number {
  const arrows = graphs.flatMap((graph) => graph.arrows);
  return arrows.length === 0 ? 100 : (100 * countTaken(arrows)) / arrows.length;
}

export function tooLittle(graphs: readonly GraphCoverage[], least: number): CommandError {
  // Rounded down: what is too little must not look like enough.
  const percent = Math.floor(coveredPercent(graphs) * 10) / 10;
  return new CommandError("M7211", `tests took ${percent} % of the arrows, not ${least} %`, {
    hint: "the tables above name the arrows that no test took",
    exitCode: EXIT.wrong,
  });
}

/** Writes the picture of each graph into a folder: `Review.svg`, and `Review-2.svg` for another graph of that name. */
export async function writeDrawings(
  folder: string,
  graphs: readonly GraphCoverage[],
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const written = new Map<string, number>();
  for (const graph of graphs) {
    const { name } = graph.ir;
    const count = (written.get(name) ?? 0) + 1;
    written.set(name, count);
    const file = join(folder, `${name}${count === 1 ? "" : `-${count}`}.svg`);
    writeFileSync(file, `${await drawCoverage(graph)}\n`);
  }
}
