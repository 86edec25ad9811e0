/** Explains the name at a place of any kind of cell. */
import { classify } from "../../cells/kinds/classify.ts";
import { inspectMagic } from "../../cells/magics/complete-magic.ts";
import type { NameInfo } from "../cells/cell-program.ts";
import { readDeclaredApis } from "../graphs/editor/declared-apis.ts";
import { graphNote } from "../graphs/editor/graph-note.ts";
import { inspectGraph } from "../graphs/editor/inspect-graph.ts";
import { wordAt } from "../graphs/editor/word-at.ts";
import type { CellCursor, Inspection } from "../service.ts";
import type { CellTypes } from "../service-state.ts";
import { inspectSql } from "../sql/inspect-sql.ts";

type InspectedPlace = CellCursor & { readonly detail: 0 | 1 };

/**
 * Returns the documentation of the name at a place of a cell; detail 1 adds its tags. Undefined if
 * there is none.
 */
export async function inspectCell(
  at: InspectedPlace,
  types: CellTypes,
): Promise<Inspection | undefined> {
  const magic = inspectMagic(at);
  if (magic !== undefined) return magic;
  const { detail } = at;
  switch (classify(at.code).kind) {
    case "typescript":
      return inspectTypeScript(at, types);
    case "graph":
      return inspectGraph(
        at,
        ({ text, offset }) => quickInfo({ code: text, offset, detail }, types),
        await readDeclaredApis(at.code),
      );
    case "sql":
      return inspectSql(at);
    case "shell":
    case "python":
    case "magic":
      return undefined;
  }
}

/** The name itself, else what is called around it. */
function inspectTypeScript(at: InspectedPlace, types: CellTypes): Inspection | undefined {
  const { text: name } = wordAt(at.code, at.offset);
  const found = name === "" ? undefined : quickInfo(at, types);
  if (found !== undefined) return withGraph(found, name, types);
  const callee = calleeBefore(at);
  return callee === undefined ? undefined : quickInfo({ ...at, offset: callee }, types);
}

/** Adds the outline of a graph to the documentation of a name that stands for it. */
function withGraph(found: Inspection, name: string, { graphs }: CellTypes): Inspection {
  for (const { cell } of graphs.toReversed()) {
    const graph = cell.graphs.find((one) => one.name === name);
    if (graph === undefined) continue;
    const note = graphNote(graph, cell.source);
    return {
      plain: `${note}\n\n${found.plain}`,
      markdown: `\`\`\`madrigal\n${note}\n\`\`\`\n\n${found.markdown}`,
    };
  }
  return found;
}

function quickInfo(
  { code, offset, detail }: InspectedPlace,
  types: CellTypes,
): Inspection | undefined {
  const known = `${types.known}${types.offered}`;
  for (const place of nameAt(code, offset)) {
    const info = types.program.inspect({ text: code, offset: place }, known);
    if (info !== undefined) return toInspection(info, detail);
  }
  return undefined;
}

/** The cursor of a front end stands behind the name as often as in it. */
function nameAt(code: string, offset: number): readonly number[] {
  const before = /[\p{L}\p{N}_$]$/u.test(code.slice(0, offset));
  return before ? [offset, offset - 1] : [offset];
}

/** The end of the name whose parenthesis is open at a place: `f(1, ▮`. */
function calleeBefore({ code, offset }: CellCursor): number | undefined {
  let depth = 0;
  for (let index = offset - 1; index >= 0; index -= 1) {
    const character = code.charAt(index);
    if (")]}".includes(character)) depth += 1;
    else if ("([{".includes(character)) depth -= 1;
    if (depth >= 0) continue;
    const name = character === "(" ? /[\p{L}\p{N}_$]\s*$/u.exec(code.slice(0, index)) : null;
    if (name !== null) return name.index + 1;
    // An object or a list within the call: further out.
    depth = 0;
  }
  return undefined;
}

function toInspection({ declaration, documentation, tags }: NameInfo, detail: 0 | 1): Inspection {
  const notes = tags.filter(({ name }) => detail === 1 || BRIEF.has(name));
  return {
    plain: [declaration, documentation, ...notes.map(({ name, text }) => `@${name} ${text}`)]
      .filter((part) => part !== "")
      .join("\n\n"),
    markdown: [
      `\`\`\`typescript\n${declaration}\n\`\`\``,
      documentation,
      ...notes.map(({ name, text }) => `*@${name}* ${text}`),
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
  };
}

/** The documentation tags that a caller of a function needs first. */
const BRIEF: ReadonlySet<string> = new Set(["param", "returns", "deprecated", "throws", "example"]);
