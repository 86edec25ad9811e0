import type ts from "typescript-6";
import { classify } from "../cells/classify.ts";
import type { CellTypes } from "./create-service.ts";
import { inspectGraph } from "./graphs/inspect-graph.ts";
import type { Inspection, Place } from "./service.ts";

/** What is known about the name at a place of a cell; detail 1 adds its documentation tags. */
export function inspectCell(
  at: Place & { readonly detail: 0 | 1 },
  types: CellTypes,
): Inspection | undefined {
  switch (classify(at.code).kind) {
    case "typescript": {
      const { code, offset, detail } = at;
      const found = nameAt(code, offset).flatMap(
        (place) => types.program.inspect(code, types.known, place) ?? [],
      );
      const [info] = found.filter(({ displayParts }) => displayParts !== undefined);
      return info && toInspection(info, detail);
    }
    case "graph":
      return inspectGraph(at);
    case "magic":
    case "sql":
      return undefined;
  }
}

/** The cursor of a front end stands behind the name as often as in it. */
function nameAt(code: string, offset: number): readonly number[] {
  const before = /[\p{L}\p{N}_$]$/u.test(code.slice(0, offset));
  return before ? [offset, offset - 1] : [offset];
}

function toInspection(info: ts.QuickInfo, detail: 0 | 1): Inspection {
  const declaration = textOf(info.displayParts);
  const documentation = textOf(info.documentation);
  const tags = detail === 0 ? [] : (info.tags ?? []);
  const notes = tags.map(({ name, text }) => ({ name, text: textOf(text) }));
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

function textOf(parts: readonly ts.SymbolDisplayPart[] | undefined): string {
  return (parts ?? []).map(({ text }) => text).join("");
}
