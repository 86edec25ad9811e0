/** Completes at a place of any kind of cell. */

import { classify } from "../../cells/kinds/classify.ts";
import { completeMagic } from "../../cells/magics/complete-magic.ts";
import { namesIn } from "../cells/declarations.ts";
import { completeGraph } from "../graphs/editor/complete-graph.ts";
import { readDeclaredApis } from "../graphs/editor/declared-apis.ts";
import { BUILT_IN_TYPES } from "../named/built-in-types.ts";
import type { CellCursor, Completions } from "../service.ts";
import type { CellTypes } from "../service-state.ts";
import { completeSql, type NotebookNames } from "../sql/complete-sql.ts";

/** Returns the completions at a place of a cell. */
export async function completeCell(at: CellCursor, types: CellTypes): Promise<Completions> {
  const magic = completeMagic(at);
  if (magic !== undefined) return magic;
  switch (classify(at.code).kind) {
    case "typescript":
      return types.program.complete({ text: at.code, offset: at.offset }, types.known);
    case "graph":
      return completeGraph(at, namesFor(types), await readDeclaredApis(at.code));
    case "sql":
      return completeSql(at, namesFor(types));
    case "shell":
    case "python":
    case "magic":
      return { items: [], start: at.offset, end: at.offset };
  }
}

function namesFor(types: CellTypes): NotebookNames {
  const { compiler } = types.program;
  const irs = types.graphs.flatMap(({ cell }) => cell.graphs);
  const declared = namesIn(compiler, types.known);
  const known = `${types.known}${types.offered}`;
  return {
    complete: (asked) => types.program.complete(asked, known),
    names: new Set([...declared, ...Object.keys(BUILT_IN_TYPES)]),
    graphs: new Set(irs.map(({ name }) => name)),
    irs,
  };
}
